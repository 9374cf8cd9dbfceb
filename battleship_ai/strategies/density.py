"""Probability density: count the placements over each square."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from battleship_ai.inference.density import DensityWeights
from battleship_ai.rules import Rules
from battleship_ai.strategies._density import HighestDensity
from battleship_ai.strategies.base import KernelStrategy

__all__ = ["Density"]


@dataclass(frozen=True)
class Density(KernelStrategy):
    """Shoots where the most placements of surviving ships lie, those on hits weighing more.

    Each placement that the record still allows counts once for each surviving ship
    of its class, times a weight by the number of hits it explains, times a price for
    the room it takes from other ships that may not touch it. The square with the
    highest sum is shot, ties going to the lowest square.

    Parameters
    ----------
    by_hits : tuple of int
    halo_price : float, optional
        As in `DensityWeights`, which has the defaults and the figures behind them.

    References
    ----------
    .. [1] N. Berry, "Battleship", DataGenetics, 2011: counting placements. The price
       of the halo is new here.

    Examples
    --------
    >>> from battleship_ai import Record
    >>> record = Record.parse(Rules.preset("hasbro"), "e4:hit")
    >>> record.rules.board.name(Density().choose(record))
    'e5'
    """

    by_hits: tuple[int, ...] = DensityWeights.by_hits
    halo_price: float | None = None
    name: ClassVar[str] = "density"

    def kernel_pair(self, rules: Rules) -> tuple[Any, Any]:
        """A fresh belief and a choice for these rules."""
        weights = DensityWeights(self.by_hits, self.halo_price)
        return weights.new_tracker(rules), HighestDensity(np.empty(rules.board.n_squares))
