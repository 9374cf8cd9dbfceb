"""Naval placers: distributed as they say, legal always, the same from the same key."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

import naval_naive
from battleship_ai import LayoutError, RulesError, UnknownName
from battleship_ai.naval import NAVAL_PLACERS, NavalClass, NavalLayout, NavalRules, place_naval
from battleship_ai.naval._placing import open_streams, walk
from battleship_ai.naval.placers import place_naval_arrays
from battleship_ai.naval.tables import SIZE, naval_tables
from battleship_ai.rng import game_keys

SLOOP = NavalClass("Sloop", 3, 1, "Sp", (3,))
BOAT = NavalClass("Boat", 2, 1, "Bt", (2,))
BOATS = NavalClass("Boat", 2, 2, "Bt", (2,))
RAFT = NavalClass("Raft", 1, 1, "R", (1,))

# Boards whose layouts can all be listed, each with the number of layouts.
LISTED = [
    (NavalRules((4, 5), [SLOOP, BOAT], 1, 0), 1488),
    (NavalRules((4, 5), [SLOOP], 1, 1), 1280),
    (NavalRules((4, 4), [BOATS], 1, 0), 520),
]
THREE_SHIPS = (NavalRules((3, 7), [SLOOP, BOAT, RAFT], 1, 0), 6168)


def describe(value):
    if not isinstance(value, NavalRules):
        return ""
    ships = ",".join(str(ship.size) for ship in value.ships)
    return f"{value.board}-{ships}-{value.ordinary_mines}+{value.high_explosive_mines}"


def drawn(rules, keys, placer):
    """How often each layout is drawn; every one passes the check of `NavalLayout`."""
    rows = Counter(map(tuple, place_naval_arrays(rules, keys, placer).tolist()))
    layouts = Counter()
    for row, number in rows.items():
        layouts[naval_naive.naive_form(NavalLayout.from_array(rules, row))] += number
    return layouts


def assert_distributed(counts, probabilities):
    assert set(counts) <= set(probabilities)
    n = counts.total()
    seen = np.array([counts[layout] for layout in probabilities])
    expected = n * np.array(list(probabilities.values()))
    rare = expected < 5
    if rare.any():
        seen = np.append(seen[~rare], seen[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    assert chisquare(seen, expected).pvalue > 1e-4


@pytest.mark.parametrize(("rules", "number"), LISTED, ids=describe)
def test_uniform_meets_every_layout_equally_often(rules, number):
    layouts = naval_naive.all_naval_layouts(rules)
    assert len(layouts) == number
    counts = drawn(rules, game_keys(12, 0, 12 * number), "uniform")
    assert_distributed(counts, dict.fromkeys(layouts, 1 / number))
    assert set(counts) == set(layouts)


@pytest.mark.slow
def test_uniform_meets_every_layout_of_two_boats_and_mines_of_both_kinds_equally_often():
    test_uniform_meets_every_layout_equally_often(NavalRules((5, 4), [BOATS], 1, 1), 5586)


@pytest.mark.parametrize("placer", naval_naive.CHOICES)
@pytest.mark.parametrize(("rules", "number"), [*LISTED, THREE_SHIPS], ids=describe)
def test_the_other_placers_choose_alike_among_the_placements_that_they_wish(rules, number, placer):
    choice = naval_naive.CHOICES[placer]
    counts = drawn(rules, game_keys(12, 0, 30 * number), placer)
    assert_distributed(counts, naval_naive.layout_probabilities(rules, choice))


def parts(layouts):
    """Sets of layouts between which moves of single objects do not lead."""
    waiting, found = set(layouts), []
    while waiting:
        part, new = set(), {waiting.pop()}
        while new:
            part |= new
            new = {b for b in waiting for a in new if moved(a, b) == 1}
            waiting -= new
        found.append(part)
    return found


def moved(a, b):
    """How many objects are not where they were."""
    return len(set(a[0]) - set(b[0])) + len(set(a[1]) - set(b[1]))


def test_on_a_crowded_board_the_chain_stays_in_one_of_eight_parts_as_documented():
    rules = NavalRules((4, 4), [SLOOP, BOAT], 1, 0)
    by_one = parts(naval_naive.all_naval_layouts(rules))
    assert len(by_one) == 8
    counts = drawn(rules, game_keys(12, 0, 3000), "uniform")
    for part in by_one:
        seen = [counts[layout] for layout in part]
        assert chisquare(seen).pvalue > 1e-4


def test_sequential_layouts_are_not_uniform():
    rules, number = LISTED[0]
    counts = drawn(rules, game_keys(12, 0, 20 * number), "sequential")
    assert chisquare(list(counts.values())).pvalue < 1e-10


def test_every_placer_has_its_distribution_tested():
    assert set(NAVAL_PLACERS) == {"uniform", *naval_naive.CHOICES}


@pytest.mark.parametrize("placer", NAVAL_PLACERS)
@pytest.mark.parametrize(
    "rules",
    [
        NavalRules(),
        NavalRules((26, 26)),
        NavalRules((9, 12), [SLOOP, BOATS], 0, 0),
        NavalRules((1, 12), [SLOOP, RAFT], 1, 0),
        NavalRules((1, 1), [RAFT], 0, 0),
    ],
    ids=describe,
)
def test_every_placer_hides_legal_layouts(rules, placer):
    # A layout is checked when it is made.
    layouts = place_naval(rules, 30, placer=placer, seed=1)
    assert [type(layout) for layout in layouts] == [NavalLayout] * 30
    assert rules.board.n_squares < 30 or len(set(map(str, layouts))) == 30


@pytest.mark.parametrize("placer", NAVAL_PLACERS)
def test_a_game_has_its_layout_whatever_batch_it_is_in(placer):
    whole = place_naval_arrays(NavalRules(), game_keys(5, 0, 12), placer)
    part = place_naval_arrays(NavalRules(), game_keys(5, 7, 3), placer)
    assert np.array_equal(whole[7:10], part)
    assert len(np.unique(whole, axis=0)) == 12


def test_layouts_depend_on_the_seed_and_the_number_of_the_game_alone():
    rules = NavalRules()
    five, two = place_naval(rules, 5, seed=9), place_naval(rules, 2, seed=9)
    assert five[:2] == two
    assert place_naval(rules, 2, seed=10) != two


def test_no_keys_give_no_layouts():
    assert place_naval(NavalRules(), 0) == []


def test_the_sequential_placer_begins_anew_when_it_is_stuck():
    """In a row of seven, a first ship of three in the middle leaves no room for the second."""
    rules = NavalRules((1, 7), [NavalClass("Ship", 3, 2, "S", (3,))], 0, 0)
    for placer in NAVAL_PLACERS:
        for layout in place_naval(rules, 40, seed=1, placer=placer):
            assert layout.ships == ((0, 1, 2), (4, 5, 6))


def test_the_sequential_placer_finds_the_last_free_squares_alike():
    """A ship of 24 in two rows of 26 leaves a mine the two squares at one end, or none."""
    rules = NavalRules((2, 26), [NavalClass("Ship", 24, 1, "S", (24,))], 1, 0)
    counts = drawn(rules, game_keys(12, 0, 4000), "sequential")
    assert {mine for _, (mine,) in counts} == {(0, 0), (1, 0), (0, 25), (1, 25)}
    assert len(counts) == 8
    assert chisquare(list(counts.values())).pvalue > 1e-4


@pytest.mark.parametrize("placer", NAVAL_PLACERS)
def test_a_placer_gives_up_on_rules_without_a_legal_layout(placer):
    rules = NavalRules((2, 5), [RAFT], 3, 0)
    with pytest.raises(LayoutError, match="no legal layout of 1 ships and 3 mines on the 2x5"):
        place_naval(rules, placer=placer)


def test_edge_ships_lie_on_the_border_and_guards_two_squares_from_a_large_ship():
    rules, keys = NavalRules(), game_keys(3, 0, 200)
    border = [s for s in range(400) if s // 20 in (0, 19) or s % 20 in (0, 19)]
    ships = {p: place_naval_arrays(rules, keys, p)[:, :61] for p in ("edge", "sequential")}
    assert np.isin(ships["edge"], border).mean() > 0.75
    assert np.isin(ships["sequential"], border).mean() < 0.35

    def at_two(layout):
        points = np.stack(np.divmod(layout, 20), axis=1)
        apart = abs(points[61:, None] - points[None, :15]).max(axis=2).min(axis=1)
        return (apart == 2).mean()

    share = {
        placer: np.mean([at_two(layout) for layout in place_naval_arrays(rules, keys, placer)])
        for placer in ("guards", "sequential")
    }
    assert share["guards"] > 0.9
    assert share["sequential"] < 0.35


def test_unknown_placers_and_bad_counts_are_errors():
    with pytest.raises(UnknownName, match="unknown placer 'uniformly'"):
        place_naval(NavalRules(), placer="uniformly")
    with pytest.raises(RulesError, match="count -1"):
        place_naval(NavalRules(), -1)


def squares_of(tables, chosen):
    squares = tables.squares[chosen]
    return squares[squares < tables.n_squares]


def start(rules, keys, placer):
    """A placer's layouts as the numbers of their placements, and streams of random numbers."""
    tables = naval_tables(rules)
    number = {
        tuple(tables.squares[p, : tables.groups[group, SIZE]].tolist()): p
        for group in range(len(tables.groups))
        for p in range(*tables.groups[group, 1:])
    }
    layouts = place_naval_arrays(rules, keys, placer).tolist()
    ends = [(at, at + tables.groups[group, SIZE]) for group, at in tables.objects]
    chosen = [[number[tuple(row[a:b])] for a, b in ends] for row in layouts]
    streams = np.empty((len(keys), 2), dtype=np.uint64)
    open_streams(~keys, streams)
    return np.array(chosen, dtype=np.int32), streams


