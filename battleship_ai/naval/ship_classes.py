"""Classes of ships with guns."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from battleship_ai._names import check_keys
from battleship_ai.errors import RulesError
from battleship_ai.rules import ShipClass

__all__ = ["NavalClass", "check_integer"]

_MAX_COUNT = 26  # a track's letter is one of the alphabet


@dataclass(frozen=True)
class NavalClass(ShipClass):
    """`count` ships of `size` squares with guns, which only the history of hits tells apart.

    Parameters
    ----------
    name : str
    size : int
    count : int
        1 to 26 ships.
    short : str
        The name in reports and layouts: Latin letters, the first of them a capital.
    gun_losses : tuple of int
        For each gun, the number of hits at which it is lost; never falling, and
        ending at `size`, so that a ship and its last gun go down together.

    Raises
    ------
    RulesError
        If a value is malformed.

    Examples
    --------
    >>> flagship = NavalClass("Flagship", 8, 1, "FS", (3, 6, 8))
    >>> flagship.guns, [flagship.guns_left(hits) for hits in range(9)]
    (3, [3, 3, 3, 2, 2, 2, 1, 1, 0])
    """

    short: str
    gun_losses: tuple[int, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise RulesError(f"name {self.name!r} of a ship class is not a text")
        if not isinstance(self.short, str) or not re.fullmatch("[A-Z][A-Za-z]*", self.short):
            raise RulesError(
                f"short {self.short!r} of class {self.name!r} is not a word of letters that "
                f"begins with a capital"
            )
        check_integer(f"size of class {self.short}", self.size, 1)
        check_integer(f"count of class {self.short}", self.count, 1, _MAX_COUNT)
        object.__setattr__(self, "gun_losses", _checked_losses(self))

    @property
    def guns(self) -> int:
        """Guns of an undamaged ship."""
        return len(self.gun_losses)

    def guns_left(self, hits: int) -> int:
        """Guns of a ship of which `hits` squares were hit."""
        return sum(hits < loss for loss in self.gun_losses)

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> "NavalClass":
        """A class from a mapping of its parameters.

        Raises
        ------
        RulesError
            If a key is unknown or missing, or a value is wrong.
        """
        if not isinstance(settings, Mapping):
            raise RulesError(f"ship class {settings!r} is not a mapping of its parameters")
        names = [field.name for field in fields(cls)]
        check_keys("ship class key", settings, names, RulesError)
        for name in names:
            if name not in settings:
                raise RulesError(f"ship class {dict(settings)!r} has no {name}")
        return cls(**settings)


def _checked_losses(ship: NavalClass) -> tuple[int, ...]:
    key = f"gun_losses of class {ship.short}"
    try:
        losses = tuple(ship.gun_losses)
    except TypeError:
        raise RulesError(f"{key} {ship.gun_losses!r} is not a list of numbers of hits") from None
    for loss in losses:
        check_integer(f"a number in {key}", loss, 1, ship.size)
    if not losses or losses[-1] != ship.size or list(losses) != sorted(losses):
        raise RulesError(
            f"{key} {losses!r} do not rise to the ship's size, {ship.size}, where the last gun "
            f"is lost"
        )
    return losses


def check_integer(key: str, value: object, low: int, high: int | None = None) -> None:
    """Raise `RulesError` unless a setting is an integer within limits."""
    ok = isinstance(value, int) and not isinstance(value, bool) and value >= low
    if not ok or (high is not None and isinstance(value, int) and value > high):
        limits = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise RulesError(f"{key} {value!r} is not an integer {limits}")
