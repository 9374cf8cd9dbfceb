"""Files that are never seen half written."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["replacing"]


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to be written under another name; it takes its own when it is whole."""
    unfinished = path.with_suffix(".unfinished")
    yield unfinished
    with unfinished.open("rb") as file:
        os.fsync(file.fileno())
    unfinished.replace(path)
