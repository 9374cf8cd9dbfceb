"""The games of one pool as arrays, where no directory is wanted."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from battleship_ai.game import shot_limit
from battleship_ai.tournament.batches import Batch, DuelBatch, SoloBatch
from battleship_ai.tournament.design import Design
from battleship_ai.tournament.results import TournamentResult
from battleship_ai.tournament.seats import Failure
from battleship_ai.tournament.tally import SoloTally

__all__ = ["Memory"]

Arrays = dict[str, npt.NDArray[Any]]


class Memory:
    """A sink for the solo games of a design of one pool."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._batches: list[SoloBatch] = []

    def played(self, pool: int) -> list[Batch]:
        """Nothing is there at the start."""
        return []

    def add(self, played: SoloBatch | DuelBatch) -> None:
        """Keep a batch."""
        assert isinstance(played, SoloBatch)
        self._batches.append(played)

    def is_enough(self, pool: int, games: int) -> bool:
        """Whether the stopping rule is met by the games."""
        assert self._design.stop is not None
        return self._design.stop.is_met(self._tally().intervals_to_narrow())

    def finish(self, pool: int, games: int) -> None:
        """All games are there; nothing is left to do."""

    def result(self, compile_seconds: float) -> TournamentResult:
        """The games, in order."""
        (pool,) = self._design.pools
        seconds: Counter[str] = Counter()
        failures: dict[str, list[Failure]] = {}
        for played in self._ordered:
            seconds.update(played.seconds)
            for label, faults in played.failures.items():
                if faults:
                    failures.setdefault(label, []).extend(faults)
        return TournamentResult(
            rules_name=pool.rules_name,
            rules=pool.rules,
            placer=pool.placer,
            seed=self._design.seed,
            tally=self._tally(),
            seconds=dict(seconds),
            failures=failures,
            lost={label: len(faults) for label, faults in failures.items()},
            shots=self._shots(),
            hits=self._joined(lambda played, label: played.games[label].hits),
            luck=self._luck(),
            compile_seconds=compile_seconds,
        )

    @property
    def _ordered(self) -> list[SoloBatch]:
        return sorted(self._batches, key=lambda played: played.batch)

    def _joined(self, part: Callable[[SoloBatch, str], npt.NDArray[Any]]) -> Arrays:
        """By strategy, an array of each batch after the other."""
        return {
            label: np.concatenate([part(played, label) for played in self._ordered])
            for label in self._design.strategies
        }

    def _shots(self) -> Arrays:
        return self._joined(lambda played, label: played.games[label].shots)

    def _luck(self) -> Arrays:
        if not self._design.luck_adjusted:
            return {}
        return self._joined(lambda played, label: played.luck[label])

    def _tally(self) -> SoloTally:
        tally = SoloTally(list(self._design.strategies), shot_limit(self._design.pools[0].rules))
        tally.add(self._shots(), self._luck())
        return tally
