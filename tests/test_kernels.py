"""The primitives that every kernel stands on, with the JIT on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit, typeof, types

from battleship_ai import bitboard, rng

word = st.integers(0, 2**64 - 1)
square_sets = st.sets(st.integers(0, 399))


@njit
def _word_functions(x):
    return bitboard.popcount_word(x), bitboard.lowest_bit(x), rng.mix(x)


@njit
def _set_functions(sets, square, rank):
    has = bitboard.contains(sets, 0, square)
    bitboard.insert(sets, 1, square)
    bitboard.include(sets, 1, sets, 0)
    bitboard.remove(sets, 0, square)
    return (
        has, bitboard.popcount(sets, 1), bitboard.select(sets, 1, rank),
        bitboard.intersects(sets, 0, sets, 1),
    )  # fmt: skip


@njit
def _filled(sets, n):
    bitboard.fill(sets, 0, n)


@njit
def _numbers(key, counter, bound, n):
    stream = np.empty(2, np.uint64)
    rng.open_stream(stream, key, counter)
    drawn = np.empty(n, np.int64)
    units = np.empty(n)
    for i in range(n):
        drawn[i] = rng.below(stream, bound)
        units[i] = rng.unit(stream)
    return drawn, units


@given(word)
def test_words_stay_unsigned_up_to_the_last_bit(x):
    count, low, mixed = _word_functions(np.uint64(x))
    assert count == x.bit_count()
    assert low == ((x & -x).bit_length() - 1 if x else 64)
    assert 0 <= mixed < 2**64


def test_word_functions_return_uint64():
    _word_functions(np.uint64(1))
    (signature,) = _word_functions.nopython_signatures
    assert signature.return_type == types.UniTuple(types.uint64, 3)


@given(square_sets, st.integers(0, 399), st.data())
def test_sets_behave_as_sets(squares, square, data):
    sets = np.stack([bitboard.pack(squares, 400), bitboard.pack([], 400)])
    joined = sorted(squares | {square})
    rank = data.draw(st.integers(0, len(joined)))
    has, count, selected, meets = _set_functions(sets, square, rank)
    assert has == (square in squares)
    assert count == len(joined)
    assert selected == (joined[rank] if rank < len(joined) else -1)
    assert meets == bool(squares - {square})
    assert bitboard.unpack(sets[1]) == tuple(joined)
    assert bitboard.unpack(sets[0]) == tuple(sorted(squares - {square}))


@pytest.mark.parametrize("n", [1, 63, 64, 65, 100, 128, 400, 676])
def test_the_full_board_has_every_square(n):
    sets = np.zeros((1, bitboard.word_count(n)), np.uint64)
    _filled(sets, n)
    assert typeof(sets).dtype == types.uint64
    assert bitboard.unpack(sets[0]) == tuple(range(n))


@pytest.mark.parametrize("bound", [1, 2, 3, 100, 7043, 2**31 + 1])
def test_random_integers_are_uniform(bound):
    drawn, units = _numbers(np.uint64(3), np.uint64(0), bound, 100_000)
    assert drawn.min() >= 0
    assert drawn.max() < bound
    mean, sd = (bound - 1) / 2, np.sqrt((bound**2 - 1) / 12)
    assert abs(drawn.mean() - mean) <= 5 * sd / np.sqrt(len(drawn))
    assert units.min() >= 0
    assert units.max() < 1
    assert abs(units.mean() - 0.5) < 5 * np.sqrt(1 / 12 / len(units))


def test_streams_of_one_key_are_unrelated():
    first, _ = _numbers(np.uint64(3), np.uint64(0), 1000, 50_000)
    second, _ = _numbers(np.uint64(3), np.uint64(1), 1000, 50_000)
    assert abs(np.corrcoef(first, second)[0, 1]) < 5 / np.sqrt(len(first))
    assert len(np.unique(rng.game_keys(1, 0, 100_000))) == 100_000


def test_a_generator_seeds_too():
    generator = np.random.default_rng(1)
    assert rng.key_of(generator) != rng.key_of(generator)
    assert rng.key_of(np.random.SeedSequence(4)) == rng.key_of(4)
