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

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import inlined, kernel
from battleship_ai.bitboard import Words, clear, contains, include, lowest_bit, popcount, select
from battleship_ai.inference._tracker import AFLOAT, COMPLETE, EMPTY, FIXED, HITS
from battleship_ai.inference.tables import FIRST, NO_CLASS, SIZE, STOP, Tables
from battleship_ai.rng import below

_ZERO = np.uint64(0)
_ONE = np.uint64(1)

# Rows of the draw's own sets: squares closed to further ships, and hits not yet covered.
TAKEN, BARE = 0, 1


class Sampler(NamedTuple):
    """Draws and the room to make them.

    Attributes
    ----------
    drawn : int64 (draws, n_ships)
        The placements of the ships that are not pinned down, one draw a row.
    log_weight : float64 (draws,)
        Minus infinity for a dead end.
    sets : uint64 (2, W)
        Squares closed to further ships, and hits not yet covered.
    found : int32 (P,)
        The placements possible at one step.
    listed, bounds : int32 (P,), int64 (K + 1,)
        The placements without a hit that the record allows: class k has
        ``listed[bounds[k] : bounds[k + 1]]``.
    singles : uint64 (K, W)
        The same as sets of squares, for classes of one square.
    ships, unplaced : int64 (K,)
        Ships of each class to place, at the start of a draw and during it.
    """

    drawn: npt.NDArray[np.int64]
    log_weight: npt.NDArray[np.float64]
    sets: Words
    found: npt.NDArray[np.int32]
    listed: npt.NDArray[np.int32]
    bounds: npt.NDArray[np.int64]
    singles: Words
    ships: npt.NDArray[np.int64]
    unplaced: npt.NDArray[np.int64]


def new_sampler(tables: Tables, draws: int) -> Sampler:
    """A sampler for a rule set."""
    n_classes, words = len(tables.classes), tables.masks.shape[1]
    return Sampler(
        drawn=np.zeros((draws, len(tables.ships)), np.int64),
        log_weight=np.zeros(draws),
        sets=np.zeros((2, words), np.uint64),
        found=np.zeros(len(tables.masks), np.int32),
        listed=np.zeros(len(tables.masks), np.int32),
        bounds=np.zeros(n_classes + 1, np.int64),
        singles=np.zeros((n_classes, words), np.uint64),
        ships=np.zeros(n_classes, np.int64),
        unplaced=np.zeros(n_classes, np.int64),
    )


@kernel
def draw_layouts(sampler, tracker, tables, stream):
    """Make all draws; returns how many ships each holds."""
    n_ships = _prepare(sampler, tracker, tables)
    sets = sampler.sets
    for d in range(sampler.drawn.shape[0]):
        for k in range(sampler.ships.shape[0]):
            sampler.unplaced[k] = sampler.ships[k]
        for w in range(sets.shape[1]):
            sets[TAKEN, w] = tracker.sets[EMPTY, w] | tracker.sets[FIXED, w]
            sets[BARE, w] = tracker.sets[HITS, w] & ~tracker.sets[FIXED, w]
        n, weight = _cover_hits(sampler, tracker, tables, stream, d)
        weight = _place_rest(sampler, tables, stream, d, n, weight)
        sampler.log_weight[d] = np.log(weight) if weight > 0.0 else -np.inf
    return n_ships


@kernel
def _prepare(sampler, tracker, tables):
    """Count the ships to place, and list the placements without a hit."""
    n_ships = 0
    for k in range(tables.classes.shape[0]):
        sampler.ships[k] = tracker.class_left[k]
    for i in range(tracker.pending[-1, 0]):
        if tracker.pending[i, 1] != NO_CLASS:
            sampler.ships[tracker.pending[i, 1]] += 1
    n = 0
    for k in range(tables.classes.shape[0]):
        n_ships += sampler.ships[k]
        clear(sampler.singles, k)
        for p in range(tables.classes[k, FIRST], tables.classes[k, STOP]):
            if contains(tracker.alive, AFLOAT, p) and tracker.left[p] == tables.classes[k, SIZE]:
                sampler.listed[n] = p
                n += 1
                if tables.classes[k, SIZE] == 1:
                    include(sampler.singles, k, tables.masks, p)
        sampler.bounds[k + 1] = n
    return n_ships


