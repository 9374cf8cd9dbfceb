"""Strategies that live outside the package: module paths and installed entry points."""

import importlib
from collections import defaultdict
from functools import reduce
from typing import TYPE_CHECKING, cast

from battleship_ai.errors import StrategyError
from battleship_ai.game import Chooser

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "as_strategy",
    "can_play",
    "installed_names",
    "installed_strategies",
    "load_installed",
    "load_path",
]

_GROUP = "battleship_ai.strategies"


def as_strategy(found: object, origin: str) -> Chooser:
    """An object that can play, made without arguments if it is a class.

    Raises
    ------
    StrategyError
        If it cannot be made, or has neither `choose` nor `new_game`.
    """
    if isinstance(found, type):
        made = found.__name__
        try:
            found = found()
        except Exception as error:  # a constructor may raise anything
            raise StrategyError(
                f"{origin}: {made}() raises {type(error).__name__}: {error}; a class must need no "
                f"arguments"
            ) from error
    if not can_play(found):
        raise StrategyError(
            f"{origin}: {found!r} has no method choose(record, rng); add one that returns a square"
        )
    return cast(Chooser, found)


def can_play(found: object) -> bool:
    """Whether an object has a method by which a strategy plays."""
    return any(callable(getattr(found, method, None)) for method in ("choose", "new_game"))


def load_path(path: str) -> Chooser:
    """The strategy at ``package.module:Attribute``.

    Raises
    ------
    StrategyError
        If the module cannot be imported, or has no such strategy.
    """
    origin = f"strategy {path!r}"
    module, _, attribute = path.partition(":")
    try:
        found = reduce(getattr, attribute.split("."), importlib.import_module(module))
    except (Exception, SystemExit) as error:  # a module may raise anything
        raise _unloadable(origin, error) from error
    return as_strategy(found, origin)


def installed_strategies() -> dict[str, Chooser | StrategyError]:
    """The strategies that installed packages offer, loaded; an error for each that is broken.

    A package offers strategies as entry points of the group ``battleship_ai.strategies``.

    Examples
    --------
    >>> all(isinstance(name, str) for name in installed_strategies())
    True
    """
    found: dict[str, Chooser | StrategyError] = {}
    for name in sorted(_entry_points()):
        try:
            found[name] = load_installed(name)
        except StrategyError as error:
            found[name] = error
    return found


def installed_names() -> list[str]:
    """The names of the installed strategies, none of which is loaded."""
    return sorted(_entry_points())


def load_installed(name: str) -> Chooser:
    """The installed strategy of a name from `installed_names`.

    Raises
    ------
    StrategyError
        If it cannot be loaded, or two packages offer the name.
    """
    origin = f"installed strategy {name!r}"
    points = _entry_points()[name]
    if len(points) > 1:
        values = " and ".join(sorted(point.value for point in points))
        raise StrategyError(f"{origin} is there twice, as {values}; give one of these instead")
    try:
        found = points[0].load()
    except (Exception, SystemExit) as error:  # a module may raise anything
        raise _unloadable(origin, error) from error
    return as_strategy(found, origin)


def _entry_points() -> dict[str, "list[EntryPoint]"]:
    from importlib.metadata import entry_points

    named = defaultdict(list)
    for point in entry_points(group=_GROUP):
        named[point.name].append(point)
    return named


def _unloadable(origin: str, error: BaseException) -> StrategyError:
    return StrategyError(f"{origin} cannot be loaded: {type(error).__name__}: {error}")
