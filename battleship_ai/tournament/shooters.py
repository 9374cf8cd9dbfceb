"""A strategy of ship bombing in its games, and in many of them at a time."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.game import Chooser, Target, shoot_until_won, shot_limit
from battleship_ai.layouts import Layout, Square
from battleship_ai.record import Record
from battleship_ai.rules import Rules
from battleship_ai.strategies import BatchStrategy, Games
from battleship_ai.tournament.seats import Failure, Seat

__all__ = ["ShooterSeat", "Side", "play_out", "shoot"]


class Side(NamedTuple):
    """What a strategy did against several layouts, asked without regard to an opponent."""

    games: Games
    hits: npt.NDArray[np.int16]
    """The number of every shot that was not a miss, repeated squares too; 0 after the last."""
    faults: dict[int, Failure]
    """What ended a game before it was won, by its place in the batch."""


def shoot(
    rules: Rules,
    strategy: Chooser,
    layouts: npt.NDArray[np.int16],
    keys: npt.NDArray[np.uint64],
    seconds: float,
    *,
    keep_squares: bool = False,
) -> Side:
    """Let a strategy shoot at each of several layouts; `seconds` is its time for one."""
    if isinstance(strategy, BatchStrategy):
        games = strategy.play(rules, layouts, keys, keep_squares=keep_squares)
        limit = shot_limit(rules)
        lost = np.flatnonzero(games.hits[:, -1] == 0).tolist()
        return Side(games, games.hits, {i: _not_won(limit) for i in lost})
    games = Games.empty(rules, len(layouts), keep_squares)
    hits = np.zeros((len(layouts), shot_limit(rules)), dtype=np.int16)
    faults = {}
    for i, (row, key) in enumerate(zip(layouts, keys.tolist(), strict=True)):
        target = Target(Layout.from_array(rules, row))
        fault = play_out(ShooterSeat(strategy, rules, key, seconds), target)
        if fault is not None:
            faults[i] = fault
        games.enter(i, target.record)
        answered = [n for n, shot in enumerate(target.record, 1) if shot.answer.kind != "miss"]
        hits[i, : len(answered)] = answered
    return Side(games, hits, faults)


class ShooterSeat(Seat):
    """A strategy in one game, with its random numbers."""

    def __init__(self, strategy: Chooser, rules: Rules, key: int, seconds: float) -> None:
        super().__init__(strategy, seconds)
        self._rules = rules
        self._key = key
        self._rng = np.random.default_rng(key)

    def hide(self) -> Layout | None:
        """The strategy's own fleet, None if it leaves that to the placer.

        Raises
        ------
        Exception
            Whatever the strategy raises, and if the fleet is illegal.
        """
        hide = getattr(self._player, "hide", None)
        if hide is None:
            return None
        ships = hide(self._rules, self._key)
        return ships if isinstance(ships, Layout) else Layout(self._rules, ships)

    def choose(self, position: Record, rng: object = None) -> Square:
        """The strategy's next square; its random numbers are those of the seat."""
        square: Square = super().choose(position, self._rng)
        return square

    def _ask(self, position: Record, rng: np.random.Generator) -> Any:
        if isinstance(self._player, BatchStrategy):
            return self._player.choose_keyed(position, self._key)
        return super()._ask(position, rng)

    def _new_copy(self) -> Any:
        new_game = getattr(self._player, "new_game", None)
        return super()._new_copy() if new_game is None else new_game(self._rules, self._key)


def play_out(seat: ShooterSeat, target: Target) -> Failure | None:
    """Let a strategy shoot until every ship is sunk; what went wrong, if anything did."""
    try:
        shoot_until_won(target, seat.choose)
    except Exception as error:  # whatever a strategy does wrong costs it this game only
        return Failure.by(error)
    finally:
        seat.close()
    return None if target.all_sunk else _not_won(len(target.record))


def _not_won(limit: int) -> Failure:
    return Failure(0, f"not won after {limit} shots")
