"""The games of one pool in memory, where no directory is wanted."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from battleship_ai.tournament.batches import Batch, DuelBatch, SoloBatch
from battleship_ai.tournament.design import Design
from battleship_ai.tournament.results import DuelResult, TournamentResult
from battleship_ai.tournament.seats import Failure
from battleship_ai.tournament.tally import DuelTally, SoloTally, new_tally

__all__ = ["Memory"]

Arrays = dict[str, npt.NDArray[Any]]


class Memory:
    """A sink for the games of a design of one pool."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._batches: list[SoloBatch | DuelBatch] = []

    def played(self, pool: int) -> list[Batch]:
        """Nothing is there at the start."""
        return []

    def add(self, played: SoloBatch | DuelBatch) -> None:
        """Keep a batch."""
        self._batches.append(played)

    def is_enough(self, pool: int, games: int) -> bool:
        """Whether the stopping rule is met by the games."""
        assert self._design.stop is not None
        return self._design.stop.is_met(self._tally().intervals_to_narrow())

    def finish(self, pool: int, games: int) -> None:
        """All games are there; nothing is left to do."""

    def result(self, compile_seconds: float) -> TournamentResult:
        """The solo games, in order."""
        return TournamentResult(
            **self._common(),
            tally=self._tally(),
            shots=self._joined("shots"),
            hits=self._joined("hits"),
            luck=self._luck(),
            measures=self._measures(),
            compile_seconds=compile_seconds,
        )

    def duel_result(self) -> DuelResult:
        """What the duels come to."""
        tally = DuelTally(list(self._design.strategies))
        for played in self._batches:
            assert isinstance(played, DuelBatch)
            starter = np.arange(played.batch.first, played.batch.end) % 2
            tally.add(played.winner, starter)
        return DuelResult(**self._common(), tally=tally)

    def _common(self) -> dict[str, Any]:
        """The parts that results of both kinds have."""
        (pool,) = self._design.pools
        seconds: Counter[str] = Counter()
        failures: dict[str, list[Failure]] = {}
        for played in sorted(self._batches, key=lambda played: played.batch):
            seconds.update(played.seconds)
            for who, faults in played.failures.items():
                if faults:
                    label = who if isinstance(who, str) else " - ".join(who)
                    failures.setdefault(label, []).extend(faults)
        return {
            "rules_name": pool.rules_name,
            "rules": pool.rules,
            "placer": pool.placer,
            "seed": self._design.seed,
            "seconds": dict(seconds),
            "failures": failures,
            "lost": {label: len(faults) for label, faults in failures.items()},
        }

    def _joined(self, column: str) -> Arrays:
        """By strategy, a column of each batch after the other."""
        solo = [played for played in self._batches if isinstance(played, SoloBatch)]
        solo.sort(key=lambda played: played.batch)
        return {
            label: np.concatenate([played.columns[label][column] for played in solo])
            for label in self._design.strategies
        }

    def _luck(self) -> Arrays:
        return self._joined("luck") if self._design.luck_adjusted else {}

    def _measures(self) -> dict[str, Arrays]:
        return {name: self._joined(name) for name in self._design.game.measures}

    def _tally(self) -> SoloTally:
        (pool,) = self._design.pools
        tally = new_tally(list(self._design.strategies), pool.game.limits(pool.rules))
        tally.add(self._joined("shots"), self._luck(), self._measures())
        return tally
