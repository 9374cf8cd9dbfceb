"""Weighted draws of whole layouts that fit a record, as a kernel.

One draw places ship after ship: first those that cover the hits (each time the
ship over the hit with the fewest choices), then the untouched ships, largest
first; each is chosen uniformly among the placements that are still possible.
Every layout that fits the record is reached in one way only, so the product of
the numbers of choices, divided by the orders of untouched ships of one class,
weights the draws to the uniform distribution over those layouts; a dead end has
weight 0. (Sequential importance sampling: Knuth, "Estimating the efficiency of
backtrack programs", Mathematics of Computation 29, 1975.)
"""

import numpy as np
from numba import njit

from battleship_ai._jit import kernel
from battleship_ai.bitboard import contains, lowest_bit, popcount, select
from battleship_ai.inference._tracker import AFLOAT, COMPLETE, EMPTY, FIXED, HITS
from battleship_ai.inference.tables import FIRST, NO_CLASS, SIZE, STOP
from battleship_ai.rng import below

_ZERO = np.uint64(0)
_ONE = np.uint64(1)

# Rows of the draw's own sets: squares closed to further ships, and hits not yet covered.
TAKEN, BARE = 0, 1


@kernel
def _free(tables, sets, p):
    """Whether placement p keeps clear of the ships placed so far."""
    clash = (tables.masks[p, 0] & sets[TAKEN, 0]) | (tables.masks[p, 1] & sets[TAKEN, 1])
    for w in range(2, sets.shape[1]):
        clash |= tables.masks[p, w] & sets[TAKEN, w]
    return clash == _ZERO


@kernel
def _lay(tables, sets, p):
    """Place a ship: its squares and halo are taken, its hits covered."""
    for w in range(sets.shape[1]):
        sets[TAKEN, w] |= tables.masks[p, w] | tables.halos[p, w]
        sets[BARE, w] &= ~tables.masks[p, w]


@kernel
def _covers(tracker, tables, sets, unplaced, square, found):
    """List in `found` the placements that can cover a bare hit; returns their number."""
    n = 0
    alive = tracker.alive
    for w in range(alive.shape[1]):
        word = tables.through[square, w] & (alive[AFLOAT, w] | alive[COMPLETE, w])
        while word != _ZERO:
            p = 64 * w + np.int64(lowest_bit(word))
            word &= word - _ONE
            if unplaced[tables.placement_class[p]] > 0 and _free(tables, sets, p):
                found[n] = p
                n += 1
    return n


@njit
def unplaced_ships(tracker, tables):
    """Ships of each class that no pinned placement accounts for."""
    unplaced = tracker.class_left.copy()
    for i in range(tracker.pending[-1, 0]):
        if tracker.pending[i, 1] != NO_CLASS:
            unplaced[tracker.pending[i, 1]] += 1
    return unplaced


@njit
def untouched_placements(tracker, tables):
    """The placements without a hit that the record allows, class after class.

    Returns their numbers in one array, where each class starts in it, and for
    classes of one square the same as sets.
    """
    n_classes = tables.classes.shape[0]
    listed = np.empty(tracker.left.shape[0], np.int32)
    bounds = np.zeros(n_classes + 1, np.int64)
    n = 0
    for k in range(n_classes):
        for p in range(tables.classes[k, FIRST], tables.classes[k, STOP]):
            if contains(tracker.alive, AFLOAT, p) and tracker.left[p] == tables.classes[k, SIZE]:
                listed[n] = p
                n += 1
        bounds[k + 1] = n
    singles = np.zeros((n_classes, tracker.sets.shape[1]), np.uint64)
    for k in range(n_classes):
        if tables.classes[k, SIZE] == 1:
            for i in range(bounds[k], bounds[k + 1]):
                for w in range(singles.shape[1]):
                    singles[k, w] |= tables.masks[listed[i], w]
    return listed[:n].copy(), bounds, singles


@kernel
def _draw(tracker, tables, unplaced, listed, bounds, singles, sets, found, stream, drawn):
    """One layout into `drawn` (placements, as many as are unplaced); returns its log weight.

    A dead end gives minus infinity.
    """
    n_drawn = 0
    log_weight = 0.0
    while True:
        fewest = np.int64(1) << 40
        target = np.int64(-1)
        for w in range(sets.shape[1]):
            word = sets[BARE, w]
            while word != _ZERO and fewest > 1:
                square = 64 * w + np.int64(lowest_bit(word))
                word &= word - _ONE
                n = _covers(tracker, tables, sets, unplaced, square, found)
                if n < fewest:
                    fewest = np.int64(n)
                    target = square
        if target < 0:
            break
        n = _covers(tracker, tables, sets, unplaced, target, found)
        if n == 0:
            return -np.inf
        p = np.int64(found[below(stream, n)])
        log_weight += np.log(n)
        unplaced[tables.placement_class[p]] -= 1
        _lay(tables, sets, p)
        drawn[n_drawn] = p
        n_drawn += 1
    for k in range(tables.classes.shape[0]):
        for remaining in range(unplaced[k], 0, -1):
            if tables.classes[k, SIZE] == 1:
                for w in range(sets.shape[1]):
                    sets[BARE, w] = singles[k, w] & ~sets[TAKEN, w]
                n = popcount(sets, BARE)
            else:
                n = 0
                for i in range(bounds[k], bounds[k + 1]):
                    p = listed[i]
                    if _free(tables, sets, p):
                        found[n] = p
                        n += 1
            if n == 0:
                return -np.inf
            rank = below(stream, n)
            if tables.classes[k, SIZE] == 1:
                # Placements of one square are numbered as the squares are.
                p = tables.classes[k, FIRST] + select(sets, BARE, rank)
            else:
                p = np.int64(found[rank])
            log_weight += np.log(n / remaining)
            _lay(tables, sets, p)
            drawn[n_drawn] = p
            n_drawn += 1
    return log_weight


@njit
def draw_layouts(tracker, tables, stream, drawn, log_weights):
    """Fill the rows of `drawn` with draws; returns how many ships each row holds."""
    unplaced = unplaced_ships(tracker, tables)
    counts = unplaced.copy()
    listed, bounds, singles = untouched_placements(tracker, tables)
    sets = np.empty((2, tracker.sets.shape[1]), np.uint64)
    found = np.empty(tracker.left.shape[0], np.int32)
    for d in range(drawn.shape[0]):
        for k in range(counts.shape[0]):
            unplaced[k] = counts[k]
        for w in range(sets.shape[1]):
            sets[TAKEN, w] = tracker.sets[EMPTY, w] | tracker.sets[FIXED, w]
            sets[BARE, w] = tracker.sets[HITS, w] & ~tracker.sets[FIXED, w]
        log_weights[d] = _draw(
            tracker, tables, unplaced, listed, bounds, singles, sets, found, stream, drawn[d]
        )
    return counts.sum()
