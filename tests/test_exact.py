"""Exact inference against all layouts of small boards."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import naive
from battleship_ai import ExactPosterior, Layout, Record, RecordError, Rules, RulesError
from battleship_ai.inference import _graph
from battleship_ai.inference.exact import covers
from small_rules import SMALL_RULES, describe, layouts_of

COVERED = [rules for rules in SMALL_RULES if covers(rules)]
LARGER = [
    Rules(board=(4, 4), fleet=(3, 2), contact="corners", announce="sunk"),
    Rules(board=(5, 4), fleet=(3, 2), contact="none", announce="sunk-size"),
    Rules(board=(4, 4), fleet=(2, 2, 1), contact="allowed", announce="sunk"),
    Rules(board=(5, 5), fleet=(3, 2, 2), contact="allowed", announce="sunk-size"),
    Rules(board=(4, 4), fleet=(4, 2, 1), shape="any", announce="sunk"),
    Rules(board=(4, 5), fleet=(3, 2, 1), shape="tetris", announce="sunk-size"),
    Rules(board=(4, 4), fleet=(7, 1), shape="tetris", announce="sunk"),
    Rules(board=(4, 4), fleet=(8,), shape="tetris", announce="hit-only"),
    Rules(board=(3, 5), fleet=(2, 2, 1), shape="any", announce="hit-name"),
    Rules(board=(3, 5), fleet=(3, 1, 1), shape="tetris", announce="sunk-name"),
]


@st.composite
def positions(draw):
    rules = draw(st.sampled_from(COVERED + 3 * LARGER))
    hidden = draw(st.sampled_from(layouts_of(rules)))
    shots = draw(st.lists(st.sampled_from(naive.squares_of(rules)), max_size=14))
    said = naive.answers(rules, hidden, shots)
    record = Record(rules, zip(shots, said, strict=True))
    return record, naive.consistent(rules, layouts_of(rules), shots, said)


@settings(max_examples=1000)
@given(positions())
def test_counts_and_probabilities_are_those_of_the_listed_layouts(position):
    record, layouts = position
    posterior = ExactPosterior(record.rules)
    assert posterior.count(record) == len(layouts)
    assert np.exp(posterior.log_count(record)) == pytest.approx(len(layouts))
    exact = posterior.probabilities(record)
    assert exact == pytest.approx(np.array(naive.probabilities(record.rules, layouts)), abs=1e-12)
    assert exact.sum() == pytest.approx(record.rules.ship_squares)


@settings(max_examples=1000)
@given(positions(), st.data())
def test_the_probability_of_each_answer(position, data):
    record, layouts = position
    rules = record.rules
    square = data.draw(st.sampled_from(naive.squares_of(rules)))
    shots = [divmod(shot.square, rules.board.cols) for shot in record]
    said = Counter(naive.answers(rules, layout, [*shots, square])[-1] for layout in layouts)
    exact = ExactPosterior(rules).answer_probabilities(square, record)
    assert exact == pytest.approx({a: n / len(layouts) for a, n in said.items()}, abs=1e-12)


@pytest.mark.parametrize("rules", COVERED[::5], ids=describe)
def test_who_asks_a_hit_again_hears_whether_its_ship_has_sunk(rules):
    posterior = ExactPosterior(rules)
    hidden = layouts_of(rules)[len(layouts_of(rules)) // 2]
    shots = [square for ship in hidden for square in ship]
    for end in range(1, len(shots) + 1):
        said = naive.answers(rules, hidden, shots[:end])
        record = Record(rules, zip(shots[:end], said, strict=True))
        layouts = naive.consistent(rules, layouts_of(rules), shots[:end], said)
        for square in shots[:end]:
            told = Counter(
                naive.answers(rules, layout, [*shots[:end], square])[-1] for layout in layouts
            )
            exact = posterior.answer_probabilities(square, record)
            assert exact == pytest.approx({a: n / len(layouts) for a, n in told.items()}, abs=1e-12)


def test_an_edge_connected_ship_does_not_sink_while_it_hangs_by_a_corner():
    rules = Rules(board=(3, 4), fleet=(4, 1), shape="tetris", announce="sunk-size")
    record = Record.parse(rules, "a1:hit a2:hit a3:hit")
    assert ExactPosterior(rules).answer_probabilities("b0", record) == {"miss": 1.0}


@settings(max_examples=100)
@given(positions(), st.integers(0, 2**32))
def test_every_draw_fits_the_record(position, seed):
    record, layouts = position
    fitting = {Layout(record.rules, layout) for layout in layouts}
    for row in ExactPosterior(record.rules).sample(30, record, seed=seed):
        assert Layout.from_array(record.rules, row) in fitting


@pytest.mark.parametrize(
    "rules", [rules for rules in LARGER if not rules.names_ships and rules.board.n_squares < 25]
)
def test_draws_are_uniform(rules):
    posterior = ExactPosterior(rules)
    n = posterior.count()
    draws = [Layout.from_array(rules, row) for row in posterior.sample(40 * n, seed=3)]
    tallies = Counter(draws)
    assert len(tallies) == n
    assert chisquare(list(tallies.values())).pvalue > 1e-4


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("b1:hit c1:hit d3:miss b2:hit c0:sunk:2 a0:miss e1:miss", 41),
        ("b2:hit b1:hit e1:miss d3:miss c0:hit a0:miss c1:sunk:2", 53),
        ("e1:hit d4:miss d1:sunk:2 e3:miss c1:hit e4:miss e2:miss a0:miss b3:hit", 22),
    ],
)
def test_the_order_of_the_shots_matters(text, number):
    rules = Rules(board=(5, 5), fleet=(3, 2, 2), contact="allowed", announce="sunk-size")
    assert ExactPosterior(rules).count(Record.parse(rules, text)) == number


def test_the_first_answer_that_no_layout_allows_is_named():
    rules = Rules(board=(5, 5), fleet=(3, 2))
    record = Record.parse(rules, "a0:hit c2:miss a1:hit b1:hit e4:miss")
    with pytest.raises(RecordError, match="from shot 4 on: b1:hit"):
        ExactPosterior(rules).probabilities(record)


def test_a_symmetric_board_has_a_symmetric_map():
    exact = ExactPosterior(Rules.preset("ship-bombing")).probabilities()
    for image in (exact.T, exact[::-1], exact[:, ::-1]):
        assert np.abs(exact - image).max() < 1e-12
    assert exact[0, 0] == pytest.approx(0.236, abs=0.0005)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "record"),
    [
        ("ship-bombing", ""),
        ("ship-bombing", "c3:miss c6:hit d6:miss c7:hit b8:miss g2:sunk e5:hit"),
        ("ship-bombing-tetris", ""),
        ("ship-bombing-tetris", "e4:miss d3:hit d4:hit h7:sunk b8:miss"),
        ("ship-bombing-any", ""),
        ("ship-bombing-any", "e4:miss d3:hit h7:sunk b8:miss c2:miss g2:hit f3:sunk"),
        ("hasbro", ""),
        ("hasbro", "e4:hit e5:hit d4:miss e3:sunk:2 e6:hit h8:miss"),
    ],
)
def test_a_million_draws_agree_with_the_map(preset, record):
    rules = Rules.preset(preset)
    posterior = ExactPosterior(rules)
    given_ = Record.parse(rules, record)
    exact = posterior.probabilities(given_).ravel()
    draws = posterior.sample(1_000_000, given_, seed=8)
    drawn = np.bincount(draws.ravel(), minlength=100) / 1e6
    error = np.sqrt(exact * (1 - exact) / 1e6)
    assert (np.abs(drawn - exact) <= 5 * error + 1e-12).all()


@pytest.mark.parametrize("preset", ["ship-bombing-tetris", "ship-bombing-any"])
def test_bent_ships_have_a_symmetric_map_too(preset):
    exact = ExactPosterior(Rules.preset(preset)).probabilities()
    assert exact.sum() == pytest.approx(20)
    for image in (exact.T, exact[::-1], exact[:, ::-1]):
        assert np.abs(exact - image).max() < 1e-12


@pytest.mark.slow
def test_the_map_of_hasbro():
    exact = ExactPosterior(Rules.preset("hasbro")).probabilities()
    assert exact[0, 0] == pytest.approx(0.0800, abs=0.0001)
    assert exact[4, 4] == pytest.approx(0.2136, abs=0.0001)


def test_what_is_not_covered_names_another_way():
    for rules in (
        Rules(fleet=(3, 2), shape="any", contact="allowed"),
        Rules(board=(5, 20), fleet=(3,)),
        Rules(board=(14, 10), fleet=(14,)),
        Rules(board=(10, 10), fleet=[1] * 16, contact="allowed", announce="sunk-name"),
    ):
        assert not covers(rules)
        with pytest.raises(RulesError, match="monte-carlo"):
            ExactPosterior(rules)


def test_a_graph_that_would_be_too_large_says_so(monkeypatch):
    monkeypatch.setattr(_graph, "MAX_STATES", 1000)
    rules = Rules(board=(7, 7), fleet=(4, 3, 2), shape="any")
    with pytest.raises(RulesError, match=r"more than 1,000 states.*monte-carlo"):
        ExactPosterior(rules)
