"""Optimal play: against a slow search that keeps every belief, and against every strategy."""

from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import naive
from battleship_ai import STRATEGIES, Answer, Exact, Record, Rules, RulesError, make_strategy
from battleship_ai.errors import RecordError
from battleship_ai.inference.counting import list_layouts
from battleship_ai.solving import play_all, solve
from small_rules import describe

# Expected shots, uniform layouts, sinkings told with sizes: optimal, and shooting the likeliest
# square with ties to the lowest.
KNOWN = {
    ((4, 4), (3, 2), "allowed"): (8.7538, 8.9091),
    ((4, 4), (3, 2), "none"): (8.1538, 8.1731),
    ((4, 4), (2, 2), "allowed"): (8.6696, 8.7411),
    ((4, 5), (3, 2), "none"): (9.2851, 9.3347),
    ((5, 5), (3,), "allowed"): (6.9, 7.1),
}

TINY = [
    Rules(board, fleet, shape, contact, announce)
    for board, fleet, shape in [
        ((1, 7), (2, 2), "straight"),
        ((2, 4), (2, 1), "straight"),
        ((3, 3), (2, 2), "straight"),
        ((2, 4), (3, 1), "tetris"),
        ((3, 3), (3,), "any"),
    ]
    for contact in ("none", "corners", "allowed")
    for announce in ("sunk", "sunk-size", "sunk-name", "hit-name", "hit-only")
    if naive.all_layouts(Rules(board, fleet, shape, contact, announce))
]


def naive_value(rules, combine):
    """The value of the opening by trying every shot at every belief."""
    squares = naive.squares_of(rules)

    @cache
    def value(fitting, asked):
        best = None
        for shot in squares:
            if shot in asked:
                continue
            groups = {}
            for layout in fitting:
                if naive.occupied(layout) - asked - {shot}:
                    said = naive.answers(rules, layout, [*asked, shot])[-1]
                    groups.setdefault(said, set()).add(layout)
            after = [value(frozenset(group), asked | {shot}) for group in groups.values()]
            total = combine(len(fitting), after)
            best = total if best is None else min(best, total)
        return best

    return value(frozenset(naive.all_layouts(rules)), frozenset())


def summed(n, after):
    return n + sum(after)


def most(n, after):
    return 1 + max(after, default=0)


@pytest.mark.parametrize("case", KNOWN, ids=str)
def test_the_known_values_of_optimal_and_greedy_play(case):
    board, fleet, contact = case
    rules = Rules(board, fleet, contact=contact, announce="sunk-size")
    optimal, greedy = KNOWN[case]
    assert float(solve(rules).shots) == pytest.approx(optimal, abs=5e-5)
    assert float(play_all(Exact(by_information=False), rules).mean) == pytest.approx(
        greedy, abs=5e-5
    )


@pytest.mark.parametrize("rules", TINY, ids=describe)
def test_the_value_is_the_one_that_trying_everything_finds(rules):
    solution = solve(rules)
    assert solution.layouts == len(naive.all_layouts(rules))
    assert solution.value == naive_value(rules, summed)
    assert solve(rules, "worst").value == naive_value(rules, most)


@pytest.mark.parametrize(("announce", "value"), [("sunk", 240), ("sunk-size", 239)])
def test_to_be_told_the_size_of_a_sunk_ship_is_worth_a_shot_in_36_games(announce, value):
    rules = Rules((3, 3), (3, 2), contact="allowed", announce=announce)
    assert naive_value(rules, summed) == value
    assert (solve(rules).value, solve(rules).layouts) == (value, 36)


@pytest.mark.parametrize("rules", TINY, ids=describe)
def test_the_policy_attains_the_value_against_every_layout(rules):
    solution, worst = solve(rules), solve(rules, "worst")
    assert play_all(solution, rules).mean == solution.shots
    assert play_all(worst, rules).shots.max() == worst.shots
    assert play_all(worst, rules).mean >= solution.shots
    assert play_all(solution, rules).shots.max() >= worst.shots


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize(
    "rules",
    [
        Rules((4, 4), (2, 1), "straight", "none", "sunk"),
        Rules((4, 4), (3, 2), "straight", "allowed", "sunk-size"),
        Rules((4, 4), (4,), "tetris", "none", "hit-only"),
        Rules((3, 4), (3, 1), "any", "none", "sunk"),
    ],
    ids=describe,
)
def test_no_strategy_beats_optimal_play(rules, name):
    optimal = solve(rules).shots
    for seed in range(2):
        assert play_all(make_strategy(name), rules, seed=seed).mean >= optimal


