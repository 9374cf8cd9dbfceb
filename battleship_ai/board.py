"""Boards, the notation of their squares, and readable sets of squares."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from battleship_ai.bitboard import Words, pack
from battleship_ai.errors import RulesError, SquareError

__all__ = ["Board", "Notation", "SquareSet"]

Notation = Literal["a0", "A1"]
"""How squares are written: columns from 0 with small letters, or from 1 with capitals."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SQUARE = re.compile(r"([a-z])(\d{1,2})", re.IGNORECASE | re.ASCII)
_MAX_SIDE = 26


@dataclass(frozen=True)
class Board:
    """A rectangular board; a square is an index in row-major order.

    Parameters
    ----------
    rows, cols : int
        1 to 26 each.
    notation : {"a0", "A1"}
        ``"a0"``: row letter and column from 0, as ship bombing writes squares.
        ``"A1"``: row letter and column from 1, as Naval Bombardment does.

    Examples
    --------
    >>> board = Board(10, 10)
    >>> board.name(27), board.square("c7")
    ('c7', 27)
    >>> Board(20, 20, "A1").name(206)
    'K7'
    """

    rows: int
    cols: int
    notation: Notation = "a0"

    def __post_init__(self) -> None:
        for side, value in (("rows", self.rows), ("columns", self.cols)):
            if not isinstance(value, int) or isinstance(value, bool):
                raise RulesError(f"board {side} {value!r} is not an integer from 1 to {_MAX_SIDE}")
            if not 1 <= value <= _MAX_SIDE:
                raise RulesError(f"board has {value} {side}; it may have 1 to {_MAX_SIDE}")
        if self.notation not in get_args(Notation):
            raise RulesError(f"notation {self.notation!r} is not one of a0, A1")

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}"

    @property
    def n_squares(self) -> int:
        """Number of squares."""
        return self.rows * self.cols

    @property
    def first_column(self) -> int:
        """The number that the notation gives to the leftmost column."""
        return 0 if self.notation == "a0" else 1

    @classmethod
    def parse(cls, text: str, notation: Notation = "a0") -> "Board":
        """A board from text such as ``"10x10"``, rows first.

        Examples
        --------
        >>> Board.parse("12x10").rows
        12
        """
        match = re.fullmatch(r"\s*(\d+)\s*[x×*]\s*(\d+)\s*", text, re.IGNORECASE)
        if match is None:
            raise RulesError(f"board {text!r} is not of the form ROWSxCOLUMNS, such as 10x10")
        return cls(int(match[1]), int(match[2]), notation)

    def name(self, square: int) -> str:
        """The name of a square."""
        self.check(square)
        row, col = divmod(square, self.cols)
        letter = _LETTERS[row] if self.notation == "a0" else _LETTERS[row].upper()
        return f"{letter}{col + self.first_column}"

    def square(self, name: str) -> int:
        """The index of a named square; letters may be of either case.

        Raises
        ------
        SquareError
            If the name is malformed or off the board.
        """
        match = _SQUARE.fullmatch(name.strip())
        if match is None:
            raise SquareError(
                f"square {name!r} is not a row letter and a column number, such as "
                f"{self.name(self.n_squares // 2)}"
            )
        row = _LETTERS.index(match[1].lower())
        col = int(match[2]) - self.first_column
        if row >= self.rows or not 0 <= col < self.cols:
            raise SquareError(
                f"square {name!r} is off the board, whose squares are "
                f"{self.name(0)} to {self.name(self.n_squares - 1)}"
            )
        return row * self.cols + col

    def check(self, square: int) -> None:
        """Raise `SquareError` unless `square` is an index on the board."""
        if isinstance(square, bool) or not isinstance(square, (int, np.integer)):
            raise SquareError(f"square {square!r} is not an index or a name")
        if not 0 <= square < self.n_squares:
            raise SquareError(
                f"square {square} is off the board, whose indices are 0 to {self.n_squares - 1}"
            )

    def index(self, square: "int | str | tuple[int, int]") -> int:
        """The index of a square given by index, name or (row, column).

        Examples
        --------
        >>> board = Board(10, 10)
        >>> board.index("b3"), board.index((1, 3)), board.index(13)
        (13, 13, 13)
        """
        if isinstance(square, str):
            return self.square(square)
        if isinstance(square, tuple) and len(square) == 2:
            row, col = square
            if not (0 <= row < self.rows and 0 <= col < self.cols):
                raise SquareError(f"square {square!r} is off the {self} board (rows x columns)")
            return int(row) * self.cols + int(col)
        self.check(square)
        return int(square)

    def neighbours(self, square: int, *, diagonal: bool) -> tuple[int, ...]:
        """The squares that share an edge with `square`, or with `diagonal` a vertex."""
        return _neighbours(self.rows, self.cols, diagonal)[square]

    def symmetries(self) -> npt.NDArray[np.int64]:
        """Where each symmetry of the board takes each square, the identity first.

        Returns
        -------
        ndarray of int64, shape (8 on a square board and 4 on others, n_squares)

        Examples
        --------
        >>> Board(1, 3).symmetries()[[0, -1]].tolist()
        [[0, 1, 2], [2, 1, 0]]
        """
        board = np.arange(self.n_squares).reshape(self.rows, self.cols)
        images = [board, board[::-1], board[:, ::-1], board[::-1, ::-1]]
        if self.rows == self.cols:
            images += [image.T for image in images]
        return np.array([image.ravel() for image in images])

    def squares(self, squares: "Iterable[int | str | tuple[int, int]]" = ()) -> "SquareSet":
        """A set of squares on this board."""
        bits = 0
        for square in squares:
            bits |= 1 << self.index(square)
        return SquareSet(self, bits)


