"""What every registered strategy must do, and what each promises beyond it."""

import itertools

import numpy as np
import pytest

import naive
from battleship_ai import (
    PRESETS,
    STRATEGIES,
    Density,
    Exact,
    ExactPosterior,
    Layout,
    MonteCarlo,
    ParityHunt,
    Record,
    Rules,
    RulesError,
    Target,
    UnknownName,
    make_strategy,
    place,
)
from battleship_ai.inference.exact import covers
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys
from battleship_ai.strategies import Games, summary
from battleship_ai.strategies.hunting import hunting_classes
from small_rules import SMALL_RULES, describe, layouts_of

FAST = {
    "monte-carlo": "monte-carlo:draws=20",
    "lookahead": "lookahead:draws=20:candidates=3:enumeration=500:rollouts=20",
}


def made(name):
    return make_strategy(FAST.get(name, name))


def lighter(name, rules):
    """The rules, with a part of the fleet for strategies that go through all layouts."""
    if name not in ("exact", "monte-carlo", "lookahead"):
        return rules
    return Rules.from_dict(rules.to_dict() | {"fleet": rules.fleet[::3], "names": None})


def skip_uncovered(name, rules):
    if name == "exact" and not covers(rules):
        pytest.skip("no exact posterior")


def play_stepwise(strategy, layout, key):
    """A game in which the strategy is asked anew for every shot."""
    target = Target(layout)
    while not target.all_sunk:
        square = strategy.choose_keyed(target.record, key)
        assert square not in target.record.asked, "asked a square twice"
        target.shoot(square)
    return target.record


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("preset", PRESETS)
def test_compiled_games_are_those_that_the_strategy_plays_step_by_step(name, preset):
    rules, strategy = lighter(name, Rules.preset(preset)), made(name)
    keys = game_keys(3, 0, 2)
    layouts = place_arrays(rules, keys, "sequential")
    games = strategy.play(rules, layouts, keys, keep_squares=True)
    stepwise = Games.empty(rules, 2, keep_squares=True)
    for game, (row, key) in enumerate(zip(layouts, keys, strict=True)):
        record = play_stepwise(strategy, Layout.from_array(rules, row), int(key))
        stepwise.enter(game, record)
        hits = [number for number, shot in enumerate(record, 1) if shot.answer.kind != "miss"]
        assert stepwise.hits[game].tolist() == hits
        assert [s for s in stepwise.squares[game] if s >= 0] == [shot.square for shot in record]
    for played, expected in zip(games, stepwise, strict=True):
        assert (played == expected).all()


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("rules", SMALL_RULES[::4], ids=describe)
def test_every_strategy_wins_every_small_game_without_asking_twice(name, rules):
    skip_uncovered(name, rules)
    strategy = made(name)
    for i, layout in enumerate(place(rules, 3, seed=11)):
        record = play_stepwise(strategy, layout, i)
        assert len(record) <= rules.board.n_squares


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("board", [(1, 1), (2, 3), (9, 9), (13, 13), (26, 26)])
def test_boards_of_any_size(name, board):
    rules = Rules(board=board, fleet=(1,))
    skip_uncovered(name, rules)
    keys = game_keys(1, 0, 2)
    shots = made(name).play(rules, place_arrays(rules, keys), keys).shots
    assert (shots >= 1).all()
    assert (shots <= rules.board.n_squares).all()


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_same_game_is_played_the_same_way(name):
    rules = lighter(name, Rules.preset("hasbro"))
    keys = game_keys(1, 0, 5)
    layouts = place_arrays(rules, keys)
    first, second = made(name).play(rules, layouts, keys), made(name).play(rules, layouts, keys)
    assert (first.shots == second.shots).all()
    assert (first.hits == second.hits).all()
    alone = made(name).play(rules, layouts[3:4], keys[3:4])
    assert alone.shots[0] == first.shots[3]


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_finished_game_is_no_trouble(name):
    rules = Rules(board=(1, 2), fleet=(1,))
    assert made(name).choose(Record.parse(rules, "a0:miss a1:sunk")) in (0, 1)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_contradictory_record_still_gets_a_square(name):
    rules = Rules.preset("ship-bombing")
    record = Record.parse(rules, "a0:hit a2:hit a1:miss b0:miss c2:hit b2:sunk")
    assert made(name).choose(record) in record.unasked


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_has_its_sentence(name):
    assert summary(STRATEGIES[name]).endswith(".")


@pytest.mark.parametrize("preset", [p for p in PRESETS if Rules.preset(p).contact == "none"])
@pytest.mark.parametrize("strategy", [ParityHunt(), Density(), MonteCarlo(draws=20)])
def test_the_halo_of_a_sunk_ship_is_never_shot_where_ships_may_not_touch(preset, strategy):
    rules = Rules.preset(preset)
    if rules.announce == "hit-only":
        pytest.skip("no sinking is announced")
    (layout,) = place(rules, 1, placer="sequential", seed=6)
    target = Target(layout)
    while not target.all_sunk:
        square = strategy.choose(target.record)
        asked = target.record.asked
        for ship in layout.ships:
            sunk = rules.board.squares(ship)
            if len(sunk & asked) == len(sunk):
                assert square not in sunk.dilate(diagonal=True)
        target.shoot(square)


@pytest.mark.parametrize("shape", ["straight", "tetris", "any"])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_hunting_class_meets_every_ship_of_its_size_or_more(shape, size):
    rules = Rules(board=(4, 5), fleet=(4,), shape=shape)
    ships = [s for n in range(size, 5) for s in naive.all_ships(rules, n)]
    for squares in hunting_classes(rules, size):
        met = {divmod(s, 5) for s in squares}
        assert all(met & ship for ship in ships)


