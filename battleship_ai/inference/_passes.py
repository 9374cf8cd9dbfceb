"""Passes over the graph of a rule set: counts, probabilities and uniform draws.

A record forbids edges. `unroll` lays out what it leaves, one layer for two squares; each node
is a state of the graph (with the open hits that were already found to go on, see
`Evidence`), and for each *number* of ships used so far it has a count. Numbers are
multisets of ships in mixed radix, the smallest ships in the lowest digit. A node keeps
the counts of one range of numbers: those that some path to it and some path from it
may have.

- From the last layer back, the *ways on*: how many paths lead to the end (`ways_on`).
- From the first layer on, the *arrivals*: how many lead here. Arrivals times ways on,
  edge by edge, is the number of layouts that take each action in each layer
  (`action_totals`).
- From the start on, choosing each edge in proportion to the ways on from it, a uniform
  draw (`draw_paths`); taking each edge that has any, every layout (`list_paths`).

All sums are of non-negative floats, so errors do not build up: the relative error of a
probability is below 2 × layers × edges of a node × 2**-53, about 1e-13. `count_modulo`
repeats the first pass in integers.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import cached, inlined
from battleship_ai.bitboard import lowest_bit
from battleship_ai.inference._graph import Graph
from battleship_ai.rng import LAYOUT_STREAM, open_stream, unit

# Columns of `Unrolled.nodes` and of `Unrolled.edges`: a node's or an edge's data share a line of
# the processor's cache.
FIRST_EDGE, LOW, HIGH, PLACE = 0, 1, 2, 3
TARGET, ACTION = 0, 1

_BLOCK = 16384

_ZERO = np.uint64(0)
_ONE = np.uint64(1)


class Evidence(NamedTuple):
    """What a record says, in terms of the graph; Q layers with the water below, A actions.

    Attributes
    ----------
    allowed : bool (Q, A)
        The actions that it allows in each layer.
    extends : int64 (Q, A)
        A ship with open hits on it is larger than them. Bit j is set if an action makes
        the j-th piece of open hits larger.
    due : int64 (Q,)
        Bit j is set in the last layer that can make the j-th piece larger.
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
        1 where the ships that an action counts are left, else 0.
    """

    step: npt.NDArray[np.int64]
    room: npt.NDArray[np.float64]


class Unrolled(NamedTuple):
    """The part of the graph that a record leaves, one layer for two squares.

    Attributes
    ----------
    layer : int64 (Q + 2,)
        The nodes of layer q are ``layer[q]`` to ``layer[q + 1] - 1``.
    nodes : int64 (nodes + 1, 4)
        For each node its first edge; the lowest number it keeps, and the one after the
        highest; and the place of number v among all that are kept, less v.
    edges : int32 (edges, 2)
        Where an edge leads, and its action.
    """

    layer: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int64]
    edges: npt.NDArray[np.int32]

    @property
    def kept(self) -> int:
        """How many numbers all nodes keep."""
        return int(self.nodes[-1, PLACE])

    @property
    def is_empty(self) -> bool:
        """Whether no path leads to the end."""
        return bool(self.nodes[0, LOW] >= self.nodes[0, HIGH])


class Workspace:
    """Arrays for one unrolled graph at a time and its ways on, kept for the next record.

    They run to gigabytes; asking the system for fresh ones at every record took longer
    than the passes themselves.
    """

    def __init__(self, graph: Graph, depth: int) -> None:
        visits = np.arange(depth + 1) % (len(graph.layer) - 1)
        widths = np.diff(graph.layer)[visits]
        edges = np.diff(graph.first_edge[graph.layer])[visits]
        # What is not needed is never touched, and takes no memory.
        self.nodes = np.empty((widths.sum() + 1, 4), dtype=np.int64)
        self.place = np.empty(widths.sum() + 1, dtype=np.int32)
        self.edges = np.empty((edges.sum() + 1, 2), dtype=np.int32)
        self._ways = np.empty(0)

    def double(self) -> None:
        """Make room for twice as many nodes and edges."""
        self.nodes = np.empty((2 * len(self.nodes), 4), dtype=np.int64)
        self.place = np.empty(2 * len(self.place), dtype=np.int32)
        self.edges = np.empty((2 * len(self.edges), 2), dtype=np.int32)

    def ways(self, n: int) -> npt.NDArray[np.float64]:
        """Room for `n` numbers of ways."""
        if len(self._ways) < n:
            self._ways = np.empty(0)  # lets go of the old memory first
            self._ways = np.empty(n)
        return self._ways[:n]


@cached
def _reach(graph, evidence, fleet, nodes, edges, place):
    """Fill in the nodes that a record leaves a way to, and their edges.

    The numbers of a node are then those of the ways to it; its place is the one in its
    layer of the graph. Returns the layers and how many edges there are, −1 if there was
    not room for all.
    """
    depth = evidence.allowed.shape[0]
    n_layers = graph.layer.shape[0] - 1
    bits = evidence.pieces  # a place is a state, and which pieces were found to go on
    layer = np.zeros(depth + 2, np.int64)
    widest = np.int64(0)
    for i in range(n_layers):
        widest = max(widest, (graph.layer[i + 1] - graph.layer[i]) << bits)
    reached = np.zeros(widest // 64 + 1, np.uint64)  # a set of places
    node_at = np.empty(widest, np.int32)
    place[0] = (graph.start - graph.layer[0]) << bits
    nodes[0, FIRST_EDGE] = 0
    nodes[0, LOW] = evidence.used
    nodes[0, HIGH] = evidence.used + 1
    layer[1] = 1
    most = fleet.room.shape[1]
    n = np.int64(1)
    n_edges = np.int64(0)
    for q in range(depth):
        here = graph.layer[q % n_layers]
        there = graph.layer[(q + 1) % n_layers]
        width = (graph.layer[(q + 1) % n_layers + 1] - there) << bits
        due = evidence.due[q]
        for s in range(layer[q], layer[q + 1]):
            state = here + (place[s] >> bits)
            before = place[s] & ((1 << bits) - 1)
            first, stop = graph.first_edge[state], graph.first_edge[state + 1]
            if n_edges + stop - first > edges.shape[0]:
                return layer, np.int64(-1)
            for e in range(first, stop):
                what = graph.action[e]
                if evidence.allowed[q, what]:
                    pieces = before | evidence.extends[q, what]
                    if due & ~pieces == 0:
                        i = (graph.target[e] - there) << bits | pieces
                        reached[i >> 6] |= _ONE << np.uint64(i & 63)
                        edges[n_edges, TARGET] = i
                        edges[n_edges, ACTION] = what
                        n_edges += 1
            nodes[s + 1, FIRST_EDGE] = n_edges
        # Numbered in the order of their places: those that share their targets are neighbours.
        for w in range((width + 63) >> 6):
            word = reached[w]
            reached[w] = _ZERO
            while word != _ZERO:
                if n + 1 == nodes.shape[0]:
                    return layer, np.int64(-1)
                i = 64 * w + np.int64(lowest_bit(word))
                word &= word - _ONE
                node_at[i] = n
                place[n] = i
                nodes[n, LOW] = most
                nodes[n, HIGH] = 0
                n += 1
        layer[q + 2] = n
        for s in range(layer[q], layer[q + 1]):
            for e in range(nodes[s, FIRST_EDGE], nodes[s + 1, FIRST_EDGE]):
                t = node_at[edges[e, TARGET]]
                step = fleet.step[edges[e, ACTION]]
                edges[e, TARGET] = t
                nodes[t, LOW] = min(nodes[t, LOW], nodes[s, LOW] + step)
                nodes[t, HIGH] = max(nodes[t, HIGH], min(nodes[s, HIGH] + step, most))
    for s in range(layer[depth], n):
        nodes[s + 1, FIRST_EDGE] = n_edges
    return layer, n_edges


@cached
def _narrow(layer, nodes, edges, step, most, final):
    """Narrow the numbers of each node to those from which a way leads to the end."""
    n = nodes.shape[0] - 1
    for s in range(n - 1, -1, -1):
        least = np.int64(most)
        beyond = np.int64(0)
        if s == final:
            least = most - 1
            beyond = most
        for e in range(nodes[s, FIRST_EDGE], nodes[s + 1, FIRST_EDGE]):
            t = edges[e, TARGET]
            if nodes[t, LOW] < nodes[t, HIGH]:
                least = min(least, nodes[t, LOW] - step[edges[e, ACTION]])
                beyond = max(beyond, nodes[t, HIGH] - step[edges[e, ACTION]])
        nodes[s, LOW] = max(nodes[s, LOW], least)
        nodes[s, HIGH] = max(nodes[s, LOW], min(nodes[s, HIGH], beyond))
    kept = np.int64(0)
    for s in range(n):
        nodes[s, PLACE] = kept - nodes[s, LOW]
        kept += nodes[s, HIGH] - nodes[s, LOW]
    nodes[n, LOW] = 0
    nodes[n, HIGH] = 0
    nodes[n, PLACE] = kept


def unroll(graph: Graph, evidence: Evidence, fleet: Fleet, space: Workspace) -> Unrolled:
    """The part of the graph that a record leaves, in arrays of `space`."""
    layer, n_edges = _reach(graph, evidence, fleet, space.nodes, space.edges, space.place)
    while n_edges < 0:
        space.double()
        layer, n_edges = _reach(graph, evidence, fleet, space.nodes, space.edges, space.place)
    nodes, edges = space.nodes[: layer[-1] + 1], space.edges[:n_edges]
    place = space.place[: layer[-1]]
    last_layer = graph.layer[len(evidence.due) % (len(graph.layer) - 1)]
    end = (graph.final - last_layer + 1 << evidence.pieces) - 1  # every piece went on
    ends = layer[-2] + np.flatnonzero(place[layer[-2] :] == end)
    final = int(ends[0]) if len(ends) else -1
    _narrow(layer, nodes, edges, fleet.step, fleet.room.shape[1], final)
    return Unrolled(layer, nodes, edges)


@inlined
def _shared(unrolled, fleet, s, e):
    """The numbers that an edge carries on: their place in each node, the lowest, how many.

    Unsigned, since Numba then leaves out its test for negative indices, without which the
    loops over numbers are compiled to vector instructions.
    """
    nodes = unrolled.nodes
    t = unrolled.edges[e, TARGET]
    step = fleet.step[unrolled.edges[e, ACTION]]
    first = max(nodes[s, LOW], nodes[t, LOW] - step)
    stop = min(nodes[s, HIGH], nodes[t, HIGH] - step)
    here = np.uint64(nodes[s, PLACE] + first)
    there = np.uint64(nodes[t, PLACE] + first + step)
    return here, there, np.uint64(first), max(np.int64(0), stop - first)


@inlined
def _kept_before(unrolled, q):
    """How many numbers the nodes of all layers before one keep."""
    s = unrolled.layer[q]
    return unrolled.nodes[s, PLACE] + unrolled.nodes[s, LOW]


@inlined
def _widest_layer(unrolled):
    widest = np.int64(1)
    for q in range(unrolled.layer.shape[0] - 1):
        widest = max(widest, _kept_before(unrolled, q + 1) - _kept_before(unrolled, q))
    return widest


@cached
def ways_on(unrolled, fleet, ways):
    """Fill `ways`, float64 (kept,), with the number of paths to the end."""
    nodes, edges = unrolled.nodes, unrolled.edges
    for s in range(nodes.shape[0] - 2, -1, -1):
        at = np.uint64(nodes[s, PLACE] + nodes[s, LOW])
        start = 1.0 if s >= unrolled.layer[-2] else 0.0
        for i in range(nodes[s, HIGH] - nodes[s, LOW]):
            ways[at + np.uint64(i)] = start
        for e in range(nodes[s, FIRST_EDGE], nodes[s + 1, FIRST_EDGE]):
            here, there, number, n = _shared(unrolled, fleet, s, e)
            what = edges[e, ACTION]
            if fleet.step[what] == 0:
                for i in range(n):
                    ways[here + np.uint64(i)] += ways[there + np.uint64(i)]
            else:
                for i in range(n):
                    j = np.uint64(i)
                    ways[here + j] += fleet.room[what, number + j] * ways[there + j]


@cached
def action_totals(unrolled, fleet, ways):
    """How many layouts take each action in each layer, float64 (Q, A); 0 for water twice."""
    nodes, edges = unrolled.nodes, unrolled.edges
    depth = unrolled.layer.shape[0] - 2
    totals = np.zeros((depth, fleet.step.shape[0]))
    widest = _widest_layer(unrolled)
    arrivals = np.zeros(widest)
    following = np.zeros(widest)
    arrivals[0] = 1.0
    for q in range(depth):
        base = np.uint64(_kept_before(unrolled, q))
        next_base = np.uint64(_kept_before(unrolled, q + 1))
        for i in range(_kept_before(unrolled, q + 2) - np.int64(next_base)):
            following[i] = 0.0
        for s in range(unrolled.layer[q], unrolled.layer[q + 1]):
            for e in range(nodes[s, FIRST_EDGE], nodes[s + 1, FIRST_EDGE]):
                here, there, number, n = _shared(unrolled, fleet, s, e)
                here -= base
                next_there = there - next_base
                what = edges[e, ACTION]
                total = 0.0
                if what == 0:
                    for i in range(n):
                        following[next_there + np.uint64(i)] += arrivals[here + np.uint64(i)]
                elif fleet.step[what] == 0:
                    for i in range(n):
                        j = np.uint64(i)
                        following[next_there + j] += arrivals[here + j]
                        total += arrivals[here + j] * ways[there + j]
                else:
                    for i in range(n):
                        j = np.uint64(i)
                        coming = fleet.room[what, number + j] * arrivals[here + j]
                        following[next_there + j] += coming
                        total += coming * ways[there + j]
                totals[q, what] += total
        arrivals, following = following, arrivals
    return totals


@cached
def count_modulo(unrolled, fleet, modulus):
    """The number of layouts modulo a number below 2**63; modulo 2**64 where `modulus` is 0."""
    nodes, edges = unrolled.nodes, unrolled.edges
    depth = unrolled.layer.shape[0] - 2
    widest = _widest_layer(unrolled)
    ways = np.zeros(widest, np.uint64)
    following = np.zeros(widest, np.uint64)
    for q in range(depth, -1, -1):
        base = np.uint64(_kept_before(unrolled, q))
        next_base = np.uint64(_kept_before(unrolled, q + 1))
        for i in range(np.int64(next_base - base)):
            ways[i] = np.uint64(1) if q == depth else np.uint64(0)
        for s in range(unrolled.layer[q], unrolled.layer[q + 1]):
            for e in range(nodes[s, FIRST_EDGE], nodes[s + 1, FIRST_EDGE]):
                here, there, number, n = _shared(unrolled, fleet, s, e)
                here -= base
                there -= next_base
                what = edges[e, ACTION]
                if modulus == np.uint64(0) and fleet.step[what] == 0:
                    for i in range(n):
                        ways[here + np.uint64(i)] += following[there + np.uint64(i)]
                else:
                    for i in range(n):
                        j = np.uint64(i)
                        if fleet.room[what, number + j] > 0.0:
                            total = ways[here + j] + following[there + j]
                            if modulus > np.uint64(0) and total >= modulus:
                                total -= modulus
                            ways[here + j] = total
        ways, following = following, ways
    return following[0]


@inlined
def _place_after(unrolled, fleet, e, v):
    """Where the ways on after an edge are kept, −1 if there are none."""
    t, what = unrolled.edges[e, TARGET], unrolled.edges[e, ACTION]
    after = v + fleet.step[what]
    if fleet.room[what, v] == 0.0:
        return np.int64(-1)
    if after < unrolled.nodes[t, LOW] or after >= unrolled.nodes[t, HIGH]:
        return np.int64(-1)
    return unrolled.nodes[t, PLACE] + after


@cached
def draw_paths(unrolled, fleet, ways, keys, actions):
    """Fill `actions`, int16 (draws, layers), with uniform draws.

    At each node an edge is chosen in proportion to the ways on from it.

    A block of draws goes through the layers side by side and each reading of memory is a
    loop of its own, so that the waits for memory overlap.
    """
    nodes, edges = unrolled.nodes, unrolled.edges
    stream = np.empty(2, np.uint64)
    state = np.empty(_BLOCK, np.uint64)
    gamma = np.empty(_BLOCK, np.uint64)
    node = np.empty(_BLOCK, np.int64)
    number = np.empty(_BLOCK, np.int64)
    total = np.empty(_BLOCK)  # the ways on from the node with the number
    edge = np.empty((_BLOCK, 2), np.int64)
    place = np.empty(_BLOCK, np.int64)
    weight = np.empty(_BLOCK)
    for start in range(0, keys.shape[0], _BLOCK):
        width = min(_BLOCK, keys.shape[0] - start)
        for d in range(width):
            open_stream(stream, keys[start + d], LAYOUT_STREAM)
            state[d] = stream[0]
            gamma[d] = stream[1]
            node[d] = 0
            number[d] = nodes[0, LOW]
            total[d] = ways[0]
        for q in range(actions.shape[1]):
            for d in range(width):
                edge[d, 0] = nodes[node[d], FIRST_EDGE]
                edge[d, 1] = nodes[node[d] + 1, FIRST_EDGE]
            for d in range(width):
                place[d] = -1
                if edge[d, 1] > edge[d, 0] + 1:
                    place[d] = _place_after(unrolled, fleet, edge[d, 0], number[d])
            for d in range(width):
                weight[d] = ways[place[d]] if place[d] >= 0 else 0.0
            for d in range(width):
                e = edge[d, 0]
                if edge[d, 1] > e + 1:
                    stream[0] = state[d]
                    stream[1] = gamma[d]
                    rest = unit(stream) * total[d]
                    state[d] = stream[0]
                    following = weight[d]
                    chosen = np.int64(-1)
                    while True:
                        if following > 0.0:  # where rounding leaves a rest, the last such edge
                            chosen = e
                            total[d] = following
                            if rest < following:
                                break
                        rest -= following
                        e += 1
                        if e == edge[d, 1]:
                            break
                        at = _place_after(unrolled, fleet, e, number[d])
                        following = ways[at] if at >= 0 else 0.0
                    e = chosen
                what = edges[e, ACTION]
                actions[start + d, q] = what
                number[d] += fleet.step[what]
                node[d] = edges[e, TARGET]


@cached
def list_paths(unrolled, fleet, ways, actions):
    """Fill `actions`, int16 (paths, layers), with every path; there are as many as rows.

    Paths grow side by side, a layer at a time; each remembers the one that it continues.
    """
    nodes, edges = unrolled.nodes, unrolled.edges
    n_paths, depth = actions.shape
    before = np.empty((depth, n_paths), np.int64)
    node = np.zeros(n_paths, np.int64)
    number = np.full(n_paths, nodes[0, LOW])
    next_node = np.empty(n_paths, np.int64)
    next_number = np.empty(n_paths, np.int64)
    n = 1
    for q in range(depth):
        longer = 0
        for i in range(n):
            for e in range(nodes[node[i], FIRST_EDGE], nodes[node[i] + 1, FIRST_EDGE]):
                place = _place_after(unrolled, fleet, e, number[i])
                if place >= 0 and ways[place] > 0.0:
                    before[q, longer] = i
                    actions[longer, q] = edges[e, ACTION]
                    next_node[longer] = edges[e, TARGET]
                    next_number[longer] = number[i] + fleet.step[edges[e, ACTION]]
                    longer += 1
        n = longer
        node, next_node = next_node, node
        number, next_number = next_number, number
    # A column holds the actions of the shorter paths; each path takes those it came by.
    column = np.empty(n_paths, actions.dtype)
    at = np.arange(n_paths)
    for q in range(depth - 1, -1, -1):
        for i in range(n_paths):
            column[i] = actions[at[i], q]
            at[i] = before[q, at[i]]
        actions[:, q] = column
