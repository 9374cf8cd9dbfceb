"""What a placer's habits say of each placement: the prior as one weight for each."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from battleship_ai._names import look_up
from battleship_ai.naval.inference._weights import add_chances
from battleship_ai.naval.placers import NAVAL_PLACERS, place_naval_arrays
from battleship_ai.naval.rules import NavalRules
from battleship_ai.naval.tables import GROUP, SIZE, START, NavalTables, naval_tables
from battleship_ai.rng import game_keys, key_of

__all__ = ["check_prior", "placement_weights"]

Values = npt.NDArray[np.float64]

_UNIFORM = "uniform"
_SEED = 1975
_DRAWS = 20_000
_ROUNDS = 3
_SHRINK = 20.0


def check_prior(placer: str) -> None:
    """Raise `UnknownName` unless a belief can take a placer as its prior."""
    look_up("placer", placer, {**NAVAL_PLACERS, _UNIFORM: None})


@lru_cache(maxsize=16)
def placement_weights(rules: NavalRules, placer: str = _UNIFORM) -> Values:
    """A weight for each placement; by the product of theirs, layouts are as a placer's.

    Parameters
    ----------
    rules : NavalRules
    placer : str
        ``uniform``, or a name in `NAVAL_PLACERS`.

    Returns
    -------
    ndarray of float64, shape (P,)
        In the order of `naval_tables`; read-only. All ones for ``uniform``: every legal
        layout is as likely.

    Raises
    ------
    UnknownName
        If there is no such placer.

    Notes
    -----
    Were layouts of objects that do not touch as likely as the product of their weights,
    then, given all objects but one, that one would have each placement that has room with
    a probability in proportion to its weight. The weights are those under which, over
    20,000 layouts of the placer with a fixed seed, each placement is expected as often as it
    occurs: maximum pseudo-likelihood. No layout of the uniform distribution is needed, and
    a placer that is uniform gets ones, but for noise. To keep the noise down, placements that
    a symmetry of the board takes into each other have one weight, and it is drawn
    towards 1 as if they had occurred 20 times more than they did and than expected.

    References
    ----------
    .. [1] J. Besag, "Statistical analysis of non-lattice data", The Statistician 24, 1975.

    Examples
    --------
    >>> placement_weights(NavalRules()).shape
    (7038,)
    """
    check_prior(placer)
    tables = naval_tables(rules)
    n = len(tables.squares)
    weights = np.ones(n)
    if placer != _UNIFORM:
        keys = game_keys(key_of(_SEED), 0, _DRAWS)
        chosen = _placements_of(tables, place_naval_arrays(rules, keys, placer))
        orbits = _orbits(rules, tables)
        observed = np.zeros(n)
        for column, group in zip(chosen.T, tables.objects[:, GROUP], strict=True):
            occurred = np.bincount(column, minlength=n)
            observed += occurred / np.count_nonzero(tables.objects[:, GROUP] == group)
        observed = _sums(observed, orbits)
        for _ in range(_ROUNDS):
            expected = np.zeros(n)
            add_chances(tables, chosen, weights, expected)
            weights = ((observed + _SHRINK) / (_sums(expected, orbits) + _SHRINK))[orbits]
    weights.flags.writeable = False
    return weights


def _sums(values: Values, orbits: npt.NDArray[np.int64]) -> Values:
    return np.bincount(orbits, values, minlength=len(values))


def _placements_of(tables: NavalTables, layouts: npt.NDArray[np.int16]) -> npt.NDArray[np.int64]:
    """The numbers of the placements of layouts' objects, shape (layouts, objects)."""
    chosen = np.empty((len(layouts), len(tables.objects)), dtype=np.int64)
    for column, obj in zip(chosen.T, tables.objects, strict=True):
        size = tables.groups[obj[GROUP], SIZE]
        ends = layouts[:, [obj[START], obj[START] + size - 1]].astype(np.int64)
        column[:] = _numbers(tables, int(obj[GROUP]), ends[:, 0], ends[:, 1])
    return chosen


def _numbers(
    tables: NavalTables,
    group: int,
    first: npt.NDArray[np.int64],
    last: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """The numbers of a group's placements, from their first and last squares."""
    size, start, stop = tables.groups[group].tolist()
    squares = tables.squares[start:stop].astype(np.int64)
    # Placements are sorted by all their squares, and so by these two.
    keys = squares[:, 0] * tables.n_squares + squares[:, size - 1]
    return start + np.searchsorted(keys, first * tables.n_squares + last)


def _orbits(rules: NavalRules, tables: NavalTables) -> npt.NDArray[np.int64]:
    """For each placement the lowest number of one that a symmetry takes it into."""
    rows, cols = rules.board.rows, rules.board.cols
    board = np.arange(tables.n_squares).reshape(rows, cols)
    images = [board, board[::-1], board[:, ::-1], board[::-1, ::-1]]
    if rows == cols:
        images += [image.T for image in images]
    orbits = np.arange(len(tables.squares))
    for image in images:
        moved = np.append(image.ravel(), tables.n_squares)[tables.squares]
        for group, (size, start, stop) in enumerate(tables.groups.tolist()):
            ends = moved[start:stop, [0, size - 1]]
            numbers = _numbers(tables, group, ends.min(axis=1), ends.max(axis=1))
            orbits[start:stop] = np.minimum(orbits[start:stop], numbers)
    return orbits
