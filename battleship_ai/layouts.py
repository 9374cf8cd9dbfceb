"""Legal fleet positions: check, parse, print."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from battleship_ai._display import Cell, board_svg
from battleship_ai.board import SquareSet, picture
from battleship_ai.errors import LayoutError, RulesError
from battleship_ai.placements import placements
from battleship_ai.rules import Rules

__all__ = ["Layout", "check_feasible"]

Square = int | str | tuple[int, int]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SEARCH_STEPS = 20_000_000


@dataclass(frozen=True, init=False)
class Layout:
    """A fleet hidden on a board, legal under its rules.

    Parameters
    ----------
    rules : Rules
    ships : iterable of iterables of squares
        Each ship's squares as indices, names or (row, column). Ships are kept in
        the order of ``rules.fleet``; those of one size keep the order given where
        answers name ships, and are sorted by their squares elsewhere.

    Raises
    ------
    LayoutError
        If a rule is broken; the message says which, and where.

    Examples
    --------
    >>> rules = Rules(board=(4, 4), fleet=(3, 1))
    >>> layout = Layout.parse(rules, "a0-a2, d3")
    >>> print(layout)
      0 1 2 3
    a A A A .
    b . . . .
    c . . . .
    d . . . B
    >>> layout == Layout.from_squares(rules, ["a0", "a1", "a2", "d3"])
    True
    >>> Layout.parse(rules, "a0-a2, b3")
    Traceback (most recent call last):
    ...
    battleship_ai.errors.LayoutError: ships a0-a2 and b3 touch at a2 and b3; contact is none
    """

    rules: Rules
    ships: tuple[tuple[int, ...], ...]

    def __init__(self, rules: Rules, ships: Iterable[Iterable[Square]]) -> None:
        board = rules.board
        indexed = [tuple(sorted(board.index(s) for s in ship)) for ship in ships]
        if rules.names_ships:
            indexed.sort(key=lambda ship: -len(ship))
        else:
            indexed.sort(key=lambda ship: (-len(ship), ship))
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "ships", tuple(indexed))
        _check_sizes(rules, indexed)
        for ship in indexed:
            _check_form(rules, ship)
        _check_contact(rules, indexed)

    @classmethod
    def from_squares(cls, rules: Rules, squares: Iterable[Square]) -> "Layout":
        """The layout of a bare set of squares, where ships may not touch.

        Raises
        ------
        LayoutError
            If contact is not ``none`` (the squares then do not say which ship is
            where), or the ships break a rule.
        """
        if rules.contact != "none":
            raise LayoutError(
                f"a bare set of squares does not tell the ships apart when contact is "
                f"{rules.contact}; list each ship"
            )
        parts = rules.board.squares(squares).components(diagonal=True)
        return cls(rules, [list(part) for part in parts])

    @classmethod
    def parse(cls, rules: Rules, text: str) -> "Layout":
        """A layout from text.

        Parameters
        ----------
        rules : Rules
        text : str
            Either ships separated by commas, each a run ``a0-a3`` or a list of
            squares ``c4 c5 d5``; or a board as `str` prints it, one line a row,
            ``.`` for water and one letter a ship (or ``#`` for every ship, where
            ships may not touch).
        """
        if "." in text:
            return cls._parse_picture(rules, text)
        return cls(rules, [parse_ship(rules, part) for part in text.split(",") if part.strip()])

    @classmethod
    def _parse_picture(cls, rules: Rules, text: str) -> "Layout":
        board = rules.board
        lines = [line.split() for line in text.splitlines() if line.strip()]
        if lines and all(cell.isdigit() for cell in lines[0]):
            lines = lines[1:]
        rows = [line[1:] if len(line) == board.cols + 1 else line for line in lines]
        if len(rows) != board.rows or any(len(row) != board.cols for row in rows):
            raise LayoutError(
                f"the picture is not {board.rows} rows of {board.cols} cells separated by spaces"
            )
        ships: dict[str, list[int]] = {}
        for square, mark in enumerate(mark for row in rows for mark in row):
            if mark != ".":
                ships.setdefault(mark, []).append(square)
        if set(ships) == {"#"}:
            return cls.from_squares(rules, ships["#"])
        return cls(rules, [ships[mark] for mark in sorted(ships)])

    @property
    def squares(self) -> SquareSet:
        """All occupied squares."""
        return self.rules.board.squares(s for ship in self.ships for s in ship)

    def names(self) -> list[list[str]]:
        """The ships as lists of square names, in fleet order."""
        return [[self.rules.board.name(s) for s in ship] for ship in self.ships]

    def to_array(self) -> npt.NDArray[np.int16]:
        """The squares of all ships one after another, in fleet order."""
        return np.array([s for ship in self.ships for s in ship], dtype=np.int16)

    @classmethod
    def from_array(cls, rules: Rules, squares: Sequence[int] | npt.NDArray[np.int16]) -> "Layout":
        """The inverse of `to_array`."""
        ends = np.cumsum(rules.fleet)[:-1]
        return cls(rules, [part.tolist() for part in np.split(np.asarray(squares), ends)])

    def _marks(self) -> dict[int, str]:
        return {
            square: _LETTERS[i] if i < len(_LETTERS) else "#"
            for i, ship in enumerate(self.ships)
            for square in ship
        }

    def __str__(self) -> str:
        return picture(self.rules.board, self._marks())

    def _repr_svg_(self) -> str:
        cells = {s: Cell("ship", f"ship {mark}", mark) for s, mark in self._marks().items()}
        return board_svg(self.rules.board, cells)


def parse_ship(rules: Rules, text: str) -> list[int]:
    """The squares of one ship, a run ``a0-a3`` or a list ``c4 c5 d5``."""
    board = rules.board
    run = re.fullmatch(r"\s*(\w+)\s*-\s*(\w+)\s*", text)
    if run is None:
        return [board.square(name) for name in text.split()]
    first, last = sorted((board.square(run[1]), board.square(run[2])))
    if first // board.cols == last // board.cols:
        return list(range(first, last + 1))
    if first % board.cols == last % board.cols:
        return list(range(first, last + 1, board.cols))
    raise LayoutError(f"run {text.strip()!r} is not in one row or one column")


def _describe(rules: Rules, ship: Sequence[int]) -> str:
    board = rules.board
    if len(ship) > 1 and _is_straight(rules, ship):
        return f"{board.name(ship[0])}-{board.name(ship[-1])}"
    return " ".join(board.name(s) for s in ship)


def _is_straight(rules: Rules, ship: Sequence[int]) -> bool:
    cols = rules.board.cols
    steps = {b - a for a, b in itertools.pairwise(ship)}
    in_row = ship[0] // cols == ship[-1] // cols
    return steps == {cols} or (steps == {1} and in_row)


def _check_sizes(rules: Rules, ships: Sequence[tuple[int, ...]]) -> None:
    board = rules.board
    for ship in ships:
        for a, b in itertools.pairwise(ship):
            if a == b:
                raise LayoutError(f"a ship has square {board.name(a)} twice")
    sizes = [len(ship) for ship in ships]
    if sizes != list(rules.fleet):
        raise LayoutError(
            f"the ships have sizes {', '.join(map(str, sizes)) or 'none'}; "
            f"the fleet is {', '.join(map(str, rules.fleet))}"
        )


def _check_form(rules: Rules, ship: tuple[int, ...]) -> None:
    if len(ship) == 1:
        return
    if rules.shape == "straight":
        if not _is_straight(rules, ship):
            raise LayoutError(f"ship {_describe(rules, ship)} is not straight")
        return
    king = rules.shape == "any"
    if len(rules.board.squares(ship).components(diagonal=king)) > 1:
        how = "king" if king else "rook"
        raise LayoutError(
            f"ship {_describe(rules, ship)} is not connected by {how} moves; shape is {rules.shape}"
        )


def _check_contact(rules: Rules, ships: Sequence[tuple[int, ...]]) -> None:
    board = rules.board
    owner: dict[int, tuple[int, ...]] = {}
    for ship in ships:
        for square in ship:
            if square in owner:
                raise LayoutError(
                    f"ships {_describe(rules, owner[square])} and {_describe(rules, ship)} "
                    f"overlap at {board.name(square)}"
                )
            owner[square] = ship
    if rules.contact == "allowed":
        return
    for square, ship in owner.items():
        for other in board.neighbours(square, diagonal=rules.contact == "none"):
            if other in owner and owner[other] is not ship:
                raise LayoutError(
                    f"ships {_describe(rules, ship)} and {_describe(rules, owner[other])} touch "
                    f"at {board.name(square)} and {board.name(other)}; contact is {rules.contact}"
                )


@lru_cache(maxsize=256)
def check_feasible(rules: Rules) -> None:
    """Raise `RulesError` if no legal layout exists.

    The search packs ships from the first corner, largest first. It ends: after
    `_SEARCH_STEPS` comparisons it gives up, and the rules count as feasible.

    Examples
    --------
    >>> check_feasible(Rules(board=(3, 3), fleet=(3, 3)))
    >>> check_feasible(Rules(board=(3, 3), fleet=(2, 2, 1)))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    battleship_ai.errors.RulesError: fleet has no legal layout: 2, 2, 1 (straight, contact none) ...
    """
    masks: dict[int, list[tuple[int, int]]] = {}
    for size in sorted(set(rules.fleet)):
        table = placements(rules.board, size, rules.shape, rules.contact)
        masks[size] = [
            (_integer(m), _integer(m | h)) for m, h in zip(table.masks, table.halos, strict=True)
        ]
    steps = 0

    def place(ship: int, taken: int, candidates: list[tuple[int, int]]) -> bool | None:
        """Whether the ships from `ship` on fit, None when the search gives up."""
        nonlocal steps
        if ship == len(rules.fleet):
            return True
        for i, (mask, closed) in enumerate(candidates):
            steps += 1
            if steps > _SEARCH_STEPS:
                return None
            if mask & taken:
                continue
            same = ship + 1 < len(rules.fleet) and rules.fleet[ship + 1] == rules.fleet[ship]
            rest = candidates[i + 1 :] if same else masks.get(_size_after(rules, ship), [])
            fits = place(ship + 1, taken | closed, rest)
            if fits is not False:
                return fits
        return False

    if place(0, 0, masks[rules.fleet[0]]) is False:
        fleet = ", ".join(map(str, rules.fleet))
        raise RulesError(
            f"fleet has no legal layout: {fleet} ({rules.shape}, contact {rules.contact}) "
            f"does not fit on the {rules.board} board"
        )


def _size_after(rules: Rules, ship: int) -> int:
    return rules.fleet[ship + 1] if ship + 1 < len(rules.fleet) else 0


def _integer(words: npt.NDArray[np.uint64]) -> int:
    return int.from_bytes(words.astype("<u8").tobytes(), "little")
