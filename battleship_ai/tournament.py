"""Tournaments: the same hidden layouts for every strategy, by any number of workers."""

import copy
import multiprocessing
import pickle
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import forkserver

import cloudpickle
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from battleship_ai.errors import IllegalMove, TournamentError
from battleship_ai.game import Chooser, Target, shot_limit
from battleship_ai.inference.exact import covers
from battleship_ai.layouts import Layout
from battleship_ai.placers import place_arrays
from battleship_ai.results import Failure, TournamentResult
from battleship_ai.rng import game_keys, key_of
from battleship_ai.rules import Rules
from battleship_ai.strategies import DEFAULT_STRATEGIES, STRATEGIES, BatchStrategy, make_strategy

__all__ = ["run_tournament", "warmup"]

_BATCH_SECONDS = 1.0
_FIRST_BATCH = 4
_LARGEST_BATCH = 100_000


@dataclass(frozen=True)
class _Design:
    """What a worker must know to play any batch of games."""

    rules: Rules
    placer: str
    key: int
    strategies: dict[str, Chooser]
    game_seconds: float


@dataclass
class _Batch:
    """Games first, first + 1, … of every strategy."""

    first: int
    shots: dict[str, npt.NDArray[np.int32]]
    seconds: dict[str, float]
    failures: dict[str, list[Failure]]
    wall_seconds: float


def run_tournament(
    rules: Rules | str,
    strategies: Iterable[str | Chooser] | Mapping[str, str | Chooser] = DEFAULT_STRATEGIES,
    *,
    games: int = 3000,
    seed: int = 0,
    placer: str = "uniform",
    workers: int = 1,
    progress: bool = False,
    game_seconds: float = 60.0,
) -> TournamentResult:
    """Let strategies shoot at the same hidden layouts, and count their shots to win.

    Parameters
    ----------
    rules : Rules or str
        A rule set, or the name of a preset.
    strategies : iterable or mapping
        Names (with parameters, as `make_strategy` reads them) or objects with a
        method ``choose(record, rng)``; a mapping gives them labels of their own.
        An object is copied afresh for each game.
    games : int
        Games for each strategy.
    seed : int
        Decides every layout and every random choice: results are the same for any
        number of workers.
    placer : str
        Who hides the fleets.
    workers : int
        Processes; 1 plays in this one.
    progress : bool
        Whether to show a progress bar on standard error, if that is a terminal.
    game_seconds : float
        Time limit for a game of a strategy in plain Python. It needs a platform
        with interval timers, and the main thread.

    Returns
    -------
    TournamentResult

    Raises
    ------
    TournamentError, UnknownName, RulesError
        If the design is malformed. A strategy that raises, shoots off the board,
        takes too long or never wins does not stop the tournament: it loses that
        game, and `TournamentResult.failures` says why.

    Examples
    --------
    >>> result = run_tournament("hasbro", ["random", "density"], games=200, seed=1)
    >>> means = {name: shots.mean() for name, shots in result.shots.items()}
    >>> bool(means["density"] < 50 < 90 < means["random"])
    True
    """
    if isinstance(rules, str):
        rules = Rules.preset(rules)
    for what, value, least in (("games", games, 1), ("workers", workers, 1), ("seed", seed, 0)):
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise TournamentError(f"{what} {value!r} is not an integer of at least {least}")
    design = _Design(rules, placer, key_of(seed), _labelled(strategies), game_seconds)
    if workers > 1:
        _start_fork_server()
    compile_seconds = _warm(design)
    batches = _serial(design, games) if workers == 1 else _parallel(design, games, workers)
    shots = {label: np.zeros(games, dtype=np.int32) for label in design.strategies}
    seconds = dict.fromkeys(design.strategies, 0.0)
    failures: dict[str, list[Failure]] = {}
    with tqdm(total=games, unit="game", disable=None if progress else True) as bar:
        for batch in batches:
            for label, part in batch.shots.items():
                shots[label][batch.first : batch.first + len(part)] = part
                seconds[label] += batch.seconds[label]
            for label, faults in batch.failures.items():
                failures.setdefault(label, []).extend(faults)
            bar.update(len(part))
    for faults in failures.values():
        faults.sort(key=lambda failure: failure.game)
    return TournamentResult(rules, placer, seed, shots, seconds, compile_seconds, failures)


def warmup(rules: Rules | str = "ship-bombing") -> float:
    """Compile every kernel, or load it from the cache; returns the seconds it took.

    Examples
    --------
    >>> warmup() >= 0.0
    True
    """
    if isinstance(rules, str):
        rules = Rules.preset(rules)
    names = [name for name in STRATEGIES if name != "exact" or covers(rules)]
    return _warm(_Design(rules, "uniform", 0, _labelled(names), 60.0))


def _labelled(
    strategies: Iterable[str | Chooser] | Mapping[str, str | Chooser],
) -> dict[str, Chooser]:
    if isinstance(strategies, str):
        strategies = strategies.split(",")
    pairs: Iterable[tuple[str, str | Chooser]]
    if isinstance(strategies, Mapping):
        pairs = strategies.items()
    else:
        pairs = [(s if isinstance(s, str) else _default_label(s), s) for s in strategies]
    labelled: dict[str, Chooser] = {}
    for label, strategy in pairs:
        if label in labelled:
            raise TournamentError(f"strategy {label!r} is there twice; give labels by a mapping")
        if isinstance(strategy, str):
            labelled[label] = make_strategy(strategy)
        elif callable(getattr(strategy, "choose", None)) and not isinstance(strategy, type):
            labelled[label] = strategy
        else:
            raise TournamentError(
                f"strategy {strategy!r} is neither a name nor an object with a method "
                f"choose(record, rng)"
            )
    if not labelled:
        raise TournamentError("there is no strategy; name at least one")
    return labelled


