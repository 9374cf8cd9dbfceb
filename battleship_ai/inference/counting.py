"""The number of legal layouts, by the exact graph or one by one, and all of them in a list."""

from dataclasses import replace
from math import comb, prod

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import RulesError
from battleship_ai.inference._counting import enumerate_fleets
from battleship_ai.inference.exact import ExactPosterior, covers
from battleship_ai.inference.tables import Tables, layout_rows, tables
from battleship_ai.rules import Rules

__all__ = ["count_layouts", "list_layouts"]

_MAX_FLEETS = 5e9


def count_layouts(rules: Rules) -> int:
    """The exact number of legal layouts; ships of one size are not told apart.

    Where `ExactPosterior` covers the rules it counts; otherwise they are gone through one
    by one.

    Parameters
    ----------
    rules : Rules

    Raises
    ------
    RulesError
        If there are too many fleets of bent ships that may touch to go through one by one.

    Examples
    --------
    >>> count_layouts(Rules.preset("ship-bombing"))
    1855545978831780
    """
    if covers(rules):
        return ExactPosterior(rules).count()
    return _enumerate(tables(replace(rules, announce="sunk")), rules)


def list_layouts(rules: Rules, most: int = 1_000_000) -> npt.NDArray[np.int16]:
    """Every legal layout; ships of one size are told apart only where answers name them.

    Parameters
    ----------
    rules : Rules
    most : int
        The most layouts to list.

    Returns
    -------
    ndarray of int16, shape (layouts, ship squares)
        One layout a row, as `Layout.to_array` gives it.

    Raises
    ------
    RulesError
        If there are more layouts.

    Examples
    --------
    >>> len(list_layouts(Rules(board=(4, 4), fleet=(3, 2))))
    104
    """
    arrays = tables(rules)
    count = _enumerate(arrays, rules)
    if count > most:
        raise RulesError(f"these rules have {count:,} layouts, more than the {most:,} to be listed")
    fleets = np.empty((count, len(rules.fleet)), dtype=np.int64)
    enumerate_fleets(arrays, fleets)
    return layout_rows(arrays, fleets)


def _enumerate(arrays: Tables, rules: Rules) -> int:
    placements = [comb(stop - first, count) for _, count, first, stop in arrays.classes.tolist()]
    if prod(placements) > _MAX_FLEETS:
        raise RulesError(
            f"fleet {', '.join(map(str, rules.fleet))} on the {rules.board} board has about "
            f"{prod(placements):.1e} combinations of placements, more than the {_MAX_FLEETS:.0e} "
            f"that can be gone through one by one; try a smaller board or fleet"
        )
    return int(enumerate_fleets(arrays, np.empty((0, len(rules.fleet)), dtype=np.int64)))
