"""Every placement of a ship or mine: straight runs, diagonals included."""

from functools import lru_cache

import numpy as np

from battleship_ai.bitboard import Words, word_count
from battleship_ai.board import Board, SquareSet
from battleship_ai.placements import Placements

__all__ = ["naval_placements", "run"]

# Towards increasing indices: along a row, down a column, and down the two diagonals.
_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def run(board: Board, first: int, last: int) -> tuple[int, ...] | None:
    """The squares from `first` to `last`, increasing; None if no straight line joins them.

    Examples
    --------
    >>> board = Board(20, 20, "A1")
    >>> [board.name(s) for s in run(board, board.square("T1"), board.square("R3"))]
    ['R3', 'S2', 'T1']
    """
    (row, col), (last_row, last_col) = (divmod(s, board.cols) for s in sorted((first, last)))
    down, right = last_row - row, last_col - col
    length = max(down, abs(right))
    if down not in (0, length) or abs(right) not in (0, length):
        return None
    step = (down * board.cols + right) // max(length, 1)
    return tuple(row * board.cols + col + i * step for i in range(length + 1))


@lru_cache(maxsize=64)
def naval_placements(board: Board, size: int) -> Placements:
    """Every placement of a ship of `size` squares: across, down and on both diagonals.

    Parameters
    ----------
    board : Board
    size : int
        1 for a mine.

    Returns
    -------
    Placements
        Its halos are the squares at Chebyshev distance 1, which no other ship or mine
        may occupy. Empty if the ship does not fit.

    Examples
    --------
    >>> [len(naval_placements(Board(20, 20), size)) for size in (1, 3, 8)]
    [400, 1368, 858]
    """
    rows, cols = board.rows, board.cols
    runs = sorted(
        {
            tuple((row + i * down) * cols + col + i * right for i in range(size))
            for row in range(rows)
            for col in range(cols)
            for down, right in _STEPS
            if row + (size - 1) * down < rows and 0 <= col + (size - 1) * right < cols
        }
    )
    ships = [board.squares(squares) for squares in runs]
    return Placements(
        np.array(runs, dtype=np.int16).reshape(-1, size),
        _words(board, ships),
        _words(board, [ship.dilate(diagonal=True) - ship for ship in ships]),
    )


def _words(board: Board, sets: list[SquareSet]) -> Words:
    return np.array([s.words for s in sets], dtype=np.uint64).reshape(
        -1, word_count(board.n_squares)
    )
