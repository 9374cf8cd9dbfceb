"""Captains by name: to add one, write its file here and enter its class below."""

from battleship_ai.errors import UnknownName
from battleship_ai.naval.captains.random_salvo import RandomSalvo
from battleship_ai.naval.match import Captain
from battleship_ai.rules import unknown

__all__ = ["CAPTAINS", "RandomSalvo", "make_captain"]

CAPTAINS: dict[str, type[Captain]] = {cls.name: cls for cls in (RandomSalvo,)}


def make_captain(name: str) -> Captain:
    """The captain with a name.

    Raises
    ------
    UnknownName
        If there is none.

    Examples
    --------
    >>> make_captain("random-salvo")
    RandomSalvo()
    """
    if name not in CAPTAINS:
        raise UnknownName(unknown("captain", name, CAPTAINS))
    return CAPTAINS[name]()
