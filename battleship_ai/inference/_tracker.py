"""The placement belief as kernels: which placements the record still allows.

A hidden layout fits a record exactly if every hit is covered, the ships do not
conflict, and each ship's placement alone fits: it holds no miss, and it was (or
was not) complete at the times at which the answers on its squares say so. This
module keeps that last test up to date, one answer at a time, for every
placement, together with a weighted count of the placements over each square, class by class.

The order of the shots matters through completion alone: a placement is complete
from the shot that takes the last of its squares.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import inlined, kernel
from battleship_ai.bitboard import (
    Words,
    clear,
    contains,
    fill,
    include,
    insert,
    lowest_bit,
    remove,
)
from battleship_ai.inference.tables import (
    COUNT,
    FIRST,
    MISS,
    NEAR,
    NO_CLASS,
    SIZE,
    STOP,
    SUNK,
    THROUGH,
    Tables,
)

DEAD = -1
_ZERO = np.uint64(0)
_ONE = np.uint64(1)

# Rows of `Tracker.sets`.
OPEN, HITS, CLOSED, FIXED, EMPTY, COMMON = 0, 1, 2, 3, 4, 5


class Tracker(NamedTuple):
    """The state of the placement belief.

    Attributes
    ----------
    sets : uint64 (6, W)
        Squares not asked; hit; hit and known to belong to sunk ships; those of ships
        pinned down; known to be water; and common to the candidates for a sunk ship.
    left : int8 (P,)
        Squares of a placement not asked yet; 0 complete, −1 ruled out.
    score : int64 (K, N + 1)
        For each class the sum of the weights of its open placements (left > 0) over
        each square; the last entry takes the padding of short ships.
    untouched : int64 (K,)
        Open placements of each class without a hit.
    class_left : int64 (K,)
        Ships of each class not known to be sunk.
    pending : int64 (n_ships + 1, 2)
        Sinking shots whose ship is not yet pinned down, each with its class where
        known; their number is in the last row.
    fixed : int64 (n_ships + 1,)
        The placements of the sunk ships that are pinned down; their number comes last.
    weight : int64 (K, longest + 1)
        The weight of an open placement by its class and its squares left; 0 for none left.
    first_left, first_score
        The arrays before the first shot.
    """

    sets: Words
    left: npt.NDArray[np.int8]
    score: npt.NDArray[np.int64]
    untouched: npt.NDArray[np.int64]
    class_left: npt.NDArray[np.int64]
    pending: npt.NDArray[np.int64]
    fixed: npt.NDArray[np.int64]
    weight: npt.NDArray[np.int64]
    first_left: npt.NDArray[np.int8]
    first_score: npt.NDArray[np.int64]


def new_tracker(tables: Tables, hit_weight: npt.NDArray[np.int64]) -> Tracker:
    """A tracker for a rule set; `hit_weight` has one entry for each number of hits."""
    n_classes, longest = len(tables.classes), tables.squares.shape[1]
    left = tables.classes[tables.placement_class, SIZE].astype(np.int8)
    score = np.zeros((n_classes, tables.n_squares + 1), dtype=np.int64)
    np.add.at(score, (tables.placement_class[:, None], tables.squares), hit_weight[0])
    weight = np.zeros((n_classes, longest + 1), dtype=np.int64)
    for k, size in enumerate(tables.classes[:, SIZE]):
        weight[k, 1 : size + 1] = hit_weight[:size][::-1]
    return Tracker(
        sets=np.zeros((6, tables.masks.shape[1]), np.uint64),
        left=left.copy(),
        score=score.copy(),
        untouched=np.zeros(n_classes, np.int64),
        class_left=tables.classes[:, COUNT].copy(),
        pending=np.zeros((len(tables.ships) + 1, 2), np.int64),
        fixed=np.zeros(len(tables.ships) + 1, np.int64),
        weight=weight,
        first_left=left,
        first_score=score,
    )


@kernel
def reset_tracker(tracker, tables):
    """Forget every answer."""
    fill(tracker.sets, OPEN, tables.n_squares)
    for row in range(HITS, tracker.sets.shape[0]):
        clear(tracker.sets, row)
    # Loops, since a slice assignment takes a second to compile.
    for p in range(tracker.left.shape[0]):
        tracker.left[p] = tracker.first_left[p]
    for k in range(tables.classes.shape[0]):
        tracker.class_left[k] = tables.classes[k, COUNT]
        tracker.untouched[k] = tables.classes[k, STOP] - tables.classes[k, FIRST]
        for square in range(tracker.score.shape[1]):
            tracker.score[k, square] = tracker.first_score[k, square]
    tracker.pending[-1, 0] = 0
    tracker.fixed[-1] = 0


@inlined
def track(tracker, tables, square, kind, ship_class):
    """Take in the answer to one shot."""
    sets = tracker.sets
    repeated = not contains(sets, OPEN, square)
    remove(sets, OPEN, square)
    if kind == MISS:
        if not repeated:
            insert(sets, EMPTY, square)
            _drop_all(tracker, tables, THROUGH, square)
    elif repeated:
        _take_repeated_hit(tracker, tables, square, kind, ship_class)
    else:
        insert(sets, HITS, square)
        _drop_all(tracker, tables, NEAR, square)
        _advance(tracker, tables, square, kind, ship_class)
        if tables.names_hits:
            _require(tracker, tables, square, ship_class)
        if kind == SUNK:
            _sink(tracker, tables, square, ship_class)
    if not tables.announces_sinking:
        _find_unannounced_sinkings(tracker, tables)


@inlined
def _change(tracker, tables, p, now):
    """Set the squares left of an open placement, and correct the counts."""
    k = tables.placement_class[p]
    before = tracker.left[p]
    tracker.left[p] = now
    if before == tables.classes[k, SIZE]:
        tracker.untouched[k] -= 1
    weight = np.int64(0) if now < 0 else tracker.weight[k, now]
    change = weight - tracker.weight[k, before]
    if change != 0:
        for i in range(tables.classes[k, SIZE]):
            tracker.score[k, tables.squares[p, i]] += change


@inlined
def _drop_all(tracker, tables, relation, square):
    """Rule out every placement that is incident to a square."""
    for i in range(tables.starts[relation, square], tables.starts[relation, square + 1]):
        p = tables.incidence[i]
        if tracker.left[p] > 0:
            _change(tracker, tables, p, DEAD)
        else:
            tracker.left[p] = DEAD


@inlined
def _advance(tracker, tables, square, kind, ship_class):
    """Count a fresh hit on the placements that hold it; drop those it contradicts."""
    for i in range(tables.starts[THROUGH, square], tables.starts[THROUGH, square + 1]):
        p = tables.incidence[i]
        now = tracker.left[p] - 1
        if now >= 0:
            fits = ship_class == NO_CLASS or ship_class == tables.placement_class[p]
            if tables.announces_sinking and (now == 0) != (kind == SUNK):
                fits = False
            _change(tracker, tables, p, now if fits else DEAD)


@kernel
def _require(tracker, tables, square, k):
    """The ship of class k holds a square: placements that do not are ruled out."""
    for p in range(tables.classes[k, FIRST], tables.classes[k, STOP]):
        if tracker.left[p] > 0 and not contains(tables.masks, p, square):
            _change(tracker, tables, p, DEAD)


@kernel
def _sink(tracker, tables, square, ship_class):
    """A fresh shot sank a ship."""
    n = tracker.pending[-1, 0]
    tracker.pending[n, 0] = square
    tracker.pending[n, 1] = ship_class
    tracker.pending[-1, 0] = n + 1
    if ship_class != NO_CLASS:
        tracker.class_left[ship_class] -= 1
    _resolve(tracker, tables)


@kernel
def _take_repeated_hit(tracker, tables, square, kind, ship_class):
    """A repeated question tells whether the square's ship is complete by now."""
    if not tables.announces_sinking or contains(tracker.sets, CLOSED, square):
        return
    for i in range(tables.starts[THROUGH, square], tables.starts[THROUGH, square + 1]):
        p = tables.incidence[i]
        left = tracker.left[p]
        wrong_class = ship_class != NO_CLASS and tables.placement_class[p] != ship_class
        if left >= 0 and ((left == 0) != (kind == SUNK) or wrong_class):
            if left > 0:
                _change(tracker, tables, p, DEAD)
            else:
                tracker.left[p] = DEAD
    _resolve(tracker, tables)


