"""Placers as kernels: each fills rows of `layouts` with the squares of a fleet."""

import numpy as np
from numba import njit

from battleship_ai.bitboard import clear, include, intersects
from battleship_ai.inference.tables import FIRST, SHIP_CLASS, SHIP_SIZE, SHIP_START, STOP
from battleship_ai.rng import LAYOUT_STREAM, below, open_stream


@njit
def write_ship(tables, layouts, game, ship, p):
    """Put the squares of placement p at a ship's place in a layout."""
    start = tables.ships[ship, SHIP_START]
    for i in range(tables.ships[ship, SHIP_SIZE]):
        layouts[game, start + i] = tables.squares[p, i]


@njit(cache=True)
def place_uniform(tables, keys, max_attempts, layouts):
    """Independent placements, the whole fleet rejected on any conflict; how many were filled."""
    n_ships = tables.ships.shape[0]
    words = tables.masks.shape[1]
    taken = np.empty((1, words), np.uint64)
    chosen = np.empty(n_ships, np.int64)
    stream = np.empty(2, np.uint64)
    for game in range(layouts.shape[0]):
        open_stream(stream, keys[game], LAYOUT_STREAM)
        attempt = 0
        ship = 0
        while ship < n_ships:
            if ship == 0:
                attempt += 1
                if attempt > max_attempts:
                    return game
                clear(taken, 0)
            k = tables.ships[ship, SHIP_CLASS]
            first = tables.classes[k, FIRST]
            p = first + below(stream, tables.classes[k, STOP] - first)
            if intersects(taken, 0, tables.masks, p):
                ship = 0
                continue
            include(taken, 0, tables.masks, p)
            include(taken, 0, tables.halos, p)
            chosen[ship] = p
            ship += 1
        for ship in range(n_ships):
            write_ship(tables, layouts, game, ship, chosen[ship])
    return layouts.shape[0]
