"""Placers of Naval Bombardment as kernels: each fills rows of `chosen` with placements.

An object is a ship or a mine, with a token of its own: n, n + 1, …, 2n − 1 for n objects, so
that no sum of several tokens is one. For each square, `cover` keeps the sum of the tokens of the
objects that have it in their reach. Object i may lie on a square where that sum is 0 or its own.
"""

import numpy as np

from battleship_ai._jit import cached, inlined, kernel
from battleship_ai.bitboard import lowest_bit
from battleship_ai.naval.tables import FIRST, GROUP, SIZE, STOP
from battleship_ai.rng import LAYOUT_STREAM, below, open_stream

# Columns of a plan's `wishes`: whether an object wants to be far from the marks (-1) or near them
# (1) or does not care (0), and whether it is itself a mark once it is placed.
WISH, MARK = 0, 1

_ZERO, _ONE = np.uint64(0), np.uint64(1)

# Draws for a legal placement before all are listed. On the preset an object has one legal
# placement in ten at worst, and so is hardly ever listed.
_DRAWS = 50


@inlined
def bounds(tables, i):
    """The first placement of an object and the one after its last."""
    group = tables.objects[i, GROUP]
    return tables.groups[group, FIRST], tables.groups[group, STOP]


@inlined
def token(tables, i):
    """What an object adds to `cover`."""
    return tables.objects.shape[0] + i


@inlined
def fits(tables, cover, i, p):
    """Whether object i, now anywhere or nowhere, may have placement p."""
    own = token(tables, i)
    for k in range(tables.groups[tables.objects[i, GROUP], SIZE]):
        there = cover[tables.squares[p, k]]
        if there != 0 and there != own:
            return False
    return True


@inlined
def add(tables, cover, p, amount):
    """Add to `cover` on the reach of a placement."""
    for w in range(tables.reach.shape[1]):
        word = tables.reach[p, w]
        while word != _ZERO:
            cover[64 * w + np.int64(lowest_bit(word))] += amount
            word &= word - _ONE


@inlined
def move(tables, cover, chosen, game, i, p):
    """Take object i from where it is to placement p."""
    add(tables, cover, chosen[game, i], -token(tables, i))
    add(tables, cover, p, token(tables, i))
    chosen[game, i] = p


@cached
def open_streams(keys, streams):
    """Set a row of `streams` to the start of each game's random numbers for its layout."""
    for game in range(keys.shape[0]):
        open_stream(streams[game], keys[game], LAYOUT_STREAM)


@kernel
def _draw_legal(tables, cover, stream, listed, i):
    """A uniform legal placement of object i; −1 if there is none."""
    first, stop = bounds(tables, i)
    for _ in range(_DRAWS):
        p = first + below(stream, stop - first)
        if fits(tables, cover, i, p):
            return p
    n = 0
    for p in range(first, stop):
        if fits(tables, cover, i, p):
            listed[n] = p
            n += 1
    return listed[below(stream, n)] if n > 0 else np.int64(-1)


@cached
def place_sequential(tables, streams, max_attempts, chosen):
    """Object after object, each uniform among what is legal; from the start when stuck.

    Returns the number of layouts placed before one took `max_attempts`.
    """
    cover = np.empty(tables.n_squares, np.int64)
    listed = np.empty(tables.squares.shape[0], np.int64)
    for game in range(chosen.shape[0]):
        attempts = 0
        i = 0
        while i < chosen.shape[1]:
            if i == 0:
                attempts += 1
                if attempts > max_attempts:
                    return game
                cover[:] = 0
            p = _draw_legal(tables, cover, streams[game], listed, i)
            if p < 0:
                i = 0
                continue
            add(tables, cover, p, token(tables, i))
            chosen[game, i] = p
            i += 1
    return chosen.shape[0]


@kernel
def _draw_best(tables, cover, wish, distance, stream, listed, i):
    """A uniform one of the legal placements whose worst square is best; −1 if there is none."""
    first, stop = bounds(tables, i)
    size = tables.groups[tables.objects[i, GROUP], SIZE]
    n = 0
    least = np.int64(0)
    for p in range(first, stop):
        if fits(tables, cover, i, p):
            cost = wish * distance[tables.squares[p, 0]]
            for k in range(1, size):
                cost = max(cost, wish * distance[tables.squares[p, k]])
            if n == 0 or cost < least:
                least = cost
                n = 0
            if cost == least:
                listed[n] = p
                n += 1
    return listed[below(stream, n)] if n > 0 else np.int64(-1)


@kernel
def _mark(tables, cols, distance, p, size):
    """Let `distance` be no larger than the one from placement p."""
    for square in range(tables.n_squares):
        row, col = square // cols, square % cols
        for k in range(size):
            there = np.int64(tables.squares[p, k])
            apart = max(abs(row - there // cols), abs(col - there % cols))
            distance[square] = min(distance[square], apart)


@cached
def place_wishful(tables, cols, wishes, distances, streams, max_attempts, chosen):
    """Object after object, each where its wish is fulfilled best; from the start when stuck.

    `distances` has that of each square from the marks that are there from the start. Returns the
    number of layouts placed before one took `max_attempts`.
    """
    cover = np.empty(tables.n_squares, np.int64)
    distance = np.empty(tables.n_squares, np.int64)
    listed = np.empty(tables.squares.shape[0], np.int64)
    for game in range(chosen.shape[0]):
        attempts = 0
        i = 0
        while i < chosen.shape[1]:
            if i == 0:
                attempts += 1
                if attempts > max_attempts:
                    return game
                cover[:] = 0
                distance[:] = distances
            p = _draw_best(tables, cover, wishes[i, WISH], distance, streams[game], listed, i)
            if p < 0:
                i = 0
                continue
            add(tables, cover, p, token(tables, i))
            if wishes[i, MARK] != 0:
                _mark(tables, cols, distance, p, tables.groups[tables.objects[i, GROUP], SIZE])
            chosen[game, i] = p
            i += 1
    return chosen.shape[0]


@kernel
def _walk(tables, cover, stream, proposals, chosen, game):
    accepted = 0
    for _ in range(proposals):
        i = below(stream, chosen.shape[1])
        first, stop = bounds(tables, i)
        p = first + below(stream, stop - first)
        if fits(tables, cover, i, p):
            move(tables, cover, chosen, game, i, p)
            accepted += 1
    return accepted


@cached
def walk(tables, streams, proposals, chosen):
    """Move each layout on by a number of proposals of its Markov chain.

    A proposal is a uniform object and a uniform placement of it, taken if it is legal. It is as
    likely as the way back, so the uniform distribution over legal layouts stays as it is.
    Returns the number of proposals taken.
    """
    cover = np.empty(tables.n_squares, np.int64)
    accepted = 0
    for game in range(chosen.shape[0]):
        cover[:] = 0
        for i in range(chosen.shape[1]):
            add(tables, cover, chosen[game, i], token(tables, i))
        accepted += _walk(tables, cover, streams[game], proposals, chosen, game)
    return accepted
