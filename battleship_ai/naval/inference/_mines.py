"""The unspent mines around given ships: drawn one by one, or every set of them summed."""

import numpy as np

from battleship_ai._jit import cached, inlined
from battleship_ai.bitboard import lowest_bit, popcount, select
from battleship_ai.naval.inference._drawing import above
from battleship_ai.rng import below, open_stream, unit

_ZERO = np.uint64(0)
_ONE = np.uint64(1)


@inlined
def free_squares(lists, placements, draw, free, row):
    """Put the squares into a row of `free` where a mine may lie beside the ships of a draw."""
    for w in range(free.shape[1]):
        word = lists.mine_squares[0, w]
        for ship in range(placements.shape[1]):
            word &= ~lists.reach[placements[draw, ship], w]
        free[row, w] = word


@inlined
def _cumulate(lists, free, row, squares, cumulated):
    """List the squares of a set and their weights summed up; returns their number."""
    n = 0
    total = 0.0
    for w in range(free.shape[1]):
        word = free[row, w]
        while word != _ZERO:
            square = 64 * w + np.int64(lowest_bit(word))
            word &= word - _ONE
            total += lists.mine_weights[square]
            squares[n] = square
            cumulated[n] = total
            n += 1
    return n


@cached
def draw_mines(lists, even, key, shift, placements, mines, log_weights, mass):
    """Lay the mines of every draw one by one, each by weight among the free squares.

    Adds to each log weight the log of the product of the weights that were free at each
    step, over the number of orders; on average that product is the sum over all sets of
    mines. `mass` (N,) gets what each draw says of each square, times its weight over
    exp(shift): given the other mines, the last one lies on a free square by weight, and
    it might be any of them. With `even` every square weighs 1.
    """
    n_mines, words = lists.n_mines, lists.masks.shape[1]
    free = np.empty((1, words), np.uint64)
    squares = np.empty(64 * words, np.int64)
    cumulated = np.empty(64 * words, np.float64)
    stream = np.empty(2, np.uint64)
    for draw in range(placements.shape[0]):
        open_stream(stream, key, np.uint64(draw))
        free_squares(lists, placements, draw, free, 0)
        for i in range(n_mines):
            last = i == n_mines - 1
            if even and not last:
                n = popcount(free, 0)
                total = np.float64(n)
            else:
                n = _cumulate(lists, free, 0, squares, cumulated)
                total = cumulated[n - 1] if n > 0 else 0.0
            if total == 0.0:
                log_weights[draw] = -np.inf
                break
            log_weights[draw] += np.log(total / (i + 1.0))
            if even and not last:
                square = select(free, 0, below(stream, n))
            else:
                square = squares[above(cumulated, 0, n, unit(stream) * total)]
            mines[draw, i] = square
            if last:
                each = np.exp(log_weights[draw] - shift) * n_mines / total
                for j in range(n):
                    mass[squares[j]] += each * lists.mine_weights[squares[j]]
            for w in range(words):
                free[0, w] &= ~lists.mine_reach[square, w]


@cached
def sum_mines(lists, shift, placements, log_weights, mass):
    """Sum over every set of mines around the ships of every draw.

    Adds the log of the sum of the sets' weights to each log weight. `mass` (N,) gets the
    sums over the sets with a mine on a square, times the draw's weight over exp(shift).
    """
    n_mines, words = lists.n_mines, lists.masks.shape[1]
    free = np.empty((n_mines, words), np.uint64)  # row i: where mine i may still be tried
    chosen = np.empty(n_mines, np.int64)
    product = np.empty(n_mines)  # the weight of the draw and of the mines before mine i
    total = np.empty(n_mines)  # the sum over the sets that have those mines
    for draw in range(placements.shape[0]):
        free_squares(lists, placements, draw, free, 0)
        product[0] = np.exp(log_weights[draw] - shift)
        total[0] = 0.0
        i = 0
        while True:
            if i < n_mines - 1:
                square = select(free, i, np.int64(0))
                if square >= 0:
                    # A set is met in the order of its squares only.
                    free[i, square >> 6] &= ~(_ONE << np.uint64(square & 63))
                    for w in range(words):
                        free[i + 1, w] = free[i, w] & ~lists.mine_reach[square, w]
                    chosen[i] = square
                    product[i + 1] = product[i] * lists.mine_weights[square]
                    total[i + 1] = 0.0
                    i += 1
                    continue
            else:
                for w in range(words):
                    word = free[i, w]
                    while word != _ZERO:
                        square = 64 * w + np.int64(lowest_bit(word))
                        word &= word - _ONE
                        weight = product[i] * lists.mine_weights[square]
                        mass[square] += weight
                        total[i] += weight
            if i == 0:
                break
            i -= 1
            mass[chosen[i]] += total[i + 1]
            total[i] += total[i + 1]
        log_weights[draw] = np.log(total[0]) + shift if total[0] > 0.0 else -np.inf
