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
    NO_CLASS,
    SIZE,
    STOP,
    SUNK,
    Tables,
)

_ZERO = np.uint64(0)
_ONE = np.uint64(1)

# Rows of `Tracker.alive`.
AFLOAT, COMPLETE = 0, 1

# Rows of `Tracker.sets`.
OPEN, HITS, CLOSED, FIXED, EMPTY, COMMON = 0, 1, 2, 3, 4, 5


class Tracker(NamedTuple):
    """The state of the placement belief.

    Attributes
    ----------
    sets : uint64 (6, W)
        Squares not asked; hit; hit and known to belong to sunk ships; those of ships
        pinned down; known to be water; and common to the candidates for a sunk ship.
    alive : uint64 (2, P / 64 rounded up)
        The placements that the record allows for a ship afloat, and those that a sunk
        ship may have, all of whose squares were hit.
    left : int8 (P,)
        Of a placement afloat, its squares not asked yet.
    room : int8 (P,)
        Of a placement afloat, the squares of its halo not known to be water.
    value : float64 (P,)
        Of a placement afloat, weight × price (an integer); 0 for others.
    score : float64 (K × (N + 1),)
        For each class the sum of the values over each square; the last entry of a
        class takes the padding of short ships.
    class_left : int64 (K,)
        Ships of each class not known to be sunk.
    pending : int64 (n_ships + 1, 2)
        Sinking shots whose ship is not yet pinned down, each with its class where
        known; their number is in the last row.
    fixed : int64 (n_ships + 1,)
        The placements of the sunk ships that are pinned down; their number comes last.
    weight : float64 (K, longest + 1)
        The weight of a placement by its class and its squares left; 0 for none left.
    price : float64
        The factor for the room that a placement takes from other ships; if there is one
        only, `room` is not kept up.
    first_left, first_room, first_value, first_score
        The arrays before the first shot.
    """

    sets: Words
    alive: Words
    left: npt.NDArray[np.int8]
    room: npt.NDArray[np.int8]
    value: npt.NDArray[np.float64]
    score: npt.NDArray[np.float64]
    class_left: npt.NDArray[np.int64]
    pending: npt.NDArray[np.int64]
    fixed: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]
    price: npt.NDArray[np.float64]
    first_left: npt.NDArray[np.int8]
    first_room: npt.NDArray[np.int8]
    first_value: npt.NDArray[np.float64]
    first_score: npt.NDArray[np.float64]


def new_tracker(
    tables: Tables,
    weight: npt.NDArray[np.float64] | None = None,
    price: npt.NDArray[np.float64] | None = None,
) -> Tracker:
    """A tracker for a rule set; without weights and prices every placement counts 1."""
    n_classes, longest = len(tables.classes), tables.squares.shape[1]
    if weight is None:
        weight = (np.arange(longest + 1) <= tables.classes[:, SIZE][:, None]).astype(np.float64)
        weight[:, 0] = 0.0
    if price is None:
        price = np.ones(1)
    left = tables.classes[tables.placement_class, SIZE].astype(np.int8)
    room = np.bitwise_count(tables.halos).sum(axis=1).astype(np.int8)
    value = weight[tables.placement_class, left] * price[np.minimum(room, len(price) - 1)]
    weights = np.repeat(value, longest)
    score = np.zeros(n_classes * (tables.n_squares + 1))
    score += np.bincount(tables.cells.ravel(), weights, len(score))
    return Tracker(
        sets=np.zeros((6, tables.masks.shape[1]), np.uint64),
        alive=np.zeros((2, tables.through.shape[1]), np.uint64),
        left=left.copy(),
        room=room.copy(),
        value=value.copy(),
        score=score.copy(),
        class_left=tables.classes[:, COUNT].copy(),
        pending=np.zeros((len(tables.ships) + 1, 2), np.int64),
        fixed=np.zeros(len(tables.ships) + 1, np.int64),
        weight=weight,
        price=price,
        first_left=left,
        first_room=room,
        first_value=value,
        first_score=score,
    )


@kernel
def reset_tracker(tracker, tables):
    """Forget every answer."""
    fill(tracker.sets, OPEN, tables.n_squares)
    for row in range(HITS, tracker.sets.shape[0]):
        clear(tracker.sets, row)
    fill(tracker.alive, AFLOAT, tracker.left.shape[0])
    clear(tracker.alive, COMPLETE)
    # Loops, since a slice assignment takes a second to compile.
    for p in range(tracker.left.shape[0]):
        tracker.left[p] = tracker.first_left[p]
        tracker.value[p] = tracker.first_value[p]
    if tracker.price.shape[0] > 1:
        for p in range(tracker.room.shape[0]):
            tracker.room[p] = tracker.first_room[p]
    for i in range(tracker.score.shape[0]):
        tracker.score[i] = tracker.first_score[i]
    for k in range(tables.classes.shape[0]):
        tracker.class_left[k] = tables.classes[k, COUNT]
    tracker.pending[-1, 0] = 0
    tracker.fixed[-1] = 0


@inlined
def track(tracker, tables, square, kind, ship_class):
    """Take in the answer to one shot."""
    sets = tracker.sets
    repeated = not contains(sets, OPEN, square)
    remove(sets, OPEN, square)
    if kind == MISS:
        if not contains(sets, EMPTY, square):
            insert(sets, EMPTY, square)
            _drain(tracker, tables, square)
    elif repeated:
        _take_repeated_hit(tracker, tables, square, kind, ship_class)
    else:
        insert(sets, HITS, square)
        _drop_afloat(tracker, tables, tables.near, square)
        _drop_complete_near(tracker, tables, square)
        _advance(tracker, tables, square, kind, ship_class)
        if tables.names_hits:
            _require(tracker, tables, square, ship_class)
        if kind == SUNK:
            _sink(tracker, tables, square, ship_class)
    if not tables.announces_sinking:
        _find_unannounced_sinkings(tracker, tables)


