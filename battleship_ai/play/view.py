"""What a player is shown of a game: the same questions for every game."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from battleship_ai.play.hints import Hint
from battleship_ai.play.pictures import Picture
from battleship_ai.play.session import Move, Session

__all__ = ["View", "counted"]

G = TypeVar("G", bound=Session[Any, Any])


class View(ABC, Generic[G]):
    """A game in words and pictures.

    Parameters
    ----------
    session : Session
    """

    def __init__(self, session: G) -> None:
        self.session = session

    @property
    def opponent(self) -> str:
        """What the other side is called."""
        return self.session.setup.opponent or "the hidden fleet"

    @abstractmethod
    def input_help(self) -> str:
        """What to type for a move."""

    @abstractmethod
    def prompt(self) -> str:
        """What you are asked for."""

    @abstractmethod
    def status(self) -> list[str]:
        """Where the game stands, in lines."""

    @abstractmethod
    def boards(self, hint: Hint | None = None) -> list[Picture]:
        """Your shots, with the probability map if there is one, and your fleet if you have one."""

    @abstractmethod
    def legend(self, hint: Hint | None = None) -> str:
        """What the marks of `boards` mean."""

    @abstractmethod
    def hint(self) -> Hint:
        """The probability map of your shots so far."""

    @abstractmethod
    def advice(self, hint: Hint) -> list[str]:
        """The best of a probability map in lines."""

    @abstractmethod
    def told(self, move: Move) -> list[str]:
        """A move and what came of it, in lines."""

    @abstractmethod
    def log(self) -> list[str]:
        """All that was called, in lines."""

    @abstractmethod
    def tally(self) -> str:
        """What both have fired, in a sentence."""

    @abstractmethod
    def revealed(self) -> Picture:
        """The hidden fleet under your shots, once the game is over."""


def counted(number: int, what: str) -> str:
    """A number of things.

    Examples
    --------
    >>> counted(1, "shot"), counted(2, "shot")
    ('1 shot', '2 shots')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"
