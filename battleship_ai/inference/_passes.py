"""Passes over the graph of a rule set: counts, probabilities and uniform draws.

A record forbids edges. `unroll` lays out what it leaves, one layer a square; each node
is a state of the graph (with the open hits that were already found to go on, see
`Evidence`), and for each *number* of ships used so far it has a count. Numbers are
multisets of ships in mixed radix, the smallest ships in the lowest digit. A node keeps
the counts of one range of numbers: those that some path to it and some path from it
may have.

- From the last layer back, the *ways on*: how many paths lead to the end (`ways_on`).
- From the first layer on, the *arrivals*: how many lead here. Arrivals times ways on,
  edge by edge, is the number of layouts that take each action at each square
  (`action_totals`).
- From the start on, choosing each edge in proportion to the ways on from it, a uniform
  draw (`draw_paths`).

All sums are of non-negative floats, so errors do not build up: the relative error of a
probability is below 2 × layers × edges of a node × 2**-53, about 1e-13, and typically
1e-15. `count_modulo` repeats the first pass in integers.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import cached, inlined
from battleship_ai.inference._graph import FIRST_COUNTED
from battleship_ai.rng import LAYOUT_STREAM, open_stream, unit

_BLOCK = 256


class Evidence(NamedTuple):
    """What a record says, in terms of the graph; Q squares with the water below, A actions.

    Attributes
    ----------
    allowed : bool (Q, A)
        The actions that it allows at each square.
    extends : int64 (Q,)
        A ship with open hits on it is larger than them. Bit j of a square is set if a
        ship there makes the j-th piece of open hits larger.
    due : int64 (Q,)
        Bit j is set at the last of the squares around the j-th piece.
    pieces : int
        How many pieces of open hits have to go on.
    used : int
        The number of the ships known before the first square: those sunk.
    """

    allowed: npt.NDArray[np.bool_]
    extends: npt.NDArray[np.int64]
    due: npt.NDArray[np.int64]
    pieces: int
    used: int


class Fleet(NamedTuple):
    """How actions change the number of ships used so far; A actions, V numbers.

    Attributes
    ----------
    step : int64 (A,)
        What an action adds to the number.
    room : float64 (A, V)
        1 where a ship of the action's class is left, else 0.
    occupies : bool (A,)
        Whether an action puts a ship on the square.
    """

    step: npt.NDArray[np.int64]
    room: npt.NDArray[np.float64]
    occupies: npt.NDArray[np.bool_]


class Unrolled(NamedTuple):
    """The part of the graph that a record leaves, one layer a square.

    Attributes
    ----------
    layer : int64 (Q + 2,)
        The nodes before square q are ``layer[q]`` to ``layer[q + 1] - 1``.
    first_edge : int64 (nodes + 1,)
    target : int32 (edges,)
    action : int8 (edges,)
        As in the graph.
    low, high : int32 (nodes,)
        The numbers that a node keeps: ``low`` to ``high - 1``.
    offset : int64 (nodes + 1,)
        Where they are kept: number v of node s at ``offset[s] + v - low[s]``.
    """

    layer: npt.NDArray[np.int64]
    first_edge: npt.NDArray[np.int64]
    target: npt.NDArray[np.int32]
    action: npt.NDArray[np.int8]
    low: npt.NDArray[np.int32]
    high: npt.NDArray[np.int32]
    offset: npt.NDArray[np.int64]


@inlined
def _pieces_after(evidence, occupies, square, action, pieces):
    """The pieces found to go on after an action; −1 where one is due and was not."""
    if occupies[action]:
        pieces |= evidence.extends[square]
    return np.int64(-1) if evidence.due[square] & ~pieces else pieces


@cached
def _reach(graph, evidence, occupies):
    """The nodes and edges that a record leaves a way to, and each node's number in its layer."""
    n_squares = evidence.allowed.shape[0]
    n_layers = graph.layer.shape[0] - 1
    subsets = 1 << evidence.pieces
    layer = np.zeros(n_squares + 2, np.int64)
    node = np.empty(1 << 12, np.int64)  # state × subsets + pieces found to go on
    node[0] = graph.start * subsets
    layer[1] = 1
    first_edge = np.zeros((1 << 12) + 1, np.int64)
    target = np.empty(1 << 13, np.int32)
    action = np.empty(1 << 13, np.int8)
    largest = np.int64(0)
    for i in range(n_layers):
        largest = max(largest, graph.layer[i + 1] - graph.layer[i])
    index = np.empty(largest * subsets, np.int32)
    n_edges = np.int64(0)
    for square in range(n_squares):
        there = (square + 1) % n_layers
        base = graph.layer[there] * subsets
        width = (graph.layer[there + 1] - graph.layer[there]) * subsets
        for i in range(width):
            index[i] = -1
        for s in range(layer[square], layer[square + 1]):
            state, pieces = node[s] // subsets, node[s] % subsets
            for e in range(graph.first_edge[state], graph.first_edge[state + 1]):
                what = graph.action[e]
                if evidence.allowed[square, what]:
                    after = _pieces_after(evidence, occupies, square, what, pieces)
                    if after >= 0:
                        index[graph.target[e] * subsets + after - base] = 0
        n = layer[square + 1]
        while n + width > node.shape[0]:
            node = np.concatenate((node, np.empty_like(node)))
            first_edge = np.concatenate((first_edge, np.zeros_like(first_edge)))
        for i in range(width):
            if index[i] == 0:
                index[i] = n
                node[n] = base + i
                n += 1
        layer[square + 2] = n
        for s in range(layer[square], layer[square + 1]):
            state, pieces = node[s] // subsets, node[s] % subsets
            first = graph.first_edge[state]
            stop = graph.first_edge[state + 1]
            if n_edges + stop - first > target.shape[0]:
                target = np.concatenate((target, np.empty_like(target)))
                action = np.concatenate((action, np.empty_like(action)))
            for e in range(first, stop):
                what = graph.action[e]
                if evidence.allowed[square, what]:
                    after = _pieces_after(evidence, occupies, square, what, pieces)
                    if after >= 0:
                        target[n_edges] = index[graph.target[e] * subsets + after - base]
                        action[n_edges] = what
                        n_edges += 1
            first_edge[s + 1] = n_edges
    n = layer[n_squares + 1]
    for s in range(layer[n_squares], n):
        first_edge[s + 1] = n_edges
    return layer, node[:n], first_edge[: n + 1], target[:n_edges], action[:n_edges]