# Expected shots by exact greedy play without the tie rule, from brute force over all layouts.
GREEDY = [
    ((4, 4), (3, 2), "allowed", 8.9091),
    ((4, 4), (3, 2), "none", 8.1731),
    ((4, 4), (2, 2), "allowed", 8.7411),
    ((4, 5), (3, 2), "none", 9.3347),
    ((5, 4), (3, 2), "none", 9.3306),
    ((5, 5), (3,), "allowed", 7.1),
]


@pytest.mark.parametrize(("board", "fleet", "contact", "expected"), GREEDY)
def test_exact_play_takes_the_known_number_of_shots_on_small_boards(
    board, fleet, contact, expected
):
    rules = Rules(board=board, fleet=fleet, contact=contact, announce="sunk-size")
    layouts = np.array([Layout(rules, ships).to_array() for ships in layouts_of(rules)])
    keys = game_keys(0, 0, len(layouts))
    assert Exact(by_information=False).play(rules, layouts, keys).shots.mean() == pytest.approx(
        expected, abs=5e-5
    )


def test_exact_breaks_ties_by_what_the_answer_tells():
    rules = Rules(board=(4, 4), fleet=(3, 2), contact="allowed", announce="sunk-size")
    record = Record.parse(rules, "b1:miss c2:miss a2:miss b3:hit c3:hit")
    posterior, name = ExactPosterior(rules), rules.board.name
    p = posterior.probabilities(record)
    assert p[0, 3] == pytest.approx(p[3, 3])  # on either side of the two hits
    assert set(posterior.answer_probabilities("a3", record)) == {"miss", "sunk:3"}
    assert set(posterior.answer_probabilities("d3", record)) == {"miss", "sunk:3", "hit"}
    assert name(Exact().choose(record)) == "d3"
    assert name(Exact(by_information=False).choose(record)) == "a3"


def test_exact_says_where_it_is_not_to_be_had():
    rules = Rules(board=(4, 4), fleet=(3, 2), shape="any", contact="allowed")
    with pytest.raises(RulesError, match="monte-carlo"):
        Exact().choose(Record(rules))


def test_monte_carlo_takes_up_a_game_where_it_was_left():
    rules = Rules.preset("pomcp")
    (layout,) = place(rules, 1, seed=4)
    record = play_stepwise(MonteCarlo(draws=10), layout, 5)
    middle = Record(rules, record.shots[:8])
    assert MonteCarlo(draws=10).choose_keyed(middle, 5) == record.shots[8].square
    assert MonteCarlo(draws=10).choose_keyed(Record(rules), 5) == record.shots[0].square


def test_monte_carlo_with_and_without_the_exact_posterior_agree_in_the_mean():
    rules = Rules.preset("pomcp")
    keys = game_keys(6, 0, 150)
    layouts = place_arrays(rules, keys)
    shots = [
        MonteCarlo(draws=60, exact=exact).play(rules, layouts, keys).shots
        for exact in (False, True)
    ]
    difference = shots[1] - shots[0]
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(len(keys))


def test_parity_hunt_opens_on_one_class():
    rules = Rules.preset("hasbro")
    opened = {ParityHunt().choose(Record(rules), seed) for seed in range(200)}
    assert len({(s // 10 + s % 10) % 2 for s in opened}) == 1


def test_parity_hunt_continues_a_line_of_hits():
    record = Record.parse(Rules.preset("hasbro"), "e4:hit e5:hit")
    chosen = {record.rules.board.name(ParityHunt().choose(record, seed)) for seed in range(50)}
    assert chosen == {"e3", "e6"}


def test_where_a_ship_was_sunk_nobody_follows_its_hits():
    record = Record.parse(Rules.preset("hasbro"), "e4:hit e5:sunk:2")
    beside = {record.rules.board.square(name) for name in ("e3", "e6", "d4", "d5", "f4", "f5")}
    chosen = {ParityHunt().choose(record, seed) for seed in range(100)}
    assert len(chosen & beside) < len(chosen) / 2


def test_parameters_come_with_the_name():
    assert make_strategy("monte-carlo:draws=7") == MonteCarlo(draws=7)
    assert make_strategy("density:halo_price=0.1") == Density(halo_price=0.1)
    for text in ("densty", "density:depth=3", "monte-carlo:draws=many", "monte-carlo:draws"):
        with pytest.raises(UnknownName):
            make_strategy(text)
    with pytest.raises(ValueError, match="draws 0"):
        make_strategy("monte-carlo:draws=0")


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["ship-bombing", "ship-bombing-tetris", "ship-bombing-any"])
def test_each_idea_saves_shots(preset):
    """Random, hunt-target, parity-hunt, density in this order, on common layouts."""
    rules = Rules.preset(preset)
    keys = game_keys(21, 0, 1000)
    layouts = place_arrays(rules, keys)
    names = ("random", "hunt-target", "parity-hunt", "density")
    shots = [made(name).play(rules, layouts, keys).shots.astype(float) for name in names]
    for worse, better in itertools.pairwise(shots):
        saved = worse - better
        assert saved.mean() > 3 * saved.std() / np.sqrt(len(saved))


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["hasbro", "ship-bombing", "ship-bombing-tetris"])
def test_random_takes_k_times_n_plus_1_over_k_plus_1_shots(preset):
    rules = Rules.preset(preset)
    k, n = rules.ship_squares, rules.board.n_squares
    keys = game_keys(2, 0, 20_000)
    shots = made("random").play(rules, place_arrays(rules, keys), keys).shots
    error = shots.std() / np.sqrt(len(shots))
    assert abs(shots.mean() - k * (n + 1) / (k + 1)) < 4 * error