@inlined
def _free(tables, sets, p):
    """Whether placement p keeps clear of the ships placed so far."""
    clash = (tables.masks[p, 0] & sets[TAKEN, 0]) | (tables.masks[p, 1] & sets[TAKEN, 1])
    for w in range(2, sets.shape[1]):
        clash |= tables.masks[p, w] & sets[TAKEN, w]
    return clash == _ZERO


@inlined
def _lay(tables, sets, p):
    """Place a ship: its squares and halo are taken, its hits covered."""
    for w in range(sets.shape[1]):
        sets[TAKEN, w] |= tables.masks[p, w] | tables.halos[p, w]
        sets[BARE, w] &= ~tables.masks[p, w]


@inlined
def _covers(sampler, tracker, tables, square):
    """List the placements that can cover a bare hit; returns their number."""
    n = 0
    alive = tracker.alive
    for w in range(alive.shape[1]):
        word = tables.through[square, w] & (alive[AFLOAT, w] | alive[COMPLETE, w])
        while word != _ZERO:
            p = 64 * w + np.int64(lowest_bit(word))
            word &= word - _ONE
            if sampler.unplaced[tables.placement_class[p]] > 0 and _free(tables, sampler.sets, p):
                sampler.found[n] = p
                n += 1
    return n


@inlined
def _cover_hits(sampler, tracker, tables, stream, d):
    """Place the ships on the hits; returns their number and the weight so far."""
    sets = sampler.sets
    n_placed = 0
    weight = 1.0
    while True:
        fewest = np.int64(1) << 40
        target = np.int64(-1)
        for w in range(sets.shape[1]):
            word = sets[BARE, w]
            while word != _ZERO and fewest > 1:
                square = 64 * w + np.int64(lowest_bit(word))
                word &= word - _ONE
                n = np.int64(_covers(sampler, tracker, tables, square))
                if n < fewest:
                    fewest = n
                    target = square
        if target < 0:
            return n_placed, weight
        n = np.int64(_covers(sampler, tracker, tables, target))
        if n == 0:
            return n_placed, 0.0
        p = np.int64(sampler.found[below(stream, n)])
        weight *= n
        sampler.unplaced[tables.placement_class[p]] -= 1
        _lay(tables, sets, p)
        sampler.drawn[d, n_placed] = p
        n_placed += 1


@inlined
def _place_rest(sampler, tables, stream, d, n_placed, weight):
    """Place the untouched ships; returns the draw's weight, 0 for a dead end."""
    sets = sampler.sets
    for k in range(tables.classes.shape[0]):
        single = tables.classes[k, SIZE] == 1
        for remaining in range(sampler.unplaced[k], 0, -1):
            n = np.int64(0)
            if single:
                for w in range(sets.shape[1]):
                    sets[BARE, w] = sampler.singles[k, w] & ~sets[TAKEN, w]
                n = popcount(sets, BARE)
            else:
                # Without a branch, which would be guessed wrong every third time.
                for i in range(sampler.bounds[k], sampler.bounds[k + 1]):
                    p = sampler.listed[i]
                    sampler.found[n] = p
                    n += np.int64(_free(tables, sets, p))
            if n == 0:
                return 0.0
            rank = below(stream, n)
            # Placements of one square are numbered as the squares are.
            p = np.int64(sampler.found[rank])
            if single:
                p = tables.classes[k, FIRST] + select(sets, BARE, rank)
            weight *= n / remaining
            _lay(tables, sets, p)
            sampler.drawn[d, n_placed] = p
            n_placed += 1
    return weight
