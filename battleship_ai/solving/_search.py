"""The search over beliefs, as a kernel.

A belief is a set of layouts that still fit, with the squares asked; what matters of a layout is
the squares of its ships that were not asked yet, its *rest*. Two beliefs with the same rests,
one by one, lead to the same games, whatever was asked on the way; so do beliefs that a
symmetry of the board turns into one another. A belief has a key of 128 bits, a sum of mixed
words over its layouts, the least of those under all symmetries; a table keeps for each key
the value found, or a lower bound where the search was cut off.

The value is the sum over the layouts of the shots still needed or, where the worst case
counts, the most shots that any of them needs. The search is depth first with a bound: it
returns the value if that is below the bound, and otherwise a lower bound that is not.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import cached, inlined, kernel
from battleship_ai.bitboard import Words, lowest_bit, popcount_word
from battleship_ai.rng import mix

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_LANES = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))

# Entries of the table that one key may be kept in.
_WAYS = 4

# Entries of `Beliefs.counts`.
EXPANDED, BOUNDED = 0, 1

# Answers: a miss; then for each label a hit, then for each label a sinking.
MISS = 0


class Beliefs(NamedTuple):
    """Layouts and the table of a search; n layouts, k ships, G symmetries, N squares.

    Attributes
    ----------
    ships : uint64 (G, n, k)
        The squares of each ship under each symmetry, the first of which is none.
    images : int64 (G, N)
        Where each symmetry takes each square.
    hit_label, sunk_label : int64 (k,)
        What the answer to a hit, and to a sinking, tells of the ship: a number below
        `n_labels`.
    n_labels : int
    worst : bool
        Whether the value is the most shots, not their sum.
    knows_sunk_squares : bool
        Whether the hits and an answer always tell all squares of a ship that is sunk.
    twin : int64 (n,)
        The same number for layouts of the same squares, which are neighbours.
    radix : int64 (k,)
        What a square of each ship's rest adds to the number of a distribution of rests.
    words : int64 (distributions,)
        In how many ways hits and sinkings may follow each other.
    members : int32 (at least (N + 1) n,)
        A stack of sets of layouts.
    keys : uint64 (slots, 2)
    values : int32 (slots,)
        Twice the value, and one more where it is only a lower bound.
    sizes : int32 (slots,)
        How many layouts the belief has; 0 where the slot is empty.
    best : int64 (N + 1,)
        The best first shot found at each depth.
    seen : int64 (distributions,)
        When each distribution of rests was last met.
    counts : int64 (2,)
        Beliefs expanded, and bounds computed.
    """

    ships: npt.NDArray[np.uint64]
    images: npt.NDArray[np.int64]
    hit_label: npt.NDArray[np.int64]
    sunk_label: npt.NDArray[np.int64]
    n_labels: int
    worst: bool
    knows_sunk_squares: bool
    twin: npt.NDArray[np.int64]
    radix: npt.NDArray[np.int64]
    words: npt.NDArray[np.int64]
    members: npt.NDArray[np.int32]
    keys: Words
    values: npt.NDArray[np.int32]
    sizes: npt.NDArray[np.int32]
    best: npt.NDArray[np.int64]
    seen: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


@inlined
def _key(beliefs, start, stop, asked):
    """The key of a belief: the least over the symmetries, so that these share it."""
    least0 = ~_ZERO
    least1 = ~_ZERO
    for g in range(beliefs.images.shape[0]):
        turned = _ZERO
        left = asked
        while left != _ZERO:
            turned |= _ONE << np.uint64(beliefs.images[g, np.int64(lowest_bit(left))])
            left &= left - _ONE
        sum0 = _ZERO
        sum1 = _ZERO
        for m in range(start, stop):
            word0 = _ZERO
            word1 = _ZERO
            for ship in range(beliefs.ships.shape[2]):
                rest = beliefs.ships[g, beliefs.members[m], ship] & ~turned
                if rest != _ZERO:
                    label = np.uint64(1 + beliefs.sunk_label[ship])
                    word0 += mix(rest + label * _LANES[0])
                    word1 += mix((rest ^ _LANES[1]) + label * _LANES[1])
            sum0 += mix(word0)
            sum1 += mix(word1 ^ _LANES[0])
        if sum0 < least0 or (sum0 == least0 and sum1 < least1):
            least0 = sum0
            least1 = sum1
    return least0, least1


@inlined
def _find(beliefs, key0, key1):
    """Where a key is in the table, −1 if it is not."""
    slots = np.uint64(beliefs.values.shape[0])
    base = np.int64(key0 & (slots - _ONE)) & ~(_WAYS - 1)
    for i in range(base, base + _WAYS):
        if beliefs.sizes[i] > 0 and beliefs.keys[i, 0] == key0 and beliefs.keys[i, 1] == key1:
            return i
    return np.int64(-1)


@inlined
def _keep(beliefs, key0, key1, size, value, is_bound):
    """Enter a value; where there is no room, the belief of the fewest layouts makes way."""
    i = _find(beliefs, key0, key1)
    if i < 0:
        slots = np.uint64(beliefs.values.shape[0])
        base = np.int64(key0 & (slots - _ONE)) & ~(_WAYS - 1)
        i = base
        for j in range(base, base + _WAYS):
            if beliefs.sizes[j] < beliefs.sizes[i]:
                i = j
    beliefs.keys[i, 0] = key0
    beliefs.keys[i, 1] = key1
    beliefs.sizes[i] = size
    beliefs.values[i] = 2 * value + is_bound


@inlined
def _rest(beliefs, layout, asked):
    """The squares of a layout not asked yet."""
    rest = _ZERO
    for ship in range(beliefs.ships.shape[2]):
        rest |= beliefs.ships[0, layout, ship]
    return rest & ~asked


@kernel
def answer_of(beliefs, layout, asked, square):
    """The answer of a layout to a square not asked before; −1 if it ends the game."""
    bit = _ONE << np.uint64(square)
    code = np.int64(MISS)
    others = _ZERO
    for ship in range(beliefs.ships.shape[2]):
        rest = beliefs.ships[0, layout, ship] & ~asked
        if rest & bit == _ZERO:
            others |= rest
        elif rest == bit:
            code = 1 + beliefs.n_labels + beliefs.sunk_label[ship]
        else:
            code = 1 + beliefs.hit_label[ship]
            others |= rest
    if code != MISS and others == _ZERO:
        return np.int64(-1)
    return code


@inlined
def _cover(beliefs, start, stop, asked, cover):
    """How many layouts have each square in their rest, and what they need at least.

    Of layouts of the same squares one counts. Returns the squares of all rests, how many layouts
    count, and how many words (see `Beliefs.words`) their answers may spell.
    """
    for square in range(cover.shape[0]):
        cover[square] = 0
    squares = np.int64(0)
    counted = np.int64(0)
    n_words = np.int64(0)
    twin = np.int64(-1)
    beliefs.counts[BOUNDED] += 1
    stamp = beliefs.counts[BOUNDED]
    for m in range(start, stop):
        layout = beliefs.members[m]
        rest = _ZERO
        code = np.int64(0)
        for ship in range(beliefs.ships.shape[2]):
            part = beliefs.ships[0, layout, ship] & ~asked
            rest |= part
            code += beliefs.radix[ship] * np.int64(popcount_word(part))
        squares += np.int64(popcount_word(rest))
        if beliefs.twin[layout] == twin:
            continue
        twin = beliefs.twin[layout]
        counted += 1
        if beliefs.seen[code] != stamp:
            beliefs.seen[code] = stamp
            n_words += beliefs.words[code]
        while rest != _ZERO:
            cover[np.int64(lowest_bit(rest))] += 1
            rest &= rest - _ONE
    return squares, counted, n_words


@kernel
def split(beliefs, start, stop, top, asked, square, child):
    """Sort the layouts of a belief by their answers to a shot.

    The sets are put on top of the stack; ``child[a]`` and ``child[a + 1]`` bound that of
    answer a. Layouts that the shot finishes belong to none. Returns the end of the stack.
    """
    members = beliefs.members
    n_answers = child.shape[0] - 1
    for a in range(n_answers + 1):
        child[a] = 0
    for m in range(start, stop):
        a = answer_of(beliefs, members[m], asked, square)
        if a >= 0:
            child[a + 1] += 1
    child[0] = top
    for a in range(n_answers):
        child[a + 1] += child[a]
    end = child[n_answers]
    for m in range(start, stop):
        a = answer_of(beliefs, members[m], asked, square)
        if a >= 0:
            members[child[a]] = members[m]
            child[a] += 1
    for a in range(n_answers, 0, -1):
        child[a] = child[a - 1]
    child[0] = top
    return end


@inlined
def _by_bound(lower, cover, order):
    """The squares in some rest, in order of their lower bounds; returns how many."""
    n = 0
    for square in range(cover.shape[0]):
        if cover[square] > 0:
            i = n
            while i > 0 and (
                lower[order[i - 1]] > lower[square]
                or (lower[order[i - 1]] == lower[square] and cover[order[i - 1]] < cover[square])
            ):
                order[i] = order[i - 1]
                i -= 1
            order[i] = square
            n += 1
    return n


@inlined
def _least(beliefs, start, stop, asked, cover, room):
    """A lower bound of the value of a belief.

    On the path of misses alone, shot t can hit at most as many layouts as the t-th widest square
    covers. Those have had t - 1 misses; with m more, and r squares to hit, answers differ
    for at most words × C(r - 2 + m, m) of them, and those of different squares must differ.
    """
    n = stop - start
    if n == 0:
        return np.int64(0)
    squares, left, n_words = _cover(beliefs, start, stop, asked, cover)
    r = squares // n  # the same for all: they have the same hits
    misses = np.int64(0)
    v = np.int64(-1)
    while left > 0:
        v += 1
        widest = np.int64(0)
        for square in range(cover.shape[0]):
            if cover[square] > cover[widest]:
                widest = square
        room[v] = cover[widest]
        cover[widest] = 0
        ways = n_words
        for m in range(v + 1):
            taken = min(ways, room[v - m], left)
            room[v - m] -= taken
            left -= taken
            misses += v * taken
            ways = ways * (r - 1 + m) // (m + 1)
    return r + v if beliefs.worst else squares + misses


@inlined
def _value(beliefs, n, parts):
    """What a shot at n layouts comes to, given the values of what the answers leave."""
    value = np.int64(0)
    for a in range(parts.shape[0]):
        value = max(value, parts[a]) if beliefs.worst else value + parts[a]
    return value + 1 if beliefs.worst else value + n


@cached
def search(beliefs, depth, start, stop, top, asked, bound):
    """The value of a belief if it is below `bound`; else a lower bound that is not.

    The layouts are ``members[start:stop]``; what lies above `top` may be overwritten. If the value
    is below the bound, ``best[depth]`` is a shot that attains it.
    """
    n = stop - start
    if n == 1:
        rest = _rest(beliefs, beliefs.members[start], asked)
        beliefs.best[depth] = np.int64(lowest_bit(rest))
        return np.int64(popcount_word(rest))
    n_squares = beliefs.images.shape[1]
    cover = np.empty(n_squares, np.int64)
    room = np.empty(n_squares, np.int64)
    low = _least(beliefs, start, stop, asked, cover, room)
    if low >= bound:
        return low
    key0, key1 = _key(beliefs, start, stop, asked)
    found = _find(beliefs, key0, key1)
    if found >= 0 and depth > 0:
        value = np.int64(beliefs.values[found] >> 1)
        if beliefs.values[found] & 1 == 0 or value >= bound:
            return value
    beliefs.counts[EXPANDED] += 1
    _cover(beliefs, start, stop, asked, cover)
    n_answers = 1 + 2 * beliefs.n_labels
    child = np.empty(n_answers + 1, np.int64)
    # For each shot the value of what each answer leaves: a bound, until it is searched.
    parts = np.empty((n_squares, n_answers), np.int64)
    lower = np.empty(n_squares, np.int64)
    order = np.empty(n_squares, np.int64)
    inner = np.empty(n_squares, np.int64)
    if beliefs.knows_sunk_squares:
        # A square that every ship position has is no loss to ask first: the answers of any
        # other order can then be told from those received.
        for square in range(n_squares):
            if cover[square] == n:
                cover[:] = 0
                cover[square] = n
                break
    for square in range(n_squares):
        if cover[square] > 0:
            split(beliefs, start, stop, top, asked, square, child)
            now = asked | _ONE << np.uint64(square)
            for a in range(n_answers):
                parts[square, a] = _least(beliefs, child[a], child[a + 1], now, inner, room)
            lower[square] = _value(beliefs, n, parts[square])
    n_candidates = _by_bound(lower, cover, order)
    least = bound
    low = np.int64(2**62)
    for i in range(n_candidates):
        square = order[i]
        if lower[square] >= least:
            low = min(low, lower[square])
            break
        end = split(beliefs, start, stop, top, asked, square, child)
        now = asked | _ONE << np.uint64(square)
        value = lower[square]
        for a in range(n_answers - 1, -1, -1):  # the misses last: they take the longest
            if child[a + 1] > child[a] and value < least:
                limit = least - 1 if beliefs.worst else least - (value - parts[square, a])
                parts[square, a] = search(
                    beliefs, depth + 1, child[a], child[a + 1], end, now, limit
                )
                value = _value(beliefs, n, parts[square])
        low = min(low, value)
        if value < least:
            least = value
            beliefs.best[depth] = square
    _keep(beliefs, key0, key1, n, low, np.int64(low >= bound))
    return low
