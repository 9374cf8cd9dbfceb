"""The choice of the square with the highest placement density."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import inlined
from battleship_ai.bitboard import lowest_bit
from battleship_ai.inference._tracker import OPEN
from battleship_ai.strategies import _tracked  # noqa: F401  (the belief this choice reads)
from battleship_ai.strategies._play import register_choice

_ZERO = np.uint64(0)
_ONE = np.uint64(1)


class HighestDensity(NamedTuple):
    """Chooses the open square with the highest density; ties go to the lowest square.

    Attributes
    ----------
    density : float64 (N,)
        Room for the density of each square.
    """

    density: npt.NDArray[np.float64]


@inlined
def sum_density(tracker, tables, density):
    """The density of every square: the surviving ships times the values of their class."""
    n = tables.n_squares
    for square in range(n):
        density[square] = 0.0
    for k in range(tables.classes.shape[0]):
        ships = np.float64(tracker.class_left[k])
        if ships > 0.0:
            for square in range(n):
                density[square] += ships * tracker.score[k * (n + 1) + square]


@inlined
def choose_highest_density(choice, tracker, tables, stream):
    density = choice.density
    sum_density(tracker, tables, density)
    best = np.int64(0)
    best_density = -1.0
    for w in range(tracker.sets.shape[1]):
        word = tracker.sets[OPEN, w]
        while word != _ZERO:
            square = 64 * w + np.int64(lowest_bit(word))
            word &= word - _ONE
            if density[square] > best_density:
                best_density = density[square]
                best = square
    return best


register_choice(HighestDensity, choose_highest_density)
