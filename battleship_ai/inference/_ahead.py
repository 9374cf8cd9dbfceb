"""The automaton of straight ships, which may touch or not: placed ahead at their first squares.

A state is, for each column, the fate of its next undecided square, the column of the
square to decide lowest and the one before it highest, and how many squares a horizontal
ship still takes to the right. A ship is committed at its first square; its
action tells its class and direction, hence with the square its placement.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import cached, inlined, kernel
from battleship_ai.inference._graph import FIRST_COUNTED, GOES_ON, WATER, register_automaton

# The fate of a column's next square: free; water; water, and so is the one below it; or taken by
# a vertical ship that goes on for (fate - TAKEN) squares below.
FREE, WET, WET_TWICE, TAKEN = 0, 1, 2, 3
FATE_BITS = 4
MAX_COLS = 64 // FATE_BITS
MAX_SIZE = (1 << FATE_BITS) - TAKEN

_BITS = np.uint64(FATE_BITS)
_MASK = np.uint64((1 << FATE_BITS) - 1)
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)


class PlacedAhead(NamedTuple):
    """Straight ships.

    Attributes
    ----------
    cols : int
    side, corner : bool
        Whether ships may not touch at a side, or at a corner.
    sizes : int64 (K,)
        The size of each class.
    at_least : int64 (longest + 1,)
        Ships of the fleet that have so many squares or more.
    wanted : int64 (longest + 1,)
        Room for the ships a state is in the middle of.
    """

    cols: int
    side: bool
    corner: bool
    sizes: npt.NDArray[np.int64]
    at_least: npt.NDArray[np.int64]
    wanted: npt.NDArray[np.int64]


@inlined
def _fate(state, ahead):
    """The fate of a column: the one of the square to decide, or so many columns ahead of it."""
    return np.int64((state >> (_BITS * np.uint64(ahead))) & _MASK)


@inlined
def _with_fate(state, ahead, fate):
    shift = _BITS * np.uint64(ahead)
    return (state & ~(_MASK << shift)) | (np.uint64(fate) << shift)


@inlined
def _occupy(a, state, column, below, goes_right):
    """The state after a square is taken; `_NONE` where another ship would touch.

    `below` is the fate of the square underneath, FREE where the ship does not go down.
    """
    if a.corner and column > 0:
        left = _fate(state, a.cols - 1)
        if left >= TAKEN:
            return _NONE
        if left == FREE:
            state = _with_fate(state, a.cols - 1, WET)
    state = _with_fate(state, 0, WET if a.side and below == FREE else below)
    if a.side and not goes_right and column + 1 < a.cols:
        right = _fate(state, 1)
        if right >= TAKEN:
            return _NONE
        if a.corner:
            state = _with_fate(state, 1, WET_TWICE)
        elif right == FREE:
            state = _with_fate(state, 1, WET)
    return state


@inlined
def _clear_to_right(a, state, column, size):
    """Whether a horizontal ship can be committed here."""
    end = column + size
    if end > a.cols:
        return False
    for j in range(1, size):
        if _fate(state, j) != FREE:
            return False
    return not (a.side and end < a.cols and _fate(state, size) >= TAKEN)


@inlined
def _fleet_has(a, state, to_right):
    """Whether the fleet has the ships that a state is in the middle of.

    Only their least sizes are known. Without this test the states of touching ships run
    into the millions.
    """
    for m in range(a.wanted.shape[0]):
        a.wanted[m] = 0
    if to_right > 0:
        a.wanted[to_right + 1] += 1
    for j in range(a.cols):
        fate = _fate(state, j)
        if fate >= TAKEN:
            a.wanted[fate - TAKEN + 2] += 1
    total = np.int64(0)
    for m in range(a.wanted.shape[0] - 1, 0, -1):
        total += a.wanted[m]
        if total > a.at_least[m]:
            return False
    return True


@kernel
def expand_ahead(a, key, column, known, tag, keys, actions):
    state = key[0]
    to_right = np.int64(key[1])
    fate = _fate(state, 0)
    found = 0
    for action in range(FIRST_COUNTED + 2 * a.sizes.shape[0]):
        new = _NONE
        rest = np.int64(0)
        if action == WATER:
            if to_right == 0 and fate < TAKEN:
                new = _with_fate(state, 0, WET if fate == WET_TWICE else FREE)
        elif action == GOES_ON:
            if to_right > 0:
                rest = to_right - 1
                new = _occupy(a, state, column, FREE, rest > 0)
            elif fate >= TAKEN:
                below = fate - 1 if fate > TAKEN else FREE
                new = _occupy(a, state, column, below, False)
        elif to_right == 0 and fate == FREE:
            size = a.sizes[(action - FIRST_COUNTED) // 2]
            if action % 2 == 0:
                if _clear_to_right(a, state, column, size):
                    rest = size - 1
                    new = _occupy(a, state, column, FREE, rest > 0)
            elif size > 1:
                new = _occupy(a, state, column, TAKEN + size - 2, False)
        if new != _NONE and _fleet_has(a, new, rest):
            keys[found, 0] = new >> _BITS | (new & _MASK) << (_BITS * np.uint64(a.cols - 1))
            keys[found, 1] = np.uint64(rest)
            keys[found, 2] = np.uint64(0)
            actions[found] = action
            found += 1
    return found


register_automaton(PlacedAhead, expand_ahead)


@cached
def rows_of_paths(placement, squares, actions, slots, sizes, rows):
    """Fill `rows` with the layouts of drawn paths, the ships of each class in order.

    `placement`, int64 (A, N), is what an action commits at a square; `squares` has the
    squares of each placement, and ``slots[k]`` where those of class k start in a row.
    """
    for d in range(actions.shape[0]):
        taken = np.zeros(slots.shape[0], np.int64)
        for q in range(placement.shape[1]):
            if actions[d, q] >= FIRST_COUNTED:
                k = (actions[d, q] - FIRST_COUNTED) // 2
                p = placement[actions[d, q], q]
                for i in range(sizes[k]):
                    rows[d, slots[k] + taken[k]] = squares[p, i]
                    taken[k] += 1
