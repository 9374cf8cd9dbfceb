"""Strategies by name: to add one, write its file here and enter its class below."""

from battleship_ai._names import unknown
from battleship_ai.errors import UnknownName
from battleship_ai.game import Chooser
from battleship_ai.programs import Program
from battleship_ai.strategies._loading import (
    installed_names,
    installed_strategies,
    is_path,
    load_installed,
    load_path,
    with_parameters,
)
from battleship_ai.strategies.base import BatchStrategy, Games, KernelStrategy, Strategy
from battleship_ai.strategies.density import Density
from battleship_ai.strategies.exact import Exact
from battleship_ai.strategies.hunting import HuntTarget, ParityHunt
from battleship_ai.strategies.lookahead import Lookahead
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
    "Lookahead",
    "MonteCarlo",
    "ParityHunt",
    "Random",
    "Strategy",
    "installed_strategies",
    "make_strategy",
    "summary",
]

STRATEGIES: dict[str, type[BatchStrategy]] = {
    cls.name: cls for cls in (Random, HuntTarget, ParityHunt, Density, MonteCarlo, Exact, Lookahead)
}
"""The registered strategies by name; `make_strategy` sets parameters too.

Examples
--------
>>> STRATEGIES["monte-carlo"](draws=200)
MonteCarlo(draws=200, tie_errors=2.0, exact=True)
"""

DEFAULT_STRATEGIES = ("random", "hunt-target", "parity-hunt", "density")
"""Those whose games are all compiled code; the others take much longer.

Examples
--------
>>> set(STRATEGIES) - set(DEFAULT_STRATEGIES) == {"monte-carlo", "exact", "lookahead"}
True
"""


def summary(cls: type) -> str:
    """The first sentence of a class's docstring.

    Examples
    --------
    >>> summary(Random)
    'Shoots uniformly among the squares not asked yet.'
    """
    return (cls.__doc__ or "").strip().split("\n", 1)[0]


def make_strategy(text: str) -> Chooser:
    """A strategy from text.

    Parameters
    ----------
    text : str
        One of these:

        - ``NAME`` or ``NAME:PARAMETER=NUMBER:…``, a name from `STRATEGIES`;
        - the name of a strategy that an installed package offers
          (`installed_strategies`);
        - ``package.module:Attribute``, an object, or a class made without arguments. The
          module is imported from where Python looks for modules, which for a script or
          ``python -m`` begins with the directory of the script or the current one;
        - ``program:COMMAND LINE``, a program that plays (`Program`).

    Raises
    ------
    UnknownName
        If the name or a parameter is unknown.
    StrategyError
        If a module or an installed strategy cannot be loaded.
    ProgramError
        If there is no such program.

    Examples
    --------
    >>> make_strategy("monte-carlo:draws=500")
    MonteCarlo(draws=500, tie_errors=2.0, exact=True)
    >>> make_strategy("battleship_ai.strategies:Density").name
    'density'
    """
    text = text.strip()
    name, *settings = text.split(":")
    if name == "program":
        return Program(":".join(settings))
    if name in STRATEGIES:
        return with_parameters("strategy", name, STRATEGIES[name], settings)
    if is_path(text):
        return load_path(text)
    installed = installed_names()
    if text in installed:
        return load_installed(text)
    if name in installed:
        raise UnknownName(f"installed strategy {name!r} has no parameters; {text!r} sets some")
    raise UnknownName(unknown("strategy", name, [*STRATEGIES, *installed]))
