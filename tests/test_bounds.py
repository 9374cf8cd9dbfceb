"""Lower bounds: below what the best strategy needs, wherever that is known."""

from fractions import Fraction
from itertools import pairwise, permutations
from math import comb, log2

import numpy as np
import pytest
from test_solving import TINY

from battleship_ai import Rules, count_layouts, solve
from battleship_ai.inference.counting import list_layouts
from battleship_ai.solving.bounds import _least_mean_misses, lower_bounds, tells_layout
from battleship_ai.solving.words import count_words, ship_labels
from small_rules import describe


@pytest.mark.parametrize("rules", TINY, ids=describe)
def test_no_bound_is_above_optimal_play(rules):
    optimal = float(solve(rules).shots)
    for bound in lower_bounds(rules):
        assert rules.ship_squares <= bound.shots <= optimal + 1e-9


@pytest.mark.parametrize("squares", [2, 5, 9])
def test_the_bound_is_attained_where_nothing_can_be_learned(squares):
    """One square hidden among several: there is nothing to do but to try them."""
    rules = Rules((1, squares), (1,))
    by_method = {bound.method: bound.shots for bound in lower_bounds(rules)}
    assert by_method["transcripts"] == float(solve(rules).shots) == (squares + 1) / 2


def test_layouts_that_no_transcript_tells_lower_the_bounds():
    """Eight layouts of 44 share the transcripts of two more; `test_ambiguous` counts them."""
    rules = Rules((3, 3), (2, 2), contact="allowed", announce="sunk-size")
    layouts, untold, words = count_layouts(rules), 8, count_words((2, 2), ship_labels(rules))
    by_method = {bound.method: bound.shots for bound in lower_bounds(rules)}
    misses = [m for m in range(9) for _ in range(words * comb(3 + m, m))][: layouts - untold]
    assert by_method["transcripts"] == pytest.approx(4 + sum(misses) / layouts)
    p = 4 / by_method["entropy"]
    bits = -by_method["entropy"] * (p * log2(p) + (1 - p) * log2(1 - p)) + log2(words)
    assert bits == pytest.approx(log2(layouts) - untold / layouts * log2(untold))


def test_transcripts_on_hasbro():
    """All but a millionth of the layouts are told, too few to see in the value known."""
    rules = Rules.preset("hasbro")
    assert count_words(rules.fleet, ship_labels(rules)) == 28560
    by_method = {bound.method: bound.shots for bound in lower_bounds(rules)}
    assert by_method["transcripts"] == pytest.approx(24.0876, abs=5e-5)
    assert by_method["squares"] < by_method["entropy"] < by_method["transcripts"]


def test_ships_revealed_bound_more_than_transcripts_on_the_large_boards():
    for preset, hidden in [("hasbro", (2,)), ("ship-bombing", (1, 1, 1, 1))]:
        bounds = lower_bounds(Rules.preset(preset))
        best = max(bounds, key=lambda bound: bound.shots)
        assert (best.method, best.hidden) == ("revealed", hidden)


@pytest.mark.parametrize(
    ("ways", "most", "mean"),
    [
        # A ship of two squares, of which no square holds more than four positions: one may end
        # without a miss, two after one (before the first hit or after it), three after two, and
        # then four each.
        (4, 4, Fraction(0 + 1 + 1 + 2, 4)),
        (14, 4, Fraction(0 + 1 * 2 + 2 * 3 + 3 * 4 + 4 * 4, 14)),
        (3, 1, Fraction(0 + 1 + 2, 3)),
        (Fraction(5, 2), 4, (0 + 1 + Fraction(1, 2) * 1) / Fraction(5, 2)),
    ],
)
def test_the_misses_of_one_hidden_ship(ways, most, mean):
    assert _least_mean_misses(Fraction(ways), 1, 2, most) == mean


def test_the_mean_misses_grow_with_the_ways():
    for most in (None, 3):
        means = [_least_mean_misses(Fraction(n, 3), 2, 3, most) for n in range(1, 60)]
        assert all(a <= b for a, b in pairwise(means))


@pytest.mark.parametrize("announce", ["sunk", "sunk-size", "sunk-name", "hit-name"])
@pytest.mark.parametrize("fleet", [(3, 2), (2, 2, 1), (3, 1, 1), (2, 2, 2)])
def test_words_are_what_orders_of_hits_may_spell(fleet, announce):
    rules = Rules((9, 9), fleet, announce=announce)
    labels = ship_labels(rules)
    squares = [ship for ship, size in enumerate(fleet) for _ in range(size)]
    words = set()
    for order in set(permutations(squares)):
        left = list(fleet)
        word = []
        for ship in order:
            left[ship] -= 1
            word.append((left[ship] == 0, labels[ship][left[ship] == 0]))
        words.add(tuple(word))
    assert count_words(fleet, labels) == len(words)


@pytest.mark.parametrize(
    "rules", [rules for rules in TINY if rules.contact != "allowed"], ids=describe
)
def test_layouts_that_a_transcript_tells_have_squares_of_their_own(rules):
    if tells_layout(rules) and not rules.names_ships:
        squares = np.sort(list_layouts(rules), axis=1)
        assert len(np.unique(squares, axis=0)) == len(squares)
