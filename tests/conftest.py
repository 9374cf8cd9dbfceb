"""Kernels are cached by the hash of the sources, since Numba misses changes in imported modules."""

import hashlib
import os
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent

if "NUMBA_CACHE_DIR" not in os.environ:
    _hash = hashlib.sha256()
    for _path in sorted((_ROOT / "battleship_ai").rglob("*.py")):
        _hash.update(_path.read_bytes())
    os.environ["NUMBA_CACHE_DIR"] = str(_ROOT / ".numba_cache" / _hash.hexdigest()[:16])

from hypothesis import settings  # noqa: E402

# No deadline, since the first example may compile; the same examples in every run.
settings.register_profile("battleship", deadline=None, derandomize=True)
settings.load_profile("battleship")