@inlined
def _revalue(tracker, tables, p, new):
    """Change the value of a placement, and with it the counts over its squares."""
    change = new - tracker.value[p]
    if change != 0.0:
        tracker.value[p] = new
        for i in range(tables.cells.shape[1]):
            tracker.score[tables.cells[p, i]] += change


@inlined
def _drop_afloat(tracker, tables, relation, square):
    """Rule out the placements afloat that `relation` (through or near) has at a square."""
    alive = tracker.alive
    for w in range(alive.shape[1]):
        word = relation[square, w] & alive[AFLOAT, w]
        alive[AFLOAT, w] ^= word
        while word != _ZERO:
            _revalue(tracker, tables, 64 * w + np.int64(lowest_bit(word)), 0.0)
            word &= word - _ONE


@inlined
def _price(tracker, p):
    return tracker.price[tracker.room[p]] if tracker.price.shape[0] > 1 else tracker.price[0]


@kernel
def _drain(tracker, tables, square):
    """Learn that a square is water: no ship lies there, and it gives no ship room."""
    _drop_afloat(tracker, tables, tables.through, square)
    if tracker.price.shape[0] > 1:
        for w in range(tracker.alive.shape[1]):
            word = tables.near[square, w] & tracker.alive[AFLOAT, w]
            while word != _ZERO:
                p = 64 * w + np.int64(lowest_bit(word))
                word &= word - _ONE
                tracker.room[p] -= 1
                weight = tracker.weight[tables.placement_class[p], tracker.left[p]]
                _revalue(tracker, tables, p, weight * _price(tracker, p))


@inlined
def _drop_complete_near(tracker, tables, square):
    """Rule out the complete placements that touch a hit."""
    for w in range(tracker.alive.shape[1]):
        tracker.alive[COMPLETE, w] &= ~tables.near[square, w]


@inlined
def _advance(tracker, tables, square, kind, ship_class):
    """Count a fresh hit on the placements that hold it; drop those it contradicts."""
    alive, left = tracker.alive, tracker.left
    for w in range(alive.shape[1]):
        word = tables.through[square, w] & alive[AFLOAT, w]
        while word != _ZERO:
            bit = word & (~word + _ONE)
            p = 64 * w + np.int64(lowest_bit(word))
            word ^= bit
            k = tables.placement_class[p]
            left[p] -= 1
            complete = left[p] == 0
            allowed = ship_class == NO_CLASS or ship_class == k
            if tables.announces_sinking and complete != (kind == SUNK):
                allowed = False
            if complete or not allowed:
                alive[AFLOAT, w] ^= bit
                if allowed:
                    alive[COMPLETE, w] |= bit
                _revalue(tracker, tables, p, 0.0)
            else:
                _revalue(tracker, tables, p, tracker.weight[k, left[p]] * _price(tracker, p))


@kernel
def _require(tracker, tables, square, k):
    """The ship of class k holds a square: placements that do not are ruled out."""
    for p in range(tables.classes[k, FIRST], tables.classes[k, STOP]):
        if contains(tracker.alive, AFLOAT, p) and not contains(tables.masks, p, square):
            remove(tracker.alive, AFLOAT, p)
            _revalue(tracker, tables, p, 0.0)


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
    alive = tracker.alive
    if not tables.announces_sinking:
        return
    for w in range(alive.shape[1]):
        word = tables.through[square, w] & (alive[AFLOAT, w] | alive[COMPLETE, w])
        while word != _ZERO:
            p = 64 * w + np.int64(lowest_bit(word))
            word &= word - _ONE
            wrong_class = ship_class != NO_CLASS and tables.placement_class[p] != ship_class
            if contains(alive, COMPLETE, p) != (kind == SUNK) or wrong_class:
                remove(alive, COMPLETE, p)
                remove(alive, AFLOAT, p)
                _revalue(tracker, tables, p, 0.0)
    _resolve(tracker, tables)


@inlined
def is_possible(tracker, tables, square):
    """Whether a surviving ship can lie on a square not asked yet."""
    for k in range(tables.classes.shape[0]):
        if tracker.class_left[k] > 0 and tracker.score[k * (tables.n_squares + 1) + square] > 0.0:
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
    for v in range(tracker.alive.shape[1]):
        word = tables.through[square, v] & tracker.alive[COMPLETE, v]
        while word != _ZERO:
            p = 64 * v + np.int64(lowest_bit(word))
            word &= word - _ONE
            k = np.int64(tables.placement_class[p])
            if ship_class != NO_CLASS and k != ship_class:
                continue
            for w in range(sets.shape[1]):
                common = tables.masks[p, w] if n == 0 else sets[COMMON, w] & tables.masks[p, w]
                sets[COMMON, w] = common
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
            for v in range(tracker.alive.shape[1]):
                kept = tables.through[sinking_shot, v] & tracker.alive[COMPLETE, v]
                others = tracker.alive[COMPLETE, v] & ~tables.through[square, v]
                tracker.alive[COMPLETE, v] = kept | others
            _drop_afloat(tracker, tables, tables.through, square)


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
            _drain(tracker, tables, square)


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
            n, p, k = _candidates(tracker, tables, square, np.int64(NO_CLASS))
            if n == 1:
                tracker.class_left[k] -= 1
                _close(tracker, tables, square)
                _fix(tracker, tables, p)