def test_the_tree_is_the_policy():
    rules = Rules((3, 3), (2, 1), announce="sunk-size")
    solution = solve(rules)

    def walk(node, record):
        """The shots of all layouts under a node."""
        assert node["shoot"] == rules.board.name(solution.choose(record))
        shots, over = node["layouts"], node["layouts"]
        for answer, then in node["answers"].items():
            if then is not None:
                over -= then["layouts"]
                longer = Record(rules, [*record, (node["shoot"], answer)])
                shots += walk(then, longer)
        assert over >= 0
        assert (over > 0) == (None in node["answers"].values())
        return shots

    assert walk(solution.tree(), Record(rules)) == solution.value


def test_a_solution_plays_on_from_any_record():
    rules = Rules((4, 4), (3, 2), contact="allowed", announce="sunk-size")
    solution = solve(rules)
    record = Record.parse(rules, "b1:hit b2:hit d0:miss b1:hit")
    fitting = naive.consistent(
        rules, naive.all_layouts(rules), [(1, 1), (1, 2), (3, 0), (1, 1)],
        ["hit", "hit", "miss", "hit"],
    )  # fmt: skip
    assert any(divmod(solution.choose(record), 4) in naive.occupied(x) for x in fitting)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a0:sunk:3", "fits no layout"),
        ("a0:hit a1:hit a2:sunk:3 c0:hit c1:sunk:2", "finished game"),
    ],
)
def test_a_record_without_a_next_shot_is_refused(text, message):
    rules = Rules((4, 4), (3, 2), announce="sunk-size")
    with pytest.raises(RecordError, match=message):
        solve(rules).choose(Record.parse(rules, text))


def test_a_record_of_other_rules_is_refused():
    with pytest.raises(RecordError, match="not of the rules solved"):
        solve(Rules((2, 3), (2,))).choose(Record(Rules((3, 2), (2,))))


@pytest.mark.parametrize(
    ("rules", "objective", "message"),
    [
        (Rules(), "mean", "the 10x10 board has 100 squares"),
        (Rules((8, 8), (3, 3, 3)), "mean", "more than the 20,000 to be listed"),
        (Rules((3, 3), (2,)), "best", "objective 'best' is not one of mean, worst"),
    ],
)
def test_what_cannot_be_solved_is_said(rules, objective, message):
    with pytest.raises(RulesError, match=message):
        solve(rules, objective)


@pytest.mark.parametrize("rules", TINY, ids=describe)
def test_the_listed_layouts_are_all_layouts_once(rules):
    starts = np.cumsum([0, *rules.fleet])
    listed = [
        tuple(
            frozenset(divmod(s, rules.board.cols) for s in row[a:b].tolist())
            for a, b in pairwise(starts)
        )
        for row in list_layouts(rules)
    ]

    def unordered(layouts):
        """Ships of one size in any order, unless answers name them."""
        if rules.names_ships:
            return sorted([sorted(ship) for ship in layout] for layout in layouts)
        return sorted(sorted(sorted(s) for s in layout) for layout in layouts)

    assert unordered(listed) == unordered(naive.all_layouts(rules))


def test_the_hardest_layouts_take_the_most_shots():
    rules = Rules((1, 4), (2,))
    games = play_all(solve(rules, "worst"), rules)
    assert games.shots.max() == 3
    assert len(games.hardest(rules)) == (games.shots == 3).sum()
    assert games.mean == Fraction(int(games.shots.sum()), 3)


def test_an_answer_of_a_solution_is_that_of_the_referee():
    rules = Rules((2, 4), (2, 1), announce="hit-name", names=("boat", "buoy"))
    assert Answer("hit", "boat") in {
        Answer.parse(text) for text in _answers_in(solve(rules).tree())
    }


def _answers_in(node):
    for answer, then in node["answers"].items():
        yield answer
        if then is not None:
            yield from _answers_in(then)