@cached
def _ranges(layer, node, first_edge, target, action, step, used, last, end):
    """The numbers that some path to each node, and some path from it, may have."""
    n = node.shape[0]
    low = np.full(n, last + 1, np.int32)
    high = np.zeros(n, np.int32)
    low[0] = used
    high[0] = used + 1
    for s in range(n):
        for e in range(first_edge[s], first_edge[s + 1]):
            t = target[e]
            more = step[action[e]]
            low[t] = min(low[t], low[s] + more)
            high[t] = max(high[t], min(high[s] + more, last + 1))
    for s in range(n - 1, -1, -1):
        least = np.int64(last + 1)
        most = np.int64(0)
        if s >= layer[-2]:
            if node[s] == end:
                least = last
                most = last + 1
        for e in range(first_edge[s], first_edge[s + 1]):
            t = target[e]
            if low[t] < high[t]:
                more = step[action[e]]
                least = min(least, np.int64(low[t]) - more)
                most = max(most, np.int64(high[t]) - more)
        low[s] = max(np.int64(low[s]), least)
        high[s] = min(np.int64(high[s]), most)
    offset = np.zeros(n + 1, np.int64)
    for s in range(n):
        offset[s + 1] = offset[s] + max(0, high[s] - low[s])
    return low, high, offset


