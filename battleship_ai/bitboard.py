"""Sets of squares as rows of ``uint64`` words, and the bit primitives of the kernels.

A square is an index in row-major order; square *s* is bit ``s & 63`` of word
``s >> 6``. A board takes at least two words, a 26×26 board eleven.

The jitted functions work on a table of sets, one a row, and take the row's
number: a row taken out as an array of its own costs more than the work on it.
Words are combined with ``uint64`` only: one plain ``int`` in an expression turns
the result into ``int64`` and spoils it from bit 63 on.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from battleship_ai._jit import inlined

__all__ = ["pack", "unpack", "word_count"]

Words = npt.NDArray[np.uint64]

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def word_count(n_squares: int) -> int:
    """Number of words of a set of squares: two, or as many as `n_squares` bits take.

    Examples
    --------
    >>> word_count(16), word_count(100), word_count(400)
    (2, 2, 7)
    """
    return max(2, (n_squares + 63) // 64)


def pack(squares: Iterable[int], n_squares: int) -> Words:
    """The words of a set of squares.

    Parameters
    ----------
    squares : iterable of int
        Square indices below `n_squares`.
    n_squares : int
        Squares of the board.

    Returns
    -------
    ndarray of uint64, shape (word_count(n_squares),)

    Examples
    --------
    >>> pack([0, 2, 65], 100).tolist()
    [5, 2]
    """
    words = np.zeros(word_count(n_squares), dtype=np.uint64)
    for square in squares:
        words[square >> 6] |= np.uint64(1 << (square & 63))
    return words


def unpack(words: Words) -> tuple[int, ...]:
    """The squares of a set, in increasing order.

    Examples
    --------
    >>> unpack(pack([65, 2, 0], 100))
    (0, 2, 65)
    """
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")
    return tuple(np.flatnonzero(bits).tolist())


@intrinsic
def _ctpop(typing_context: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def _cttz(typing_context: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@inlined
def popcount_word(word):
    """Number of squares in one word."""
    return _ctpop(word)


@inlined
def lowest_bit(word):
    """Position of the lowest set bit of a word; 64 for the empty word."""
    return _cttz(word)


@inlined
def contains(sets, row, square):
    """Whether the set in a row of `sets` holds a square."""
    return (sets[row, square >> 6] >> np.uint64(square & 63)) & _ONE != _ZERO


@inlined
def insert(sets, row, square):
    """Put a square into the set in a row of `sets`."""
    sets[row, square >> 6] |= _ONE << np.uint64(square & 63)


@inlined
def include(sets, row, others, other):
    """Put every square of another set into the set in a row of `sets`."""
    # The first two words are spelled out: as a vector loop they take twice the time.
    sets[row, 0] |= others[other, 0]
    sets[row, 1] |= others[other, 1]
    for w in range(2, sets.shape[1]):
        sets[row, w] |= others[other, w]


@inlined
def intersects(sets, row, others, other):
    """Whether two sets share a square."""
    for w in range(sets.shape[1]):
        if sets[row, w] & others[other, w] != _ZERO:
            return True
    return False


@inlined
def fill(sets, row, n_squares):
    """Make the set in a row of `sets` the whole board."""
    for w in range(sets.shape[1]):
        here = min(max(n_squares - 64 * w, 0), 64)
        sets[row, w] = _ZERO if here == 0 else _ALL >> np.uint64(64 - here)


@inlined
def remove(sets, row, square):
    """Take a square out of the set in a row of `sets`."""
    sets[row, square >> 6] &= ~(_ONE << np.uint64(square & 63))


@inlined
def clear(sets, row):
    """Empty the set in a row of `sets`."""
    for w in range(sets.shape[1]):
        sets[row, w] = _ZERO


@inlined
def popcount(sets, row):
    """Number of squares of the set in a row of `sets`, as int64."""
    total = _ZERO
    for w in range(sets.shape[1]):
        total += _ctpop(sets[row, w])
    return np.int64(total)


@inlined
def select(sets, row, rank):
    """The square of a set that has `rank` smaller ones in it; −1 if there is none."""
    for w in range(sets.shape[1]):
        word = sets[row, w]
        here = np.int64(_ctpop(word))
        if rank < here:
            for _ in range(rank):
                word &= word - _ONE
            return np.int64(w) * 64 + np.int64(_cttz(word))
        rank -= here
    return np.int64(-1)
