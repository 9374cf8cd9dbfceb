"""Boards as data: what stands on each square, and how it is set off."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.board import Board

__all__ = ["HIT", "MINE", "MISS", "SHIP", "SUNK", "Mark", "Picture", "chance_marks", "likeliest"]

_CERTAIN = 1.0 - 1e-9
_NEVER = 1e-12


class Mark(NamedTuple):
    """What stands on a square: the text says it all, the style repeats it in colour."""

    text: str
    style: str = ""


class Picture(NamedTuple):
    """A board under a title."""

    title: str
    board: Board
    marks: Mapping[int, Mark]


MISS = Mark("o", "cyan")
"""A shot at water."""
HIT = Mark("x", "bold red")
"""A square of a ship that was hit."""
SUNK = Mark("X", "bold white on red")
"""A square of a ship that was sunk."""
SHIP = Mark("#", "bold green")
"""A square of one's own ship that was not hit."""
MINE = "bold magenta"
"""The style of a mine, whose text is its kind."""


def chance_marks(chances: npt.NDArray[np.float64], squares: list[int]) -> dict[int, Mark]:
    """Probabilities in percent: ``##`` is certain, ``<1`` is little, impossible ones are left out.

    Parameters
    ----------
    chances : ndarray of float64, shape (squares,)
    squares : list of int
        Those to be marked. The likeliest of them gets the strongest colour.

    Examples
    --------
    >>> marks = chance_marks(np.array([0.0, 0.004, 0.25, 0.999, 1.0]), [0, 1, 2, 3, 4])
    >>> {square: mark.text for square, mark in marks.items()}
    {1: '<1', 2: '25', 3: '99', 4: '##'}
    """
    highest = max((float(chances[square]) for square in squares), default=0.0)
    return {
        square: Mark(_percent(p), _heat(p / highest))
        for square in squares
        if (p := float(chances[square])) > _NEVER
    }


def _percent(p: float) -> str:
    if p >= _CERTAIN:
        return "##"
    return f"{min(round(100 * p), 99)}" if p >= 0.01 else "<1"


def _heat(share: float) -> str:
    """From white to orange."""
    return f"black on #ff{round(255 - 95 * share):02x}{round(255 - 255 * share):02x}"


def likeliest(
    board: Board, chances: npt.NDArray[np.float64], squares: list[int], count: int
) -> str:
    """The likeliest of some squares, with their probabilities.

    Examples
    --------
    >>> likeliest(Board(1, 3), np.array([0.2, 0.0, 0.6]), [0, 1, 2], 2)
    'a2 60%, a0 20%'
    """
    best = sorted(squares, key=lambda square: -chances[square])[:count]
    return ", ".join(f"{board.name(s)} {chances[s]:.0%}" for s in best if chances[s] > _NEVER)
