"""The choices of the hunters: random hunting, and what follows a hit."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import inlined, kernel
from battleship_ai.bitboard import (
    Words,
    contains,
    insert,
    lowest_bit,
    popcount,
    popcount_word,
    select,
)
from battleship_ai.inference._tracker import CLOSED, EMPTY, HITS, OPEN, is_possible
from battleship_ai.inference.tables import SIZE
from battleship_ai.rng import below
from battleship_ai.strategies import _tracked  # noqa: F401  (the belief these choices read)
from battleship_ai.strategies._play import register_choice

_ZERO = np.uint64(0)
_ONE = np.uint64(1)

# Rows of `ClassFirst.sets`.
CHOICES, IMPOSSIBLE = 0, 1


class NextToHits(NamedTuple):
    """Chooses at random next to an unexplained hit, else anywhere.

    Attributes
    ----------
    neighbours : int16 (N, 4 or 8)
        The squares that a ship can go on to, opposite ones side by side; −1 where there
        is none.
    found : int64 (8N,)
        Room for a list of squares.
    """

    neighbours: npt.NDArray[np.int16]
    found: npt.NDArray[np.int64]


class ClassFirst(NamedTuple):
    """Chooses where a surviving ship can lie, within one class of squares first.

    Attributes
    ----------
    neighbours, found
        As in `NextToHits`.
    straight : bool
        Whether hits in line are continued before others.
    classes : uint64 (longest + 1, C, W)
        For each size of the smallest survivor, sets of squares each of which every
        ship of that size or more meets; unused sets are the whole board.
    sets : uint64 (2, W)
        Room for the squares to choose from, and for those found to be impossible.
    """

    neighbours: npt.NDArray[np.int16]
    found: npt.NDArray[np.int64]
    straight: bool
    classes: Words
    sets: Words


@inlined
def _next_to_hits(tracker, tables, neighbours, found, possible_only, in_line_only):
    """List the open squares next to unexplained hits, once for each such hit."""
    sets = tracker.sets
    n = 0
    for w in range(sets.shape[1]):
        word = sets[HITS, w] & ~sets[CLOSED, w]
        while word != _ZERO:
            hit = 64 * w + np.int64(lowest_bit(word))
            word &= word - _ONE
            for j in range(neighbours.shape[1]):
                square = np.int64(neighbours[hit, j])
                if square < 0 or not contains(sets, OPEN, square):
                    continue
                if possible_only and not is_possible(tracker, tables, square):
                    continue
                if in_line_only:
                    behind = np.int64(neighbours[hit, j ^ 1])
                    if behind < 0 or not contains(sets, HITS, behind):
                        continue
                    if contains(sets, CLOSED, behind):
                        continue
                found[n] = square
                n += 1
    return n


@kernel
def _any_open(tracker, stream):
    n = popcount(tracker.sets, OPEN)
    return select(tracker.sets, OPEN, below(stream, n)) if n > 0 else np.int64(0)


@inlined
def choose_hunt_and_target(choice, tracker, tables, stream):
    n = _next_to_hits(tracker, tables, choice.neighbours, choice.found, False, False)
    if n > 0:
        return choice.found[below(stream, n)]
    return _any_open(tracker, stream)


@inlined
def choose_parity_hunt(choice, tracker, tables, stream):
    n = 0
    if choice.straight:
        n = _next_to_hits(tracker, tables, choice.neighbours, choice.found, True, True)
    if n == 0:
        n = _next_to_hits(tracker, tables, choice.neighbours, choice.found, True, False)
    if n > 0:
        return choice.found[below(stream, n)]
    return _hunt_by_class(choice, tracker, tables, stream)


@inlined
def _hunt_by_class(choice, tracker, tables, stream):
    sets = choice.sets
    smallest = np.int64(1)
    for k in range(tables.classes.shape[0]):
        if tracker.class_left[k] > 0:
            smallest = tables.classes[k, SIZE]
    for w in range(sets.shape[1]):
        sets[IMPOSSIBLE, w] = tracker.sets[EMPTY, w]
    while True:
        # A surviving ship meets every class, so the one with the fewest squares finds it soonest.
        fewest = np.int64(0)
        for c in range(choice.classes.shape[1]):
            n = np.int64(0)
            for w in range(sets.shape[1]):
                n += np.int64(popcount_word(_left_of_class(choice, tracker, smallest, c, w)))
            if n > 0 and (fewest == 0 or n < fewest):
                fewest = n
                for w in range(sets.shape[1]):
                    sets[CHOICES, w] = _left_of_class(choice, tracker, smallest, c, w)
        if fewest == 0:
            return _any_open(tracker, stream)
        square = select(sets, CHOICES, below(stream, fewest))
        if is_possible(tracker, tables, square):
            return square
        insert(sets, IMPOSSIBLE, square)


@inlined
def _left_of_class(choice, tracker, smallest, c, w):
    """One word of the squares of class c that are open and not known to be impossible."""
    open_word = tracker.sets[OPEN, w] & ~choice.sets[IMPOSSIBLE, w]
    return open_word & choice.classes[smallest, c, w]


register_choice(NextToHits, choose_hunt_and_target)
register_choice(ClassFirst, choose_parity_hunt)
