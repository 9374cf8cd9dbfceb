"""The captain that aims at nothing: the floor that every other must clear."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from battleship_ai.naval.record import NavalState

__all__ = ["RandomSalvo"]


@dataclass(frozen=True)
class RandomSalvo:
    """Fires all guns at squares drawn uniformly from those not called yet.

    Examples
    --------
    >>> from battleship_ai.naval import NavalRecord, NavalRules
    >>> state = NavalState(1, NavalRecord(NavalRules()))
    >>> len(set(RandomSalvo().choose(state, np.random.default_rng(0))))
    24
    """

    name: ClassVar[str] = "random-salvo"

    def choose(self, state: NavalState, rng: np.random.Generator) -> list[int]:
        """The squares of the next salvo."""
        uncalled = state.record.uncalled
        shots = min(state.guns, len(uncalled))
        return [int(square) for square in rng.choice(uncalled, shots, replace=False)]
