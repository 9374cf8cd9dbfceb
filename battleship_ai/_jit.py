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
    sources = {path: path.read_bytes() for path in sorted(package.rglob("*.py"))}
    # All modules with kernels, since some reach others through a registry.
    seen = {path for path, text in sources.items() if b"from battleship_ai._jit import" in text}
    seen.add(Path(__file__))
    waiting = list(seen)
    while waiting:
        imported = _imported(package, sources[waiting.pop()]) & sources.keys() - seen
        seen |= imported
        waiting += imported
    digest = hashlib.sha256()
    for path in sorted(seen):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _imported(package: Path, source: bytes) -> set[Path]:
    """Every file that imports of the form ``from battleship_ai.x import y`` may mean."""
    files = set()
    for module, listed, plain in _IMPORT.findall(source.decode()):
        base = package.joinpath(*module.split("."))
        files |= {base.with_suffix(".py"), base / "__init__.py"}
        files |= {base / f"{name}.py" for name in re.findall(r"\w+", listed or plain)}
    return files
