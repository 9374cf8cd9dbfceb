"""The automaton of ships that may not touch, of every shape.

The ships are then exactly the king-connected components of the occupied squares. A
state is the last W + 1 squares decided, each with the *part* (a connected piece of a
ship) it belongs to, and for each part its size: no square before them touches a square
after them. A part that leaves this frontier is a complete ship.

Under shape ``any`` squares join a part at edges and corners, and a part is a ship in
the making. Under ``tetris`` they join at edges only: parts that meet at a corner are
tied to one ship, and must still join by a detour, which takes a ship of 7 squares or
more; below that, no two squares may meet at a corner alone.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import cached, inlined, kernel
from battleship_ai.inference._graph import (
    FIRST_COUNTED,
    GOES_ON,
    HIT,
    MISSED,
    WATER,
    register_automaton,
)

# The shortest ship that can join, around a third square, two squares that meet at a corner.
DETOUR = 7

# A key's first word has the part of each frontier square, the newest highest; the others have
# for each part its size, its ship and its tag.
LABEL_BITS, PART_BITS, PARTS_PER_WORD, MAX_PARTS = 4, 16, 4, 8
MAX_COLS = 64 // LABEL_BITS - 2
MAX_SIZE, MAX_TAG = 255, 15

# Columns of `ShipsApart.parts`.
SIZE, SHIP, TAG = 0, 1, 2
_NEW = MAX_PARTS + 1

_LABEL_BITS = np.uint64(LABEL_BITS)
_LABEL_MASK = np.uint64((1 << LABEL_BITS) - 1)


class ShipsApart(NamedTuple):
    """Ships that may not touch.

    Attributes
    ----------
    cols : int
    corners_join : bool
        Whether squares of one ship may hang together at a corner (shape ``any``).
    detours : bool
        Whether a ship is long enough for `DETOUR`.
    sizes : int64 (K,)
        The size of each class.
    at_least : int64 (longest + 1,)
        Ships of the fleet that have so many squares or more.
    labels : int64 (16,)
        Room for the parts of the frontier squares, the newest first; 0 is water.
    parts, renumbered : int64 (10, 3)
        Room for size, ship and tag of each part, before and after it is renumbered.
    totals : int64 (10,)
        Room for the size of each ship.
    """

    cols: int
    corners_join: bool
    detours: bool
    sizes: npt.NDArray[np.int64]
    at_least: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int64]
    parts: npt.NDArray[np.int64]
    renumbered: npt.NDArray[np.int64]
    totals: npt.NDArray[np.int64]


def ships_apart(
    cols: int, shape: str, sizes: npt.NDArray[np.int64], at_least: npt.NDArray[np.int64]
) -> ShipsApart:
    """The automaton for a board's width and a fleet's classes."""
    return ShipsApart(
        cols=cols,
        corners_join=shape == "any",
        detours=int(sizes.max()) >= DETOUR,
        sizes=sizes,
        at_least=at_least,
        labels=np.zeros(MAX_COLS + 2, np.int64),
        parts=np.zeros((_NEW + 1, 3), np.int64),
        renumbered=np.zeros((_NEW + 1, 3), np.int64),
        totals=np.zeros(_NEW + 1, np.int64),
    )


@inlined
def _read(a, key):
    """Unpack a key."""
    for i in range(a.cols + 1):
        a.labels[i] = np.int64((key[0] >> (_LABEL_BITS * np.uint64(a.cols - i))) & _LABEL_MASK)
    for part in range(1, MAX_PARTS + 1):
        word = key[1 + (part - 1) // PARTS_PER_WORD]
        entry = np.int64(word >> np.uint64(PART_BITS * ((part - 1) % PARTS_PER_WORD)))
        a.parts[part, SIZE] = entry & MAX_SIZE
        a.parts[part, SHIP] = entry >> 8 & MAX_TAG
        a.parts[part, TAG] = entry >> 12 & MAX_TAG


@inlined
def _write(a, keys, row):
    """Pack a state, its parts and ships numbered from the newest square on.

    Returns whether the fleet has ships of at least the sizes reached.
    """
    for w in range(keys.shape[1]):
        keys[row, w] = np.uint64(0)
    n_parts = 0
    n_ships = 0
    for part in range(_NEW + 1):
        a.renumbered[part, SIZE] = 0  # the new number of a part
        a.renumbered[part, SHIP] = 0  # the new number of a ship
        a.totals[part] = 0
    for i in range(a.cols + 1):
        part = a.labels[i]
        number = 0
        if part > 0:
            if a.renumbered[part, SIZE] == 0:
                n_parts += 1
                a.renumbered[part, SIZE] = n_parts
                ship = a.parts[part, SHIP]
                if a.renumbered[ship, SHIP] == 0:
                    n_ships += 1
                    a.renumbered[ship, SHIP] = n_ships
                ship = a.renumbered[ship, SHIP]
                a.totals[ship] += a.parts[part, SIZE]
                entry = a.parts[part, SIZE] | ship << 8 | a.parts[part, TAG] << 12
                shift = np.uint64(PART_BITS * ((n_parts - 1) % PARTS_PER_WORD))
                keys[row, 1 + (n_parts - 1) // PARTS_PER_WORD] |= np.uint64(entry) << shift
            number = a.renumbered[part, SIZE]
        keys[row, 0] = keys[row, 0] << _LABEL_BITS | np.uint64(number)
    # Ships in the making may still join, but no two of half the longest ship's size.
    longest = a.at_least.shape[0] - 1
    for size in range((longest + 1) // 2, longest + 1):
        larger = 0
        for ship in range(1, n_ships + 1):
            if a.totals[ship] >= size:
                larger += 1
        if larger > a.at_least[size]:
            return False
    return True


@inlined
def _tie(a, ship, other):
    """Make two ships one; False if their tags differ."""
    tag = 0
    for part in range(1, _NEW + 1):
        if (a.parts[part, SHIP] == ship or a.parts[part, SHIP] == other) and a.parts[part, SIZE]:
            if tag > 0 and a.parts[part, TAG] > 0 and a.parts[part, TAG] != tag:
                return False
            tag = max(tag, a.parts[part, TAG])
    for part in range(1, _NEW + 1):
        if (a.parts[part, SHIP] == ship or a.parts[part, SHIP] == other) and a.parts[part, SIZE]:
            a.parts[part, SHIP] = ship
            a.parts[part, TAG] = tag
    return True


@inlined
def _total(a, ship):
    total = 0
    for part in range(1, _NEW + 1):
        if a.parts[part, SHIP] == ship:
            total += a.parts[part, SIZE]
    return total


@inlined
def _meet(a, position, joins):
    """Let the new square meet the square at a frontier position; False if it may not."""
    part = a.labels[position]
    if part == 0 or part == _NEW:
        return True
    if a.parts[part, SHIP] != a.parts[_NEW, SHIP] and not _tie(
        a, a.parts[_NEW, SHIP], a.parts[part, SHIP]
    ):
        return False
    if joins:
        a.parts[_NEW, SIZE] += a.parts[part, SIZE]
        a.parts[part, SIZE] = 0
        for i in range(a.cols + 1):
            if a.labels[i] == part:
                a.labels[i] = _NEW
    return True


@inlined
def _occupy(a, column, tag):
    """Let the next square be part of a ship; False if it may not."""
    up = a.cols - 1
    a.parts[_NEW, SIZE] = 1
    a.parts[_NEW, SHIP] = _NEW
    a.parts[_NEW, TAG] = tag
    if not _meet(a, up, True):
        return False
    if column > 0:
        if not _meet(a, 0, True) or not _meet(a, a.cols, a.corners_join):
            return False
    if column < a.cols - 1 and not _meet(a, up - 1, a.corners_join):
        return False
    return _total(a, _NEW) < a.at_least.shape[0]


@kernel
def expand_apart(a, key, column, known, tag, keys, actions):
    found = 0
    for occupied in range(2):
        if known == (HIT if occupied == 0 else MISSED):
            continue
        _read(a, key)
        if column > 0 and not a.corners_join and not a.detours:
            # No 2 x 2 window may hold two squares that meet at a corner alone.
            left, up, corner = a.labels[0] > 0, a.labels[a.cols - 1] > 0, a.labels[a.cols] > 0
            if occupied == 0 and left and up and not corner:
                continue
            if occupied == 1 and corner and not left and not up:
                continue
        a.parts[_NEW, SIZE] = 0
        if occupied == 1 and not _occupy(a, column, tag):
            continue
        leaving = a.labels[a.cols]
        for i in range(a.cols, 0, -1):
            a.labels[i] = a.labels[i - 1]
        a.labels[0] = _NEW if occupied == 1 else 0
        for i in range(a.cols + 1):
            if a.labels[i] == leaving:
                leaving = 0
        completed = 0
        told = 0
        if leaving > 0:
            completed = a.parts[leaving, SIZE]
            told = a.parts[leaving, TAG]
            if _total(a, a.parts[leaving, SHIP]) > completed:
                continue  # its other parts can no longer join it
        if not _write(a, keys, found):
            continue
        if completed == 0:
            actions[found] = GOES_ON if occupied == 1 else WATER
            found += 1
            continue
        first = found
        for k in range(a.sizes.shape[0]):
            if a.sizes[k] == completed and (told == 0 or told == k + 1):
                for w in range(keys.shape[1]):
                    keys[found, w] = keys[first, w]
                actions[found] = FIRST_COUNTED + 2 * k + occupied
                found += 1
    return found


register_automaton(ShipsApart, expand_apart)


@cached
def rows_of_paths(cols, n_squares, actions, slots, used, rows):
    """Fill `rows` with the layouts of drawn paths, the ships of each class in order of completion.

    `slots`, int64 (K, most), has for each class where the squares of its ships start in a
    row; the first ``used[k]`` of them are there already.
    """
    waiting = np.empty(n_squares, np.int64)
    left = np.empty(n_squares, np.bool_)
    taken = np.empty(used.shape[0], np.int64)
    n_rows = n_squares // cols
    for d in range(actions.shape[0]):
        for q in range(n_squares):
            left[q] = actions[d, q] % 2 == 1
        taken[:] = used
        for q in range(actions.shape[1]):
            if actions[d, q] < FIRST_COUNTED:
                continue
            # The ship that this action completes holds the square that left the frontier.
            k = (actions[d, q] - FIRST_COUNTED) // 2
            position = slots[k, taken[k]]
            taken[k] += 1
            waiting[0] = q - cols - 1
            left[waiting[0]] = False
            first, stop = 0, 1
            while first < stop:
                square = waiting[first]
                first += 1
                i = position  # squares in order, as a layout has them
                while i > slots[k, taken[k] - 1] and rows[d, i - 1] > square:
                    rows[d, i] = rows[d, i - 1]
                    i -= 1
                rows[d, i] = square
                position += 1
                r, c = square // cols, square % cols
                for i in range(max(r - 1, 0), min(r + 2, n_rows)):
                    for j in range(max(c - 1, 0), min(c + 2, cols)):
                        if left[i * cols + j]:
                            left[i * cols + j] = False
                            waiting[stop] = i * cols + j
                            stop += 1
