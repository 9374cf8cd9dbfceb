"""The random shooter: the floor that every strategy must clear."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from battleship_ai.rules import Rules
from battleship_ai.strategies._random import AnyUnasked, Unasked
from battleship_ai.strategies.base import KernelStrategy

__all__ = ["Random"]


@dataclass(frozen=True)
class Random(KernelStrategy):
    """Shoots uniformly among the squares not asked yet.

    Its mean shots to win are k(N + 1)/(k + 1) for k ship squares among N, whatever
    the rules and the placer: the expected largest of k draws from 1 … N without
    replacement.

    Examples
    --------
    >>> from battleship_ai import Record
    >>> Random().choose(Record(Rules()), rng=1) in range(100)
    True
    """

    name: ClassVar[str] = "random"

    def kernel_pair(self, rules: Rules) -> tuple[Any, Any]:
        """A fresh belief and a choice for these rules."""
        n = rules.board.n_squares
        belief = Unasked(np.empty(n, np.int16), np.empty(n, np.int16), np.empty(1, np.int64))
        return belief, AnyUnasked()
