"""Placers as kernels: each fills rows of `layouts` with the squares of a fleet."""

import numpy as np

from battleship_ai._jit import cached, inlined
from battleship_ai.bitboard import clear, include, intersects
from battleship_ai.inference.tables import FIRST, SHIP_CLASS, SHIP_SIZE, SHIP_START, STOP
from battleship_ai.rng import LAYOUT_STREAM, below, open_stream, unit

_ZERO = np.uint64(0)


@inlined
def _write(tables, layouts, game, ship, p):
    start, size = tables.ships[ship, SHIP_START], tables.ships[ship, SHIP_SIZE]
    # A loop of fixed length with a test is several times faster than one of `size` steps.
    for i in range(tables.squares.shape[1]):
        if i < size:
            layouts[game, start + i] = tables.squares[p, i]


@cached
def first_ship_weights(tables):
    """For each placement of the first ship, how the other ships can be drawn around it.

    The product over the other ships of the number of their placements that keep
    clear of it, each taken alone.
    """
    k0 = tables.ships[0, SHIP_CLASS]
    first, stop = tables.classes[k0, FIRST], tables.classes[k0, STOP]
    weights = np.zeros(stop - first)
    clear_of = np.zeros(tables.classes.shape[0], np.int64)
    for p in range(first, stop):
        for k in range(tables.classes.shape[0]):
            n = 0
            for q in range(tables.classes[k, FIRST], tables.classes[k, STOP]):
                if not intersects(tables.masks, p, tables.masks, q) and not intersects(
                    tables.halos, p, tables.masks, q
                ):
                    n += 1
            clear_of[k] = n
        weight = 1.0
        for ship in range(1, tables.ships.shape[0]):
            weight *= clear_of[tables.ships[ship, SHIP_CLASS]]
        weights[p - first] = weight
    return weights


@cached
def place_uniform(tables, threshold, alias, around_first, keys, max_attempts, layouts):
    """Independent placements, the whole fleet rejected on any conflict.

    The first ship is drawn from an alias table. With `around_first`, the others are
    drawn among the placements that keep clear of it (by drawing again), and the
    table holds the weights that make up for it; else all conflicts reject the
    fleet. Returns the number of layouts filled before one took `max_attempts`.
    """
    n_ships, words = tables.ships.shape[0], tables.masks.shape[1]
    masks, halos = tables.masks, tables.halos
    taken = np.empty((1, words), np.uint64)
    chosen = np.empty(n_ships, np.int64)
    first = np.empty(n_ships, np.int64)
    count = np.empty(n_ships, np.int64)
    for ship in range(n_ships):
        k = tables.ships[ship, SHIP_CLASS]
        first[ship] = tables.classes[k, FIRST]
        count[ship] = tables.classes[k, STOP] - first[ship]
    stream = np.empty(2, np.uint64)
    for game in range(layouts.shape[0]):
        open_stream(stream, keys[game], LAYOUT_STREAM)
        attempts = 0
        ship = 0
        near0 = near1 = taken0 = taken1 = _ZERO
        while ship < n_ships:
            if ship == 0:
                attempts += 1
                if attempts > max_attempts:
                    return game
                i = below(stream, count[0])
                if unit(stream) >= threshold[i]:
                    i = alias[i]
                p = first[0] + i
                # The first two words of the sets live in registers: most boards have no more.
                near0 = masks[p, 0] | halos[p, 0]
                near1 = masks[p, 1] | halos[p, 1]
                taken0 = taken1 = _ZERO
                for w in range(2, words):
                    taken[0, w] = _ZERO
                chosen[0] = p
                ship = 1
                continue
            p = first[ship] + below(stream, count[ship])
            clash = (masks[p, 0] & near0) | (masks[p, 1] & near1)
            for w in range(2, words):
                clash |= masks[p, w] & (masks[chosen[0], w] | halos[chosen[0], w])
            if clash != _ZERO:
                if not around_first:
                    ship = 0
                continue
            clash = (masks[p, 0] & taken0) | (masks[p, 1] & taken1)
            for w in range(2, words):
                clash |= masks[p, w] & taken[0, w]
            if clash != _ZERO:
                ship = 0
                continue
            taken0 |= masks[p, 0] | halos[p, 0]
            taken1 |= masks[p, 1] | halos[p, 1]
            for w in range(2, words):
                taken[0, w] |= masks[p, w] | halos[p, w]
            chosen[ship] = p
            ship += 1
        for ship in range(n_ships):
            _write(tables, layouts, game, ship, chosen[ship])
    return layouts.shape[0]


@cached
def place_sequential(tables, order, weight, keys, max_attempts, layouts):
    """Ship after ship in an order, each by weight among what is legal; restart on a dead end.

    Returns the number of layouts filled before one took `max_attempts`.
    """
    taken = np.empty((1, tables.masks.shape[1]), np.uint64)
    legal = np.empty(tables.masks.shape[0], np.int64)
    chosen = np.empty(order.shape[0], np.int64)
    stream = np.empty(2, np.uint64)
    for game in range(layouts.shape[0]):
        open_stream(stream, keys[game], LAYOUT_STREAM)
        attempts = 0
        i = 0
        while i < order.shape[0]:
            if i == 0:
                attempts += 1
                if attempts > max_attempts:
                    return game
                clear(taken, 0)
            k = tables.ships[order[i], SHIP_CLASS]
            n = 0
            total = 0.0
            for p in range(tables.classes[k, FIRST], tables.classes[k, STOP]):
                if not intersects(taken, 0, tables.masks, p):
                    legal[n] = p
                    n += 1
                    total += weight[p]
            if n == 0:
                i = 0
                continue
            rest = unit(stream) * total
            pick = 0
            while pick < n - 1 and rest >= weight[legal[pick]]:
                rest -= weight[legal[pick]]
                pick += 1
            p = legal[pick]
            include(taken, 0, tables.masks, p)
            include(taken, 0, tables.halos, p)
            chosen[order[i]] = p
            i += 1
        for ship in range(order.shape[0]):
            _write(tables, layouts, game, ship, chosen[ship])
    return layouts.shape[0]
