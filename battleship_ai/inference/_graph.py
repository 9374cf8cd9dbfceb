"""The layered graph of all layouts of a rule set with straight ships, and passes over it.

Squares are decided in row-major order. A *state* is all that the squares decided
so far say about the rest: for each column the fate of its next undecided square,
and how many squares a horizontal ship still takes to the right. A ship is
committed at its first square, by an edge that carries its placement; so every
layout is one path through the layers, and every path is a layout of some fleet.
The ships used so far are a vector beside the state (a multiset in mixed radix).

Counting layouts, the probability of each square and uniform draws are passes over
this one graph. A record only forbids edges: water on a hit, a ship on a miss, and
the placements that the placement belief (`_tracker`) rules out.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import cached, inlined
from battleship_ai.inference.tables import SIZE
from battleship_ai.rng import LAYOUT_STREAM, open_stream, unit

# The fate of a column's next square: free; water; water, and so is the one below it; or taken by
# a vertical ship that goes on for (fate - TAKEN) squares below.
FREE, WATER, WATER_TWICE, TAKEN = 0, 1, 2, 3
FATE_BITS = 4

# What an edge does, where it does not commit a placement: leaves water, or goes on with a ship.
LEAVES_WATER, GOES_ON = -2, -1

# What a record says of a square.
UNKNOWN, MISSED, HIT = 0, 1, 2

_BITS = np.uint64(FATE_BITS)
_MASK = np.uint64((1 << FATE_BITS) - 1)
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT_20 = np.uint64(20)


class Graph(NamedTuple):
    """Layers of states and the edges between them.

    Attributes
    ----------
    layer : int64 (N + 2,)
        The states of layer i, before square i is decided, are ``layer[i]`` to
        ``layer[i + 1] - 1``; the last layer has one state.
    first_edge : int64 (states + 1,)
        The edges of state s are ``first_edge[s]`` to ``first_edge[s + 1] - 1``.
    target, label : int32 (edges,)
        Where an edge leads; and `LEAVES_WATER`, `GOES_ON`, or the placement it commits.
    """

    layer: npt.NDArray[np.int64]
    first_edge: npt.NDArray[np.int64]
    target: npt.NDArray[np.int32]
    label: npt.NDArray[np.int32]


class Fleet(NamedTuple):
    """The vectors of ships used so far, as numbers in mixed radix.

    Attributes
    ----------
    step : int64 (K,)
        What one ship of a class adds to the number.
    room : bool (K, V)
        Whether another ship of the class is left at each number.
    """

    step: npt.NDArray[np.int64]
    room: npt.NDArray[np.bool_]


class Restriction(NamedTuple):
    """What a record forbids.

    Attributes
    ----------
    known : int8 (N,)
        `UNKNOWN`, `MISSED` or `HIT`.
    allowed : bool (P,)
        The placements that the record does not rule out.
    """

    known: npt.NDArray[np.int8]
    allowed: npt.NDArray[np.bool_]


@inlined
def _fate(state, column):
    return np.int64((state >> (_BITS * np.uint64(column))) & _MASK)


@inlined
def _with_fate(state, column, fate):
    shift = _BITS * np.uint64(column)
    return (state & ~(_MASK << shift)) | (np.uint64(fate) << shift)


@inlined
def _occupy(state, column, cols, below, side, corner, goes_right):
    """The state after a square is taken; `_NONE` where another ship would touch.

    `below` is the fate of the square underneath, FREE where the ship does not go
    down; `side` and `corner` tell which contacts the rules forbid.
    """
    if corner and column > 0:
        left = _fate(state, column - 1)
        if left >= TAKEN:
            return _NONE
        if left == FREE:
            state = _with_fate(state, column - 1, WATER)
    state = _with_fate(state, column, WATER if side and below == FREE else below)
    if side and not goes_right and column + 1 < cols:
        right = _fate(state, column + 1)
        if right >= TAKEN:
            return _NONE
        if corner:
            state = _with_fate(state, column + 1, WATER_TWICE)
        elif right == FREE:
            state = _with_fate(state, column + 1, WATER)
    return state


@inlined
def _clear_to_right(state, column, cols, size, side):
    """Whether a horizontal ship can be committed here."""
    for j in range(1, size):
        if _fate(state, column + j) != FREE:
            return False
    end = column + size
    return not (side and end < cols and _fate(state, end) >= TAKEN)


@inlined
def _slot(keys, key):
    """Where a key is in an open hash table, or belongs."""
    mask = np.uint64(keys.shape[0] - 1)
    mixed = key * _MULTIPLIER
    i = (mixed ^ (mixed >> _SHIFT_20) ^ (mixed >> np.uint64(40))) & mask
    while keys[i] != _NONE and keys[i] != key:
        i = (i + np.uint64(1)) & mask
    return i


@inlined
def _fleet_has(state, cols, at_least, wanted):
    """Whether the fleet has the ships that a state is in the middle of.

    Only their least sizes are known: ``at_least[m]`` ships of the fleet have m or more
    squares. Without this test the states of touching ships run into the millions.
    """
    for m in range(wanted.shape[0]):
        wanted[m] = 0
    to_right = _fate(state, cols)
    if to_right > 0:
        wanted[to_right + 1] += 1
    for column in range(cols):
        fate = _fate(state, column)
        if fate >= TAKEN:
            wanted[fate - TAKEN + 2] += 1
    total = np.int64(0)
    for m in range(wanted.shape[0] - 1, 0, -1):
        total += wanted[m]
        if total > at_least[m]:
            return False
    return True


@cached
def build_graph(rows, cols, classes, across, down, at_least, side, corner):
    """The graph of a rule set.

    `across` and `down`, int32 (K, N), are the placements that start at a square and
    go right or down; −1 where there is none. Ships of one square go right.
    `at_least`, int64 (longest + 1,), is the number of ships of so many squares or more.
    """
    wanted = np.zeros(at_least.shape[0], np.int64)
    n_squares = rows * cols
    n_classes = classes.shape[0]
    layer = np.zeros(n_squares + 2, np.int64)
    layer[1] = 1
    target = np.empty(1 << 16, np.int32)
    label = np.empty(1 << 16, np.int32)
    first_edge = np.empty(1 << 16, np.int64)
    current = np.zeros(1, np.uint64)
    n_states = 0
    n_edges = 0
    keys = np.full(1 << 12, _NONE, np.uint64)
    values = np.empty(1 << 12, np.int64)
    for square in range(n_squares):
        column = square % cols
        following = np.empty(1 << 12, np.uint64)
        n_following = 0
        keys[:] = _NONE
        start = layer[square + 1]
        for state in current:
            if n_states + 1 >= first_edge.shape[0]:
                first_edge = np.concatenate((first_edge, np.empty_like(first_edge)))
            if n_edges + 2 + 2 * n_classes > target.shape[0]:
                target = np.concatenate((target, np.empty_like(target)))
                label = np.concatenate((label, np.empty_like(label)))
            first_edge[n_states] = n_edges
            n_states += 1
            fate = _fate(state, column)
            to_right = _fate(state, cols)
            for choice in range(-1, 2 * n_classes):
                what = LEAVES_WATER
                new = _NONE
                if choice < 0:
                    if to_right > 0:
                        what = GOES_ON
                        new = _with_fate(state, cols, to_right - 1)
                        new = _occupy(new, column, cols, FREE, side, corner, to_right > 1)
                    elif fate >= TAKEN:
                        what = GOES_ON
                        below = fate - 1 if fate > TAKEN else FREE
                        new = _occupy(state, column, cols, below, side, corner, False)
                    else:
                        new = _with_fate(state, column, WATER if fate == WATER_TWICE else FREE)
                elif to_right == 0 and fate == FREE:
                    k = choice // 2
                    size = classes[k, SIZE]
                    if choice % 2 == 0:
                        what = across[k, square]
                        if what >= 0 and _clear_to_right(state, column, cols, size, side):
                            new = _with_fate(state, cols, size - 1)
                            new = _occupy(new, column, cols, FREE, side, corner, size > 1)
                    else:
                        what = down[k, square]
                        if what >= 0:
                            below = TAKEN + size - 2
                            new = _occupy(state, column, cols, below, side, corner, False)
                if new == _NONE or not _fleet_has(new, cols, at_least, wanted):
                    continue
                if square == n_squares - 1:
                    new = np.uint64(0)  # nothing is left to decide: all states are one
                i = _slot(keys, new)
                if keys[i] == _NONE:
                    if n_following == following.shape[0]:
                        following = np.concatenate((following, np.empty_like(following)))
                    following[n_following] = new
                    keys[i] = new
                    values[i] = n_following
                    n_following += 1
                    if 2 * n_following > keys.shape[0]:
                        keys = np.full(2 * keys.shape[0], _NONE, np.uint64)
                        values = np.empty(keys.shape[0], np.int64)
                        for j in range(n_following):
                            i = _slot(keys, following[j])
                            keys[i] = following[j]
                            values[i] = j
                        i = _slot(keys, new)
                target[n_edges] = start + values[i]
                label[n_edges] = what
                n_edges += 1
        layer[square + 2] = start + n_following
        current = following[:n_following].copy()
    first_edge[n_states] = n_edges
    first_edge[n_states + 1] = n_edges
    return layer, first_edge[: n_states + 2].copy(), target[:n_edges].copy(), label[:n_edges].copy()


@inlined
def _open(restriction, square, label):
    """Whether a record allows an edge."""
    known = restriction.known[square]
    if label == LEAVES_WATER:
        return known != HIT
    return known != MISSED and (label < 0 or restriction.allowed[label])


@cached
def reachable(graph, restriction):
    """The states that the record leaves a way to."""
    reached = np.zeros(graph.layer[-1], np.bool_)
    reached[0] = True
    for square in range(restriction.known.shape[0]):
        for s in range(graph.layer[square], graph.layer[square + 1]):
            if reached[s]:
                for e in range(graph.first_edge[s], graph.first_edge[s + 1]):
                    if _open(restriction, square, graph.label[e]):
                        reached[graph.target[e]] = True
    return reached


@cached
def count_modulo(graph, fleet, placement_class, restriction, reached, modulus):
    """The number of layouts modulo a number below 2**63."""
    n_numbers = fleet.room.shape[1]
    n_squares = restriction.known.shape[0]
    after = np.zeros((1, n_numbers), np.uint64)
    after[0, n_numbers - 1] = np.uint64(1)
    for square in range(n_squares - 1, -1, -1):
        first, stop = graph.layer[square], graph.layer[square + 1]
        before = np.zeros((stop - first, n_numbers), np.uint64)
        for s in range(first, stop):
            if not reached[s]:
                continue
            for e in range(graph.first_edge[s], graph.first_edge[s + 1]):
                label = graph.label[e]
                if not _open(restriction, square, label):
                    continue
                t = graph.target[e] - stop
                k = placement_class[label] if label >= 0 else 0
                step = fleet.step[k] if label >= 0 else 0
                for v in range(n_numbers - step):
                    if label < 0 or fleet.room[k, v]:
                        total = before[s - first, v] + after[t, v + step]
                        before[s - first, v] = total - modulus if total >= modulus else total
        after = before
    return after[0, 0]


@cached
def completions(graph, fleet, placement_class, restriction, reached, ways):
    """Fill ``ways[s, v]``: the ways on from each reachable state with each fleet used so far."""
    n_numbers = fleet.room.shape[1]
    n_squares = restriction.known.shape[0]
    last = graph.layer[n_squares]
    for v in range(n_numbers):
        ways[last, v] = 1.0 if v == n_numbers - 1 else 0.0
    for square in range(n_squares - 1, -1, -1):
        for s in range(graph.layer[square], graph.layer[square + 1]):
            if not reached[s]:
                continue
            for v in range(n_numbers):
                ways[s, v] = 0.0
            for e in range(graph.first_edge[s], graph.first_edge[s + 1]):
                label = graph.label[e]
                if not _open(restriction, square, label):
                    continue
                t = graph.target[e]
                if label < 0:
                    for v in range(n_numbers):
                        ways[s, v] += ways[t, v]
                else:
                    k = placement_class[label]
                    step = fleet.step[k]
                    for v in range(n_numbers - step):
                        if fleet.room[k, v]:
                            ways[s, v] += ways[t, v + step]


@cached
def occupied_ways(graph, fleet, placement_class, restriction, reached, ways):
    """For each square the number of layouts that occupy it: arrivals times ways on."""
    n_numbers = fleet.room.shape[1]
    n_squares = restriction.known.shape[0]
    occupied = np.zeros(n_squares)
    here = np.zeros((1, n_numbers))
    here[0, 0] = 1.0
    for square in range(n_squares):
        first, stop = graph.layer[square], graph.layer[square + 1]
        after = np.zeros((graph.layer[square + 2] - stop, n_numbers))
        total = 0.0
        for s in range(first, stop):
            if not reached[s]:
                continue
            for e in range(graph.first_edge[s], graph.first_edge[s + 1]):
                label = graph.label[e]
                if not _open(restriction, square, label):
                    continue
                t = graph.target[e]
                k = placement_class[label] if label >= 0 else 0
                step = fleet.step[k] if label >= 0 else 0
                for v in range(n_numbers - step):
                    arrivals = here[s - first, v]
                    if arrivals != 0.0 and (label < 0 or fleet.room[k, v]):
                        after[t - stop, v + step] += arrivals
                        if label != LEAVES_WATER:
                            total += arrivals * ways[t, v + step]
        occupied[square] = total
        here = after
    return occupied


@cached
def draw_paths(graph, fleet, placement_class, restriction, ways, keys, drawn):
    """Uniform draws: at each state an edge in proportion to the ways on from it."""
    stream = np.empty(2, np.uint64)
    for d in range(drawn.shape[0]):
        open_stream(stream, keys[d], LAYOUT_STREAM)
        s = np.int64(0)
        v = np.int64(0)
        n = 0
        for square in range(restriction.known.shape[0]):
            rest = unit(stream) * ways[s, v]
            chosen = np.int64(-1)
            for e in range(graph.first_edge[s], graph.first_edge[s + 1]):
                label = graph.label[e]
                if not _open(restriction, square, label):
                    continue
                step = np.int64(0)
                if label >= 0:
                    k = placement_class[label]
                    if not fleet.room[k, v]:
                        continue
                    step = fleet.step[k]
                weight = ways[graph.target[e], v + step]
                if weight > 0.0:
                    chosen = np.int64(e)
                    if rest < weight:
                        break
                    rest -= weight
            label = graph.label[chosen]
            if label >= 0:
                v += fleet.step[placement_class[label]]
                drawn[d, n] = label
                n += 1
            s = np.int64(graph.target[chosen])
