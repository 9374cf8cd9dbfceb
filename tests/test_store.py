"""Graphs kept on disk."""

import threading

import numpy as np
import pytest

from battleship_ai.inference import _store
from battleship_ai.inference._apart import ships_apart
from battleship_ai.inference._graph import build_graph
from battleship_ai.inference._model import ships_of_at_least

FLEET = (3, 2, 1)


def automaton():
    return ships_apart(5, "any", np.array(FLEET), ships_of_at_least(FLEET))


@pytest.fixture(autouse=True)
def _keep_all_of_them_here(tmp_path, monkeypatch):
    monkeypatch.setattr(_store, "user_cache_path", lambda name: tmp_path / name)
    monkeypatch.setattr(_store, "_SMALLEST", 0)


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def kept(tmp_path):
    return sorted(tmp_path.rglob("*.npz"))


def test_a_graph_is_read_back_as_it_was_built(tmp_path, monkeypatch):
    built = _store.load_or_build(automaton())
    monkeypatch.setattr(_store, "build_graph", lambda automaton: pytest.fail("built again"))
    assert same(_store.load_or_build(automaton()), built)
    assert len(kept(tmp_path)) == 1
    assert same(built, build_graph(automaton()))


def test_other_rules_and_other_code_have_files_of_their_own(tmp_path, monkeypatch):
    _store.load_or_build(automaton())
    _store.load_or_build(ships_apart(5, "tetris", np.array(FLEET), ships_of_at_least(FLEET)))
    monkeypatch.setattr(_store, "_code_version", lambda: "older")
    _store.load_or_build(automaton())
    assert len(kept(tmp_path)) == 3


@pytest.mark.parametrize(
    "damage", ["empty", "cut", "one byte", "not an archive", "half the arrays"]
)
def test_a_damaged_file_is_built_anew_and_replaced(tmp_path, damage):
    built = _store.load_or_build(automaton())
    (path,) = kept(tmp_path)
    whole = path.read_bytes()
    if damage == "half the arrays":
        np.savez(path, layer=built.layer, target=built.target)
    else:
        middle = len(whole) // 2
        path.write_bytes(
            {
                "empty": b"",
                "cut": whole[:middle],
                "one byte": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
                "not an archive": b"something else",
            }[damage]
        )
    assert same(_store.load_or_build(automaton()), built)
    assert path.read_bytes() == whole


def test_without_a_place_to_keep_it_a_graph_is_built_each_time(tmp_path):
    (tmp_path / "battleship_ai").write_text("a file where the folder should be")
    assert same(_store.load_or_build(automaton()), build_graph(automaton()))


def test_nothing_half_written_is_left_when_writing_fails(tmp_path, monkeypatch):
    def full(*args, **kwargs):
        raise OSError("no space left")

    monkeypatch.setattr(_store.np, "savez", full)
    assert same(_store.load_or_build(automaton()), build_graph(automaton()))
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_several_at_once_all_get_the_graph(tmp_path):
    found = []
    workers = [
        threading.Thread(target=lambda: found.append(_store.load_or_build(automaton())))
        for _ in range(8)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 8
    assert all(same(graph, found[0]) for graph in found)
    assert len(kept(tmp_path)) == 1
    assert not list(tmp_path.rglob("*.part"))


def test_small_graphs_are_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(_store, "_SMALLEST", 10**9)
    _store.load_or_build(automaton())
    assert kept(tmp_path) == []
