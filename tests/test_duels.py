"""Duels by the thousand are the duels that a referee plays turn by turn."""

import numpy as np
import pytest

from battleship_ai import Design, Layout, Rules
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys, key_of
from battleship_ai.tournament.batches import NO_WINNER, Batch
from battleship_ai.tournament.playing import play_batch, replay


class RowByRow:
    def choose(self, record, rng):
        return record.unasked[0]


class Backwards:
    def choose(self, record, rng):
        return record.unasked[-1]


class GivesUpAfter:
    """Raises after so many shots."""

    def __init__(self, shots):
        self.shots = shots

    def choose(self, record, rng):
        if len(record) == self.shots:
            raise RuntimeError("enough")
        return record.unasked[0]


class Repeats:
    """Asks each square twice, and so gets another shot for a hit it knows."""

    def choose(self, record, rng):
        asked = [shot.square for shot in record]
        return asked[-1] if len(asked) % 2 else record.unasked[0]


class OffTheBoard:
    def choose(self, record, rng):
        return "z9"


class HidesInACorner:
    """Hides its own fleet where it is found first."""

    def choose(self, record, rng):
        return record.unasked[-1]

    def hide(self, rules, seed):
        return Layout.parse(rules, "a0-a2, c0-c1")


class HidesIllegally(RowByRow):
    def hide(self, rules, seed):
        return [[0, 1, 2], [3, 4]]


PLAYERS = {
    "rows": RowByRow(),
    "back": Backwards(),
    "quits": GivesUpAfter(9),
    "quits at once": GivesUpAfter(0),
    "repeats": Repeats(),
    "off": OffTheBoard(),
    "hides": HidesInACorner(),
    "illegal": HidesIllegally(),
    "density": "density",
    "random": "random",
}


@pytest.mark.parametrize("turn", ["single", "again-on-hit"])
def test_winner_and_shots_are_those_of_the_referee(turn):
    rules = Rules(board=(5, 5), fleet=(3, 2), turn=turn)
    design = Design(rules, PLAYERS, mode="duel", games=8, seed=3)
    played = play_batch(design, Batch(0, 4, 4))
    for pair in played.winner:
        for i, game in enumerate(range(4, 8)):
            duel = replay(design, 0, game, *pair)
            winner, shots = played.winner[pair][i], played.shots[pair][i].tolist()
            assert (duel.winner if not duel.void else NO_WINNER) == winner, (pair, duel.reason)
            if "illegal" not in pair:
                assert shots == [len(duel.record(0)), len(duel.record(1))], pair
            else:
                assert shots == [0, 0]


def test_a_duel_is_played_on_the_layouts_and_with_the_randomness_of_its_number():
    rules = Rules.preset("hasbro")
    design = Design(rules, ["random", "density"], mode="duel", games=6, seed=5)
    played = play_batch(design, Batch(0, 0, 6))
    keys = game_keys(key_of(5), 0, 12)
    rows = place_arrays(rules, keys)
    for game in range(6):
        shot_at = [Layout.from_array(rules, row) for row in rows[2 * game : 2 * game + 2]]
        duel = replay(design, 0, game, "random", "density")
        for player in (0, 1):
            hits = set(duel.record(player).hits)
            assert hits <= set(shot_at[player].squares)
        assert duel.winner == played.winner["random", "density"][game]


def test_the_first_of_a_pair_starts_the_even_duels():
    rules = Rules(board=(1, 2), fleet=(1,))
    design = Design(rules, {"a": RowByRow(), "b": RowByRow()}, mode="duel", games=200, seed=1)
    played = play_batch(design, Batch(0, 0, 200))
    shots = played.shots["a", "b"]
    by_starter = [played.winner["a", "b"][start::2] for start in (0, 1)]
    # Both need one shot or two, as likely: the starter wins three duels of four.
    for starter, won in enumerate(by_starter):
        assert 0.6 < np.mean(won == starter) < 0.9
    assert set(map(tuple, shots[::2].tolist())) <= {(1, 0), (1, 1), (2, 1)}


def test_a_fault_after_the_game_was_won_is_none():
    rules = Rules(board=(3, 3), fleet=(1,))
    quits = {"quits": GivesUpAfter(9), "rows": RowByRow()}
    played = play_batch(Design(rules, quits, mode="duel", games=30), Batch(0, 0, 30))
    assert not played.failures["quits", "rows"]


@pytest.mark.parametrize(
    ("player", "message", "illegal"),
    [
        ("quits at once", "quits at once: RuntimeError: enough", False),
        ("off", "off: IllegalMove: illegal shot: square 'z9' is off the board", True),
        ("illegal", "illegal: illegal layout", True),
    ],
)
def test_who_is_at_fault_loses_and_is_named(player, message, illegal):
    rules = Rules(board=(5, 5), fleet=(3, 2))
    design = Design(rules, {player: PLAYERS[player], "rows": RowByRow()}, mode="duel", games=2)
    played = play_batch(design, Batch(0, 0, 2))
    assert played.winner[player, "rows"].tolist() == [1, 1]
    for game, failure in enumerate(played.failures[player, "rows"]):
        assert failure.message.startswith(message)
        assert (failure.game, failure.illegal) == (game, illegal)


def test_two_illegal_fleets_make_a_void_duel():
    rules = Rules(board=(5, 5), fleet=(3, 2))
    pair = {"one": HidesIllegally(), "two": HidesIllegally()}
    design = Design(rules, pair, mode="duel", games=2)
    played = play_batch(design, Batch(0, 0, 2))
    assert played.winner["one", "two"].tolist() == [NO_WINNER] * 2
    assert [f.message for f in played.failures["one", "two"]] == ["both layouts are illegal"] * 2


def test_a_fleet_of_ones_own_is_what_the_other_shoots_at():
    rules = Rules(board=(5, 5), fleet=(3, 2))
    design = Design(rules, {"rows": RowByRow(), "hides": HidesInACorner()}, mode="duel", games=2)
    played = play_batch(design, Batch(0, 0, 2))
    assert played.winner["rows", "hides"].tolist() == [0, 0]
    assert played.shots["rows", "hides"][:, 0].tolist() == [12, 12]
