"""The belief that knows only which squares are left, and the random choice."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import inlined
from battleship_ai.rng import below
from battleship_ai.strategies._play import register_belief, register_choice


class Unasked(NamedTuple):
    """The squares not asked yet: ``order[: left[0]]``; `place` is the inverse of `order`."""

    order: npt.NDArray[np.int16]
    place: npt.NDArray[np.int16]
    left: npt.NDArray[np.int64]


class AnyUnasked(NamedTuple):
    """Chooses uniformly among the squares not asked yet."""


@inlined
def reset_unasked(belief, tables):
    for square in range(belief.order.shape[0]):
        belief.order[square] = square
        belief.place[square] = square
    belief.left[0] = belief.order.shape[0]


@inlined
def observe_unasked(belief, tables, square, kind, ship_class):
    place = belief.place[square]
    if place < belief.left[0]:
        belief.left[0] -= 1
        last = belief.order[belief.left[0]]
        belief.order[place] = last
        belief.place[last] = place
        belief.order[belief.left[0]] = square
        belief.place[square] = belief.left[0]


@inlined
def choose_any_unasked(choice, belief, tables, stream):
    return np.int64(belief.order[below(stream, max(belief.left[0], 1))])


register_belief(Unasked, reset_unasked, observe_unasked)
register_choice(AnyUnasked, choose_any_unasked)
