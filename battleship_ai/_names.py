"""Names that are looked up, and what is said of those that are not there."""

import difflib
from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from battleship_ai.errors import BattleshipError, UnknownName

__all__ = ["check_keys", "look_up", "unknown"]

Entry = TypeVar("Entry")


def look_up(what: str, name: str, registry: Mapping[str, Entry]) -> Entry:
    """The entry of a name.

    Raises
    ------
    UnknownName
        If there is none.
    """
    if name not in registry:
        raise UnknownName(unknown(what, name, registry))
    return registry[name]


def check_keys(
    what: str, given: Iterable[str], known: Collection[str], error: type[BattleshipError]
) -> None:
    """Raise an error for the first key that is not known."""
    for key in given:
        if key not in known:
            raise error(unknown(what, key, known))


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for a name that is not among the known ones."""
    names = list(known)
    close = difflib.get_close_matches(str(name), names, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"unknown {what} {name!r}; {hint}there are: {', '.join(names)}"
