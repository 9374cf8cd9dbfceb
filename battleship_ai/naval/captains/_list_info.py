"""The choice of squares by expected hits and information, on lists of placements."""

import numpy as np

from battleship_ai._jit import cached, inlined, kernel
from battleship_ai.bitboard import contains


@inlined
def _uncertainty(x):
    """The part of an outcome of probability x in the entropy, in nats."""
    return -x * np.log(x) if x > 1e-12 else 0.0


@inlined
def _gain(spread, mass, prizes, information, i, square):
    """What a square adds by the prizes and the number of hits of a ship of list i."""
    gain = 0.0
    fewer = 0.0
    for c in range(spread.shape[1]):
        here = mass[i, c, square]
        if here > 0.0 or fewer > 0.0:
            told = _uncertainty(spread[i, c] - here + fewer) - _uncertainty(spread[i, c])
            gain += prizes[i, c] * here + information * told
        fewer = here
    return gain


@kernel
def _start(tables, ships, spread, mass):
    for i in range(ships.ships.shape[0]):
        spread[i, 0] = 1.0
        for j in range(ships.starts[i], ships.starts[i + 1]):
            for k in range(tables.squares.shape[1]):
                mass[i, 0, tables.squares[ships.placements[j], k]] += ships.weights[j]


@kernel
def _add_square(tables, ships, i, square, hits, spread, mass):
    """Move the placements of list i that hold a square on by one hit."""
    for j in range(ships.starts[i], ships.starts[i + 1]):
        p = ships.placements[j]
        if contains(tables.masks, p, square):
            c = hits[j]
            hits[j] += 1
            spread[i, c] -= ships.weights[j]
            spread[i, c + 1] += ships.weights[j]
            for k in range(tables.squares.shape[1]):
                other = tables.squares[p, k]
                mass[i, c, other] -= ships.weights[j]
                mass[i, c + 1, other] += ships.weights[j]


@kernel
def _holds(mass, i, square):
    for c in range(mass.shape[1]):
        if mass[i, c, square] > 1e-12:
            return True
    return False


@kernel
def _pick(tables, ships, prizes, information, worth, useful, hits, spread, mass, gains, picked):
    n_lists = ships.ships.shape[0]
    for i in range(n_lists):
        for square in range(tables.n_squares):
            if useful[square]:
                gains[i, square] = _gain(spread, mass, prizes, information, i, square)
    for n in range(picked.shape[0]):
        best = np.int64(-1)
        best_score = 0.0
        for square in range(tables.n_squares):
            if useful[square]:
                score = worth[square]
                for i in range(n_lists):
                    score += ships.ships[i] * gains[i, square]
                if best < 0 or score > best_score:
                    best, best_score = square, score
        if best < 0:
            return n
        useful[best] = False
        picked[n] = best
        for i in range(n_lists):
            # The others' numbers of hits stay as they are.
            if _holds(mass, i, best):
                _add_square(tables, ships, i, best, hits, spread, mass)
                for square in range(tables.n_squares):
                    if useful[square]:
                        gains[i, square] = _gain(spread, mass, prizes, information, i, square)
    return picked.shape[0]


@cached
def pick_squares(tables, ships, prizes, information, worth, useful, guns):
    """Squares one by one, each the one that adds most; at most as many as guns.

    What a square adds is its `worth` (N); for every ship the expected growth of its prize, where
    `prizes` (L, longest + 2) has that of one hit more than so many of a ship of a list; and
    `information` times the growth of the entropy of each ship's number of hits. Only `useful`
    squares (N) are picked, and they are taken out.
    """
    n_lists = ships.ships.shape[0]
    numbers = prizes.shape[1]  # of hits of a ship, and one more
    spread = np.zeros((n_lists, numbers))
    mass = np.zeros((n_lists, numbers, tables.n_squares + 1))
    hits = np.zeros(ships.placements.shape[0], np.int64)
    picked = np.empty(guns, np.int64)
    gains = np.empty((n_lists, tables.n_squares))
    _start(tables, ships, spread, mass)
    n = _pick(tables, ships, prizes, information, worth, useful, hits, spread, mass, gains, picked)
    return picked[:n]
