"""Placers: exactly uniform where they say so, legal always, the same from the same seed."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

import naive
from battleship_ai import PLACERS, PRESETS, Layout, Rules, UnknownName, place, placers
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys

# Boards whose layouts can all be listed, each with the number of layouts.
LISTED = [
    (Rules(board=(4, 4), fleet=(3, 2)), 104),
    (Rules(board=(4, 4), fleet=(3, 2), contact="allowed"), 264),
    (Rules(board=(4, 4), fleet=(2, 2), contact="corners"), None),
    (Rules(board=(4, 4), fleet=(2, 1), shape="tetris"), None),
    (Rules(board=(4, 4), fleet=(3, 1), shape="any"), None),
    (Rules(board=(3, 4), fleet=(3, 2), shape="tetris", contact="allowed"), None),
    (Rules(board=(3, 4), fleet=(2, 2), shape="any", contact="corners"), None),
    (Rules(board=(1, 1), fleet=(1,)), 1),
]


def frozen(rules, row):
    ends = np.cumsum(rules.fleet)[:-1]
    ships = [sorted(part) for part in np.split(row, ends)]
    return tuple(sorted((tuple(map(int, ship)) for ship in ships), key=lambda s: (-len(s), s)))


def listed(rules):
    cols = rules.board.cols
    return {
        tuple(sorted((tuple(sorted(r * cols + c for r, c in ship)) for ship in layout),
                     key=lambda s: (-len(s), s)))
        for layout in naive.all_layouts(rules)
    }  # fmt: skip


@pytest.mark.parametrize(("rules", "number"), LISTED)
def test_uniform_meets_every_layout_equally_often(rules, number):
    layouts = listed(rules)
    assert number is None or len(layouts) == number
    draws = place_arrays(rules, game_keys(12, 0, 60 * len(layouts)))
    counts = Counter(frozen(rules, row) for row in draws)
    assert set(counts) == layouts
    if len(layouts) > 1:
        assert chisquare(list(counts.values())).pvalue > 1e-4


@pytest.mark.parametrize(("rules", "number"), LISTED[:5])
def test_uniform_draws_from_the_graph_where_rejection_is_hopeless(rules, number, monkeypatch):
    monkeypatch.setattr(placers, "_FLEETS_A_TRIAL", 0)
    placers._rejects_too_many.cache_clear()
    assert placers._rejects_too_many(rules)
    test_uniform_meets_every_layout_equally_often(rules, number)
    placers._rejects_too_many.cache_clear()


def test_the_graph_is_for_crowded_boards_only():
    crowded = [name for name in PRESETS if placers._rejects_too_many(Rules.preset(name))]
    assert crowded == ["german"]


def test_sequential_placement_is_not_uniform():
    rules = Rules(board=(4, 4), fleet=(3, 2))
    draws = place_arrays(rules, game_keys(12, 0, 20_000), "sequential")
    counts = Counter(frozen(rules, row) for row in draws)
    assert chisquare(list(counts.values())).pvalue < 1e-10


@pytest.mark.parametrize("placer", PLACERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_placer_hides_legal_layouts_of_every_preset(placer, preset):
    rules = Rules.preset(preset)
    layouts = place(rules, 3, placer=placer, seed=1)
    assert [type(layout) for layout in layouts] == [Layout] * 3


@pytest.mark.parametrize("board", [(3, 3), (7, 9), (8, 8), (9, 8), (13, 10), (26, 26)])
@pytest.mark.parametrize("placer", PLACERS)
def test_boards_of_any_number_of_words(board, placer):
    rules = Rules(board=board, fleet=(3, 1), shape="tetris")
    for layout in place(rules, 10, placer=placer, seed=2):
        assert len(layout.squares) == 4


@pytest.mark.parametrize("placer", PLACERS)
def test_a_game_has_its_layout_whatever_batch_it_is_in(placer):
    rules = Rules.preset("hasbro")
    whole = place_arrays(rules, game_keys(5, 0, 20), placer)
    part = place_arrays(rules, game_keys(5, 7, 3), placer)
    assert (whole[7:10] == part).all()


def test_edge_prefers_the_rim():
    rules = Rules.preset("hasbro")
    rim = [s for s in range(100) if s // 10 in (0, 9) or s % 10 in (0, 9)]
    keys = game_keys(1, 0, 2000)
    share = {name: np.isin(place_arrays(rules, keys, name), rim).mean() for name in PLACERS}
    assert share["edge"] > 1.5 * share["sequential"]


def test_an_unknown_placer_is_named():
    with pytest.raises(UnknownName, match="did you mean 'uniform'"):
        place(Rules(), 1, placer="unifrom")


@pytest.mark.slow
def test_corner_and_centre_of_uniform_hasbro_layouts():
    draws = place_arrays(Rules.preset("hasbro"), game_keys(9, 0, 1_000_000))
    share = np.bincount(draws.ravel(), minlength=100) / len(draws)
    assert share[[0, 9, 90, 99]] == pytest.approx(0.0800, abs=0.0015)
    assert share[[44, 45, 54, 55]] == pytest.approx(0.2136, abs=0.0020)


@pytest.mark.slow
def test_corner_of_uniform_ship_bombing_layouts():
    draws = place_arrays(Rules.preset("ship-bombing"), game_keys(9, 0, 100_000))
    share = np.bincount(draws.ravel(), minlength=100) / len(draws)
    assert share[[0, 9, 90, 99]] == pytest.approx(0.236, abs=0.006)
