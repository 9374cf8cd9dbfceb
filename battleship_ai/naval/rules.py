"""The rules of Naval Bombardment: fleet, guns, mines and reports, and the preset."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any, Literal, get_args

from battleship_ai._names import check_keys, look_up, unknown
from battleship_ai.board import Board
from battleship_ai.errors import RulesError
from battleship_ai.naval.ship_classes import NavalClass, check_integer
from battleship_ai.rules import Preset, Rules

__all__ = ["MINE_KINDS", "NAVAL_PRESETS", "Identify", "MineKind", "NavalRules"]

Identify = Literal["tracks", "literal"]
"""When a report says which ship of its class was hit."""

MineKind = Literal["ordinary", "high-explosive"]
"""The second also costs the next salvo."""

MINE_KINDS: tuple[MineKind, ...] = get_args(MineKind)
"""Both kinds, in the order in which layouts list their mines."""

_FLEET = (
    NavalClass("Flagship", 8, 1, "FS", (3, 6, 8)),
    NavalClass("Battleship", 7, 1, "BS", (3, 5, 7)),
    NavalClass("Heavy Cruiser", 6, 2, "HC", (3, 6)),
    NavalClass("Light Cruiser", 5, 2, "LC", (3, 5)),
    NavalClass("Destroyer", 4, 3, "Dy", (2, 4)),
    NavalClass("Corvette", 3, 4, "Cv", (3,)),
)


@dataclass(frozen=True, init=False)
class NavalRules:
    """What may be hidden, how many shots a salvo has, and what a report tells.

    Parameters
    ----------
    board : Board, (rows, cols) or "ROWSxCOLUMNS"
        1×1 to 26×26; its squares are named A1, A2, … whatever board is given.
    classes : iterable of NavalClass or of mappings of its parameters
        Kept largest first; those of one size in the order given.
    ordinary_mines, high_explosive_mines : int
        How many mines of one square each a player lays.
    identify : {"tracks", "literal"}
        When a report says which ship of its class was hit; see `battleship_ai.naval`.
    max_rounds : int
        Rounds after which a match without a winner is stopped. Whoever repeats no
        square has won before one round for each square and high-explosive mine.

    Raises
    ------
    RulesError
        If a value is malformed, or the fleet plainly cannot fit. Fleets that fail
        to fit for a subtler reason are found by the placer.

    Examples
    --------
    >>> rules = NavalRules.preset("naval-bombardment", identify="literal")
    >>> rules.ship_squares, rules.guns, len(rules.mines), str(rules.board)
    (61, 24, 12, '20x20')
    >>> NavalRules.from_dict(rules.to_dict()) == rules
    True
    """

    board: Board
    classes: tuple[NavalClass, ...]
    ordinary_mines: int
    high_explosive_mines: int
    identify: Identify
    max_rounds: int

    def __init__(
        self,
        board: Board | tuple[int, int] | str = (20, 20),
        classes: Iterable[NavalClass | Mapping[str, Any]] = _FLEET,
        ordinary_mines: int = 8,
        high_explosive_mines: int = 4,
        identify: str = "tracks",
        max_rounds: int = 1000,
    ) -> None:
        size = Rules(board, fleet=(1,)).board  # which checks it
        if identify not in get_args(Identify):
            raise RulesError(f"identify {identify!r} is not one of {', '.join(get_args(Identify))}")
        check_integer("ordinary_mines", ordinary_mines, 0)
        check_integer("high_explosive_mines", high_explosive_mines, 0)
        check_integer("max_rounds", max_rounds, 1)
        values = {
            "board": Board(size.rows, size.cols, "A1"),
            "classes": _checked_classes(classes),
            "ordinary_mines": ordinary_mines,
            "high_explosive_mines": high_explosive_mines,
            "identify": identify,
            "max_rounds": max_rounds,
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)
        self._check_room()

    def _check_room(self) -> None:
        """Raise if the fleet is too large for the board by lengths or by area.

        Give each square of an object also the vertices to its right and below: objects
        that may not touch own disjoint sets of vertices, and a straight ship of s squares
        touches 2(s + 1), a diagonal one 3s + 1.
        """
        board, longest = self.board, self.classes[0]
        if longest.size > max(board.rows, board.cols):
            raise RulesError(
                f"classes have no legal layout: size {longest.size} of class {longest.short} is "
                f"longer than the {board} board"
            )
        area = sum(2 * (ship.size + 1) for ship in self.ships) + 4 * len(self.mines)
        room = (board.rows + 1) * (board.cols + 1)
        if area > room:
            raise RulesError(
                f"classes and mines have no legal layout: objects that may not touch need {area} "
                f"vertices of the board, the {board} board has {room}"
            )

    @cached_property
    def ships(self) -> tuple[NavalClass, ...]:
        """The class of each ship of the fleet, largest first."""
        return tuple(c for c in self.classes for _ in range(c.count))

    @cached_property
    def mines(self) -> tuple[MineKind, ...]:
        """The kind of each mine, ordinary ones first."""
        counts = (self.ordinary_mines, self.high_explosive_mines)
        return tuple(kind for kind, n in zip(MINE_KINDS, counts, strict=True) for _ in range(n))

    @cached_property
    def ship_squares(self) -> int:
        """Number of squares that the ships occupy, mines apart."""
        return sum(ship.size for ship in self.ships)

    @cached_property
    def guns(self) -> int:
        """Shots of a salvo of an undamaged fleet."""
        return sum(ship.guns for ship in self.ships)

    def ship_class(self, short: str) -> NavalClass:
        """The class with this short name.

        Raises
        ------
        RulesError
            If there is none.
        """
        for ship_class in self.classes:
            if ship_class.short == short:
                return ship_class
        raise RulesError(unknown("ship class", short, (c.short for c in self.classes)))

    def firepower(self, hits: Sequence[int]) -> int:
        """Guns left of a fleet.

        Parameters
        ----------
        hits : sequence of int, in the order of `ships`
            The squares hit of each ship.

        Raises
        ------
        RulesError
            If there is not one number for each ship, or one is not between 0 and the
            ship's size.

        Examples
        --------
        >>> NavalRules().firepower([3, 7] + [0] * 11)
        20
        """
        if len(hits) != len(self.ships):
            raise RulesError(f"hits has {len(hits)} numbers for a fleet of {len(self.ships)} ships")
        for ship, n in zip(self.ships, hits, strict=True):
            if not 0 <= n <= ship.size:
                raise RulesError(
                    f"hits has {n} for a ship of class {ship.short}; it may have 0 to {ship.size}"
                )
        return sum(ship.guns_left(n) for ship, n in zip(self.ships, hits, strict=True))

    def describe(self) -> str:
        """The rules in a line.

        Examples
        --------
        >>> NavalRules("8x8", [NavalClass("Boat", 2, 3, "Bt", (1, 2))], 1, 2).describe()
        '8x8 board, fleet 3 Bt with 6 guns, 1 ordinary and 2 high-explosive mines, identify tracks'
        """
        fleet = ", ".join(f"{ship.count} {ship.short}" for ship in self.classes)
        return (
            f"{self.board} board, fleet {fleet} with {self.guns} guns, {self.ordinary_mines} "
            f"ordinary and {self.high_explosive_mines} high-explosive mines, "
            f"identify {self.identify}"
        )

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> "NavalRules":
        """The rules of a preset, with any setting replaced.

        Raises
        ------
        UnknownName
            If there is no such preset.
        """
        return cls(**{**look_up("preset", name, NAVAL_PRESETS).settings, **overrides})

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain lists and strings, for JSON or TOML."""
        settings = {field.name: getattr(self, field.name) for field in fields(self)}
        settings["board"] = [self.board.rows, self.board.cols]
        settings["classes"] = [
            {**asdict(ship_class), "gun_losses": list(ship_class.gun_losses)}
            for ship_class in self.classes
        ]
        return settings

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> "NavalRules":
        """The inverse of `to_dict`; missing keys take the defaults.

        Raises
        ------
        RulesError
            If a key is unknown or a value is wrong.
        """
        check_keys("rules key", settings, [field.name for field in fields(cls)], RulesError)
        return cls(**settings)


def _checked_classes(
    classes: Iterable[NavalClass | Mapping[str, Any]],
) -> tuple[NavalClass, ...]:
    try:
        listed = [c if isinstance(c, NavalClass) else NavalClass.from_dict(c) for c in classes]
    except TypeError:
        raise RulesError(
            f"classes {classes!r} is not a list of NavalClass or of mappings of its parameters"
        ) from None
    if not listed:
        raise RulesError("classes is empty; a fleet needs at least one ship")
    for short, count in Counter(ship_class.short for ship_class in listed).items():
        if count > 1:
            raise RulesError(f"classes has {short!r} {count} times; each needs a name of its own")
    return tuple(sorted(listed, key=lambda ship_class: -ship_class.size))


NAVAL_PRESETS: dict[str, Preset] = {
    "naval-bombardment": Preset(
        "Naval Bombardment: thirteen ships with 24 guns and twelve mines, fired at in salvos.", {}
    ),
}
"""The rule sets of Naval Bombardment by name.

Examples
--------
>>> list(NAVAL_PRESETS)
['naval-bombardment']
"""
