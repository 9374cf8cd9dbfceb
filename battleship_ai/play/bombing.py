"""Ship bombing and its relatives as a game at the terminal: one square at a time."""

from collections.abc import Sequence
from typing import Any

from battleship_ai.contest import Contest
from battleship_ai.errors import IllegalMove
from battleship_ai.game import Duel, Target, shot_limit
from battleship_ai.layouts import Layout, Square
from battleship_ai.play.session import OPPONENT_SECONDS, Session
from battleship_ai.play.setup import OPPONENT, YOU, Setup, keys_of
from battleship_ai.record import Answer, Record
from battleship_ai.strategies import make_strategy
from battleship_ai.tournament.shooters import ShooterSeat

__all__ = ["BombingSession"]


class _Solo(Contest):
    """A hidden fleet, and nobody who shoots back."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(YOU)
        self._target = Target(layout)

    def record(self, player: int) -> Record:
        return self._target.record

    def shoot(self, square: Square) -> Answer:
        answer = self._target.shoot(square)
        if self._target.all_sunk:
            self._end(YOU, "all ships are sunk")
        return answer


class BombingSession(Session[Duel | _Solo, ShooterSeat]):
    """A game of ship bombing, alone or against a strategy.

    Parameters
    ----------
    setup : Setup

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> rules = Rules(board=(2, 2), fleet=(1,))
    >>> yours = Layout.parse(rules, "b1")
    >>> setup = Setup.new(rules, opponent="density", yours=yours, starter=OPPONENT, seed=1)
    >>> game = BombingSession(setup)
    >>> game.board.name(game.reply().squares[0]), game.your_turn
    ('a0', True)
    >>> game.play(game.read("b1")).outcome.kind, game.won
    ('miss', False)
    """

    def __init__(self, setup: Setup) -> None:
        contest: Duel | _Solo = _Solo(setup.hidden)
        seat = None
        if setup.opponent is not None:
            fleets = (setup.yours, setup.hidden)
            contest = Duel(setup.rules, fleets, starter=setup.starter)
            seat = _seat(setup)
        super().__init__(setup, contest, seat)

    @staticmethod
    def _first_choice(setup: Setup) -> None:
        seat = _seat(setup)
        try:
            seat.choose(Record(setup.rules))
        finally:
            seat.close()

    @staticmethod
    def layout(rules: Any, listed: Any) -> Layout:
        """A layout from plain values, as `Game.listed` gives them."""
        return Layout(rules, listed)

    @staticmethod
    def parse(rules: Any, text: str) -> Layout:
        """A layout from text."""
        return Layout.parse(rules, text)

    def record_of(self, player: int) -> Record:
        """A player's shots and the answers."""
        return self._contest.record(player)

    @property
    def shots_due(self) -> int:
        """One shot."""
        return 1

    def read(self, text: str) -> tuple[int, ...]:
        """The square that you have typed."""
        words = text.split()
        if len(words) != 1:
            example = self.board.name(self.board.n_squares // 2)
            raise IllegalMove(f"{text!r} is not one square, such as {example}")
        return tuple(self._fresh(words, self.record_of(YOU).asked))

    def _choice(self, seat: ShooterSeat) -> Sequence[Square]:
        record = self.record_of(OPPONENT)
        limit = shot_limit(self.setup.rules)
        if len(record) >= limit:
            raise IllegalMove(f"not won after {limit} shots")
        return [seat.choose(record)]

    def _fire(self, squares: Sequence[Square]) -> Answer | None:
        (square,) = squares
        return self._contest.shoot(square)


def _seat(setup: Setup) -> ShooterSeat:
    strategy = make_strategy(setup.opponent or "")
    return ShooterSeat(strategy, setup.rules, keys_of(setup.seed)[OPPONENT], OPPONENT_SECONDS)
