"""Sums over lists of placements, square by square."""

import numpy as np

from battleship_ai._jit import cached
from battleship_ai.bitboard import lowest_bit

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@cached
def add_cover(tables, ships, hits):
    """Add each list's ships to `hits` (N + 1), on the squares of their placements."""
    for i in range(ships.ships.shape[0]):
        for j in range(ships.starts[i], ships.starts[i + 1]):
            share = ships.ships[i] * ships.weights[j]
            for k in range(tables.squares.shape[1]):
                hits[tables.squares[ships.placements[j], k]] += share


@cached
def multiply_room(tables, ships, touched, room):
    """Multiply `room` (N) by the probability that no ship touches the square."""
    for i in range(ships.ships.shape[0]):
        touched[:] = 0.0
        for j in range(ships.starts[i], ships.starts[i + 1]):
            p = ships.placements[j]
            for w in range(tables.reach.shape[1]):
                word = tables.reach[p, w]
                while word != _ZERO:
                    touched[64 * w + np.int64(lowest_bit(word))] += ships.weights[j]
                    word &= word - _ONE
        for square in range(room.shape[0]):
            # The sum may exceed 1 by rounding.
            room[square] *= max(0.0, 1.0 - touched[square]) ** ships.ships[i]
