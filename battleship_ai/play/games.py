"""The games that can be played: to add one, write its session, view and form, and enter them."""

from collections.abc import Callable
from typing import Any, NamedTuple

from battleship_ai.naval.rules import NavalRules
from battleship_ai.play.bombing import BombingSession
from battleship_ai.play.bombing_view import BombingView
from battleship_ai.play.hiding import BombingForm, Form, NavalForm
from battleship_ai.play.naval import NavalSession
from battleship_ai.play.naval_view import NavalView
from battleship_ai.play.view import View
from battleship_ai.rules import Rules

__all__ = ["Parts", "parts_of"]


class Parts(NamedTuple):
    """What a game is made of."""

    session: type[BombingSession] | type[NavalSession]
    """Made of a `Setup`."""
    view: Callable[[Any], View[Any]]
    """Made of a session."""
    form: Callable[[Any], Form]
    """Made of rules."""


_PARTS: dict[type, Parts] = {
    Rules: Parts(BombingSession, BombingView, BombingForm),
    NavalRules: Parts(NavalSession, NavalView, NavalForm),
}


def parts_of(rules: object) -> Parts:
    """The parts of the game that a rule set belongs to.

    Examples
    --------
    >>> parts_of(Rules()).session.__name__
    'BombingSession'
    """
    return _PARTS[type(rules)]
