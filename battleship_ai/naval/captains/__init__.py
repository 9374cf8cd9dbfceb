"""Captains by name: to add one, write its file here and enter its class below."""

from typing import cast

from battleship_ai._names import unknown
from battleship_ai.errors import StrategyError, UnknownName
from battleship_ai.naval.captains.density import SalvoDensity
from battleship_ai.naval.captains.lattice import Lattice
from battleship_ai.naval.captains.list_info import ListInfo
from battleship_ai.naval.captains.peppering import Peppering
from battleship_ai.naval.captains.posterior import PosteriorCaptain
from battleship_ai.naval.captains.random_salvo import RandomSalvo
from battleship_ai.naval.captains.tactician import Tactician
from battleship_ai.naval.match import Captain
from battleship_ai.strategies._loading import found_at, is_path, made, with_parameters

__all__ = [
    "CAPTAINS",
    "DEFAULT_CAPTAINS",
    "Lattice",
    "ListInfo",
    "Peppering",
    "PosteriorCaptain",
    "RandomSalvo",
    "SalvoDensity",
    "Tactician",
    "can_command",
    "make_captain",
]

_LISTED = (RandomSalvo, Lattice, Peppering, SalvoDensity, ListInfo, PosteriorCaptain, Tactician)

CAPTAINS: dict[str, type[Captain]] = {cls.name: cls for cls in _LISTED}
"""The registered captains by name; `make_captain` sets parameters too.

Examples
--------
>>> CAPTAINS["density"]()
SalvoDensity(placer='uniform')
"""

DEFAULT_CAPTAINS = ("random-salvo", "lattice", "peppering", "density", "list-info")
"""Those whose games are over in a fraction of a second.

Examples
--------
>>> sorted(set(CAPTAINS) - set(DEFAULT_CAPTAINS))
['posterior', 'tactician']
"""


def can_command(found: object) -> bool:
    """Whether an object has the method by which a captain plays.

    Examples
    --------
    >>> can_command(RandomSalvo()), can_command(None)
    (True, False)
    """
    return callable(getattr(found, "choose", None))


def make_captain(text: str) -> Captain:
    """A captain from text.

    Parameters
    ----------
    text : str
        Either ``NAME`` or ``NAME:PARAMETER=VALUE:…``, a name from `CAPTAINS`, or
        ``package.module:Attribute``, an object, or a class made without arguments.

    Raises
    ------
    UnknownName
        If the name or a parameter is unknown.
    StrategyError
        If a module cannot be loaded, or what is there cannot play. Programs cannot:
        their protocol knows single shots only.

    Examples
    --------
    >>> make_captain("random-salvo")
    RandomSalvo()
    """
    text = text.strip()
    name, *settings = text.split(":")
    if name == "program":
        raise StrategyError(
            f"captain {text!r}: programs play ship bombing only; write a class with a method "
            f"choose(state, rng) and name it as MODULE:CLASS"
        )
    if name in CAPTAINS:
        return with_parameters("captain", name, CAPTAINS[name], settings)
    if not is_path(text):
        raise UnknownName(unknown("captain", name, CAPTAINS))
    origin = f"captain {text!r}"
    found = made(found_at(text, origin), origin)
    if not can_command(found):
        raise StrategyError(
            f"{origin}: {found!r} has no method choose(state, rng); add one that returns the "
            f"squares of a salvo"
        )
    return cast(Captain, found)
