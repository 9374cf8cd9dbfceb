"""Captains by name: to add one, write its file here and enter its class below."""

from battleship_ai._names import look_up
from battleship_ai.naval.captains.density import SalvoDensity
from battleship_ai.naval.captains.lattice import Lattice
from battleship_ai.naval.captains.list_info import ListInfo
from battleship_ai.naval.captains.peppering import Peppering
from battleship_ai.naval.captains.posterior import PosteriorCaptain
from battleship_ai.naval.captains.random_salvo import RandomSalvo
from battleship_ai.naval.match import Captain

__all__ = [
    "CAPTAINS",
    "Lattice",
    "ListInfo",
    "Peppering",
    "PosteriorCaptain",
    "RandomSalvo",
    "SalvoDensity",
    "make_captain",
]

_LISTED = (RandomSalvo, Lattice, Peppering, SalvoDensity, ListInfo, PosteriorCaptain)

CAPTAINS: dict[str, type[Captain]] = {cls.name: cls for cls in _LISTED}


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
    return look_up("captain", name, CAPTAINS)()
