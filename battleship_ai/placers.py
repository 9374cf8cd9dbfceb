"""Placers: who hides the fleet. To add one, write a function and enter it below."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from battleship_ai._names import look_up
from battleship_ai._placing import first_ship_weights, place_sequential, place_uniform
from battleship_ai.errors import LayoutError, RulesError
from battleship_ai.inference.exact import covers, opening_posterior
from battleship_ai.inference.tables import FIRST, SHIP_CLASS, STOP, tables
from battleship_ai.layouts import Layout
from battleship_ai.rng import Seed, game_keys, key_of
from battleship_ai.rules import Rules

__all__ = ["PLACERS", "Placer", "place", "place_arrays"]

Layouts = npt.NDArray[np.int16]
Keys = npt.NDArray[np.uint64]

_MAX_FLEETS = 1_000_000_000
_MAX_RESTARTS = 1_000_000
# Pairs of placements that the uniform placer is ready to compare once for each rule set.
_MAX_PAIRS = 300_000_000
_RIM_FACTOR = 3.0
# Drawing 10,000 layouts takes as long by rejecting so many fleets for each as by building the
# graph and drawing from it.
_TRIALS, _FLEETS_A_TRIAL = 20, 5000


def _filled(rules: Rules, keys: Keys, filled: Callable[[Layouts], int], limit: int) -> Layouts:
    layouts = np.empty((len(keys), rules.ship_squares), dtype=np.int16)
    done = filled(layouts)
    if done < len(layouts):
        raise LayoutError(
            f"no legal layout of {', '.join(map(str, rules.fleet))} on the {rules.board} board "
            f"in {limit} attempts; another placer may find some"
        )
    return layouts


def uniform(rules: Rules, keys: Keys) -> Layouts:
    """Exactly uniform over all legal layouts, by rejection or from the exact posterior.

    Independent placements, rejected on any conflict, are the faster way unless thousands
    of fleets have to be rejected for each layout (`german`). There the layouts are
    drawn by `ExactPosterior`. Floats enter the choice of the first ship, or of each edge,
    with relative errors below 1e-12.
    """
    if _rejects_too_many(rules):
        return opening_posterior(rules).sample_keyed(keys)
    return _filled(
        rules, keys, lambda layouts: _reject(rules, keys, _MAX_FLEETS, layouts), _MAX_FLEETS
    )


def _reject(rules: Rules, keys: Keys, limit: int, layouts: Layouts) -> int:
    threshold, alias, around_first = _first_ship(rules)
    n: int = place_uniform(tables(rules), threshold, alias, around_first, keys, limit, layouts)
    return n


@lru_cache(maxsize=64)
def _rejects_too_many(rules: Rules) -> bool:
    """Whether most of a few trials find no layout among the first fleets.

    The keys of the trials are fixed: the rules alone decide, never the machine.
    """
    layout = np.empty((1, rules.ship_squares), dtype=np.int16)
    keys = game_keys(0, 0, _TRIALS)
    found = sum(_reject(rules, keys[i : i + 1], _FLEETS_A_TRIAL, layout) for i in range(_TRIALS))
    return found < _TRIALS / 2 and covers(rules)


@lru_cache(maxsize=32)
def _first_ship(rules: Rules) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], bool]:
    """The alias table of the first ship's placements (Walker 1977), and whether it is weighted."""
    arrays = tables(rules)
    k = arrays.ships[0, SHIP_CLASS]
    n = int(arrays.classes[k, STOP] - arrays.classes[k, FIRST])
    if n * len(arrays.masks) > _MAX_PAIRS:
        return np.ones(n), np.arange(n), False
    weights = first_ship_weights(arrays)
    scaled = weights * (n / weights.sum())
    alias = np.arange(n)
    small = [i for i in range(n) if scaled[i] < 1.0]
    large = [i for i in range(n) if scaled[i] >= 1.0]
    while small and large:
        low, high = small.pop(), large[-1]
        alias[low] = high
        scaled[high] -= 1.0 - scaled[low]
        if scaled[high] < 1.0:
            small.append(large.pop())
    scaled[small + large] = 1.0
    return scaled, alias, True


def _one_by_one(rules: Rules, keys: Keys, order: list[int], rim_factor: float) -> Layouts:
    arrays = tables(rules)
    rows, cols = rules.board.rows, rules.board.cols
    row, col = np.divmod(np.arange(rules.board.n_squares), cols)
    on_rim = (row == 0) | (row == rows - 1) | (col == 0) | (col == cols - 1)
    rim_squares = np.append(on_rim, False)[arrays.squares].sum(axis=1)
    weight = rim_factor**rim_squares
    return _filled(
        rules,
        keys,
        lambda layouts: place_sequential(
            arrays, np.array(order), weight, keys, _MAX_RESTARTS, layouts
        ),
        _MAX_RESTARTS,
    )


def sequential(rules: Rules, keys: Keys) -> Layouts:
    """Largest ship first, each uniform among what is legal; not uniform over layouts."""
    return _one_by_one(rules, keys, list(range(len(rules.fleet))), 1.0)


def sequential_smallest_first(rules: Rules, keys: Keys) -> Layouts:
    """Smallest ship first, each uniform among what is legal; not uniform over layouts."""
    return _one_by_one(rules, keys, list(range(len(rules.fleet)))[::-1], 1.0)


def edge(rules: Rules, keys: Keys) -> Layouts:
    """Prefers the rim: as sequential, each square on the rim trebling a placement's chance."""
    return _one_by_one(rules, keys, list(range(len(rules.fleet))), _RIM_FACTOR)


@dataclass(frozen=True)
class Placer:
    """A named way to hide fleets.

    Attributes
    ----------
    name : str
    function : callable
        ``(rules, keys) -> layouts``: one layout for each game's key, as rows of the
        squares of all ships in fleet order.
    """

    name: str
    function: Callable[[Rules, Keys], Layouts]

    @property
    def summary(self) -> str:
        """One sentence about it."""
        return (self.function.__doc__ or "").strip().split("\n", 1)[0]


PLACERS: dict[str, Placer] = {
    placer.name: placer
    for placer in (
        Placer("uniform", uniform),
        Placer("sequential", sequential),
        Placer("sequential-smallest-first", sequential_smallest_first),
        Placer("edge", edge),
    )
}
"""The placers by name.

Examples
--------
>>> print(PLACERS["sequential"].summary)
Largest ship first, each uniform among what is legal; not uniform over layouts.
"""


def place_arrays(rules: Rules, keys: Keys, placer: str = "uniform") -> Layouts:
    """One layout for each game's key, as an int16 array of shape (games, ship squares).

    Raises
    ------
    UnknownName
        If there is no such placer.
    RulesError
        If the fleet has no legal layout.
    LayoutError
        If the placer gave up.
    """
    return look_up("placer", placer, PLACERS).function(rules, keys)


def place(rules: Rules, count: int = 1, *, placer: str = "uniform", seed: Seed = 0) -> list[Layout]:
    """Hide `count` fleets.

    Parameters
    ----------
    rules : Rules
    count : int
    placer : str
        A name in `PLACERS`.
    seed : int, numpy.random.Generator or numpy.random.SeedSequence
        The same integer gives the layouts of a tournament with that seed.

    Examples
    --------
    >>> layout, = place(Rules.preset("hasbro"), 1, seed=7)
    >>> len(layout.squares)
    17
    """
    if not isinstance(count, int) or count < 0:
        raise RulesError(f"count {count!r} is not a non-negative integer")
    keys = game_keys(key_of(seed), 0, count)
    return [Layout.from_array(rules, row) for row in place_arrays(rules, keys, placer)]
