"""The choice of the square that most weighted draws hold."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import kernel
from battleship_ai.bitboard import contains
from battleship_ai.inference._sampler import Sampler, draw_layouts
from battleship_ai.inference._tracker import OPEN
from battleship_ai.strategies import _tracked  # noqa: F401  (the belief these choices read)
from battleship_ai.strategies._density import choose_highest_density, sum_density
from battleship_ai.strategies._play import register_choice


class MostDrawn(NamedTuple):
    """Chooses the square that the most draws hold by weight.

    Squares within the draws' own error of the best count as tied, and the placement
    density decides between them.

    Attributes
    ----------
    sampler : Sampler
    tie_errors : float
        How many standard errors behind the best still count as tied.
    mass : float64 (N + 1,)
        Room for the weight on each square; the last entry takes the padding.
    density : float64 (N,)
        Room for the density.
    """

    sampler: Sampler
    tie_errors: float
    mass: npt.NDArray[np.float64]
    density: npt.NDArray[np.float64]


@kernel
def _weigh_draws(choice, tables, n_ships):
    """Fill `mass`; returns the sum of the weights and of their squares."""
    sampler, mass = choice.sampler, choice.mass
    draws = sampler.log_weight.shape[0]
    top = -np.inf
    for d in range(draws):
        top = max(top, sampler.log_weight[d])
    for square in range(mass.shape[0]):
        mass[square] = 0.0
    total = 0.0
    total_square = 0.0
    if top == -np.inf:
        return total, total_square
    for d in range(draws):
        weight = np.exp(sampler.log_weight[d] - top)
        total += weight
        total_square += weight * weight
        if weight > 0.0:
            for i in range(n_ships):
                for j in range(tables.squares.shape[1]):
                    mass[tables.squares[sampler.drawn[d, i], j]] += weight
    return total, total_square


@kernel
def choose_most_drawn(choice, tracker, tables, stream):
    mass, density = choice.mass, choice.density
    n_ships = draw_layouts(choice.sampler, tracker, tables, stream)
    total, total_square = _weigh_draws(choice, tables, n_ships)
    if total == 0.0:
        return choose_highest_density(choice, tracker, tables, stream)
    highest = 0.0
    for square in range(tables.n_squares):
        if contains(tracker.sets, OPEN, square):
            highest = max(highest, mass[square])
    p = min(highest / total, 1.0)
    error = np.sqrt(p * (1.0 - p) * total_square)
    sum_density(tracker, tables, density)
    best = np.int64(-1)
    for square in range(tables.n_squares):
        if (
            contains(tracker.sets, OPEN, square)
            and mass[square] >= highest - choice.tie_errors * error
            and (best < 0 or density[square] > density[best])
        ):
            best = np.int64(square)
    return max(best, np.int64(0))


register_choice(MostDrawn, choose_most_drawn)
