"""Probability density: count the placements over each square."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from battleship_ai.inference._tracker import new_tracker
from battleship_ai.inference.density import DEFAULT_HIT_WEIGHTS, hit_weights
from battleship_ai.inference.tables import tables
from battleship_ai.rules import Rules
from battleship_ai.strategies._density import HighestDensity
from battleship_ai.strategies.base import KernelStrategy

__all__ = ["Density"]


@dataclass(frozen=True)
class Density(KernelStrategy):
    """Shoots where the most placements of surviving ships lie, those on hits weighing more.

    Each surviving ship spreads evenly over the placements of its class that the
    record still allows, and a placement that explains hits weighs more by their
    number (`battleship_ai.inference.density`); the square with the highest sum is
    shot, ties going to the lowest square.

    Parameters
    ----------
    hit_weights : tuple of int
        The weight of a placement that explains 0, 1, 2, … hits; the last goes on.
        The default was chosen on `hasbro` and `ship-bombing`: see
        ``benchmarks/README.md``.

    References
    ----------
    .. [1] N. Berry, "Battleship", DataGenetics, 2011.

    Examples
    --------
    >>> from battleship_ai import Record
    >>> record = Record.parse(Rules.preset("hasbro"), "e4:hit")
    >>> record.rules.board.name(Density().choose(record))
    'd4'
    """

    hit_weights: tuple[int, ...] = DEFAULT_HIT_WEIGHTS
    name: ClassVar[str] = "density"

    def kernel_pair(self, rules: Rules) -> tuple[Any, Any]:
        """A fresh belief and a choice for these rules."""
        belief = new_tracker(tables(rules), hit_weights(self.hit_weights, rules))
        return belief, HighestDensity(np.empty(len(rules.classes)))
