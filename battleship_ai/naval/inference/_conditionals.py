"""Where each ship may lie beside the other ships and the mines of drawn layouts."""

import numpy as np

from battleship_ai._jit import cached
from battleship_ai.naval.inference._drawing import clear_members, longest_list

_ZERO = np.uint64(0)


@cached
def add_conditionals(lists, deals, placements, mines, weights, chances):
    """Add to `chances` (rows, P) those of every ship given the rest of each layout.

    Given the others, a ship has each placement of its list that touches nothing with a
    chance in proportion to its weight. The mean of that over layouts is the chance of the
    placement, with far less noise than the mean of where the ships lie (D. Blackwell 1947).
    """
    n_ships, words = placements.shape[1], lists.masks.shape[1]
    taken = np.empty((1, words), np.uint64)
    clear_ones = np.empty(longest_list(lists), np.int64)
    cumulated = np.empty(len(clear_ones), np.float64)
    for draw in range(placements.shape[0]):
        for ship in range(n_ships):
            for w in range(words):
                word = _ZERO
                for other in range(n_ships):
                    if other != ship:
                        word |= lists.reach[placements[draw, other], w]
                for mine in range(mines.shape[1]):
                    word |= lists.mine_reach[mines[draw, mine], w]
                taken[0, w] = word
            which = lists.deals[deals[draw], ship]
            n = clear_members(lists, which, taken, clear_ones, cumulated)
            row = lists.rows[which]
            for i in range(n):
                p = clear_ones[i]
                chances[row, p] += weights[draw] * lists.weights[p] / cumulated[n - 1]
