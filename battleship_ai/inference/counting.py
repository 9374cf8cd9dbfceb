"""The number of legal layouts: by the exact graph, or counted one by one."""

from dataclasses import replace
from math import comb, prod

from battleship_ai.errors import RulesError
from battleship_ai.inference._counting import count_by_enumeration
from battleship_ai.inference.exact import ExactPosterior, covers
from battleship_ai.inference.tables import tables
from battleship_ai.rules import Rules

__all__ = ["count_layouts"]

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
    by_size = replace(rules, announce="sunk")
    arrays = tables(by_size)
    placements = [comb(stop - first, count) for _, count, first, stop in arrays.classes.tolist()]
    if prod(placements) > _MAX_FLEETS:
        raise RulesError(
            f"fleet {', '.join(map(str, rules.fleet))} on the {rules.board} board has about "
            f"{prod(placements):.1e} combinations of placements, more than the {_MAX_FLEETS:.0e} "
            f"that can be counted one by one; try a smaller board or fleet"
        )
    return int(count_by_enumeration(arrays))
