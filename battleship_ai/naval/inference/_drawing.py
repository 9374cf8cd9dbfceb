"""Draws by weight, as the kernels of the posterior share them."""

import numpy as np

from battleship_ai._jit import inlined
from battleship_ai.bitboard import intersects
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
def longest_list(lists):
    """The most members that a list has."""
    longest = 0
    for which in range(lists.rows.shape[0]):
        longest = max(longest, lists.bounds[which + 1] - lists.bounds[which])
    return longest


@inlined
def clear_members(lists, which, taken, members, cumulated):
    """Write the placements of a list that keep off the squares taken, and their weights summed up.

    Returns how many there are.
    """
    n = 0
    total = 0.0
    for j in range(lists.bounds[which], lists.bounds[which + 1]):
        p = np.int64(lists.members[j])
        if not intersects(lists.masks, p, taken, 0):
            total += lists.weights[p]
            members[n] = p
            cumulated[n] = total
            n += 1
    return n


@inlined
def draw_deal(lists, stream):
    """One of the deals, by the weight of its sets of placements."""
    return above(lists.cumulated_deals, 0, lists.deals.shape[0], unit(stream))


@inlined
def deal_mass(lists, deal):
    """The part of a deal in the weight of all deals."""
    before = lists.cumulated_deals[deal - 1] if deal > 0 else 0.0
    return lists.cumulated_deals[deal] - before
