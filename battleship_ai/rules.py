"""The rules of a game, and the presets: the one place to add a rule set."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from battleship_ai._names import check_keys, look_up
from battleship_ai.board import Board
from battleship_ai.errors import RulesError

__all__ = ["PRESETS", "Preset", "Rules", "ShipClass"]

Shape = Literal["straight", "tetris", "any"]
Contact = Literal["none", "corners", "allowed"]
Announce = Literal["sunk", "sunk-size", "sunk-name", "hit-name", "hit-only"]
Turn = Literal["single", "again-on-hit"]

_SHAPE_ALIASES = {"sirge": "straight", "suva": "any"}


@dataclass(frozen=True)
class ShipClass:
    """Ships that no answer tells apart: `count` ships of `size` squares.

    Examples
    --------
    >>> Rules.preset("hasbro").classes[2]
    ShipClass(name='3', size=3, count=2)
    """

    name: str
    size: int
    count: int


@dataclass(frozen=True, init=False)
class Rules:
    """What may be hidden, and what an answer tells.

    Parameters
    ----------
    board : Board, (rows, cols) or "ROWSxCOLUMNS"
        1×1 to 26×26.
    fleet : iterable of int
        Ship sizes; kept largest first, their order is irrelevant.
    shape : {"straight", "tetris", "any"}
        Straight, edge-connected or king-connected ships. The Estonian ``sirge``
        and ``suva`` are accepted.
    contact : {"none", "corners", "allowed"}
        Whether ships may not touch, may touch at corners, or may touch.
    announce : {"sunk", "sunk-size", "sunk-name", "hit-name", "hit-only"}
        What an answer tells beyond hit and miss.
    turn : {"single", "again-on-hit"}
        Whether a hit gives another shot. Shots to win do not depend on it; duels do.
    names : iterable of str, optional
        A name for each ship of `fleet`, in its order, for the answers that name
        ships. By default a ship is named by its size, with a letter where
        several share it: ``"4"``, ``"3a"``, ``"3b"``.

    Raises
    ------
    RulesError
        If a value is malformed, or the fleet plainly cannot fit. Fleets that
        fail to fit for a subtler reason are found by `check_feasible`, which
        everything that plays calls.

    Examples
    --------
    >>> rules = Rules.preset("ship-bombing", board=(8, 8), fleet=(2, 3, 1))
    >>> rules.fleet, rules.contact, str(rules.board)
    ((3, 2, 1), 'none', '8x8')
    >>> Rules.from_dict(rules.to_dict()) == rules
    True
    """

    board: Board
    fleet: tuple[int, ...]
    shape: Shape
    contact: Contact
    announce: Announce
    turn: Turn
    names: tuple[str, ...]

    def __init__(
        self,
        board: Board | tuple[int, int] | str = (10, 10),
        fleet: Iterable[int] = (4, 3, 3, 2, 2, 2, 1, 1, 1, 1),
        shape: str = "straight",
        contact: str = "none",
        announce: str = "sunk",
        turn: str = "single",
        names: Iterable[str] | None = None,
    ) -> None:
        sizes = _checked_fleet(fleet)
        labels = _default_names(sizes) if names is None else _checked_names(names, sizes)
        order = sorted(range(len(sizes)), key=lambda i: -sizes[i])
        values = {
            "board": _checked_board(board),
            "fleet": tuple(sizes[i] for i in order),
            "shape": _one_of("shape", _SHAPE_ALIASES.get(shape, shape), get_args(Shape)),
            "contact": _one_of("contact", contact, get_args(Contact)),
            "announce": _one_of("announce", announce, get_args(Announce)),
            "turn": _one_of("turn", turn, get_args(Turn)),
            "names": tuple(labels[i] for i in order),
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)
        self._check_room()

    def _check_room(self) -> None:
        """Raise if the fleet is too large for the board by lengths or by area."""
        board, longest = self.board, self.fleet[0]
        if self.shape == "straight" and longest > max(board.rows, board.cols):
            raise RulesError(
                f"fleet has no legal layout: a straight ship of {longest} squares is longer "
                f"than the {board} board"
            )
        # Where ships may not touch, give each square of a ship also the vertices to its
        # right and below: ships own disjoint sets of vertices, and a ship of s squares at
        # least as many as the most compact form has.
        if self.contact == "none":
            area = sum(_fewest_vertices(size, self.shape) for size in self.fleet)
            room = (board.rows + 1) * (board.cols + 1)
            if area > room:
                raise RulesError(
                    f"fleet has no legal layout: ships that may not touch need {area} vertices "
                    f"of the board, the {board} board has {room}"
                )
        if self.ship_squares > board.n_squares:
            raise RulesError(
                f"fleet has no legal layout: it has {self.ship_squares} squares, "
                f"the {board} board {board.n_squares}"
            )

    @property
    def ship_squares(self) -> int:
        """Number of squares that the fleet occupies."""
        return sum(self.fleet)

    @property
    def names_ships(self) -> bool:
        """Whether answers name ships, so that ships of one size differ."""
        return self.announce in ("sunk-name", "hit-name")

    @property
    def tells_class(self) -> bool:
        """Whether the answer to a sinking tells the ship's class."""
        return self.announce in ("sunk-size", "sunk-name", "hit-name")

    @property
    def classes(self) -> tuple[ShipClass, ...]:
        """The ships by what answers can tell apart, largest first.

        Examples
        --------
        >>> [c.count for c in Rules().classes]
        [1, 2, 3, 4]
        """
        if self.names_ships:
            pairs = zip(self.names, self.fleet, strict=True)
            return tuple(ShipClass(name, size, 1) for name, size in pairs)
        return tuple(ShipClass(str(s), s, n) for s, n in Counter(self.fleet).items())

    def describe(self) -> str:
        """The rules in a line.

        Examples
        --------
        >>> Rules.preset("pomcp").describe()
        '10x10 board, fleet 5,4,3,2, straight, contact none, announce hit-only'
        """
        fleet = ",".join(map(str, self.fleet))
        return (
            f"{self.board} board, fleet {fleet}, {self.shape}, contact {self.contact}, "
            f"announce {self.announce}"
        )

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> "Rules":
        """The rules of a preset, with any setting replaced.

        Raises
        ------
        UnknownName
            If there is no such preset.
        """
        settings: dict[str, Any] = {**look_up("preset", name, PRESETS).settings, **overrides}
        if "fleet" in overrides and "names" not in overrides:
            settings.pop("names", None)
        return cls(**settings)

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain lists and strings, for JSON or TOML."""
        return {
            "board": [self.board.rows, self.board.cols],
            "fleet": list(self.fleet),
            "shape": self.shape,
            "contact": self.contact,
            "announce": self.announce,
            "turn": self.turn,
            "names": list(self.names),
        }

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> "Rules":
        """The inverse of `to_dict`; missing keys take the defaults.

        Raises
        ------
        RulesError
            If a key is unknown or a value is wrong.
        """
        check_keys("rules key", settings, [field.name for field in fields(cls)], RulesError)
        return cls(**settings)


def _one_of(setting: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise RulesError(f"{setting} {value!r} is not one of {', '.join(allowed)}")
    return value


def _checked_board(board: Board | tuple[int, int] | str) -> Board:
    if isinstance(board, Board):
        return board
    if isinstance(board, str):
        return Board.parse(board)
    try:
        rows, cols = board
    except (TypeError, ValueError):
        raise RulesError(f"board {board!r} is not a pair of rows and columns") from None
    return Board(rows, cols)


def _checked_fleet(fleet: Iterable[int]) -> tuple[int, ...]:
    try:
        sizes = tuple(fleet)
    except TypeError:
        raise RulesError(f"fleet {fleet!r} is not a list of ship sizes") from None
    if not sizes:
        raise RulesError("fleet is empty; it needs at least one ship")
    for size in sizes:
        if not isinstance(size, int) or isinstance(size, bool):
            raise RulesError(f"fleet has a ship of size {size!r}; a size is an integer")
        if size < 1:
            raise RulesError(f"fleet has a ship of size {size}; every ship has at least 1 square")
    return sizes


def _checked_names(names: Iterable[str], sizes: tuple[int, ...]) -> tuple[str, ...]:
    labels = tuple(names)
    if len(labels) != len(sizes):
        raise RulesError(f"names has {len(labels)} names for a fleet of {len(sizes)} ships")
    for label in labels:
        if not isinstance(label, str) or not label or any(c.isspace() or c == ":" for c in label):
            raise RulesError(f"ship name {label!r} is not a word without spaces and colons")
        if labels.count(label) > 1:
            raise RulesError(f"names has {label!r} twice; each ship needs a name of its own")
    return labels


def _default_names(sizes: tuple[int, ...]) -> tuple[str, ...]:
    total = Counter(sizes)
    seen: Counter[int] = Counter()
    labels = []
    for size in sizes:
        letter = chr(ord("a") + seen[size]) if seen[size] < 26 else f"a{seen[size]}"
        labels.append(f"{size}{letter}" if total[size] > 1 else str(size))
        seen[size] += 1
    return tuple(labels)


def _fewest_vertices(size: int, shape: str) -> int:
    """The fewest board vertices that any form of a ship touches.

    A straight ship of s squares touches 2(s + 1); in general the most compact
    form is nearly a square, and s squares in r rows touch at least s + r + w + 1
    vertices, where w is the longest row (each row adds one, each column top one).
    """
    if shape == "straight":
        return 2 * (size + 1)
    return min(size + rows + -(-size // rows) + 1 for rows in range(1, size + 1))


@dataclass(frozen=True)
class Preset:
    """A named rule set: one sentence about it, and its settings.

    Examples
    --------
    >>> PRESETS["russian"].settings["turn"]
    'again-on-hit'
    """

    summary: str
    settings: dict[str, Any]


_TEN = (4, 3, 3, 2, 2, 2, 1, 1, 1, 1)
_HASBRO = (5, 4, 3, 3, 2)
_HASBRO_NAMES = ("carrier", "battleship", "cruiser", "submarine", "destroyer")

PRESETS: dict[str, Preset] = {
    "ship-bombing": Preset(
        "Laevade pommitamine: ten straight ships that may not touch, sunk announced bare.",
        {"fleet": _TEN},
    ),
    "ship-bombing-tetris": Preset(
        "Laevade pommitamine with edge-connected ships of any form.",
        {"fleet": _TEN, "shape": "tetris"},
    ),
    "ship-bombing-any": Preset(
        "Laevade pommitamine with king-connected ships of any form.",
        {"fleet": _TEN, "shape": "any"},
    ),
    "russian": Preset(
        "Morskoi boi: as ship-bombing, and a hit gives another shot.",
        {"fleet": _TEN, "turn": "again-on-hit"},
    ),
    "hasbro": Preset(
        "Five ships that may touch; a sinking tells the ship's size.",
        {"fleet": _HASBRO, "contact": "allowed", "announce": "sunk-size", "names": _HASBRO_NAMES},
    ),
    "hasbro-official": Preset(
        "Hasbro's printed rules: five ships that may touch; every hit names the ship.",
        {"fleet": _HASBRO, "contact": "allowed", "announce": "hit-name", "names": _HASBRO_NAMES},
    ),
    "hasbro-no-touch": Preset(
        "Hasbro's fleet with ships that may not touch; a sinking tells the ship's size.",
        {"fleet": _HASBRO, "announce": "sunk-size", "names": _HASBRO_NAMES},
    ),
    "german": Preset(
        "Schiffe versenken: ten ships of 5 to 2 squares that may not touch.",
        {"fleet": (5, 4, 4, 3, 3, 3, 2, 2, 2, 2)},
    ),
    "polish-bent": Preset(
        "Okręty with bent ships: eight edge-connected ships of 5 to 1 squares.",
        {"fleet": (5, 4, 3, 3, 2, 2, 1, 1), "shape": "tetris"},
    ),
    "pomcp": Preset(
        "The planning benchmark of Silver and Veness (2010): four ships, hit or miss only.",
        {"fleet": (5, 4, 3, 2), "announce": "hit-only"},
    ),
    "openspiel": Preset(
        "OpenSpiel's battleship on its usual board: ships may touch, sunk announced bare.",
        {"fleet": _HASBRO, "contact": "allowed"},
    ),
}
"""The rule sets by name.

Examples
--------
>>> for name in list(PRESETS)[:2]:
...     print(f"{name}: {PRESETS[name].summary}")
ship-bombing: Laevade pommitamine: ten straight ships that may not touch, sunk announced bare.
ship-bombing-tetris: Laevade pommitamine with edge-connected ships of any form.
"""
