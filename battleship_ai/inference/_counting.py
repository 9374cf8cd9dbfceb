"""Going through layouts one by one, as a kernel."""

import numpy as np

from battleship_ai._jit import cached
from battleship_ai.bitboard import clear, include, intersects
from battleship_ai.inference.tables import FIRST, SHIP_CLASS, STOP


@cached
def enumerate_fleets(tables, fleets):
    """The number of layouts, ships of one class counted as a set.

    The first ones are entered in `fleets`, int64 (any, n_ships), by their placements.
    """
    n_ships = tables.ships.shape[0]
    taken = np.zeros((n_ships + 1, tables.masks.shape[1]), np.uint64)
    chosen = np.empty(n_ships, np.int64)
    total = 0
    ship = 0
    chosen[0] = tables.classes[tables.ships[0, SHIP_CLASS], FIRST] - 1
    while ship >= 0:
        k = tables.ships[ship, SHIP_CLASS]
        p = chosen[ship] + 1
        stop = tables.classes[k, STOP]
        if ship == n_ships - 1:
            while p < stop:
                if not intersects(taken, ship, tables.masks, p):
                    if total < fleets.shape[0]:
                        for i in range(n_ships - 1):
                            fleets[total, i] = chosen[i]
                        fleets[total, ship] = p
                    total += 1
                p += 1
            ship -= 1
            continue
        while p < stop and intersects(taken, ship, tables.masks, p):
            p += 1
        if p == stop:
            ship -= 1
            continue
        chosen[ship] = p
        clear(taken, ship + 1)
        include(taken, ship + 1, taken, ship)
        include(taken, ship + 1, tables.masks, p)
        include(taken, ship + 1, tables.halos, p)
        same = tables.ships[ship + 1, SHIP_CLASS] == k
        chosen[ship + 1] = (
            p if same else tables.classes[tables.ships[ship + 1, SHIP_CLASS], FIRST] - 1
        )
        ship += 1
    return total
