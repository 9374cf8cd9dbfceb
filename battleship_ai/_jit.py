"""How the kernels are compiled and cached."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import njit

__all__ = ["cached", "inlined", "kernel"]

# Kernels borrow the arrays of the tuples they are given and allocate nothing, so Numba's
# reference counting is switched off for them: counting each array at each use made whole
# games six times slower. A kernel that allocates is `cached`.
kernel = njit(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)

# For what runs at every shot: a call that passes the two tuples costs more than its work.
inlined = njit(_nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def cached(function: Callable[..., Any]) -> Any:
    """Compile a kernel that Python calls, and keep its machine code on disk.

    Numba's cache takes a function's code to be current as long as its own file is;
    here it is current as long as every file of the package is, since the machine code
    holds the kernels of other modules too.
    """
    dispatcher = njit(cache=True, no_cfunc_wrapper=True)(function)
    dispatcher._cache._cache_file._source_stamp = _fingerprint()
    return dispatcher


@cache
def _fingerprint() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
