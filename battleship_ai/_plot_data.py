"""What figures are drawn from: checked, and counted."""

from collections.abc import Collection, Mapping

import numpy as np
import numpy.typing as npt

from battleship_ai.board import Board
from battleship_ai.errors import DataError
from battleship_ai.record import Record
from battleship_ai.statistics import Interval

Shots = npt.ArrayLike | tuple[npt.ArrayLike, npt.ArrayLike]
"""Shots to win by game, or a tuple: the different numbers, and in how many games each was met."""


def on_board(
    probabilities: npt.ArrayLike, board: Board | None, record: Record | None
) -> tuple[Board, npt.NDArray[np.float64]]:
    """The board that probabilities belong to, and they as an array of its shape."""
    array = _array("probabilities", probabilities, ("rows", "cols"))
    if not ((array >= 0) & (array <= 1 + 1e-9)).all():
        raise DataError(f"probabilities range from {array.min()} to {array.max()}, not from 0 to 1")
    if record is not None:
        board = record.rules.board
    if board is None:
        board = Board(*array.shape)
    if array.shape != (board.rows, board.cols):
        raise DataError(f"probabilities have shape {array.shape}; the board is {board}")
    return board, array


def games_by_shots(shots: Mapping[str, Shots]) -> dict[str, npt.NDArray[np.float64]]:
    """By strategy, at index k, in how many games k shots were met."""
    check_some(shots)
    games = {}
    for name, given in shots.items():
        what = f"shots of {name!r}"
        if isinstance(given, tuple):
            if len(given) != 2:
                raise DataError(f"{what} are a tuple of {len(given)}, not (numbers, games of each)")
            numbers = whole_numbers(what, given[0], ("numbers",), least=1)
            counts = whole_numbers(f"games of {name!r}", given[1], ("numbers",))
            if len(counts) != len(numbers) or not counts.any():
                raise DataError(f"{what}: {len(numbers)} numbers with games {counts}")
        else:
            numbers = whole_numbers(what, given, ("games",), least=1)
            counts = np.ones_like(numbers)
        games[name] = np.bincount(numbers, counts).astype(np.float64)
    return games


def bin_width(games: npt.NDArray[np.float64]) -> int:
    """Freedman and Diaconis's width, as a whole number of shots."""
    below = games.cumsum() / games.sum()
    spread = int(np.count_nonzero((below >= 0.25) & (below < 0.75)))
    return max(1, round(2 * spread / float(np.cbrt(games.sum()))))


def _array(what: str, data: npt.ArrayLike, axes: tuple[str, ...]) -> npt.NDArray[np.float64]:
    try:
        array = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{what} are not an array of numbers: {data!r}") from None
    if array.ndim != len(axes) or not array.size:
        raise DataError(f"{what} have shape {array.shape}; it should be ({', '.join(axes)}), no 0")
    return array


def whole_numbers(
    what: str, data: npt.ArrayLike, axes: tuple[str, ...], least: int = 0
) -> npt.NDArray[np.int64]:
    """The data as integers of at least `least`, with an axis for each name in `axes`."""
    array = _array(what, data, axes)
    wrong = array[~((array >= least) & (array % 1 == 0))]
    if len(wrong):
        raise DataError(f"{what} have {wrong[0]:g}; each should be a whole number from {least}")
    return array.astype(np.int64)


def check_some(data: Collection[object]) -> None:
    """Raise `DataError` if there is nothing."""
    if not data:
        raise DataError("there is nothing to draw; the data are empty")


def check_finite(name: str, interval: Interval) -> None:
    """Raise `DataError` unless both ends are finite, as those of a single game are not."""
    if not np.isfinite(interval).all():
        raise DataError(f"{name!r} has no finite interval, but {interval.low} to {interval.high}")
