"""OpenSpiel's battleship: the same game as ours, and our players in it."""

import runpy
from pathlib import Path

import numpy as np
import pyspiel
import pytest

from battleship_ai import (
    Answer,
    Density,
    Duel,
    IllegalMove,
    Layout,
    Rules,
    RulesError,
    place,
    play_duel,
)
from battleship_ai.openspiel import Bot, load_game, placing_actions, record_of, rules_of

GAMES = runpy.run_path(
    str(Path(__file__).resolve().parent.parent / "benchmarks/openspiel_games.py")
)
SMALL = Rules.preset("openspiel", board=(4, 5), fleet=(3, 2, 2))


def hidden(game, *layouts):
    """The state after both players have placed their layouts."""
    state = game.new_initial_state()
    for both in zip(*(placing_actions(game, layout) for layout in layouts), strict=True):
        for action in both:
            state.apply_action(action)
    return state


def test_random_games_agree_with_our_referee_move_by_move():
    ends = [GAMES["play_game"](number)[1] for number in range(1, 401, 2)]
    ends += [GAMES["play_game"](number)[1] for number in range(0, 20, 2)]
    assert 50 < ends.count("won") < len(ends) - 50


def test_a_referee_that_never_says_sunk_is_found(monkeypatch):
    monkeypatch.setattr(
        "battleship_ai.game.answer_of_ship", lambda rules, ship, *, sunk: Answer("hit")
    )
    with pytest.raises(AssertionError, match="answer: OpenSpiel says sunk, we say hit"):
        GAMES["play_game"](0)


def test_a_referee_that_gives_a_hit_another_turn_is_found(monkeypatch):
    def again(duel, square):
        player = duel.to_move
        answer = shoot(duel, square)
        if answer.kind != "miss":
            duel.to_move = player
        return answer

    shoot = Duel.shoot
    monkeypatch.setattr(Duel, "shoot", again)
    with pytest.raises(AssertionError, match="whose move: OpenSpiel says"):
        GAMES["play_game"](0)


def test_openspiels_usual_game_is_our_preset():
    assert rules_of(pyspiel.load_game("battleship")) == Rules.preset("openspiel")
    assert rules_of(load_game()) == Rules.preset("openspiel")
    assert rules_of(load_game(SMALL)) == SMALL


def test_a_game_ends_by_sinking_unless_shots_are_few():
    assert load_game(SMALL).get_parameters()["num_shots"] == 20
    few = load_game(SMALL, shots=7, repeated=True).get_parameters()
    assert (few["num_shots"], few["allow_repeated_shots"]) == (7, True)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("ship-bombing", "OpenSpiel has contact allowed, not none"),
        ("hasbro", "OpenSpiel has announce sunk, not sunk-size"),
        (Rules.preset("openspiel", turn="again-on-hit"), "has turn single, not again-on-hit"),
        (Rules.preset("openspiel", shape="any"), "has shape straight, not any"),
        (Rules.preset("openspiel", board=(11, 5)), "has boards to 10x10, not 11x5"),
    ],
)
def test_rules_that_openspiel_lacks_are_named(rules, message):
    with pytest.raises(RulesError, match=message):
        load_game(rules)


def test_another_game_is_refused():
    with pytest.raises(RulesError, match="game 'tic_tac_toe' is not OpenSpiel's battleship"):
        rules_of(pyspiel.load_game("tic_tac_toe"))


def test_each_ship_is_placed_in_openspiels_order():
    """On its usual game the smallest comes first."""
    game = pyspiel.load_game("battleship")
    layout = Layout.parse(rules_of(game), "a0-e0, a2-a5, c2-c4, j7-j9, e9-f9")
    assert placing_actions(game, layout) == [249, 122, 197, 102, 200]
    assert hidden(game, layout, layout).legal_actions() == list(range(100))


def test_on_one_column_every_ship_longer_than_one_is_vertical():
    game = load_game(Rules.preset("openspiel", board=(6, 1), fleet=(2, 1)))
    layout = Layout.parse(rules_of(game), "c0-d0, a0")
    assert placing_actions(game, layout) == [14, 6]
    assert not hidden(game, layout, layout).is_terminal()