@lru_cache(maxsize=64)
def _neighbours(rows: int, cols: int, diagonal: bool) -> tuple[tuple[int, ...], ...]:
    steps = [
        (dr, dc)
        for dr in (-1, 0, 1)
        for dc in (-1, 0, 1)
        if (dr, dc) != (0, 0) and (diagonal or dr == 0 or dc == 0)
    ]
    return tuple(
        tuple(
            (r + dr) * cols + c + dc
            for dr, dc in steps
            if 0 <= r + dr < rows and 0 <= c + dc < cols
        )
        for r in range(rows)
        for c in range(cols)
    )


@dataclass(frozen=True)
class SquareSet:
    """An immutable set of squares that prints as a board.

    Bit *s* of `bits` is square *s*, the same bits as in `words`.

    Examples
    --------
    >>> board = Board(3, 4)
    >>> ship = board.squares(["a1", "a2"])
    >>> print(ship)
      0 1 2 3
    a . # # .
    b . . . .
    c . . . .
    >>> len(ship), "a1" in ship, [board.name(s) for s in ship.dilate(diagonal=False) - ship]
    (2, True, ['a0', 'a3', 'b1', 'b2'])
    """

    board: Board
    bits: int = 0

    @property
    def words(self) -> Words:
        """The set as ``uint64`` words for the kernels."""
        return pack(self, self.board.n_squares)

    def __iter__(self) -> Iterator[int]:
        bits = self.bits
        while bits:
            low = bits & -bits
            yield low.bit_length() - 1
            bits ^= low

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __contains__(self, square: int | str | tuple[int, int]) -> bool:
        return bool(self.bits >> self.board.index(square) & 1)

    def __or__(self, other: "SquareSet") -> "SquareSet":
        return SquareSet(self.board, self.bits | other.bits)

    def __and__(self, other: "SquareSet") -> "SquareSet":
        return SquareSet(self.board, self.bits & other.bits)

    def __sub__(self, other: "SquareSet") -> "SquareSet":
        return SquareSet(self.board, self.bits & ~other.bits)

    def dilate(self, *, diagonal: bool) -> "SquareSet":
        """The set with all edge neighbours (or king neighbours) of its squares added."""
        bits = self.bits
        for square in self:
            for neighbour in self.board.neighbours(square, diagonal=diagonal):
                bits |= 1 << neighbour
        return SquareSet(self.board, bits)

    def components(self, *, diagonal: bool) -> tuple["SquareSet", ...]:
        """The connected components, by their lowest squares."""
        found = []
        rest = self
        while rest.bits:
            part = SquareSet(self.board, rest.bits & -rest.bits)
            while (grown := part.dilate(diagonal=diagonal) & self) != part:
                part = grown
            found.append(part)
            rest -= part
        return tuple(found)

    def component(self, square: int, *, diagonal: bool) -> "SquareSet":
        """The connected component that holds a square of the set.

        Examples
        --------
        >>> parts = Board(2, 4).squares(["a0", "b1", "a3"])
        >>> list(parts.component(0, diagonal=True))
        [0, 5]
        """
        return next(part for part in self.components(diagonal=diagonal) if square in part)

    def to_array(self) -> npt.NDArray[np.bool_]:
        """The set as a boolean array of shape (rows, cols)."""
        array = np.zeros(self.board.n_squares, dtype=np.bool_)
        array[list(self)] = True
        return array.reshape(self.board.rows, self.board.cols)

    def __str__(self) -> str:
        return picture(self.board, dict.fromkeys(self, "#"))


def picture(board: Board, marks: Mapping[int, str]) -> str:
    """The board as text, one mark a square, ``.`` where `marks` has none."""
    width = max(map(len, [str(board.cols - 1 + board.first_column), *marks.values()]))
    header = " ".join(f"{c + board.first_column:>{width}}" for c in range(board.cols))
    lines = [f"  {header}"]
    for row in range(board.rows):
        cells = (marks.get(row * board.cols + c, ".") for c in range(board.cols))
        letter = board.name(row * board.cols)[0]
        lines.append(f"{letter} " + " ".join(f"{cell:>{width}}" for cell in cells))
    return "\n".join(lines)
