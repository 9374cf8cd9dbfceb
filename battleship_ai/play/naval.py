"""Naval Bombardment as a game at the terminal: salvos and reports."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from battleship_ai.contest import Contest
from battleship_ai.errors import IllegalMove
from battleship_ai.layouts import Square
from battleship_ai.naval.captains import make_captain
from battleship_ai.naval.layouts import NavalLayout
from battleship_ai.naval.match import Match, solo_target
from battleship_ai.naval.placements import run
from battleship_ai.naval.record import NavalRecord, NavalState
from battleship_ai.naval.salvos import Salvo
from battleship_ai.play.session import AGAIN, OPPONENT_SECONDS, Session
from battleship_ai.play.setup import OPPONENT, YOU, Setup, keys_of
from battleship_ai.tournament.seats import Seat

__all__ = ["NavalSession"]


class _Solo(Contest):
    """A hidden fleet, and nobody who fires back."""

    def __init__(self, layout: NavalLayout, seed: int) -> None:
        super().__init__(YOU)
        self._target, _ = solo_target(layout, seed)

    @property
    def round(self) -> int:
        return self._target.record.next_round

    def record(self, player: int) -> NavalRecord:
        return self._target.record

    def state(self) -> NavalState:
        return NavalState(self.round, self._target.record)

    def salvo(self, squares: Iterable[Square]) -> Salvo:
        salvo = self._target.fire(squares)
        limit = self._target.record.rules.max_rounds
        if self._target.all_sunk:
            self._end(YOU, "all ships are sunk")
        elif self.round > limit:
            self._end(None, f"no winner in {limit} rounds")
        return salvo


class NavalSession(Session[Match | _Solo, Seat]):
    """A match of Naval Bombardment, alone or against a captain.

    Parameters
    ----------
    setup : Setup

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass, NavalRules
    >>> rules = NavalRules((2, 6), [NavalClass("Boat", 2, 1, "Bt", (1, 2))], 0, 1)
    >>> game = NavalSession(Setup.new(rules, opponent=None, seed=1))
    >>> game.shots_due, game.read("A1-A2")
    (2, (0, 1))
    >>> print(game.play(game.read("A1-A2")).outcome.text(game.board))
    1: A1 A2 -> no hits; 2 guns left
    """

    def __init__(self, setup: Setup) -> None:
        contest: Match | _Solo = _Solo(setup.hidden, setup.seed)
        seat = None
        if setup.opponent is not None:
            fleets = (setup.yours, setup.hidden)
            contest = Match(setup.rules, fleets, starter=setup.starter, seed=setup.seed)
            seat = _seat(setup)
        super().__init__(setup, contest, seat)
        self._rng = _generator(setup)

    @staticmethod
    def _first_choice(setup: Setup) -> None:
        state = NavalState(1, NavalRecord(setup.rules), NavalRecord(setup.rules))
        seat = _seat(setup)
        try:
            list(seat.choose(state, _generator(setup)))
        finally:
            seat.close()

    @staticmethod
    def layout(rules: Any, listed: Any) -> NavalLayout:
        """A layout from plain values, as `Game.listed` gives them."""
        return NavalLayout.from_dict(rules, listed)

    @staticmethod
    def parse(rules: Any, text: str) -> NavalLayout:
        """A layout from text."""
        return NavalLayout.parse(rules, text)

    def record_of(self, player: int) -> NavalRecord:
        """A player's salvos and the reports."""
        return self._contest.record(player)

    @property
    def round(self) -> int:
        """The number of the salvo that is due."""
        return self._contest.round

    @property
    def shots_due(self) -> int:
        """Your guns left."""
        solo = self.setup.opponent is None
        return self.setup.rules.guns if solo else self.record_of(OPPONENT).guns_left

    def read(self, text: str) -> tuple[int, ...]:
        """The squares that you have typed, in order; ``K1-K5`` is a straight run of them."""
        words = [word for part in text.replace(",", " ").split() for word in self._run(part)]
        if not words:
            raise IllegalMove(f"{text!r} has no squares, such as K7 or K1-K5")
        squares = self._fresh(words, self.record_of(YOU).called)
        if len(squares) > self.shots_due:
            raise IllegalMove(
                f"{len(squares)} squares are more than your {self.shots_due} guns left"
            )
        for word, square in zip(words, squares, strict=True):
            if squares.count(square) > 1 and not word.endswith(AGAIN):
                raise IllegalMove(f"{self.board.name(square)} is there twice")
        return tuple(squares)

    def _run(self, part: str) -> list[str]:
        """The words of a part: itself, or the squares of a run from its first to its last."""
        ends = part.split("-")
        if len(ends) != 2:
            return [part]
        first, last = map(self.board.square, ends)
        squares = run(self.board, first, last)
        if squares is None:
            raise IllegalMove(f"{part} is not a straight run, across, down or diagonal")
        ordered = squares if first == squares[0] else squares[::-1]
        return [self.board.name(square) for square in ordered]

    def _choice(self, seat: Seat) -> Sequence[Square]:
        return list(seat.choose(self._contest.state(), self._rng))

    def _fire(self, squares: Sequence[Square]) -> Salvo | None:
        return self._contest.salvo(squares)


def _seat(setup: Setup) -> Seat:
    return Seat(make_captain(setup.opponent or ""), OPPONENT_SECONDS)


def _generator(setup: Setup) -> np.random.Generator:
    return np.random.default_rng(keys_of(setup.seed)[OPPONENT])
