"""Monte Carlo: shoot the square that the most layouts drawn from the posterior hold."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from battleship_ai.errors import RecordError, RulesError
from battleship_ai.inference._sampler import new_sampler
from battleship_ai.inference.density import DensityWeights, placement_density
from battleship_ai.inference.drawn import DrawnLayouts, drawn_after
from battleship_ai.inference.exact import covers
from battleship_ai.inference.tables import tables
from battleship_ai.record import Record
from battleship_ai.rules import Rules
from battleship_ai.strategies._monte_carlo import MostDrawn
from battleship_ai.strategies.base import KernelStrategy
from battleship_ai.strategies.density import Density

__all__ = ["MonteCarlo"]


@dataclass(frozen=True)
class MonteCarlo(KernelStrategy):
    """Draws whole layouts that fit the record and shoots the square most of them hold.

    Where `ExactPosterior` covers the rules the draws come from it, uniform and independent
    (`DrawnLayouts`). Elsewhere they are made ship by ship and carry importance weights
    that make them unbiased; their effective number is
    ``sample_posterior(record, draws).effective_size``. Should every draw be a dead end,
    the placement density decides.

    Parameters
    ----------
    draws : int
        Layouts for each shot, at least.
    tie_errors : float
        Squares whose estimates are within so many standard errors of the highest count
        as tied, and the placement density (`Density`) decides between them.
    exact : bool
        Whether to draw from the exact posterior where there is one; the other way is
        faster.

    References
    ----------
    .. [1] D. E. Knuth, "Estimating the efficiency of backtrack programs",
       Mathematics of Computation 29, 1975.

    Examples
    --------
    >>> from battleship_ai import Record
    >>> record = Record.parse(Rules.preset("ship-bombing"), "c3:hit c4:miss d3:miss b3:miss")
    >>> record.rules.board.name(MonteCarlo(draws=100).choose(record))
    'c2'
    """

    draws: int = 80
    tie_errors: float = 2.0
    exact: bool = True
    name: ClassVar[str] = "monte-carlo"

    def __post_init__(self) -> None:
        if not isinstance(self.draws, int) or self.draws < 1:
            raise RulesError(f"draws {self.draws!r} is not a positive integer")
        if not self.tie_errors >= 0:
            raise RulesError(f"tie_errors {self.tie_errors!r} is not a number from 0")

    def kernel_pair(self, rules: Rules) -> tuple[Any, Any]:
        """A fresh belief and a choice for these rules."""
        n = rules.board.n_squares
        sampler = new_sampler(tables(rules), self.draws)
        choice = MostDrawn(sampler, float(self.tie_errors), np.empty(n + 1), np.empty(n))
        return DensityWeights().new_tracker(rules), choice

    def choose_keyed(self, record: Record, key: int) -> int:
        """The square that the game with this key shoots at."""
        if self.is_compiled(record.rules):
            return super().choose_keyed(record, key)
        try:
            drawn = drawn_after(record, self.draws, key)
        except RecordError:  # nothing fits: draws would all be dead ends
            return Density().choose(record)
        return self._most_drawn(drawn)

    def is_compiled(self, rules: Rules) -> bool:
        """Whether it draws in the other way, all of whose code is compiled."""
        return not self.exact or not covers(rules)

    def _most_drawn(self, drawn: DrawnLayouts) -> int:
        record, n = drawn.record, len(drawn.rows)
        counts = drawn.counts()
        counts[list(record.asked)] = -1
        highest = max(int(counts.max()), 0)
        error = np.sqrt(highest * (1.0 - highest / n))
        tied = counts >= max(highest - self.tie_errors * error, 0.0)
        if tied.sum() == 1:
            return int(counts.argmax())
        density = placement_density(record, DensityWeights()).ravel()
        return int(np.where(tied, density, -1.0).argmax())
