"""Layouts with one transcript: against all orders of shots on small boards, and on Hasbro's."""

from collections import defaultdict
from itertools import permutations
from math import factorial, prod

import pytest

from battleship_ai import Layout, Rules, RulesError, Target, lower_bounds
from battleship_ai.inference.counting import list_layouts
from battleship_ai.solving.ambiguous import ambiguous_layouts, clusters
from small_rules import describe

# Two layouts of the fleet of hasbro, of the largest ships first; the last of each pair's squares
# to be hit is in both.
ACROSS = ["c0 c1 c2 c3 c4", "f0 f1 f2 f3", "g1 g2 g3", "h1 h2 h3", "e0 e1"]
DOWN = ["c0 c1 c2 c3 c4", "e1 f1 g1 h1", "f2 g2 h2", "f3 g3 h3", "e0 f0"]
LAST = ["c4", "f1", "g2", "h3", "e0"]


def told(layout, order):
    """The answers to shots in an order."""
    target = Target(layout)
    return [str(target.shoot(square)) for square in order]


def layouts_with_a_transcript_of_another(rules):
    """Found by shooting at the squares of each layout in every order."""
    by_transcript = defaultdict(set)
    for number, row in enumerate(list_layouts(rules)):
        layout = Layout.from_array(rules, row)
        for order in permutations(row.tolist()):
            by_transcript[order, tuple(told(layout, order))].add(number)
    return len(set().union(*(group for group in by_transcript.values() if len(group) > 1)))


@pytest.mark.parametrize(
    "rules",
    [
        Rules(board, fleet, contact="allowed", announce=announce)
        for board, fleet in [
            ((3, 3), (2, 2)), ((2, 4), (2, 2)), ((2, 4), (2, 2, 1)), ((3, 3), (3, 2)),
        ]
        for announce in ("sunk-size", "sunk-name")
    ],
    ids=describe,
)  # fmt: skip
def test_no_fewer_are_counted_than_share_a_transcript(rules):
    found, bound = layouts_with_a_transcript_of_another(rules), ambiguous_layouts(rules)
    if rules.names_ships:  # each naming is a row
        bound *= prod(factorial(rules.fleet.count(size)) for size in set(rules.fleet))
    assert found <= bound
    assert (found == 0) == (bound == 0)
    if rules.fleet == (2, 2):
        assert found == bound > 0


def test_two_layouts_of_hasbro_may_have_one_transcript():
    rules = Rules.preset("hasbro")
    across, down = (Layout(rules, [ship.split() for ship in layout]) for layout in (ACROSS, DOWN))
    squares = " ".join(ACROSS).split()
    order = [square for square in squares if square not in LAST] + LAST
    assert sorted(squares) == sorted(" ".join(DOWN).split())
    assert told(across, order) == told(down, order)
    assert told(across, squares) != told(down, squares)


@pytest.mark.slow
def test_the_fleet_of_hasbro_has_one_cluster_and_its_mirror_images():
    assert clusters((5, 4, 3, 3, 2)) == {(4, 3, 3, 2): [(4, 4)] * 8}
    assert ambiguous_layouts(Rules.preset("hasbro")) == 8 * 7 * 7 * 120


def test_fleets_too_large_to_search_for_clusters_have_the_other_bounds():
    with pytest.raises(RulesError, match="fleets of up to 20 squares, not of 21"):
        clusters((11, 10))
    rules = Rules((12, 12), (11, 10), contact="allowed", announce="sunk-size")
    assert [bound.method for bound in lower_bounds(rules)] == ["squares", "revealed"]
