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
    share : float64 (K,)
        Room for the factor of each class.
    """

    share: npt.NDArray[np.float64]


@inlined
def choose_highest_density(choice, tracker, tables, stream):
    n_classes = tables.classes.shape[0]
    for k in range(n_classes):
        choice.share[k] = tracker.class_left[k] / max(tracker.untouched[k], 1)
    best = np.int64(0)
    best_density = -1.0
    for w in range(tracker.sets.shape[1]):
        word = tracker.sets[OPEN, w]
        while word != _ZERO:
            square = 64 * w + np.int64(lowest_bit(word))
            word &= word - _ONE
            density = 0.0
            for k in range(n_classes):
                density += choice.share[k] * tracker.score[k, square]
            if density > best_density:
                best_density = density
                best = square
    return best


register_choice(HighestDensity, choose_highest_density)