def _default_label(strategy: Chooser) -> str:
    return str(getattr(strategy, "name", type(strategy).__name__))


def _warm(design: _Design) -> float:
    """Draw a layout and play a game with each compiled strategy; seconds taken."""
    start = time.perf_counter()
    keys = game_keys(design.key, 0, 1)
    layouts = place_arrays(design.rules, keys, design.placer)
    for strategy in design.strategies.values():
        if isinstance(strategy, BatchStrategy):
            strategy.play(design.rules, layouts, keys)
    return time.perf_counter() - start


def _play_batch(design: _Design, first: int, count: int) -> _Batch:
    start = time.perf_counter()
    keys = game_keys(design.key, first, count)
    layouts = place_arrays(design.rules, keys, design.placer)
    shots, seconds, failures = {}, {}, {}
    for label, strategy in design.strategies.items():
        begun = time.perf_counter()
        if isinstance(strategy, BatchStrategy):
            shots[label] = strategy.play(design.rules, layouts, keys).shots
        else:
            shots[label], failures[label] = _play_in_python(design, strategy, layouts, keys, first)
        seconds[label] = time.perf_counter() - begun
    return _Batch(first, shots, seconds, failures, time.perf_counter() - start)


def _play_in_python(
    design: _Design,
    strategy: Chooser,
    layouts: npt.NDArray[np.int16],
    keys: npt.NDArray[np.uint64],
    first: int,
) -> tuple[npt.NDArray[np.int32], list[Failure]]:
    limit = shot_limit(design.rules)
    shots = np.full(len(layouts), limit, dtype=np.int32)
    failures = []
    for i, row in enumerate(layouts):
        target = Target(Layout.from_array(design.rules, row))
        rng = np.random.default_rng(int(keys[i]))
        try:
            player = copy.deepcopy(strategy)
            with _time_limit(design.game_seconds):
                while not target.all_sunk:
                    if len(target.record) == limit:
                        raise IllegalMove(f"not won after {limit} shots")
                    target.shoot(player.choose(target.record, rng))
            shots[i] = len(target.record)
        except Exception as error:  # whatever a strategy does wrong costs it this game only
            failures.append(Failure(first + i, f"{type(error).__name__}: {error}"))
    return shots, failures


class _TimedOut(BaseException):
    """Raised in a strategy that takes too long; no `except Exception` of its own stops it."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or not hasattr(signal, "setitimer"):
        yield
        return

    def interrupt(signum: int, frame: object) -> None:
        raise _TimedOut

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except _TimedOut:
        raise TimeoutError(f"not done after {seconds:g} seconds") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)


class _BatchSizes:
    """How many games to hand out next: batches of about a second."""

    def __init__(self, games: int, workers: int) -> None:
        self.left = games
        self._workers = workers
        self._size = _FIRST_BATCH

    def next(self) -> int:
        share = -(-self.left // (2 * self._workers)) if self._workers > 1 else self.left
        size = max(1, min(self._size, share))
        self.left -= size
        return size

    def learn(self, size: int, wall_seconds: float) -> None:
        wanted = int(size * _BATCH_SECONDS / max(wall_seconds, 1e-6))
        self._size = max(1, min(wanted, 8 * self._size, _LARGEST_BATCH))


def _serial(design: _Design, games: int) -> Iterator[_Batch]:
    sizes = _BatchSizes(games, 1)
    first = 0
    while sizes.left:
        size = sizes.next()
        batch = _play_batch(design, first, size)
        sizes.learn(size, batch.wall_seconds)
        first += size
        yield batch


def _start_fork_server() -> None:
    """Let the process that forks the workers import the package while this one warms up."""
    multiprocessing.set_forkserver_preload(["battleship_ai.tournament"])
    forkserver.ensure_running()


_worker_design: _Design


def _start_worker(pickled: bytes) -> None:
    global _worker_design
    _worker_design = pickle.loads(pickled)
    _warm(_worker_design)


def _play_in_worker(first: int, count: int) -> _Batch:
    return _play_batch(_worker_design, first, count)


def _parallel(design: _Design, games: int, workers: int) -> Iterator[_Batch]:
    # By value where they live in a notebook or a script, so that a worker needs no import.
    pickled = cloudpickle.dumps(design)
    context = multiprocessing.get_context("forkserver")
    sizes = _BatchSizes(games, workers)
    first = 0
    running: dict[Future[_Batch], int] = {}
    with ProcessPoolExecutor(workers, context, _start_worker, (pickled,)) as pool:
        try:
            while sizes.left or running:
                while sizes.left and len(running) < 2 * workers:
                    size = sizes.next()
                    running[pool.submit(_play_in_worker, first, size)] = size
                    first += size
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    batch = future.result()
                    sizes.learn(running.pop(future), batch.wall_seconds)
                    yield batch
        except BrokenProcessPool:
            raise TournamentError(
                "a worker process died; a strategy may have ended it, or memory ran out"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)
