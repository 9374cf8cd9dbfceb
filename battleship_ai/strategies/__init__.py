"""Strategies by name: to add one, write its file here and enter its class below."""

from battleship_ai.errors import UnknownName
from battleship_ai.rules import unknown
from battleship_ai.strategies.base import BatchStrategy, Games, KernelStrategy, Strategy
from battleship_ai.strategies.density import Density
from battleship_ai.strategies.exact import Exact
from battleship_ai.strategies.hunting import HuntTarget, ParityHunt
from battleship_ai.strategies.monte_carlo import MonteCarlo
from battleship_ai.strategies.random import Random

__all__ = [
    "DEFAULT_STRATEGIES",
    "STRATEGIES",
    "BatchStrategy",
    "Density",
    "Exact",
    "Games",
    "HuntTarget",
    "KernelStrategy",
    "MonteCarlo",
    "ParityHunt",
    "Random",
    "Strategy",
    "make_strategy",
    "summary",
]

STRATEGIES: dict[str, type[BatchStrategy]] = {
    cls.name: cls for cls in (Random, HuntTarget, ParityHunt, Density, MonteCarlo, Exact)
}

DEFAULT_STRATEGIES = ("random", "hunt-target", "parity-hunt", "density")
"""Those whose games are all compiled code; the others take much longer."""


def summary(cls: type) -> str:
    """The first sentence of a class's docstring."""
    return (cls.__doc__ or "").strip().split("\n", 1)[0]


def make_strategy(text: str) -> BatchStrategy:
    """A strategy from its name, with parameters if wanted.

    Parameters
    ----------
    text : str
        ``NAME`` or ``NAME:PARAMETER=NUMBER:…``.

    Raises
    ------
    UnknownName
        If the name or a parameter is unknown.

    Examples
    --------
    >>> make_strategy("monte-carlo:draws=500")
    MonteCarlo(draws=500, tie_errors=2.0, exact=True)
    """
    name, *settings = text.strip().split(":")
    if name not in STRATEGIES:
        raise UnknownName(unknown("strategy", name, STRATEGIES))
    values: dict[str, float] = {}
    for setting in settings:
        key, _, value = setting.partition("=")
        try:
            values[key] = int(value) if value.lstrip("-").isdigit() else float(value)
        except ValueError:
            raise UnknownName(
                f"{setting!r} in {text!r} is not of the form PARAMETER=NUMBER"
            ) from None
    try:
        return STRATEGIES[name](**values)
    except TypeError:
        raise UnknownName(f"strategy {name!r} has no parameter {', '.join(values)}") from None
