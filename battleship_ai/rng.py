"""Random numbers that depend on the seed and the game, never on the worker.

A tournament's seed becomes one 64-bit key; each game's key follows from it and
the game's number; each use of randomness in a game (the layout, every move)
opens its own stream from the game's key and a counter. So any game, and any
move of it, can be reproduced alone, whatever machine or worker played it.

The generator is SplitMix64 [1]_ with a gamma of its own for each stream; uniform integers are
drawn as in [2]_.

References
----------
.. [1] G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
   generators", OOPSLA 2014.
.. [2] D. Lemire, "Fast random integer generation in an interval", ACM
   Transactions on Modeling and Computer Simulation 29, 2019.
"""

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import inlined

__all__ = ["Seed", "game_keys", "key_of"]

Seed = int | np.random.Generator | np.random.SeedSequence
"""What decides everything random: a whole number from 0, or a source of random numbers."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_SHIFT_30, _SHIFT_27, _SHIFT_31 = np.uint64(30), np.uint64(27), np.uint64(31)
_SHIFT_32, _SHIFT_11 = np.uint64(32), np.uint64(11)
_ONE = np.uint64(1)
_LOW_32 = np.uint64(0xFFFFFFFF)
_TWO_32 = np.uint64(1 << 32)
_UNIT = 2.0**-53

# Counters of a game's streams: the hidden layout has the first, move t the (1 + t)-th.
LAYOUT_STREAM = np.uint64(0)
FIRST_MOVE_STREAM = np.uint64(1)


def key_of(seed: Seed) -> int:
    """The 64-bit key of a seed.

    Parameters
    ----------
    seed : int, numpy.random.Generator or numpy.random.SeedSequence
        A non-negative integer always gives the same key; a generator gives its
        next one.

    Examples
    --------
    >>> key_of(1) == key_of(1), key_of(1) == key_of(2)
    (True, False)
    """
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**64, dtype=np.uint64))
    if not isinstance(seed, np.random.SeedSequence):
        seed = np.random.SeedSequence(seed)
    return int(seed.generate_state(1, np.uint64)[0])


def _mix_array(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    x = (x ^ (x >> _SHIFT_30)) * _MIX_A
    x = (x ^ (x >> _SHIFT_27)) * _MIX_B
    return x ^ (x >> _SHIFT_31)


def game_keys(key: int, first: int, count: int) -> npt.NDArray[np.uint64]:
    """The keys of the games `first`, `first` + 1, … under a tournament's key.

    Examples
    --------
    >>> bool(game_keys(7, 0, 5)[3] == game_keys(7, 3, 1)[0])
    True
    """
    games = np.arange(first + 1, first + count + 1, dtype=np.uint64)
    return _mix_array(_mix_array(games * _GOLDEN) ^ np.uint64(key))


@inlined
def mix(x):
    """The finaliser of SplitMix64: a bijection of 64-bit words."""
    x = (x ^ (x >> _SHIFT_30)) * _MIX_A
    x = (x ^ (x >> _SHIFT_27)) * _MIX_B
    return x ^ (x >> _SHIFT_31)


@inlined
def open_stream(stream, key, counter):
    """Set a stream (two uint64: state and gamma) to the start of (key, counter)."""
    start = mix(key + counter * _GOLDEN)
    stream[0] = start
    stream[1] = mix(start + _GOLDEN) | _ONE


@inlined
def next_word(stream):
    """The next 64 random bits."""
    stream[0] += stream[1]
    return mix(stream[0])


@inlined
def below(stream, n):
    """A uniform int64 in [0, n), for 1 <= n < 2**32; unbiased (Lemire 2019)."""
    bound = np.uint64(n)
    product = (next_word(stream) >> _SHIFT_32) * bound
    low = product & _LOW_32
    if low < bound:
        threshold = (_TWO_32 - bound) % bound
        while low < threshold:
            product = (next_word(stream) >> _SHIFT_32) * bound
            low = product & _LOW_32
    return np.int64(product >> _SHIFT_32)


@inlined
def unit(stream):
    """A uniform float64 in [0, 1)."""
    return np.float64(next_word(stream) >> _SHIFT_11) * _UNIT
