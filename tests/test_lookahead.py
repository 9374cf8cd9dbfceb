"""Lookahead: the belief it lists or draws, how it weighs squares, and what its play is worth."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import naive
from battleship_ai import (
    Density,
    Exact,
    ExactPosterior,
    Layout,
    Lookahead,
    Record,
    RecordError,
    Rules,
    RulesError,
    play_all,
    play_solo,
    solve,
)
from battleship_ai.inference._listed import shots_of_greedy, tally
from battleship_ai.inference.counting import list_layouts
from battleship_ai.inference.drawn import DrawnLayouts
from battleship_ai.inference.exact import covers
from battleship_ai.inference.tables import tables
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys
from battleship_ai.strategies._rollouts import race
from small_rules import SMALL_RULES, describe, layouts_of

COVERED = [rules for rules in SMALL_RULES[::3] if covers(rules)]


@st.composite
def positions(draw, among):
    """A record that some game produced, and the layouts that fit it."""
    rules = draw(st.sampled_from(among))
    hidden = draw(st.sampled_from(layouts_of(rules)))
    shots = draw(st.lists(st.sampled_from(naive.squares_of(rules)), max_size=8, unique=True))
    said = naive.answers(rules, hidden, shots)
    fitting = naive.consistent(rules, layouts_of(rules), shots, said)
    return Record(rules, zip(shots, said, strict=True)), fitting


def rows_of(rules, layouts):
    return np.array(
        [
            [r * rules.board.cols + c for ship in layout for r, c in sorted(ship)]
            for layout in layouts
        ],
        dtype=np.int16,
    )


def asked_in(record):
    asked = np.zeros(record.rules.board.n_squares, dtype=np.bool_)
    asked[list(record.asked)] = True
    return asked


@settings(max_examples=120, deadline=None)
@given(positions(COVERED))
def test_the_layouts_listed_are_those_that_fit_each_once(position):
    record, fitting = position
    rules = record.rules
    posterior = ExactPosterior(rules)
    listed = posterior.layouts(record)
    if listed is None:
        assert rules.names_ships
        assert rules.shape != "straight"
        return
    found = [Layout.from_array(rules, row) for row in listed]
    assert len(found) == len(set(found))
    assert set(found) == {Layout(rules, layout) for layout in fitting}
    assert posterior.layouts(record, len(listed) - 1) is None


@settings(max_examples=300, deadline=None)
@given(positions(SMALL_RULES))
def test_the_tally_counts_how_many_layouts_give_each_answer(position):
    record, fitting = position
    rules = record.rules
    counts = tally(tables(rules), rows_of(rules, fitting), asked_in(record))
    shots = [divmod(shot.square, rules.board.cols) for shot in record]
    for square in naive.squares_of(rules):
        said = [naive.answers(rules, layout, [*shots, square])[-1] for layout in fitting]
        hits = [word for word in said if word != "miss"] if square not in shots else []
        index = square[0] * rules.board.cols + square[1]
        assert sorted(counts[index][counts[index] > 0]) == sorted(map(hits.count, set(hits)))


@settings(max_examples=150, deadline=None)
@given(positions(SMALL_RULES), st.data())
def test_greedy_play_on_a_list_needs_the_shots_that_it_needs_layout_by_layout(position, data):
    record, fitting = position
    rules = record.rules
    assume(len(fitting) <= 60 and record.unasked)
    shots = [divmod(shot.square, rules.board.cols) for shot in record]
    assume(not naive.occupied(fitting[0]) <= set(shots))
    first = data.draw(st.sampled_from(record.unasked))
    asked = asked_in(record)
    total = shots_of_greedy(tables(rules), rows_of(rules, fitting), asked, first)
    expected = naive.shots_of_greedy(rules, fitting, shots, divmod(first, rules.board.cols))
    assert total == expected
    assert (asked == asked_in(record)).all()


SOLVED = [
    Rules((4, 4), (3, 2)),
    Rules((4, 4), (3, 2), contact="allowed", announce="sunk-size"),
    Rules((4, 5), (3, 2), contact="corners"),
    Rules((4, 4), (3,), shape="tetris"),
    Rules((4, 4), (3,), shape="any", announce="hit-only"),
    Rules((3, 4), (2, 2), contact="allowed", announce="hit-name"),
]


@pytest.mark.parametrize("rules", SOLVED, ids=describe)
def test_it_is_never_worse_than_greedy_play_nor_better_than_optimal_play(rules):
    # Every square weighed, the first of the best taken: policy improvement holds exactly.
    everything = Lookahead(information=0.0, least=0.0, candidates=rules.board.n_squares)
    mean = play_all(everything, rules).mean
    assert mean <= play_all(Exact(by_information=False), rules).mean
    assert mean >= solve(rules).shots


def test_it_saves_shots_on_a_small_board():
    rules = Rules((4, 5), (3, 2))
    greedy, optimal = play_all(Exact(by_information=False), rules).mean, solve(rules).shots
    assert play_all(Lookahead(), rules).mean - optimal < (greedy - optimal) / 2


@pytest.mark.parametrize(
    "rules",
    [
        Rules((6, 6), (3, 2, 2)),
        Rules((6, 6), (3, 3, 2), contact="allowed", announce="sunk-size"),
        Rules((6, 6), (3, 2, 2), shape="any"),
        Rules((6, 6), (4, 2), shape="tetris", contact="allowed"),
    ],
    ids=describe,
)
@pytest.mark.parametrize("rollouts", [0, 120])
def test_games_played_together_are_those_played_one_by_one(rules, rollouts):
    strategy = Lookahead(draws=60, enumeration=100, rollouts=rollouts)
    keys = game_keys(3, 0, 6)
    layouts = place_arrays(rules, keys)
    together = strategy.play(rules, layouts, keys, keep_squares=True)
    for row, shots, squares in zip(layouts, together.shots, together.squares, strict=True):
        game = play_solo(strategy, Layout.from_array(rules, row), seed=1)
        assert game.shots == shots
        assert [shot.square for shot in game.record] == squares[:shots].tolist()
        assert len(set(squares[:shots].tolist())) == shots


def test_it_tells_why():
    record = Record.parse(Rules((5, 5), (3, 2)), "c2:hit c1:miss")
    weighing = Lookahead(candidates=3).weigh(record)
    posterior = ExactPosterior(record.rules)
    assert (weighing.by, weighing.complete) == ("all layouts", True)
    assert weighing.layouts == posterior.count(record)
    assert weighing.square == min(weighing.squares, key=lambda w: w.shots).square
    map_ = posterior.probabilities(record).ravel()
    for weighed in weighing.squares:
        square = record.rules.board.index(weighed.square)
        answers = np.array(list(posterior.answer_probabilities(square, record).values()))
        assert weighed.probability == pytest.approx(map_[square])
        assert weighed.information == pytest.approx(-(answers * np.log2(answers)).sum())
        assert weighed.score == pytest.approx(weighed.probability + 0.1 * weighed.information)
    assert weighing.square in str(weighing)


def test_a_sure_hit_is_taken_without_more_ado():
    record = Record.parse(Rules((1, 6), (3,)), "a2:hit a1:miss")
    assert (Lookahead().weigh(record).by, Lookahead().weigh(record).square) == ("sure hit", "a3")


def test_before_all_layouts_are_at_hand_scores_or_rollouts_decide():
    rules = Rules((6, 6), (3, 2, 2))
    few = {"draws": 200, "enumeration": 0}
    assert Lookahead(rollouts=0, **few).weigh(Record(rules)).by == "score"
    weighing = Lookahead(rollouts=200, **few).weigh(Record(rules))
    assert weighing.by == "rollouts"
    assert not weighing.complete
    assert all(w.shots > rules.ship_squares for w in weighing.squares)


def test_a_race_is_lost_by_a_shot_at_water():
    rules = Rules((5, 5), (3, 2))
    record = Record.parse(rules, "c2:hit c3:hit c4:sunk")  # b1 to d4 around it is water
    drawn = DrawnLayouts(rules, 200, 1)
    for shot in record:
        drawn.take(shot)
    squares = np.array([rules.board.index(name) for name in ("a2", "b2", "c1", "a1")])
    hits = tally(tables(rules), drawn.rows, drawn.asked)[squares] / len(drawn.rows)
    shares = np.column_stack((1.0 - hits.sum(axis=1), hits[:, 1:]))
    result = race(record, squares, shares, drawn.rows, Density(), spread=0.2)
    assert result.gain[0] == 0.0
    assert result.gain[1] < 0.0
    assert result.gain[2] < 0.0
    assert result.shots[1] > result.shots[0] + 0.5
    assert result.layouts[1] < result.layouts[0]


def test_a_race_gives_every_answer_its_known_share():
    # The draws favour layouts that hold a0 tenfold; the estimate for a0 does not.
    rules = Rules((3, 3), (2,))
    rows = list_layouts(rules)
    often = np.repeat(rows, np.where((rows == 0).any(axis=1), 10, 1), axis=0)
    often = np.random.default_rng(0).permutation(np.tile(often, (10, 1)))
    shares = np.array([[10, 2, 0], [8, 4, 0]]) / 12  # of miss, hit, sunk at a0 and at b1
    squares = np.array([0, rules.board.index("b1")])
    result = race(Record(rules), squares, shares, often, Density(), 0.2)
    played = [play_solo(_Opening(0), Layout.from_array(rules, row)).shots - 1 for row in rows]
    assert result.shots[0] == pytest.approx(np.mean(played), abs=0.3)


class _Opening:
    """Density, after a first shot of one's own."""

    def __init__(self, square):
        self.square = square

    def choose(self, record, rng):
        return Density().choose(record) if len(record) else self.square


def test_where_nothing_fits_it_still_names_a_square_and_says_so_when_asked_why():
    record = Record.parse(Rules((1, 4), (3,)), "a1:miss")
    assert Lookahead().choose(record) in record.unasked
    with pytest.raises(RecordError, match="no layout fits the record"):
        Lookahead().weigh(record)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"draws": 0}, "draws 0 is not an integer from 1"),
        ({"candidates": 1.5}, "candidates 1.5 is not an integer from 1"),
        ({"rollouts": -1}, "rollouts -1 is not an integer from 0"),
        ({"enumeration": -1}, "enumeration -1 is not an integer from 0"),
        ({"information": -0.1}, "information -0.1 is not a number from 0"),
        ({"spread": float("nan")}, "spread nan is not a number from 0"),
    ],
)
def test_wrong_parameters_are_named(parameters, message):
    with pytest.raises(RulesError, match=message):
        Lookahead(**parameters)
