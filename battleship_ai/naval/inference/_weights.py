"""How often each placement is expected to occur, given all objects of a layout but one."""

import numpy as np

from battleship_ai._jit import cached, kernel
from battleship_ai.naval._placing import add
from battleship_ai.naval.tables import FIRST, GROUP, SIZE, STOP


@kernel
def _list_open(tables, cover, g, fitting):
    """Write the placements of group g whose squares are in no reach into `fitting`; how many."""
    n = 0
    for p in range(tables.groups[g, FIRST], tables.groups[g, STOP]):
        k = 0
        while k < tables.groups[g, SIZE] and cover[tables.squares[p, k]] == 0:
            k += 1
        if k == tables.groups[g, SIZE]:
            fitting[n] = p
            n += 1
    return n


@kernel
def _add_layout(tables, chosen, game, weights, cover, fitting, expected):
    cover[:] = 0
    for i in range(chosen.shape[1]):
        add(tables, cover, chosen[game, i], 1)
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
        add(tables, cover, own, -1)
        n = _list_open(tables, cover, g, fitting)
        add(tables, cover, own, 1)
        total = 0.0
        for k in range(n):
            total += weights[fitting[k]]
        for k in range(n):
            expected[fitting[k]] += 1.0 / total


@cached
def add_chances(tables, chosen, weights, expected):
    """Add up, over layouts, each placement's probability given all objects but one of its group.

    The probability is that of a weight of 1, with the others as they are. `chosen` has the
    placements of a layout's objects in each row.
    """
    cover = np.empty(tables.n_squares, np.int64)
    fitting = np.empty(tables.masks.shape[0], np.int64)
    for game in range(chosen.shape[0]):
        _add_layout(tables, chosen, game, weights, cover, fitting, expected)
