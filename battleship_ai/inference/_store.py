"""Graphs on disk, so that a large one is built once on a machine.

A file is written under another name and then renamed: other processes see all of it or
nothing. Its name says which code built it and for what; one that cannot be read, for
whatever reason, is built anew and replaced.
"""

import hashlib
import os
import tempfile
import zipfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from platformdirs import user_cache_path

from battleship_ai.inference import _ahead, _apart, _graph
from battleship_ai.inference._graph import Graph, build_graph

__all__ = ["load_or_build"]

# Smaller graphs are built sooner than read.
_SMALLEST = 50_000


def load_or_build(automaton: Any) -> Graph:
    """The graph of a fresh automaton for every record, from disk if it is there."""
    path = _path(automaton)
    graph = _load(path)
    if graph is None:
        graph = build_graph(automaton)
        if len(graph.target) >= _SMALLEST:
            with suppress(OSError):  # without a place to keep it, it is built each time
                _save(path, graph)
    return graph


def _path(automaton: Any) -> Path:
    """Where the graph is kept: by the code, and by what tells the automaton from others."""
    said = {name: np.asarray(value).tolist() for name, value in automaton._asdict().items()}
    name = hashlib.sha256(f"{type(automaton).__name__} {said}".encode()).hexdigest()[:32]
    return user_cache_path("battleship_ai") / f"graphs-{_code_version()}" / f"{name}.npz"


@cache
def _code_version() -> str:
    digest = hashlib.sha256()
    for module in (_graph, _ahead, _apart):
        digest.update(Path(str(module.__file__)).read_bytes())
    return digest.hexdigest()[:16]


def _load(path: Path) -> Graph | None:
    try:
        with np.load(path, allow_pickle=False) as stored:  # checks the sum of each array
            arrays = {name: stored[name] for name in Graph._fields}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    start, final = int(arrays.pop("start")), int(arrays.pop("final"))
    return Graph(**arrays, start=start, final=final)


def _save(path: Path, graph: Graph) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **graph._asdict())
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise
