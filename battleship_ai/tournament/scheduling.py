"""Which games to hand out next: batches of about a second, up to the next look at the results."""

from collections import deque
from collections.abc import Iterable
from typing import Protocol

from battleship_ai.tournament.batches import Batch, DuelBatch, SoloBatch
from battleship_ai.tournament.design import Design

__all__ = ["Schedule", "Sink"]

_BATCH_SECONDS = 1.0
_FIRST_BATCH = 4
_LARGEST_BATCH = 100_000


class Sink(Protocol):
    """Where the games go."""

    def played(self, pool: int) -> list[Batch]:
        """The batches that are there already."""
        ...

    def add(self, played: SoloBatch | DuelBatch) -> None:
        """Keep a batch."""
        ...

    def is_enough(self, pool: int, games: int) -> bool:
        """Whether the design's stopping rule is met by the first so many games."""
        ...

    def finish(self, pool: int, games: int) -> None:
        """No more games of a pool will come."""
        ...


class Schedule:
    """Hands out the games of a design that a sink lacks.

    A pool's games are handed out up to its next look; only when all of them are there is it
    decided whether to go on, so the games played never depend on who plays how fast.
    """

    def __init__(self, design: Design, sink: Sink, workers: int) -> None:
        self._sink = sink
        self._pools = [
            _PoolSchedule(number, design.looks(), sink.played(number), workers)
            for number in range(len(design.pools))
        ]
        self._settle(self._pools)

    @property
    def is_over(self) -> bool:
        """Whether every game is there."""
        return all(pool.is_over for pool in self._pools)

    def next(self) -> Batch | None:
        """The next batch, None if all is handed out that may be by now."""
        for pool in self._pools:
            if pool.gaps:
                return pool.next()
        return None

    def take(self, played: SoloBatch | DuelBatch) -> None:
        """Keep a batch that was played, and see whether its pool is at a look."""
        self._sink.add(played)
        pool = self._pools[played.batch.pool]
        pool.take(played.batch, played.wall_seconds)
        self._settle([pool])

    def _settle(self, pools: Iterable["_PoolSchedule"]) -> None:
        for pool in pools:
            while pool.is_at_look and not pool.is_over:
                if not pool.looks or self._sink.is_enough(pool.number, pool.look):
                    self._sink.finish(pool.number, pool.look)
                    pool.is_over = True
                else:
                    pool.go_on()


class _PoolSchedule:
    def __init__(
        self, number: int, looks: tuple[int, ...], played: list[Batch], workers: int
    ) -> None:
        self.number = number
        self.looks = deque(looks)
        self.look = 0
        self.gaps: deque[tuple[int, int]] = deque()
        self.is_over = False
        self._running = 0
        self._played = sorted(played)
        self._workers = workers
        self._size = _FIRST_BATCH
        self.go_on()

    @property
    def is_at_look(self) -> bool:
        return not self.gaps and not self._running

    def go_on(self) -> None:
        """Open the games up to the next look, but for those that are there."""
        start, self.look = self.look, self.looks.popleft()
        for batch in self._played:
            if start < batch.first and start < self.look:
                self.gaps.append((start, min(batch.first, self.look)))
            start = max(start, batch.end)
        if start < self.look:
            self.gaps.append((start, self.look))

    def next(self) -> Batch:
        first, end = self.gaps.popleft()
        left = end - first + sum(b - a for a, b in self.gaps)
        share = -(-left // (2 * self._workers)) if self._workers > 1 else left
        # Small at the end, so that all are done together; not so small that each costs more.
        size = max(1, min(self._size, max(share, self._size // 8), end - first))
        if first + size < end:
            self.gaps.appendleft((first + size, end))
        self._running += 1
        return Batch(self.number, first, size)

    def take(self, batch: Batch, wall_seconds: float) -> None:
        self._running -= 1
        wanted = int(batch.games * _BATCH_SECONDS / max(wall_seconds, 1e-6))
        self._size = max(1, min(wanted, 8 * self._size, _LARGEST_BATCH))
