"""The graph of all layouts of a rule set: how it is built and made small.

Squares are decided one by one in row-major order. A *state* is all that the squares
decided so far say about the rest; an *edge* decides one more square by an *action*, and
leads to the state after it. So a layout is a path through the layers, and a path is a
layout. On three squares in a row, for one ship of two squares::

     before a0            before a1            before a2            the end
                water                water                water
       ( · ) ─────────────▶ ( · ) ─────────────▶ ( · ) ─────────────▶ ( · )
           ╲                    ╲                ▲                    ▲
     ship   ╲             ship   ╲   goes on    ╱        goes on     ╱
     of 2    ╲            of 2    ╲           ╱                    ╱
              ▶ ( 1 more ) ────────╳─────────╱                    ╱
                                    ╲                            ╱
                                     ▶ ( 1 more ) ──────────────╱

Of the three paths one has no ship; which ships were used so far is no part of a state, it
is a *number* that the passes carry along (`_passes`). From the end back, each state
counts the ways on that use the whole fleet, number by number. Here, with no ship used yet
and with the ship used::

       ( · ): 2, 1          ( · ): 1, 1          ( · ): 0, 1          ( · ): 0, 1
                       ( 1 more ): 0, 1     ( 1 more ): 0, 1

So there are 2 layouts; a0 is occupied in 1 of them, the ways on after its edge; and a
draw takes that edge with probability 1/2. Counts, maps and draws are this one graph,
walked through forth or back, and a record forbids edges.

What a state is and what may follow it is the business of an *automaton*: `_ahead` for
straight ships, which may touch, and `_apart` for ships of every shape that may not. Two
rows of water below the board bring every path back to the state with no ship in the
making, which is both the start and the end.

The states before a square depend on its column only, so one graph of as many layers as
the board has columns is enough, each layer leading to the next and the last to the
first. States from which the same actions lead to the same states are merged [1]_. In the
end two squares are decided by one layer.

References
----------
.. [1] E. F. Moore, "Gedanken-experiments on sequential machines", Automata Studies, 1956.
.. [2] D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4, 2011: the frontier
   method (simpath) that decides the parts of a graph in order.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba.extending import overload

from battleship_ai._jit import cached, inlined
from battleship_ai.errors import RulesError
from battleship_ai.rng import mix

# Actions: leave water; go on with a ship (or, with ships apart, hold any ship); then two for
# each class of ships, an even and an odd one, which count a ship of it as used.
WATER, GOES_ON, FIRST_COUNTED = 0, 1, 2

# What is known of a square when a graph is built.
UNKNOWN, MISSED, HIT = 0, 1, 2

# Words of a state's key.
WORDS = 3

_ROOM_FOR_EDGES = 64

# Before merging; more than twice what any preset has.
MAX_STATES = 8_000_000


class Graph(NamedTuple):
    """Layers of states and the edges between them.

    Attributes
    ----------
    layer : int64 (L + 1,)
        The states of layer i are ``layer[i]`` to ``layer[i + 1] - 1``; squares 2 q and
        2 q + 1 are decided in layer ``q % L``.
    first_edge : int64 (states + 1,)
        The edges of state s are ``first_edge[s]`` to ``first_edge[s + 1] - 1``.
    target : int32 (edges,)
        Where an edge leads.
    action : int16 (edges,)
        What it decides, as a row of `pairs`; action 0 is water twice.
    pairs : int8 (A, 2)
        The actions at the two squares.
    start, final : int
        The states in which paths start and end.
    """

    layer: npt.NDArray[np.int64]
    first_edge: npt.NDArray[np.int64]
    target: npt.NDArray[np.int32]
    action: npt.NDArray[np.int16]
    pairs: npt.NDArray[np.int8]
    start: int
    final: int


def expand(
    automaton: Any, key: Any, column: Any, known: Any, tag: Any, keys: Any, actions: Any
) -> Any:
    """Fill `keys` and `actions` with what may follow a state; returns how many."""
    raise NotImplementedError("compiled code only")


def register_automaton(cls: type, kernel: Callable[..., int]) -> None:
    """Make a kernel the `expand` of an automaton class."""

    @overload(expand)
    def _expand(automaton, key, column, known, tag, keys, actions):
        if getattr(automaton, "instance_class", None) is cls:
            return lambda automaton, key, column, known, tag, keys, actions: kernel(
                automaton, key, column, known, tag, keys, actions
            )
        return None


@inlined
def _slot(table, keys, layer, key, here):
    """Where a state is in an open hash table, or belongs."""
    mask = np.uint64(table.shape[0] - 1)
    mixed = mix(key[0] ^ mix(key[1] ^ mix(key[2] + np.uint64(here))))
    i = mixed & mask
    while table[i] >= 0:
        s = table[i]
        if (
            layer[s] == here
            and keys[s, 0] == key[0]
            and keys[s, 1] == key[1]
            and keys[s, 2] == key[2]
        ):
            break
        i = (i + np.uint64(1)) & mask
    return i


@cached
def _explore(automaton, known, tags, periodic, most):
    """All states that can be reached, in order of discovery, and their edges.

    Stops early when there are more than `most`.
    """
    n_layers = known.shape[0]
    keys = np.zeros((1 << 12, WORDS), np.uint64)
    layer = np.zeros(1 << 12, np.int32)
    first_edge = np.zeros((1 << 12) + 1, np.int64)
    target = np.empty(1 << 13, np.int32)
    action = np.empty(1 << 13, np.int8)
    table = np.full(1 << 14, -1, np.int32)
    next_keys = np.zeros((_ROOM_FOR_EDGES, WORDS), np.uint64)
    actions = np.zeros(_ROOM_FOR_EDGES, np.int64)
    table[_slot(table, keys, layer, keys[0], 0)] = 0
    n = 1
    n_edges = 0
    s = 0
    while s < n and n <= most:
        here = layer[s]
        following = here + 1
        if periodic and following == n_layers:
            following = 0
        found = 0
        if here < n_layers:
            found = expand(
                automaton, keys[s], here % automaton.cols, known[here], tags[here], next_keys,
                actions,
            )  # fmt: skip
        if n + found >= layer.shape[0]:
            keys = np.concatenate((keys, np.empty_like(keys)))
            layer = np.concatenate((layer, np.empty_like(layer)))
            first_edge = np.concatenate((first_edge, np.empty_like(first_edge)))
        if n_edges + found > target.shape[0]:
            target = np.concatenate((target, np.empty_like(target)))
            action = np.concatenate((action, np.empty_like(action)))
        for j in range(found):
            i = _slot(table, keys, layer, next_keys[j], following)
            if table[i] < 0:
                table[i] = n
                for w in range(WORDS):
                    keys[n, w] = next_keys[j, w]
                layer[n] = following
                n += 1
            target[n_edges] = table[i]
            action[n_edges] = actions[j]
            n_edges += 1
        s += 1
        first_edge[s] = n_edges
        if 2 * n > table.shape[0]:
            table = np.full(4 * table.shape[0], -1, np.int32)
            for t in range(n):
                table[_slot(table, keys, layer, keys[t], layer[t])] = t
    return (
        keys[:n].copy(), layer[:n].copy(), first_edge[: n + 1].copy(), target[:n_edges].copy(),
        action[:n_edges].copy(),
    )  # fmt: skip


@cached
def _leads_to(final, first_edge, target):
    """Which states have a path to the final one."""
    leads = np.zeros(first_edge.shape[0] - 1, np.bool_)
    leads[final] = True
    changed = True
    while changed:
        changed = False
        for s in range(leads.shape[0] - 1, -1, -1):
            if not leads[s]:
                for e in range(first_edge[s], first_edge[s + 1]):
                    if leads[target[e]]:
                        leads[s] = True
                        changed = True
                        break
    return leads


@inlined
def _signature(s, final, first_edge, target, action, merged):
    word = np.uint64(1) if s == final else np.uint64(0)
    for e in range(first_edge[s], first_edge[s + 1]):
        if merged[target[e]] >= 0:
            edge = np.uint64(merged[target[e]]) * np.uint64(256) + np.uint64(action[e])
            word = mix(word + edge)
    return word


@inlined
def _same(s, t, first_edge, target, action, merged):
    """Whether two states have edges of the same actions to the same merged states."""
    d, d_stop = first_edge[s], first_edge[s + 1]
    e, e_stop = first_edge[t], first_edge[t + 1]
    while True:
        while d < d_stop and merged[target[d]] < 0:
            d += 1
        while e < e_stop and merged[target[e]] < 0:
            e += 1
        if d == d_stop or e == e_stop:
            return d == d_stop and e == e_stop
        if action[d] != action[e] or merged[target[d]] != merged[target[e]]:
            return False
        d += 1
        e += 1


@cached
def _merge(layer, first_edge, target, action, final, leads):
    """For each state the number of its merged state in its layer, −1 for none.

    Starts from one merged state a layer and splits until nothing changes.
    """
    n_layers = layer.shape[0] - 1
    merged = np.where(leads, np.int64(0), np.int64(-1))
    counts = np.ones(n_layers, np.int64)
    largest = np.int64(1)
    for i in range(n_layers):
        largest = max(largest, layer[i + 1] - layer[i])
    size = np.int64(4)
    while size < 2 * largest:
        size *= 2
    table = np.empty(size, np.int64)
    fresh = np.empty(largest, np.int64)
    changed = True
    while changed:
        changed = False
        for i in range(n_layers - 1, -1, -1):
            table[:] = -1
            n = np.int64(0)
            for s in range(layer[i], layer[i + 1]):
                if not leads[s]:
                    continue
                slot = _signature(s, final, first_edge, target, action, merged)
                slot &= np.uint64(size - 1)
                while True:
                    t = table[slot]
                    if t < 0:
                        table[slot] = s
                        fresh[s - layer[i]] = n
                        n += 1
                        break
                    if (s == final) == (t == final) and _same(
                        s, t, first_edge, target, action, merged
                    ):
                        fresh[s - layer[i]] = fresh[t - layer[i]]
                        break
                    slot = (slot + np.uint64(1)) & np.uint64(size - 1)
            for s in range(layer[i], layer[i + 1]):
                if leads[s]:
                    merged[s] = fresh[s - layer[i]]
            if n != counts[i]:
                counts[i] = n
                changed = True
    return merged, counts


def build_graph(
    automaton: Any,
    known: npt.NDArray[np.int8] | None = None,
    tags: npt.NDArray[np.int64] | None = None,
) -> Graph:
    """The graph of an automaton, every state with a path to the end and no two alike.

    Without arguments it serves every record. With `known`, of even length, for each square
    `UNKNOWN`, `MISSED` or `HIT`, and `tags`, the number of the class that holds a square,
    from 1, or 0, it is the graph of one record, with a layer for each two squares.

    Raises
    ------
    RulesError
        If there are more than `MAX_STATES` states.
    """
    periodic = known is None
    if known is None:
        known = np.full(automaton.cols, UNKNOWN, dtype=np.int8)
    if tags is None:
        tags = np.zeros(len(known), dtype=np.int64)
    keys, layer_of, first_edge, target, action = _explore(
        automaton, known, tags, periodic, MAX_STATES
    )
    if len(keys) > MAX_STATES:
        raise RulesError(
            f"the exact graph of these layouts has more than {MAX_STATES:,} states; draw from the "
            f"posterior instead (sample_posterior, strategy monte-carlo)"
        )
    n_layers = int(layer_of.max()) + 1

    # Sorted by the most recent squares first, states that share their targets are neighbours.
    order = np.lexsort((keys[:, 2], keys[:, 1], keys[:, 0], layer_of))
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    layer = np.searchsorted(layer_of[order], np.arange(n_layers + 1))
    widths = np.diff(first_edge)[order]
    new_first = np.concatenate(([0], np.cumsum(widths)))
    edges = np.repeat(first_edge[order] - new_first[:-1], widths) + np.arange(len(target))
    first_edge, target, action = new_first, number[target[edges]], action[edges]

    start = final = number[0]
    if not periodic:
        ends = number[(layer_of == len(known)) & ~keys.any(axis=1)]
        if len(ends) == 0:  # the record leaves no way through
            return _no_graph(len(known))
        final = ends[0]
    leads = _leads_to(final, first_edge, target)
    if not leads[start]:
        return _no_graph(len(known))
    merged, counts = _merge(layer, first_edge, target, action, final, leads)
    new_layer = np.concatenate(([0], np.cumsum(counts)))
    layer_of = np.repeat(np.arange(n_layers), np.diff(layer))
    merged[leads] += new_layer[layer_of[leads]]
    first_edge, target, action = _compact(first_edge, target, action, merged, new_layer[-1])
    return _two_by_two(
        new_layer, first_edge, target, action, merged[start], merged[final], periodic
    )


def _two_by_two(
    layer: npt.NDArray[np.int64],
    first_edge: npt.NDArray[np.int64],
    target: npt.NDArray[np.int32],
    action: npt.NDArray[np.int8],
    start: int,
    final: int,
    periodic: bool,
) -> Graph:
    """Every second layer, with the paths of two edges as edges.

    The passes wait for memory: half the states are worth more edges.
    """
    n_layers = len(layer) - 1
    layers = np.arange(0, n_layers, 2)
    if periodic and n_layers % 2 == 1:  # pairs of squares come round after two rows
        layers = np.arange(0, 2 * n_layers, 2) % n_layers
    counts = np.diff(layer)[layers]
    new_layer = np.concatenate(([0], np.cumsum(counts)))
    states = np.concatenate([np.arange(layer[i], layer[i + 1]) for i in layers])
    number = np.full(layer[-1], -1)
    number[states] = np.arange(len(states))
    radix = int(action.max()) + 1
    new_first, new_target, code = _pair_edges(states, number, first_edge, target, action, radix)
    codes, new_action = np.unique(np.append(0, code), return_inverse=True)
    return Graph(
        new_layer, new_first, new_target, new_action[1:].astype(np.int16),
        np.stack(np.divmod(codes, radix), axis=1).astype(np.int8),
        int(number[start]), int(number[final]),
    )  # fmt: skip


@cached
def _pair_edges(states, number, first_edge, target, action, radix):
    n_edges = np.int64(0)
    for s in states:
        for e in range(first_edge[s], first_edge[s + 1]):
            n_edges += first_edge[target[e] + 1] - first_edge[target[e]]
    new_first = np.zeros(states.shape[0] + 1, np.int64)
    new_target = np.empty(n_edges, np.int32)
    code = np.empty(n_edges, np.int64)
    n = np.int64(0)
    for i in range(states.shape[0]):
        for d in range(first_edge[states[i]], first_edge[states[i] + 1]):
            for e in range(first_edge[target[d]], first_edge[target[d] + 1]):
                new_target[n] = number[target[e]]
                code[n] = np.int64(action[d]) * radix + action[e]
                n += 1
        new_first[i + 1] = n
    return new_first, new_target, code


@cached
def _compact(first_edge, target, action, merged, n_states):
    """The edges of merged states."""
    new_first = np.zeros(n_states + 1, np.int64)
    new_target = np.empty(target.shape[0], np.int32)
    new_action = np.empty(target.shape[0], np.int8)
    n = 0
    done = 0
    for s in range(merged.shape[0]):
        if merged[s] == done:  # merged states are numbered by their first states
            for e in range(first_edge[s], first_edge[s + 1]):
                if merged[target[e]] >= 0:
                    new_target[n] = merged[target[e]]
                    new_action[n] = action[e]
                    n += 1
            done += 1
            new_first[done] = n
    return new_first, new_target[:n].copy(), new_action[:n].copy()


def _no_graph(n_squares: int) -> Graph:
    """A start that leads nowhere."""
    layer = np.ones(n_squares // 2 + 2, dtype=np.int64)
    layer[0] = 0
    none = np.zeros(0, dtype=np.int32)
    pairs = np.zeros((1, 2), dtype=np.int8)
    return Graph(layer, np.zeros(2, np.int64), none, none.astype(np.int16), pairs, 0, 1)
