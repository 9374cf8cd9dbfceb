"""Every legal placement of one ship: its squares, and its halo, as masks.

A *form* is a ship up to translation. Straight forms are the two lines; tetris
forms are the fixed polyominoes, any-forms the fixed polyplets (king-connected),
both enumerated by Redelmeier's method.

References
----------
.. [1] D. H. Redelmeier, "Counting polyominoes: yet another attack", Discrete
   Mathematics 36, 1981.
.. [2] OEIS A001168 (fixed polyominoes) and A006770 (fixed polyplets).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from battleship_ai.bitboard import Words, word_count
from battleship_ai.board import Board
from battleship_ai.errors import RulesError
from battleship_ai.rules import Contact, Shape

__all__ = ["Form", "Placements", "forms", "placements"]

Form = tuple[tuple[int, int], ...]
"""The (row, column) cells of a ship, wherever on a board it lies."""

# A table larger than this is refused: it would not leave room to play.
MAX_TABLE_BYTES = 1 << 30

_EDGE_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
_KING_STEPS = (*_EDGE_STEPS, (1, 1), (1, -1), (-1, 1), (-1, -1))


def forms(size: int, shape: Shape) -> Iterator[Form]:
    """The forms of a ship, each once, as (row, col) cells.

    The cells of a form start at row 0; columns may be negative.

    Parameters
    ----------
    size : int
        Squares of the ship.
    shape : {"straight", "tetris", "any"}

    Examples
    --------
    >>> [sum(1 for _ in forms(size, "tetris")) for size in range(1, 7)]
    [1, 2, 6, 19, 63, 216]
    >>> [sum(1 for _ in forms(size, "any")) for size in range(1, 6)]
    [1, 4, 20, 110, 638]
    """
    if shape == "straight":
        yield tuple((0, i) for i in range(size))
        if size > 1:
            yield tuple((i, 0) for i in range(size))
        return
    steps = _EDGE_STEPS if shape == "tetris" else _KING_STEPS
    yield from _grow([(0, 0)], {(0, 0)}, [], size, steps)


def _grow(
    untried: list[tuple[int, int]],
    seen: set[tuple[int, int]],
    cells: list[tuple[int, int]],
    size: int,
    steps: tuple[tuple[int, int], ...],
) -> Iterator[Form]:
    """Redelmeier's recursion: every connected set whose first cell is (0, 0).

    The first cell is the lowest in row-major order, so cells above row 0, and
    those left of the origin in row 0, do not belong to the plane of growth.
    """
    untried = untried.copy()
    while untried:
        row, col = untried.pop()
        cells.append((row, col))
        if len(cells) == size:
            yield tuple(cells)
        else:
            new = [
                (row + dr, col + dc)
                for dr, dc in steps
                if (row + dr, col + dc) not in seen
                and (row + dr, col + dc) > (0, -1)
                and row + dr >= 0
            ]
            yield from _grow(untried + new, seen.union(new), cells, size, steps)
        cells.pop()


@dataclass(frozen=True)
class Placements:
    """All placements of a ship of one size on a board.

    Attributes
    ----------
    squares : ndarray of int16, shape (n, size)
        The squares of each placement, increasing; rows in lexicographic order.
    masks, halos : ndarray of uint64, shape (n, words)
        The same squares as words, and the squares that the contact rule then
        closes to other ships (none where ships may touch).

    Examples
    --------
    >>> ships = placements(Board(2, 3), 2, "straight")
    >>> len(ships), ships.size, ships.squares[0].tolist()
    (7, 2, [0, 1])
    >>> int(ships.masks[0, 0]), int(ships.halos[0, 0])  # a0 a1; a2 and all of row b
    (3, 60)
    """

    squares: npt.NDArray[np.int16]
    masks: npt.NDArray[np.uint64]
    halos: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.squares)

    @property
    def size(self) -> int:
        """Squares of the ship."""
        return int(self.squares.shape[1])


@lru_cache(maxsize=128)
def placements(board: Board, size: int, shape: Shape, contact: Contact = "none") -> Placements:
    """Every legal placement of a ship of `size` squares alone on `board`.

    Parameters
    ----------
    board : Board
    size : int
    shape : {"straight", "tetris", "any"}
    contact : {"none", "corners", "allowed"}
        Decides the halo: all neighbours, edge neighbours, or nothing.

    Returns
    -------
    Placements
        Empty if the ship does not fit.

    Raises
    ------
    RulesError
        If the table would take more than `MAX_TABLE_BYTES`.

    Examples
    --------
    >>> len(placements(Board(10, 10), 4, "tetris"))
    1373
    """
    rows, cols = board.rows, board.cols
    row_bytes = 2 * size + 16 * word_count(board.n_squares)
    limit = MAX_TABLE_BYTES // row_bytes
    boxes: dict[tuple[int, int], list[list[int]]] = {}
    total = 0
    for form in forms(size, shape):
        left = min(col for _, col in form)
        height = 1 + max(row for row, _ in form)
        width = 1 + max(col for _, col in form) - left
        if height > rows or width > cols:
            continue
        total += (rows - height + 1) * (cols - width + 1)
        if total > limit:
            raise RulesError(
                f"a {shape} ship of {size} squares has more than {limit} placements on the "
                f"{board} board, more than fit in {MAX_TABLE_BYTES >> 20} MiB"
            )
        offsets = sorted(row * cols + col - left for row, col in form)
        boxes.setdefault((height, width), []).append(offsets)
    blocks = [np.empty((0, size), dtype=np.int16)]
    for (height, width), offset_lists in boxes.items():
        corners = np.arange(rows - height + 1)[:, None] * cols + np.arange(cols - width + 1)
        cells = corners.reshape(-1, 1, 1) + np.array(offset_lists)
        blocks.append(cells.reshape(-1, size).astype(np.int16))
    squares = np.concatenate(blocks)
    squares = squares[np.lexsort(squares.T[::-1])]
    masks = _masks(squares, board)
    return Placements(squares, masks, _halos(squares, masks, board, contact))


def _masks(squares: npt.NDArray[np.int16], board: Board) -> Words:
    masks = np.zeros((len(squares), word_count(board.n_squares)), dtype=np.uint64)
    _set_bits(masks, squares, np.ones(squares.shape, dtype=np.bool_))
    return masks


def _halos(squares: npt.NDArray[np.int16], masks: Words, board: Board, contact: Contact) -> Words:
    halos = np.zeros_like(masks)
    if contact == "allowed":
        return halos
    row, col = np.divmod(squares.astype(np.int64), board.cols)
    for dr, dc in _KING_STEPS if contact == "none" else _EDGE_STEPS:
        inside = (
            (row + dr >= 0) & (row + dr < board.rows) & (col + dc >= 0) & (col + dc < board.cols)
        )
        _set_bits(halos, (row + dr) * board.cols + col + dc, inside)
    return halos & ~masks


def _set_bits(masks: Words, squares: npt.NDArray[np.integer], where: npt.NDArray[np.bool_]) -> None:
    """Put column by column the chosen squares of each row into the row's mask."""
    for column in range(squares.shape[1]):
        rows = np.flatnonzero(where[:, column])
        square = squares[rows, column].astype(np.int64)
        masks[rows, square >> 6] |= np.uint64(1) << (square & 63).astype(np.uint64)