@kernel
def is_possible(tracker, tables, square):
    """Whether a surviving ship can lie on a square not asked yet."""
    for k in range(tables.classes.shape[0]):
        if tracker.class_left[k] > 0 and tracker.score[k, square] > 0:
            return True
    return False


@kernel
def _candidates(tracker, tables, square, ship_class):
    """The complete placements over a sinking shot: how many, one of them, their class.

    The set `COMMON` becomes the squares that all of them hold; the class is `NO_CLASS`
    where they differ in it.
    """
    sets = tracker.sets
    n = 0
    last = np.int64(-1)
    shared_class = np.int64(NO_CLASS)
    for i in range(tables.starts[THROUGH, square], tables.starts[THROUGH, square + 1]):
        p = np.int64(tables.incidence[i])
        k = np.int64(tables.placement_class[p])
        if tracker.left[p] != 0 or (ship_class != NO_CLASS and k != ship_class):
            continue
        for w in range(sets.shape[1]):
            word = tables.masks[p, w]
            sets[COMMON, w] = word if n == 0 else sets[COMMON, w] & word
        shared_class = k if n == 0 or k == shared_class else np.int64(NO_CLASS)
        n += 1
        last = p
    return n, last, shared_class


@kernel
def _close(tracker, tables, sinking_shot):
    """Learn that the common squares belong to the ship that `sinking_shot` sank."""
    sets = tracker.sets
    for w in range(sets.shape[1]):
        word = sets[COMMON, w] & ~sets[CLOSED, w]
        sets[CLOSED, w] |= word
        while word != _ZERO:
            square = 64 * w + np.int64(lowest_bit(word))
            word &= word - _ONE
            for i in range(tables.starts[THROUGH, square], tables.starts[THROUGH, square + 1]):
                p = tables.incidence[i]
                if tracker.left[p] > 0:
                    _change(tracker, tables, p, DEAD)
                elif not contains(tables.masks, p, sinking_shot):
                    tracker.left[p] = DEAD