def shares_of_a_long_chain(seed, placer, batches, states):
    """How often each square is occupied, and its standard error from the means of batches."""
    rules, keys = NavalRules(), game_keys(seed, 0, 1)
    tables = naval_tables(rules)
    chosen, streams = start(rules, keys, placer)
    walk(tables, streams, 50_000, chosen)
    shares = np.zeros((batches, 400))
    for batch, _ in product(range(batches), range(states)):
        walk(tables, streams, 1000, chosen)
        shares[batch, squares_of(tables, chosen[0])] += 1 / states
    return shares.mean(axis=0), shares.std(axis=0, ddof=1) / np.sqrt(batches)


def shares_of_layouts(placer, layouts=2000):
    """The same of as many layouts of a placer."""
    occupied = place_naval_arrays(NavalRules(), game_keys(8, 0, layouts), placer)
    share = np.bincount(occupied.ravel(), minlength=400) / layouts
    return share, np.sqrt(share * (1 - share) / layouts)


def agree(one, other):
    (share, error), (other_share, other_error) = one, other
    return (abs(share - other_share) < 5 * np.hypot(error, other_error)).all()


def test_uniform_layouts_of_the_preset_are_those_of_a_long_chain():
    by_chain = shares_of_a_long_chain(1, "edge", batches=40, states=250)
    assert agree(shares_of_layouts("uniform"), by_chain)
    # The test can tell: sequential layouts, which fill the middle, are others.
    assert not agree(shares_of_layouts("sequential"), by_chain)


@pytest.mark.slow
def test_long_chains_from_different_starts_agree_on_every_square():
    assert agree(
        shares_of_a_long_chain(1, "spread", batches=100, states=1000),
        shares_of_a_long_chain(2, "edge", batches=100, states=1000),
    )


def test_the_chain_moves_only_if_the_object_has_room():
    rules = NavalRules((1, 7), [NavalClass("Ship", 3, 2, "S", (3,))], 0, 0)
    tables = naval_tables(rules)
    chosen, streams = start(rules, game_keys(1, 0, 1), "sequential")
    before = chosen.copy()
    # Each ship may only be proposed where it is: one proposal in five.
    taken = walk(tables, streams, 10_000, chosen)
    assert (chosen == before).all()
    assert abs(taken - 2000) < 5 * 40
