"""Strategies that live outside the package: module paths and installed entry points."""

import importlib
import re
from collections import defaultdict
from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, TypeVar, cast

from battleship_ai.errors import StrategyError, UnknownName
from battleship_ai.game import Chooser

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "as_strategy",
    "can_play",
    "found_at",
    "installed_names",
    "installed_strategies",
    "is_path",
    "load_installed",
    "load_path",
    "made",
    "with_parameters",
]

Made = TypeVar("Made")

_PATH = re.compile(r"[^\W\d][\w.]*:[^\W\d][\w.]*")

_GROUP = "battleship_ai.strategies"


def as_strategy(found: object, origin: str) -> Chooser:
    """An object that can play, made without arguments if it is a class.

    Raises
    ------
    StrategyError
        If it cannot be made, or has neither `choose` nor `new_game`.
    """
    found = made(found, origin)
    if not can_play(found):
        raise StrategyError(
            f"{origin}: {found!r} has no method choose(record, rng); add one that returns a square"
        )
    return cast(Chooser, found)


def made(found: object, origin: str) -> object:
    """An object, or one of a class made without arguments.

    Raises
    ------
    StrategyError
        If it cannot be made.
    """
    if not isinstance(found, type):
        return found
    try:
        return found()
    except Exception as error:  # a constructor may raise anything
        raise StrategyError(
            f"{origin}: {found.__name__}() raises {type(error).__name__}: {error}; a class must "
            f"need no arguments"
        ) from error


def can_play(found: object) -> bool:
    """Whether an object has a method by which a strategy plays."""
    return any(callable(getattr(found, method, None)) for method in ("choose", "new_game"))


def is_path(text: str) -> bool:
    """Whether a text is of the form ``package.module:Attribute``."""
    return _PATH.fullmatch(text) is not None


def load_path(path: str) -> Chooser:
    """The strategy at ``package.module:Attribute``.

    Raises
    ------
    StrategyError
        If the module cannot be imported, or has no such strategy.
    """
    origin = f"strategy {path!r}"
    return as_strategy(found_at(path, origin), origin)


def found_at(path: str, origin: str) -> object:
    """Whatever is at ``package.module:Attribute``.

    Raises
    ------
    StrategyError
        If the module cannot be imported, or has no such attribute.
    """
    module, _, attribute = path.partition(":")
    try:
        return reduce(getattr, attribute.split("."), importlib.import_module(module))
    except (Exception, SystemExit) as error:  # a module may raise anything
        raise _unloadable(origin, error) from error


def with_parameters(what: str, name: str, cls: Callable[..., Made], settings: list[str]) -> Made:
    """An object of a registered class with some of its parameters set.

    Parameters
    ----------
    what : str
        What it is, for messages.
    name : str
    cls : class
    settings : list of str
        Each ``PARAMETER=VALUE``; the value is a number, or a text where the parameter's
        default is one.

    Raises
    ------
    UnknownName
        If there is no such parameter, or a value is malformed.
    """
    values: dict[str, float | str] = {}
    for setting in settings:
        key, _, value = setting.partition("=")
        try:
            values[key] = int(value) if value.lstrip("-").isdigit() else float(value)
        except ValueError:
            if not value or not isinstance(getattr(cls, key, None), str):
                raise UnknownName(
                    f"{setting!r} of {what} {name!r} is not of the form PARAMETER=NUMBER"
                ) from None
            values[key] = value
    try:
        return cls(**values)
    except TypeError:
        raise UnknownName(f"{what} {name!r} has no parameter {', '.join(values)}") from None


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