def unroll(graph, evidence: Evidence, fleet: Fleet) -> Unrolled:
    """The part of the graph that a record leaves."""
    layer, node, first_edge, target, action = _reach(graph, evidence, fleet.occupies)
    end = graph.final << evidence.pieces | (1 << evidence.pieces) - 1
    low, high, offset = _ranges(
        layer, node, first_edge, target, action, fleet.step, evidence.used,
        fleet.room.shape[1] - 1, end,
    )  # fmt: skip
    return Unrolled(layer, first_edge, target, action, low, high, offset)


@cached
def ways_on(unrolled, fleet, ways):
    """Fill `ways`, float64 (offset[-1],), with the number of paths to the end."""
    low, high, offset = unrolled.low, unrolled.high, unrolled.offset
    for s in range(low.shape[0] - 1, -1, -1):
        here = offset[s] - low[s]
        if s >= unrolled.layer[-2]:
            for v in range(low[s], high[s]):
                ways[here + v] = 1.0
            continue
        for v in range(low[s], high[s]):
            ways[here + v] = 0.0
        for e in range(unrolled.first_edge[s], unrolled.first_edge[s + 1]):
            t = unrolled.target[e]
            what = unrolled.action[e]
            step = fleet.step[what]
            there = offset[t] - low[t] + step
            first = max(low[s], low[t] - step)
            stop = min(high[s], high[t] - step)
            if what < FIRST_COUNTED:
                for v in range(first, stop):
                    ways[here + v] += ways[there + v]
            else:
                for v in range(first, stop):
                    ways[here + v] += fleet.room[what, v] * ways[there + v]


@inlined
def _widest_layer(unrolled):
    widest = np.int64(1)
    for q in range(unrolled.layer.shape[0] - 1):
        first, stop = unrolled.layer[q], unrolled.layer[q + 1]
        widest = max(widest, unrolled.offset[stop] - unrolled.offset[first])
    return widest


@cached
def action_totals(unrolled, fleet, ways):
    """How many layouts take each action at each square, float64 (Q, A); water left out."""
    low, high, offset = unrolled.low, unrolled.high, unrolled.offset
    n_squares = unrolled.layer.shape[0] - 2
    totals = np.zeros((n_squares, fleet.step.shape[0]))
    widest = _widest_layer(unrolled)
    arrivals = np.zeros(widest)
    following = np.zeros(widest)
    arrivals[0] = 1.0
    for square in range(n_squares):
        first_node, next_node = unrolled.layer[square], unrolled.layer[square + 1]
        base, next_base = offset[first_node], offset[next_node]
        for i in range(offset[unrolled.layer[square + 2]] - next_base):
            following[i] = 0.0
        for s in range(first_node, next_node):
            here = offset[s] - low[s] - base
            for e in range(unrolled.first_edge[s], unrolled.first_edge[s + 1]):
                t = unrolled.target[e]
                what = unrolled.action[e]
                step = fleet.step[what]
                on = offset[t] - low[t] + step
                there = on - next_base
                first = max(low[s], low[t] - step)
                stop = min(high[s], high[t] - step)
                total = 0.0
                if what == 0:
                    for v in range(first, stop):
                        following[there + v] += arrivals[here + v]
                elif what < FIRST_COUNTED:
                    for v in range(first, stop):
                        following[there + v] += arrivals[here + v]
                        total += arrivals[here + v] * ways[on + v]
                else:
                    for v in range(first, stop):
                        coming = fleet.room[what, v] * arrivals[here + v]
                        following[there + v] += coming
                        total += coming * ways[on + v]
                totals[square, what] += total
        arrivals, following = following, arrivals
    return totals


