"""Who plays the batches: this process, other processes, or any executor, Dask's too.

The games do not depend on it: each batch goes out with its design, by value, and comes
back as rows.
"""

import multiprocessing
import os
import pickle
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, ProcessPoolExecutor, wait
from concurrent.futures import Future as PoolFuture
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import forkserver
from typing import Any

import cloudpickle

from battleship_ai.errors import TournamentError
from battleship_ai.tournament.batches import Batch, DuelBatch, SoloBatch
from battleship_ai.tournament.design import Design
from battleship_ai.tournament.playing import play_batch, warm
from battleship_ai.tournament.scheduling import Schedule

__all__ = ["play_here", "play_on", "process_pool", "workers_of"]

# Whoever hands out the next batch may be busy writing the last: each worker has one to spare.
_IN_HAND = 2


def play_here(
    design: Design, schedule: Schedule, warmed: Collection[int] = ()
) -> Iterator[SoloBatch | DuelBatch]:
    """Play all batches in this process; yields each when it is kept.

    The kernels for the pools `warmed` have run before.
    """
    warm_pools = set(warmed)
    while not schedule.is_over:
        batch = schedule.next()
        assert batch is not None, "with no batch out, there is one to hand out"
        if batch.pool not in warm_pools:
            warm(design, design.pools[batch.pool])
            warm_pools.add(batch.pool)
        played = play_batch(design, batch)
        schedule.take(played)
        yield played


def play_on(
    executor: Executor, workers: int, design: Design, schedule: Schedule
) -> Iterator[SoloBatch | DuelBatch]:
    """Play all batches on an executor; yields each when it is kept.

    Raises
    ------
    TournamentError
        If a worker process died and the executor cannot go on without it.
    """
    # By value where its parts live in a notebook or a script: a worker needs no import.
    pickled = cloudpickle.dumps(design)
    running: set[PoolFuture[SoloBatch | DuelBatch]] = set()
    try:
        while not schedule.is_over:
            while len(running) < _IN_HAND * workers and (batch := schedule.next()) is not None:
                running.add(executor.submit(_play_pickled, pickled, batch))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                played = future.result()
                schedule.take(played)
                yield played
    except BrokenExecutor:
        raise TournamentError(
            "a worker process died; a strategy may have ended it, or memory ran out"
        ) from None
    finally:
        for future in running:
            future.cancel()


@contextmanager
def process_pool(workers: int) -> Iterator[Executor]:
    """Processes on this machine, started by a server that has imported the package."""
    _start_fork_server()
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(workers, context) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


def _start_fork_server() -> None:
    """Let the process that forks the workers import the package while this one warms up."""
    multiprocessing.set_forkserver_preload(["battleship_ai.tournament.executors"])
    forkserver.ensure_running()


def workers_of(executor: Any) -> int:
    """How many batches an executor plays at the same time."""
    return int(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)


# An executor's workers may be threads, and the arrays of a belief are kept from game to game.
_one_at_a_time = threading.Lock()


def _play_pickled(pickled: bytes, batch: Batch) -> SoloBatch | DuelBatch:
    with _one_at_a_time:
        return play_batch(_unpickled(pickled, batch.pool), batch)


@lru_cache(maxsize=4)
def _unpickled(pickled: bytes, pool: int) -> Design:
    """A design whose kernels are compiled, so that no batch's time has it."""
    design: Design = pickle.loads(pickled)
    warm(design, design.pools[pool])
    return design