@kernel
def _fix(tracker, tables, p):
    """Learn that a sunk ship lies at placement p: the contact rule empties its halo."""
    sets = tracker.sets
    include(sets, FIXED, tables.masks, p)
    tracker.fixed[tracker.fixed[-1]] = p
    tracker.fixed[-1] += 1
    for w in range(sets.shape[1]):
        word = tables.halos[p, w] & ~sets[EMPTY, w]
        sets[EMPTY, w] |= word
        while word != _ZERO:
            square = 64 * w + np.int64(lowest_bit(word))
            word &= word - _ONE
            _drop_all(tracker, tables, THROUGH, square)


@kernel
def _resolve(tracker, tables):
    """Pin down the ships of pending sinking shots as far as the record allows."""
    pending = tracker.pending
    changed = True
    while changed:
        changed = False
        i = 0
        while i < pending[-1, 0]:
            square = pending[i, 0]
            n, p, k = _candidates(tracker, tables, square, pending[i, 1])
            if n > 0 and pending[i, 1] == NO_CLASS and k != NO_CLASS:
                pending[i, 1] = k
                tracker.class_left[k] -= 1
                changed = True
            if n > 0:
                _close(tracker, tables, square)
            if n == 1:
                _fix(tracker, tables, p)
                pending[-1, 0] -= 1
                pending[i, 0] = pending[pending[-1, 0], 0]
                pending[i, 1] = pending[pending[-1, 0], 1]
                changed = True
            else:
                i += 1


@kernel
def _find_unannounced_sinkings(tracker, tables):
    """A hit that no open placement covers belongs to a complete ship."""
    for square in range(tables.n_squares):
        if (
            contains(tracker.sets, HITS, square)
            and not contains(tracker.sets, CLOSED, square)
            and not is_possible(tracker, tables, square)
        ):
            n, p, k = _candidates(tracker, tables, square, NO_CLASS)
            if n == 1:
                tracker.class_left[k] -= 1
                _close(tracker, tables, square)
                _fix(tracker, tables, p)