@cached
def count_modulo(unrolled, fleet, modulus):
    """The number of layouts modulo a number below 2**63; modulo 2**64 where `modulus` is 0."""
    low, high, offset = unrolled.low, unrolled.high, unrolled.offset
    widest = _widest_layer(unrolled)
    ways = np.zeros(widest, np.uint64)
    following = np.zeros(widest, np.uint64)
    for q in range(unrolled.layer.shape[0] - 2, -1, -1):
        first_node, next_node = unrolled.layer[q], unrolled.layer[q + 1]
        base, next_base = offset[first_node], offset[next_node]
        for i in range(next_base - base):
            ways[i] = np.uint64(1) if q == unrolled.layer.shape[0] - 2 else np.uint64(0)
        for s in range(first_node, next_node):
            here = offset[s] - low[s] - base
            for e in range(unrolled.first_edge[s], unrolled.first_edge[s + 1]):
                t = unrolled.target[e]
                what = unrolled.action[e]
                step = fleet.step[what]
                there = offset[t] - low[t] + step - next_base
                for v in range(max(low[s], low[t] - step), min(high[s], high[t] - step)):
                    if what < FIRST_COUNTED or fleet.room[what, v] > 0.0:
                        total = ways[here + v] + following[there + v]
                        if modulus > np.uint64(0) and total >= modulus:
                            total -= modulus
                        ways[here + v] = total
        ways, following = following, ways
    return following[0]


@cached
def draw_paths(unrolled, fleet, ways, keys, actions):
    """Fill `actions`, int8 (draws, Q), with uniform draws: at each node an edge by its ways on.

    Draws go through the layers side by side, block by block: their reads of memory overlap,
    which is four times faster than one draw after the other.
    """
    low, high, offset = unrolled.low, unrolled.high, unrolled.offset
    n_squares = unrolled.layer.shape[0] - 2
    streams = np.empty((_BLOCK, 2), np.uint64)
    node = np.empty(_BLOCK, np.int64)
    number = np.empty(_BLOCK, np.int64)
    for start in range(0, keys.shape[0], _BLOCK):
        width = min(_BLOCK, keys.shape[0] - start)
        for d in range(width):
            open_stream(streams[d], keys[start + d], LAYOUT_STREAM)
            node[d] = 0
            number[d] = low[0]
        for square in range(n_squares):
            for d in range(width):
                s = node[d]
                v = number[d]
                first = unrolled.first_edge[s]
                last = unrolled.first_edge[s + 1] - 1
                chosen = first
                if last > first:
                    rest = unit(streams[d]) * ways[offset[s] - low[s] + v]
                    fallback = np.int64(-1)
                    for e in range(first, last + 1):
                        t = unrolled.target[e]
                        what = unrolled.action[e]
                        after = v + fleet.step[what]
                        if after < low[t] or after >= high[t]:
                            continue
                        if what >= FIRST_COUNTED and fleet.room[what, v] == 0.0:
                            continue
                        weight = ways[offset[t] - low[t] + after]
                        if weight > 0.0:
                            fallback = e
                            if rest < weight:
                                break
                            rest -= weight
                    chosen = fallback
                actions[start + d, square] = unrolled.action[chosen]
                number[d] = v + fleet.step[unrolled.action[chosen]]
                node[d] = unrolled.target[chosen]


def new_fleet(counts: npt.NDArray[np.int64], occupies: npt.NDArray[np.bool_]) -> Fleet:
    """The numbers of a fleet with so many ships of each class, largest first.

    `occupies` has for each action whether it puts a ship on the square.
    """
    radix = counts[::-1] + 1
    step = np.cumprod(np.append(1, radix[:-1]))[::-1]
    used = np.arange(radix.prod()) // step[:, None] % (counts + 1)[:, None]
    room = (used < counts[:, None]).astype(np.float64)
    return Fleet(
        step=np.concatenate(([0] * FIRST_COUNTED, np.repeat(step, 2))),
        room=np.concatenate((np.ones((FIRST_COUNTED, room.shape[1])), np.repeat(room, 2, axis=0))),
        occupies=occupies,
    )
