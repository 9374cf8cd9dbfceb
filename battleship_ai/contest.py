"""What every contest of two players has: whose move it is, and how it ended."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from battleship_ai.errors import BattleshipError, IllegalMove

__all__ = ["Contest", "check_starter"]

Hidden = TypeVar("Hidden")


class Contest:
    """Two players in turn, each of whom has hidden a fleet.

    Attributes
    ----------
    to_move : int
        The player whose move it is.
    winner : int or None
    void : bool
        It ended without a winner.
    reason : str
        Why it ended; empty while it goes on.
    fault : str or None
        What the loser did wrong, if a fault of its own decided it.
    """

    def __init__(self, starter: int) -> None:
        self.to_move = starter
        self.winner: int | None = None
        self.void = False
        self.reason = ""
        self.fault: str | None = None

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.void or self.winner is not None

    def forfeit(self, reason: str) -> None:
        """The player to move loses."""
        self.fault = reason
        self._end(1 - self.to_move, f"player {self.to_move} loses: {reason}")

    def _end(self, winner: int | None, reason: str) -> None:
        self.winner = winner
        self.void = winner is None
        self.reason = reason

    def _hide(self, makers: Iterable[Callable[[], Hidden]]) -> list[Hidden]:
        """What the players hide; an illegal fleet loses its owner the contest at once."""
        hidden = []
        faults: list[str | None] = []
        for make in makers:
            try:
                hidden.append(make())
                faults.append(None)
            except BattleshipError as error:
                faults.append(str(error))
        if all(faults):
            self._end(None, f"both layouts are illegal: {faults[0]}; {faults[1]}")
        elif any(faults):
            loser = 0 if faults[0] else 1
            self._end(1 - loser, f"illegal layout of player {loser}: {faults[loser]}")
        return hidden


def check_starter(starter: object) -> None:
    """Raise `IllegalMove` unless it is a player."""
    if starter not in (0, 1):
        raise IllegalMove(f"starter {starter!r} is not player 0 or player 1")
