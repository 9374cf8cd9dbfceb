"""Tournaments: the same hidden layouts for every strategy, whoever plays them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from battleship_ai.errors import TournamentError
from battleship_ai.game import Chooser, shot_limit
from battleship_ai.inference.exact import covers
from battleship_ai.rules import Rules
from battleship_ai.statistics import StoppingRule
from battleship_ai.strategies import DEFAULT_STRATEGIES, STRATEGIES
from battleship_ai.tournament.archive import Archive
from battleship_ai.tournament.batches import Batch, DuelBatch, SoloBatch
from battleship_ai.tournament.design import Design
from battleship_ai.tournament.executors import play_here, play_on, process_pool, workers_of
from battleship_ai.tournament.playing import warm
from battleship_ai.tournament.results import TournamentResult
from battleship_ai.tournament.run import Run
from battleship_ai.tournament.scheduling import Schedule, Sink
from battleship_ai.tournament.seats import Failure
from battleship_ai.tournament.tally import SoloTally

__all__ = ["run_design", "run_tournament", "warmup"]


def run_tournament(
    rules: Rules | str,
    strategies: Iterable[str | Chooser] | Mapping[str, str | Chooser] = DEFAULT_STRATEGIES,
    *,
    games: int = 3000,
    stop: StoppingRule | None = None,
    seed: int = 0,
    placer: str = "uniform",
    luck_adjusted: bool = False,
    workers: int = 1,
    executor: Any = None,
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
    stop : StoppingRule, optional
        Play until it is met, in place of `games`.
    seed : int
        Decides every layout and every random choice: results are the same for any
        number of workers.
    placer : str
        Who hides the fleets.
    luck_adjusted : bool
        Whether to subtract each game's luck from its shots (`battleship_ai.luck`); for the
        placer ``uniform`` and rules that `ExactPosterior` covers.
    workers : int
        Processes; 1 plays in this one.
    executor : concurrent.futures.Executor or dask.distributed.Client, optional
        Who plays, in place of `workers` processes on this machine.
    progress : bool
        Whether to show a progress bar on standard error, if that is a terminal.
    game_seconds : float
        Time limit for a game of a strategy in plain Python.

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
    design = Design(
        rules, strategies, games=games, stop=stop, seed=seed, placers=placer,
        luck_adjusted=luck_adjusted, game_seconds=game_seconds,
    )  # fmt: skip
    with _players(workers, executor) as players:
        compile_seconds = warm(design, design.pools[0])
        sink = _Memory(design)
        _play(design, sink, players, progress, warmed=[0])
    return sink.result(compile_seconds)


def run_design(
    design: Design | str | PathLike[str],
    out: str | PathLike[str],
    *,
    workers: int = 1,
    executor: Any = None,
    progress: bool = False,
) -> Run:
    """Play a design into a directory, or go on where it was left.

    Parameters
    ----------
    design : Design or path-like
        A design, or the TOML file of one.
    out : path-like
        The directory; `battleship_ai.tournament.archive` says what it holds.
    workers, executor, progress
        As for `run_tournament`.

    Returns
    -------
    Run

    Raises
    ------
    TournamentError
        If the design is malformed, or the directory belongs to another one.
    """
    if not isinstance(design, Design):
        design = Design.read(design)
    with _players(workers, executor) as players:
        archive = Archive(out, design)
        with archive.locked():
            _play(design, archive, players, progress)
    return Run(archive)


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
    design = Design(rules, names)
    return warm(design, design.pools[0])


@contextmanager
def _players(workers: int, executor: Any) -> Iterator[tuple[Any, int]]:
    """An executor, None for this process, and how many batches it plays at a time."""
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise TournamentError(f"workers {workers!r} is not an integer of at least 1")
    with ExitStack() as stack:
        if executor is None and workers > 1:
            executor = stack.enter_context(process_pool(workers))
        elif hasattr(executor, "get_executor"):  # a Dask client
            workers = max(1, len(executor.scheduler_info()["workers"]))
            executor = executor.get_executor(pure=False)
        elif executor is not None:
            workers = workers_of(executor)
        yield executor, workers


def _play(
    design: Design,
    sink: Sink,
    players: tuple[Any, int],
    progress: bool,
    *,
    warmed: Collection[int] = (),
) -> None:
    executor, workers = players
    schedule = Schedule(design, sink, workers)
    total = design.most_games * len(design.pools)
    there = sum(batch.games for pool in range(len(design.pools)) for batch in sink.played(pool))
    with tqdm(total=total, initial=there, unit="game", disable=None if progress else True) as bar:
        if executor is None:
            batches = play_here(design, schedule, warmed)
        else:
            batches = play_on(executor, workers, design, schedule)
        for played in batches:
            bar.update(played.batch.games)


class _Memory:
    """A sink for the games of one pool, as arrays."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._batches: dict[int, SoloBatch] = {}

    def played(self, pool: int) -> list[Batch]:
        return []

    def add(self, played: SoloBatch | DuelBatch) -> None:
        assert isinstance(played, SoloBatch)
        self._batches[played.batch.first] = played

    def is_enough(self, pool: int, games: int) -> bool:
        assert self._design.stop is not None
        return self._design.stop.is_met(self._tally().intervals_to_narrow())

    def finish(self, pool: int, games: int) -> None:
        pass

    def result(self, compile_seconds: float) -> TournamentResult:
        """The games as arrays, in order."""
        (pool,) = self._design.pools
        ordered = self._ordered()
        seconds: Counter[str] = Counter()
        failures: dict[str, list[Failure]] = {}
        for batch in ordered:
            seconds.update(batch.seconds)
            for label, faults in batch.failures.items():
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
            shots={
                label: np.concatenate([batch.games[label].shots for batch in ordered])
                for label in self._design.strategies
            },
            hits={
                label: np.concatenate([batch.games[label].hits for batch in ordered])
                for label in self._design.strategies
            },
            luck=self._luck(),
            compile_seconds=compile_seconds,
        )

    def _ordered(self) -> list[SoloBatch]:
        return [self._batches[first] for first in sorted(self._batches)]

    def _luck(self) -> dict[str, npt.NDArray[np.float64]]:
        if not self._design.luck_adjusted:
            return {}
        return {
            label: np.concatenate([batch.luck[label] for batch in self._ordered()])
            for label in self._design.strategies
        }

    def _tally(self) -> SoloTally:
        tally = SoloTally(list(self._design.strategies), shot_limit(self._design.pools[0].rules))
        shots = {
            label: np.concatenate([batch.games[label].shots for batch in self._ordered()])
            for label in self._design.strategies
        }
        tally.add(shots, self._luck())
        return tally
