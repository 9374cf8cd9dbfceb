"""What a worker plays at a time, and what comes of it."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.tournament.seats import Failure

__all__ = ["NO_WINNER", "Batch", "Columns", "DuelBatch", "SoloBatch"]

NO_WINNER = -1
"""In place of the winner's number: a void duel."""

Columns = dict[str, npt.NDArray[Any]]
"""Figures of games by name, each an array whose first axis is the games."""


class Batch(NamedTuple):
    """Games `first`, `first` + 1, … of a pool, given by its number in the design."""

    pool: int
    first: int
    games: int

    @property
    def end(self) -> int:
        """The game after the last."""
        return self.first + self.games


@dataclass
class SoloBatch:
    """Games of every strategy against the same layouts."""

    batch: Batch
    columns: dict[str, Columns]
    """By strategy, as `Game.play_solo` gives them; ``luck`` too, where it was estimated."""
    failures: dict[str, list[Failure]]
    seconds: dict[str, float] = field(default_factory=dict)
    wall_seconds: float = 0.0


@dataclass
class DuelBatch:
    """Duels of every pair of strategies; in game order, the first of the pair starts the even."""

    batch: Batch
    winner: dict[tuple[str, str], npt.NDArray[np.int8]]
    """0 for the first of the pair, 1 for the second, `NO_WINNER` if void."""
    shots: dict[tuple[str, str], npt.NDArray[np.int32]]
    """Shots fired by both until the end, shape (games, 2)."""
    failures: dict[tuple[str, str], list[Failure]]
    seconds: dict[str, float] = field(default_factory=dict)
    wall_seconds: float = 0.0
    measures: dict[tuple[str, str], Columns] = field(default_factory=dict)
    """What else the game counts, `Game.duel_measures`."""
