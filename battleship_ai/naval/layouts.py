"""Legal positions of ships and mines: check, parse, print."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from battleship_ai._display import Cell, board_svg
from battleship_ai._names import check_keys
from battleship_ai.bitboard import unpack
from battleship_ai.board import Board, SquareSet, picture
from battleship_ai.errors import LayoutError
from battleship_ai.layouts import Square
from battleship_ai.naval.placements import naval_placements, run
from battleship_ai.naval.rules import MINE_KINDS, MineKind, NavalRules

__all__ = ["MINE_MARKS", "NavalLayout"]

MINE_MARKS: dict[MineKind, str] = {"ordinary": "o", "high-explosive": "*"}
"""How pictures show each kind of mine."""
_WATER, _USED, _DEAD = ".", ":", "x"


@dataclass(frozen=True, init=False)
class NavalLayout:
    """Ships and mines hidden on a board, legal under their rules.

    Parameters
    ----------
    rules : NavalRules
    ships : mapping of str to iterables
        For each class, by its short name, its ships: each a run such as
        ``"E10-L17"``, or its squares as indices, names or (row, column).
    mines : mapping of str to iterables of squares
        For ``"ordinary"`` and ``"high-explosive"`` the squares of the mines; a
        kind of which the rules have none may be left out.

    Attributes
    ----------
    ships : tuple of tuple of int
        The squares of each ship, in the order of ``rules.ships``; those of one class
        sorted by their squares.
    mines : tuple of int
        The square of each mine, in the order of ``rules.mines``; sorted within a kind.

    Raises
    ------
    LayoutError
        If a rule is broken; the message says which, and where.

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass
    >>> rules = NavalRules((5, 6), [NavalClass("Corvette", 3, 2, "Cv", (3,))], 1, 0)
    >>> layout = NavalLayout.parse(rules, "Cv A1-C3 E1-E3; ordinary B5")
    >>> print(layout)
       1  2  3  4  5  6
    A Cv  .  .  .  .  .
    B  . Cv  .  .  o  .
    C  .  . Cv  .  .  .
    D  .  .  .  .  .  .
    E Cv Cv Cv  .  .  .
    >>> NavalLayout.parse(rules, str(layout)) == layout
    True
    >>> NavalLayout.parse(rules, "Cv A1-C3 E1-E3; ordinary B4")
    Traceback (most recent call last):
    ...
    battleship_ai.errors.LayoutError: Cv A1-C3 and ordinary mine B4 touch at C3 and B4
    """

    rules: NavalRules
    ships: tuple[tuple[int, ...], ...]
    mines: tuple[int, ...]

    def __init__(
        self,
        rules: NavalRules,
        ships: Mapping[str, Iterable[str | Iterable[Square]]],
        mines: Mapping[str, Iterable[Square]] | None = None,
    ) -> None:
        board = rules.board
        shorts = [ship_class.short for ship_class in rules.classes]
        by_class = {
            short: sorted(_squares_of(board, ship) for ship in _listed(short, group))
            for short, group in _known("ship class", ships, shorts).items()
        }
        by_kind = {
            kind: sorted(board.index(square) for square in _listed(f"{kind} mines", group))
            for kind, group in _known("mine kind", mines or {}, MINE_KINDS).items()
        }
        for ship_class in rules.classes:
            _check_number(ship_class.short, len(by_class[ship_class.short]), ship_class.count)
        for kind in MINE_KINDS:
            _check_number(f"{kind} mines", len(by_kind[kind]), rules.mines.count(kind))
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "ships", tuple(s for short in shorts for s in by_class[short]))
        object.__setattr__(self, "mines", tuple(s for kind in MINE_KINDS for s in by_kind[kind]))
        self._check_forms()
        self._check_contact()

    def _check_forms(self) -> None:
        for ship_class, ship in zip(self.rules.ships, self.ships, strict=True):
            if len(ship) != ship_class.size:
                raise LayoutError(
                    f"{self._describe(ship_class.short, ship)} has {len(ship)} squares; a ship of "
                    f"class {ship_class.short} has {ship_class.size}"
                )
            if run(self.rules.board, ship[0], ship[-1]) != ship:
                raise LayoutError(
                    f"{self._describe(ship_class.short, ship)} is not a straight run of squares, "
                    f"across, down or diagonal"
                )

    def _check_contact(self) -> None:
        board = self.rules.board
        owner: dict[int, int] = {}
        objects = [*self.ships, *((square,) for square in self.mines)]
        for number, squares in enumerate(objects):
            for square in squares:
                for other in (square, *board.neighbours(square, diagonal=True)):
                    if owner.get(other, number) != number:
                        touch = (
                            f"overlap at {board.name(square)}"
                            if other == square
                            else f"touch at {board.name(other)} and {board.name(square)}"
                        )
                        raise LayoutError(
                            f"{self._object(owner[other])} and {self._object(number)} {touch}"
                        )
            owner |= dict.fromkeys(squares, number)

    def _object(self, number: int) -> str:
        ships = self.rules.ships
        if number < len(ships):
            return self._describe(ships[number].short, self.ships[number])
        mine = number - len(ships)
        return self._describe(f"{self.rules.mines[mine]} mine", (self.mines[mine],))

    def _describe(self, what: str, squares: Sequence[int]) -> str:
        return f"{what} {_name(self.rules.board, squares)}"

    @classmethod
    def parse(cls, rules: NavalRules, text: str) -> "NavalLayout":
        """A layout from text.

        Parameters
        ----------
        rules : NavalRules
        text : str
            Either groups separated by semicolons or lines, each the short name of a
            class and its ships, ``Dy B6-E3 L2-O2``, or a kind of mine and its squares,
            ``ordinary B18 O8``; or a board as `str` prints it.

        Raises
        ------
        LayoutError
            If the text is malformed, or a rule is broken.
        """
        if _WATER in text:
            return cls._parse_picture(rules, text)
        groups: dict[str, list[str]] = {}
        for name, *objects in filter(None, map(str.split, re.split(r"[;\n]", text))):
            if name in groups:
                raise LayoutError(f"{name!r} is listed twice")
            groups[name] = objects
        mines: dict[str, list[str]] = {k: groups.pop(k) for k in MINE_KINDS if k in groups}
        return cls(rules, groups, mines)

    @classmethod
    def _parse_picture(cls, rules: NavalRules, text: str) -> "NavalLayout":
        board = rules.board
        rows = [line.split()[1:] for line in text.splitlines() if line.strip()][1:]
        if len(rows) != board.rows or any(len(row) != board.cols for row in rows):
            raise LayoutError(
                f"the picture is not {board.rows} named rows of {board.cols} cells separated by "
                f"spaces, under a row of column numbers"
            )
        squares: dict[str, list[int]] = {}
        for square, mark in enumerate(mark for row in rows for mark in row):
            squares.setdefault(mark, []).append(square)
        for mark in (_WATER, _USED, _DEAD):
            squares.pop(mark, None)
        mines: dict[str, list[int]] = {k: squares.pop(m, []) for k, m in MINE_MARKS.items()}
        # Objects that may not touch are the connected parts of their marks.
        ships = {
            short: board.squares(marked).components(diagonal=True)
            for short, marked in squares.items()
        }
        return cls(rules, ships, mines)

    @cached_property
    def squares(self) -> SquareSet:
        """All occupied squares, of ships and mines."""
        ships = (square for ship in self.ships for square in ship)
        return self.rules.board.squares([*ships, *self.mines])

    @cached_property
    def used_squares(self) -> SquareSet:
        """The squares that are occupied or next to an occupied one, corners included."""
        return self.squares.dilate(diagonal=True)

    @cached_property
    def x_squares(self) -> SquareSet:
        """The squares that are not used and yet too cramped for another ship.

        No straight run of unused squares as long as the shortest ship of the fleet (3
        squares in the preset) holds such a square.
        """
        board, used = self.rules.board, self.used_squares
        table = naval_placements(board, self.rules.classes[-1].size)
        fits = ~(table.masks & used.words).any(axis=1)
        roomy = board.squares(unpack(np.bitwise_or.reduce(table.masks[fits], axis=0)))
        return board.squares(range(board.n_squares)) - used - roomy

    def to_dict(self) -> dict[str, dict[str, list[str]]]:
        """The ships and mines by name, for JSON: ``{"ships": {"FS": ["E10-L17"], …}, …}``."""
        board = self.rules.board
        ships: dict[str, list[str]] = {c.short: [] for c in self.rules.classes}
        mines: dict[str, list[str]] = {kind: [] for kind in MINE_KINDS}
        for ship_class, ship in zip(self.rules.ships, self.ships, strict=True):
            ships[ship_class.short].append(_name(board, ship))
        for kind, square in zip(self.rules.mines, self.mines, strict=True):
            mines[kind].append(board.name(square))
        return {"ships": ships, "mines": mines}

    @classmethod
    def from_dict(cls, rules: NavalRules, layout: Mapping[str, Any]) -> "NavalLayout":
        """The inverse of `to_dict`.

        Raises
        ------
        LayoutError
            If a key is not ``ships`` or ``mines``, or a rule is broken.
        """
        parts = _known("layout key", layout, ("ships", "mines"))
        return cls(rules, parts["ships"], parts["mines"])

    def to_array(self) -> npt.NDArray[np.int16]:
        """The squares of all ships one after another, then those of the mines."""
        return np.array([*(s for ship in self.ships for s in ship), *self.mines], dtype=np.int16)

    @classmethod
    def from_array(
        cls, rules: NavalRules, squares: Sequence[int] | npt.NDArray[np.int16]
    ) -> "NavalLayout":
        """The inverse of `to_array`."""
        expected = rules.ship_squares + len(rules.mines)
        if len(squares) != expected:
            raise LayoutError(
                f"an array of {len(squares)} squares is not a layout of {rules.ship_squares} ship "
                f"squares and {len(rules.mines)} mines"
            )
        rest = iter(np.asarray(squares).tolist())
        ships: dict[str, list[list[int]]] = {}
        for ship_class in rules.ships:
            ships.setdefault(ship_class.short, []).append(
                [next(rest) for _ in range(ship_class.size)]
            )
        mines: dict[str, list[int]] = {}
        for kind in rules.mines:
            mines.setdefault(kind, []).append(next(rest))
        return cls(rules, ships, mines)

    def _marks(self) -> dict[int, str]:
        marks = {
            square: ship_class.short
            for ship_class, ship in zip(self.rules.ships, self.ships, strict=True)
            for square in ship
        }
        kinds = zip(self.mines, self.rules.mines, strict=True)
        return marks | {square: MINE_MARKS[kind] for square, kind in kinds}

    def __str__(self) -> str:
        return picture(self.rules.board, self._marks())

    def picture(self) -> str:
        """The board as text with the used squares: ``:`` used, ``x`` unused but too cramped."""
        used = dict.fromkeys(self.used_squares, _USED) | dict.fromkeys(self.x_squares, _DEAD)
        return picture(self.rules.board, used | self._marks())

    def _repr_svg_(self) -> str:
        mines = dict(zip(self.mines, self.rules.mines, strict=True))
        cells = {
            square: Cell("ship", f"{mines[square]} mine", mark, "#f2f2f2")
            if square in mines
            else Cell("ship", mark, mark)
            for square, mark in self._marks().items()
        }
        return board_svg(self.rules.board, cells)


def _known(what: str, given: Mapping[str, Any], known: Sequence[str]) -> dict[str, Any]:
    """The mapping with every known key, empty where none was given."""
    if not isinstance(given, Mapping):
        raise LayoutError(f"{given!r} is not a mapping by {what}")
    check_keys(what, given, known, LayoutError)
    return {key: given.get(key, {}) for key in known}


def _check_number(what: str, number: int, right: int) -> None:
    if number != right:
        raise LayoutError(f"the layout has {number} {what}; the rules ask for {right}")


def _listed(what: str, group: Any) -> list[Any]:
    if isinstance(group, str) or not isinstance(group, Iterable):
        raise LayoutError(f"{what}: {group!r} is not a list")
    return list(group)


def _squares_of(board: Board, ship: str | Iterable[Square]) -> tuple[int, ...]:
    if not isinstance(ship, str):
        return tuple(sorted(board.index(square) for square in _listed("ship", ship)))
    first, _, last = ship.partition("-")
    squares = run(board, board.square(first), board.square(last or first))
    if squares is None:
        raise LayoutError(f"run {ship!r} is not across, down or diagonal")
    return squares


def _name(board: Board, squares: Sequence[int]) -> str:
    if len(squares) > 1 and run(board, squares[0], squares[-1]) == tuple(squares):
        return f"{board.name(squares[0])}-{board.name(squares[-1])}"
    return " ".join(board.name(square) for square in squares)
