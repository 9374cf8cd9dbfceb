"""How the kernels are compiled and cached."""

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import njit

__all__ = ["cached", "inlined", "kernel"]

_IMPORT = re.compile(r"^ *from battleship_ai\.?([\w.]*) import (?:\(([^)]*)\)|(.*))", re.M)

# Kernels borrow the arrays of the tuples they are given and allocate nothing, so Numba's
# reference counting is switched off for them: counting each array at each use made whole
# games six times slower. A kernel that allocates is `cached`.
kernel = njit(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)

# For what runs at every shot: a call that passes the two tuples costs more than its work.
inlined = njit(_nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def cached(function: Callable[..., Any]) -> Any:
    """Compile a kernel that Python calls, and keep its machine code on disk.

    Numba's cache takes a function's code to be current as long as its own file is;
    here it is current as long as every file is that some kernel's module imports, since
    the machine code holds the kernels and the constants of other modules too.
    """
    dispatcher = njit(cache=True, no_cfunc_wrapper=True)(function)
    dispatcher._cache._cache_file._source_stamp = _fingerprint()
    return dispatcher


@cache
def _fingerprint() -> str:
    package = Path(__file__).parent
    sources = {
        ".".join(path.relative_to(package).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in package.rglob("*.py")
    }
    # All modules with kernels, since some reach others through a registry.
    seen = {name for name, text in sources.items() if "from battleship_ai._jit import" in text}
    seen.add("_jit")
    waiting = list(seen)
    while waiting:
        imported = _imported(sources[waiting.pop()]) & sources.keys() - seen
        seen |= imported
        waiting += imported
    digest = hashlib.sha256()
    for name in sorted(seen):
        digest.update(sources[name].encode())
    return digest.hexdigest()


def _imported(source: str) -> set[str]:
    """Every module that imports of the form ``from battleship_ai.x import y`` may mean."""
    modules = set()
    for module, listed, plain in _IMPORT.findall(source):
        inside = f"{module}." if module else ""
        modules |= {module, f"{inside}__init__"}
        modules |= {inside + name for name in re.findall(r"\w+", listed or plain)}
    return modules
