"""Tournaments: the same hidden layouts for every strategy, whoever plays them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike
from typing import Any

from tqdm import tqdm

from battleship_ai.errors import TournamentError
from battleship_ai.inference.exact import covers
from battleship_ai.rules import Rules
from battleship_ai.statistics import StoppingRule
from battleship_ai.tournament.archive import Archive
from battleship_ai.tournament.design import AnyRules, Design, StrategyList
from battleship_ai.tournament.executors import play_here, play_on, process_pool, workers_of
from battleship_ai.tournament.memory import Memory
from battleship_ai.tournament.playing import warm
from battleship_ai.tournament.results import DuelResult, TournamentResult
from battleship_ai.tournament.run import Run
from battleship_ai.tournament.scheduling import Schedule, Sink

__all__ = ["run_design", "run_duels", "run_tournament", "warmup"]

# Before the first games, what else would look like a command that hangs.
_LOADING = "loading kernels (the first time compiles them: a minute)"


def run_tournament(
    rules: AnyRules | str,
    strategies: StrategyList | None = None,
    *,
    games: int = 3000,
    stop: StoppingRule | None = None,
    seed: int = 0,
    placer: str | None = None,
    luck_adjusted: bool = False,
    workers: int = 1,
    executor: Any = None,
    progress: bool = False,
    game_seconds: float = 60.0,
) -> TournamentResult:
    """Let strategies shoot at the same hidden layouts, and count their shots to win.

    Parameters
    ----------
    rules : Rules, NavalRules or str
        A rule set, or the name of a preset.
    strategies : iterable or mapping, optional
        Names (with parameters, as `make_strategy` reads them) or objects with a
        method ``choose(record, rng)``; for Naval Bombardment, captains' names
        (`battleship_ai.naval.make_captain`) or objects with ``choose(state, rng)``. A
        mapping gives them labels of their own. An object is copied afresh for each game.
        By default the game's fast ones.
    games : int
        Games for each strategy.
    stop : StoppingRule, optional
        Play until it is met, in place of `games`.
    seed : int
        Decides every layout and every random choice: results are the same for any
        number of workers.
    placer : str, optional
        Who hides the fleets; by default ``uniform``, where the game has it.
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
        sink = Memory(design)
        compile_seconds = _play(design, sink, players, progress, warm_first=True)
    return sink.result(compile_seconds)


def run_duels(
    rules: AnyRules | str,
    strategies: StrategyList | None = None,
    *,
    games: int = 3000,
    seed: int = 0,
    placer: str | None = None,
    workers: int = 1,
    executor: Any = None,
    progress: bool = False,
    game_seconds: float = 60.0,
) -> DuelResult:
    """Let every pair of strategies duel, and count who wins.

    Parameters
    ----------
    games : int
        Duels of each pair; the first of the pair starts every other.
    rules, strategies, seed, placer, workers, executor, progress, game_seconds
        As for `run_tournament`.

    Returns
    -------
    DuelResult

    Raises
    ------
    TournamentError, UnknownName, RulesError
        If the design is malformed. A strategy at fault loses that duel, and
        `DuelResult.failures` says why.

    Examples
    --------
    >>> result = run_duels("hasbro", ["random", "density"], games=100, seed=1)
    >>> result.win_shares()["random", "density"].mean < 0.05
    True
    """
    design = Design(
        rules, strategies, games=games, seed=seed, placers=placer, mode="duel",
        game_seconds=game_seconds,
    )  # fmt: skip
    sink = Memory(design)
    with _players(workers, executor) as players:
        _play(design, sink, players, progress)
    return sink.duel_result()


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

    Examples
    --------
    >>> import tempfile
    >>> design = Design("pomcp", ["parity-hunt", "density"], games=20, seed=1)
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     run = run_design(design, f"{directory}/run")
    ...     run.is_finished, run.results()[0].games
    (True, 20)
    """
    if not isinstance(design, Design):
        design = Design.read(design)
    with _players(workers, executor) as players:
        archive = Archive(out, design)
        with archive.locked():
            _play(design, archive, players, progress)
    return Run(archive)


def warmup(rules: AnyRules | str = "ship-bombing") -> float:
    """Compile every kernel, or load it from the cache; returns the seconds it took.

    Examples
    --------
    >>> warmup() >= 0.0
    True
    """
    pool = Design(rules).pools[0]
    names = list(pool.game.players)
    if isinstance(pool.rules, Rules) and not covers(pool.rules):
        names.remove("exact")
    return warm(Design(rules, names), pool)


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
    warm_first: bool = False,
) -> float:
    """Play what the sink lacks; the seconds that warming up took, if it was to come first."""
    executor, workers = players
    schedule = Schedule(design, sink, workers)
    total = design.most_games * len(design.pools)
    there = sum(batch.games for pool in range(len(design.pools)) for batch in sink.played(pool))
    with tqdm(
        total=total, initial=there, unit="game", desc=_LOADING, disable=None if progress else True
    ) as bar:
        seconds = 0.0
        if warm_first:
            seconds = warm(design, design.pools[0])
            bar.reset()  # its rate is that of games
        if executor is None:
            batches = play_here(design, schedule, [0] if warm_first else [])
        else:
            batches = play_on(executor, workers, design, schedule)
        for played in batches:
            bar.set_description_str("", refresh=False)
            bar.update(played.batch.games)
        bar.set_description_str("")  # also where there was nothing left to play
    return seconds
