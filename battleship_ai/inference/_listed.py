"""Kernels over many layouts at once, one a row: their answers to a shot, and what squares tell.

An answer is a number here: 0 for a miss, else 1 + 2 × the class told (0 if none is) + whether
the ship is sunk.
"""

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import cached, inlined
from battleship_ai.inference.tables import MISS, SHIP_CLASS, SHIP_SIZE, SHIP_START, SUNK


def answer_numbers(kinds: npt.ArrayLike, classes: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """The numbers of answers as records and the referee have them, arrays alike."""
    sunk = np.equal(kinds, SUNK)
    return np.where(np.equal(kinds, MISS), 0, 1 + 2 * np.maximum(classes, 0) + sunk)


@inlined
def _answer_on_ship(tables, rows, row, ship, asked, square):
    """The answer of a ship that lies on the square."""
    sinks = tables.announces_sinking
    start = tables.ships[ship, SHIP_START]
    for i in range(start, start + tables.ships[ship, SHIP_SIZE]):
        at = rows[row, i]
        sinks &= at == square or asked[at]
    told = tables.names_hits or (sinks and tables.tells_class)
    ship_class = tables.ships[ship, SHIP_CLASS] if told else np.int64(0)
    return 1 + 2 * ship_class + np.int64(sinks)


@inlined
def answer_of(tables, rows, row, asked, square):
    """The answer of one layout; whether `square` itself is among `asked` is all the same."""
    for ship in range(tables.ships.shape[0]):
        start = tables.ships[ship, SHIP_START]
        for i in range(start, start + tables.ships[ship, SHIP_SIZE]):
            if rows[row, i] == square:
                return _answer_on_ship(tables, rows, row, ship, asked, square)
    return np.int64(0)


@cached
def answers_to(tables, rows, asked, square):
    """What each layout answers to a shot."""
    answers = np.empty(rows.shape[0], np.int64)
    for row in range(rows.shape[0]):
        answers[row] = answer_of(tables, rows, row, asked, square)
    return answers


@cached
def tally(tables, rows, asked):
    """How many layouts give each answer but a miss at each square not asked yet.

    Returns int64 (squares, answers); 0 on squares already asked.
    """
    counts = np.zeros((tables.n_squares, 1 + 2 * tables.classes.shape[0]), np.int64)
    for row in range(rows.shape[0]):
        for ship in range(tables.ships.shape[0]):
            start = tables.ships[ship, SHIP_START]
            for i in range(start, start + tables.ships[ship, SHIP_SIZE]):
                square = rows[row, i]
                if not asked[square]:
                    counts[square, _answer_on_ship(tables, rows, row, ship, asked, square)] += 1
    return counts


@inlined
def _likeliest(rows, order, low, high, asked, counts):
    """The open square that most of the layouts hold, the lowest of several."""
    for square in range(counts.shape[0]):
        counts[square] = 0
    for i in range(low, high):
        for j in range(rows.shape[1]):
            counts[rows[order[i], j]] += 1
    best = np.int64(-1)
    for square in range(counts.shape[0]):
        if not asked[square] and (best < 0 or counts[square] > counts[best]):
            best = square
    return best


@inlined
def _split(tables, rows, order, low, high, asked, square, answers, sizes, spare):
    """Bring the layouts of each answer together, those of a miss first."""
    for a in range(sizes.shape[0]):
        sizes[a] = 0
    for i in range(low, high):
        answers[order[i]] = answer_of(tables, rows, order[i], asked, square)
        sizes[answers[order[i]]] += 1
        spare[i] = order[i]
    place = low
    for a in range(sizes.shape[0]):
        n = sizes[a]
        sizes[a] = place
        place += n
    for i in range(low, high):
        a = answers[spare[i]]
        order[sizes[a]] = spare[i]
        sizes[a] += 1


@cached
def shots_of_greedy(tables, rows, asked, first):
    """The shots that greedy play needs in all against each of the layouts, summed.

    It knows that one of `rows` is hidden, each as likely, shoots at `first` and then always at
    the square that most of the layouts hold which fit the answers. Its games share their
    shots as long as they share their answers, so that every layout is looked at once a shot.
    `asked` comes back as it was.
    """
    n, width = rows.shape
    order = np.arange(n)
    answers = np.zeros(n, np.int64)
    spare = np.empty(n, np.int64)
    sizes = np.empty(1 + 2 * tables.classes.shape[0], np.int64)
    counts = np.empty(tables.n_squares, np.int64)
    # One frame for each shot of the game at hand: its square, the layouts, where to go on.
    square = np.empty(tables.n_squares + 1, np.int64)
    place = np.empty(tables.n_squares + 1, np.int64)
    end = np.empty(tables.n_squares + 1, np.int64)
    left = np.empty(tables.n_squares + 1, np.int64)
    total = np.int64(0)
    left[0] = 0
    for j in range(width):
        left[0] += not asked[rows[0, j]]
    depth = 0
    square[0], place[0], end[0] = first, 0, n
    total += n
    _split(tables, rows, order, 0, n, asked, first, answers, sizes, spare)
    asked[first] = True
    while depth >= 0:
        low = place[depth]
        if low == end[depth]:
            asked[square[depth]] = False
            depth -= 1
            continue
        answer = answers[order[low]]
        high = low + 1
        while high < end[depth] and answers[order[high]] == answer:
            high += 1
        place[depth] = high
        still = left[depth] - (answer > 0)
        if still == 0:
            continue
        if high == low + 1:
            total += still
            continue
        here = _likeliest(rows, order, low, high, asked, counts)
        depth += 1
        square[depth], place[depth], end[depth], left[depth] = here, low, high, still
        total += high - low
        _split(tables, rows, order, low, high, asked, here, answers, sizes, spare)
        asked[here] = True
    return total
