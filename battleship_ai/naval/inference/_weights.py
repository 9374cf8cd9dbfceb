"""How often each placement is expected to occur, given all objects of a layout but one."""

import numpy as np

from battleship_ai._jit import cached, kernel
from battleship_ai.bitboard import intersects
from battleship_ai.naval.tables import FIRST, GROUP, STOP

_ZERO = np.uint64(0)

# Rows of the sets of squares in the reach of one or more objects, of two or more, and of
# those in the reach of some object but the one that is to be placed.
_ONCE, _TWICE, _CLOSED = 0, 1, 2


@kernel
def _add_layout(tables, chosen, game, weights, sets, fitting, expected):
    sets[:] = _ZERO
    words = sets.shape[1]
    for i in range(chosen.shape[1]):
        for w in range(words):
            reach = tables.reach[chosen[game, i], w]
            sets[_TWICE, w] |= sets[_ONCE, w] & reach
            sets[_ONCE, w] |= reach
    first_object = 0
    for g in range(tables.groups.shape[0]):
        count = 0
        for i in range(first_object, chosen.shape[1]):
            if tables.objects[i, GROUP] == g:
                count += 1
        if count == 0:
            continue
        # The objects of a group take turns from layout to layout.
        own = chosen[game, first_object + game % count]
        first_object += count
        for w in range(words):
            sets[_CLOSED, w] = sets[_TWICE, w] | (sets[_ONCE, w] & ~tables.reach[own, w])
        n = 0
        total = 0.0
        for p in range(tables.groups[g, FIRST], tables.groups[g, STOP]):
            if not intersects(tables.masks, p, sets, _CLOSED):
                fitting[n] = p
                n += 1
                total += weights[p]
        for k in range(n):
            expected[fitting[k]] += 1.0 / total


@cached
def add_chances(tables, chosen, weights, expected):
    """Add up, over layouts, each placement's probability given all objects but one of its group.

    The probability is that of a weight of 1, with the others as they are. `chosen` has the
    placements of a layout's objects in each row.
    """
    sets = np.empty((3, tables.masks.shape[1]), np.uint64)
    fitting = np.empty(tables.masks.shape[0], np.int64)
    for game in range(chosen.shape[0]):
        _add_layout(tables, chosen, game, weights, sets, fitting, expected)