def test_a_layout_of_other_rules_cannot_be_placed():
    (layout,) = place(Rules.preset("hasbro"))
    with pytest.raises(RulesError, match="the layout is one of"):
        placing_actions(load_game(), layout)


def test_a_record_is_what_its_player_saw():
    game = load_game(SMALL, repeated=True)
    layout = Layout.parse(SMALL, "a0-a2, c0-c1, d0-d1")
    state = hidden(game, layout, layout)
    for square in (10, 19, 15, 19, 11, 0, 10):
        state.apply_action(square)
    assert str(record_of(state, 0)) == "c0:hit d0:hit c1:sunk c0:sunk"
    assert str(record_of(state, 1)) == "d4:miss d4:miss a0:hit"


def test_a_bot_plays_as_its_strategy_does_in_our_duel():
    game = load_game(SMALL)
    layouts = tuple(place(SMALL, 2, seed=6))
    duel = play_duel(SMALL, (Density(), Density()), layouts)
    state = hidden(game, *layouts)
    bots = [Bot(player, "density") for player in (0, 1)]
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert [record_of(state, player) for player in (0, 1)] == [duel.record(0), duel.record(1)]
    assert (state.returns()[0] > 0) == (duel.winner == 0)


def test_a_seed_decides_a_bots_games_and_each_has_a_new_fleet():
    game = load_game(SMALL)

    def histories(seed):
        bots = [Bot(player, "random", seed=seed + player) for player in (0, 1)]
        found = []
        for _ in range(3):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, 0)
            found.append(tuple(state.history()))
        return found

    assert histories(1) == histories(1)
    assert histories(1) != histories(3)
    assert len({history[:6:2] for history in histories(1)}) == 3


def test_the_placer_hides_the_bots_fleet():
    game = load_game(Rules.preset("openspiel", board=(9, 9), fleet=(3,)))

    def at_the_rim(placer):
        bot = Bot(0, placer=placer, seed=1)
        squares = [bot.step(game.new_initial_state()) % 81 for _ in range(200)]
        return sum(square // 9 in (0, 8) or square % 9 in (0, 8) for square in squares)

    assert at_the_rim("edge") > 1.3 * at_the_rim("uniform")


def test_bots_play_in_openspiels_own_loop():
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

    game = pyspiel.load_game("battleship(num_shots=5)")
    bots = [Bot(player, Density()) for player in (0, 1)]
    assert sum(evaluate_bots(game.new_initial_state(), bots, np.random)) == 0.0
    assert [bot.player_id() for bot in bots] == [0, 1]


def test_a_better_strategy_sinks_more():
    game = load_game(SMALL)
    bots = [Bot(0, "density", seed=1), Bot(1, "random", seed=2)]
    returns = [pyspiel.evaluate_bots(game.new_initial_state(), bots, 0)[0] for _ in range(20)]
    assert np.mean(returns) > 1.0


class Repeater:
    def choose(self, record, rng):
        return "b2"


class Off:
    def choose(self, record, rng):
        return 20


def test_a_bots_illegal_moves_are_named():
    layout = Layout.parse(SMALL, "a0-a2, c0-c1, d0-d1")
    state = hidden(load_game(SMALL), layout, layout)
    with pytest.raises(IllegalMove, match="square 20 is off the board"):
        Bot(0, Off()).step(state)
    state.apply_action(Bot(0, Repeater()).step(state))
    state.apply_action(0)
    with pytest.raises(IllegalMove, match="b2 was shot at before"):
        Bot(0, Repeater()).step(state)
    state = hidden(load_game(SMALL, repeated=True), layout, layout)
    for _ in range(2):
        state.apply_action(Bot(0, Repeater()).step(state))
        state.apply_action(0)
    assert str(record_of(state, 0)) == "b2:miss b2:miss"


def test_a_bot_takes_no_game_over_in_the_midst_of_placing():
    state = load_game(SMALL).new_initial_state()
    state.apply_action(Bot(0, seed=1).step(state))
    state.apply_action(Bot(1, seed=1).step(state))
    with pytest.raises(IllegalMove, match="player 0 has ships that this bot did not place"):
        Bot(0, seed=1).step(state)
