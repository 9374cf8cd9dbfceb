"""Draws by weight, as the kernels of the posterior share them."""

import numpy as np

from battleship_ai._jit import inlined
from battleship_ai.rng import unit


@inlined
def above(cumulated, first, stop, target):
    """The first index from `first` to before `stop` whose cumulated weight passes a target."""
    low, high = first, stop - 1
    while low < high:
        middle = (low + high) // 2
        if cumulated[middle] > target:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def draw_member(lists, which, stream):
    """A placement of a list, by weight."""
    first, stop = lists.bounds[which], lists.bounds[which + 1]
    target = unit(stream) * lists.cumulated[stop - 1]
    return np.int64(lists.members[above(lists.cumulated, first, stop, target)])


@inlined
def draw_deal(lists, stream):
    """One of the deals, by the weight of its sets of placements."""
    return above(lists.cumulated_deals, 0, lists.deals.shape[0], unit(stream))


@inlined
def deal_mass(lists, deal):
    """The part of a deal in the weight of all deals."""
    before = lists.cumulated_deals[deal - 1] if deal > 0 else 0.0
    return lists.cumulated_deals[deal] - before
