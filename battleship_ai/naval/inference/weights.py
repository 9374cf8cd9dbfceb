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

__all__ = ["check_prior", "placement_chances", "placement_weights"]

Values = npt.NDArray[np.float64]

_UNIFORM = "uniform"
_SEED = 1975
_DRAWS = 10_000
_UNIFORM_DRAWS = 1_000  # each takes longer to draw, and tells the chance of many placements
_ROUNDS = 4
_SHRINK = 10.0


def check_prior(placer: str) -> None:
    """Raise `UnknownName` unless a belief can take a placer as its prior."""
    look_up("placer", placer, NAVAL_PLACERS)


@lru_cache(maxsize=16)
def placement_weights(rules: NavalRules, placer: str = _UNIFORM) -> Values:
    """A weight for each placement; by the product of theirs, layouts are as a placer's.

    Parameters
    ----------
    rules : NavalRules
    placer : str
        A name in `NAVAL_PLACERS`.

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
    10,000 layouts of the placer with a fixed seed, each placement is expected as often as it
    occurs: maximum pseudo-likelihood. No layout of the uniform distribution is needed, and
    a placer that is uniform gets ones, but for noise. To keep the noise down, placements that
    a symmetry of the board takes into each other have one weight, and it is drawn
    towards 1 as if they had occurred 10 times more than they did and than expected.

    References
    ----------
    .. [1] J. Besag, "Statistical analysis of non-lattice data", The Statistician 24, 1975.

    Examples
    --------
    >>> placement_weights(NavalRules()).shape
    (7038,)
    """
    check_prior(placer)
    if placer == _UNIFORM:
        return _read_only(np.ones(len(naval_tables(rules).squares)))
    tables = naval_tables(rules)
    chosen = _drawn(rules, placer, _DRAWS)
    orbits = _orbits(rules, tables)
    observed = _observed(tables, chosen, orbits)
    weights = np.ones(len(tables.squares))
    for _ in range(_ROUNDS):
        expected = _expected(tables, chosen, weights, orbits)
        weights = ((observed + _SHRINK) / (expected + _SHRINK))[orbits]
    return _read_only(weights)


@lru_cache(maxsize=16)
def placement_chances(rules: NavalRules, placer: str = _UNIFORM) -> Values:
    """How often a placer has each placement, for beliefs that take each ship by itself.

    Parameters
    ----------
    rules : NavalRules
    placer : str
        A name in `NAVAL_PLACERS`.

    Returns
    -------
    ndarray of float64, shape (P,)
        In the order of `naval_tables`; read-only. A group's, those of one class or of the
        mines, are 1 in all.

    Raises
    ------
    UnknownName
        If there is no such placer.

    Notes
    -----
    In uniform layouts too some placements are more frequent than others: those along the
    border leave more room. The chances of ``uniform`` are the mean probabilities of the
    placements given all objects but one, over 1,000 layouts; those of other placers are how
    often the placements occur in 10,000. Seeds are fixed. Placements that a symmetry of the
    board takes into each other have one chance; it is counted as if they had occurred once
    more, so that what is possible has one.

    Examples
    --------
    A flagship at the end of the first row is more than twice as likely as the mean:

    >>> chances = placement_chances(NavalRules())
    >>> bool(chances[0] > 2 * chances[:858].mean())
    True
    """
    check_prior(placer)
    tables = naval_tables(rules)
    orbits = _orbits(rules, tables)
    if placer == _UNIFORM:
        chosen = _drawn(rules, placer, _UNIFORM_DRAWS)
        often = _expected(tables, chosen, placement_weights(rules), orbits)
    else:
        often = _observed(tables, _drawn(rules, placer, _DRAWS), orbits)
    chances = (often[orbits] + 1.0) / np.bincount(orbits)[orbits]
    for _, first, stop in tables.groups.tolist():
        chances[first:stop] /= chances[first:stop].sum()
    return _read_only(chances)


def _read_only(values: Values) -> Values:
    values.flags.writeable = False
    return values


def _drawn(rules: NavalRules, placer: str, draws: int) -> npt.NDArray[np.int64]:
    layouts = place_naval_arrays(rules, game_keys(key_of(_SEED), 0, draws), placer)
    return _placements_of(naval_tables(rules), layouts)


def _observed(
    tables: NavalTables, chosen: npt.NDArray[np.int64], orbits: npt.NDArray[np.int64]
) -> Values:
    """How often the placements of each orbit occur, for one object of their group."""
    n = len(tables.squares)
    observed = np.zeros(n)
    for column, group in zip(chosen.T, tables.objects[:, GROUP], strict=True):
        occurred = np.bincount(column, minlength=n)
        observed += occurred / np.count_nonzero(tables.objects[:, GROUP] == group)
    return _sums(observed, orbits)


def _expected(
    tables: NavalTables,
    chosen: npt.NDArray[np.int64],
    weights: Values,
    orbits: npt.NDArray[np.int64],
) -> Values:
    """How often they are expected, for a weight of 1, given all other objects."""
    expected = np.zeros(len(weights))
    add_chances(tables, chosen, weights, expected)
    return _sums(expected, orbits)


def _sums(values: Values, orbits: npt.NDArray[np.int64]) -> Values:
    return np.bincount(orbits, values, minlength=len(values)).astype(np.float64)


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
    return np.searchsorted(keys, first * tables.n_squares + last) + np.int64(start)


def _orbits(rules: NavalRules, tables: NavalTables) -> npt.NDArray[np.int64]:
    """For each placement the lowest number of one that a symmetry takes it into."""
    orbits = np.arange(len(tables.squares))
    for image in rules.board.symmetries():
        moved = np.append(image, tables.n_squares)[tables.squares]
        for group, (size, start, stop) in enumerate(tables.groups.tolist()):
            ends = moved[start:stop, [0, size - 1]]
            numbers = _numbers(tables, group, ends.min(axis=1), ends.max(axis=1))
            orbits[start:stop] = np.minimum(orbits[start:stop], numbers)
    return orbits
