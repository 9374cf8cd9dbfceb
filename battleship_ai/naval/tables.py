"""The arrays of the rules of Naval Bombardment that the kernels read."""

from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.bitboard import Words
from battleship_ai.inference.tables import padded
from battleship_ai.naval.placements import naval_placements
from battleship_ai.naval.rules import NavalRules

__all__ = ["NavalTables", "naval_tables"]

# Columns of `NavalTables.groups` and `NavalTables.objects`.
SIZE, FIRST, STOP = 0, 1, 2
GROUP, START = 0, 1


class NavalTables(NamedTuple):
    """One rule set as arrays.

    A group is a class of ships or, last, all mines; placements are numbered through, group
    after group. G groups, P placements, N squares, W words.

    Attributes
    ----------
    n_squares : int
    n_ships : int
    groups : int64 (G, 3)
        Size, first placement and the placement after the last.
    objects : int64 (n_ships + n_mines, 2)
        Ships in the order of the rules, then mines: their group, and where their squares
        start in a layout's row.
    squares : int16 (P, longest)
        Increasing, and padded with N, so that an array of N + 1 entries takes the padding.
    masks, reach : uint64 (P, W)
        The squares of a placement; and the same with its halo, on which no other object
        may lie.
    """

    n_squares: int
    n_ships: int
    groups: npt.NDArray[np.int64]
    objects: npt.NDArray[np.int64]
    squares: npt.NDArray[np.int16]
    masks: Words
    reach: Words


@lru_cache(maxsize=32)
def naval_tables(rules: NavalRules) -> NavalTables:
    """The kernels' arrays for a rule set.

    Examples
    --------
    >>> naval_tables(NavalRules()).groups[[0, -1]].tolist()
    [[8, 0, 858], [1, 6638, 7038]]
    """
    sizes = [*(ship_class.size for ship_class in rules.classes), 1]
    parts = [naval_placements(rules.board, size) for size in sizes]
    bounds = [0, *accumulate(len(part) for part in parts)]
    ship_groups = [k for k, ship_class in enumerate(rules.classes) for _ in range(ship_class.count)]
    groups = [*ship_groups, *(len(rules.classes) for _ in rules.mines)]
    starts = list(accumulate((sizes[group] for group in groups), initial=0))[:-1]
    masks = np.concatenate([part.masks for part in parts])
    halos = np.concatenate([part.halos for part in parts])
    n_squares = rules.board.n_squares
    return NavalTables(
        n_squares=n_squares,
        n_ships=len(rules.ships),
        groups=np.array(list(zip(sizes, bounds, bounds[1:], strict=False)), dtype=np.int64),
        objects=np.array(list(zip(groups, starts, strict=True)), dtype=np.int64),
        squares=np.concatenate([padded(part, max(sizes), n_squares) for part in parts]),
        masks=masks,
        reach=masks | halos,
    )
