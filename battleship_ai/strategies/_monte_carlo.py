"""The choice of the square that most weighted draws hold."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from battleship_ai.bitboard import contains
from battleship_ai.inference._sampler import draw_layouts
from battleship_ai.inference._tracker import OPEN
from battleship_ai.strategies._density import choose_highest_density
from battleship_ai.strategies import _tracked  # noqa: F401  (the belief these choices read)
from battleship_ai.strategies._play import register_choice


class MostDrawn(NamedTuple):
    """Chooses the square that the most draws hold by weight; ties go to the lowest.

    Attributes
    ----------
    draws : int
    density : float64 (N,)
        Room for the density that decides when every draw is a dead end.
    """


    draws: int
    density: npt.NDArray[np.float64]


@njit
def choose_most_drawn(choice, tracker, tables, stream):
    drawn = np.empty((choice.draws, tables.ships.shape[0]), np.int64)
    log_weights = np.empty(choice.draws, np.float64)
    n_drawn = draw_layouts(tracker, tables, stream, drawn, log_weights)
    top = log_weights.max()
    if top == -np.inf:
        return choose_highest_density(choice, tracker, tables, stream)
    mass = np.zeros(tables.n_squares + 1)
    for d in range(choice.draws):
        weight = np.exp(log_weights[d] - top)
        if weight > 0.0:
            for i in range(n_drawn):
                for j in range(tables.squares.shape[1]):
                    mass[tables.squares[drawn[d, i], j]] += weight
    best = np.int64(-1)
    for square in range(tables.n_squares):
        if contains(tracker.sets, OPEN, square) and (best < 0 or mass[square] > mass[best]):
            best = np.int64(square)
    return max(best, np.int64(0))


register_choice(MostDrawn, choose_most_drawn)
