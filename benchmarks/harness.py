"""What the harness costs, and what more workers are worth, side by side in one run.

    python benchmarks/harness.py overhead | workers | dask | stream

Each prints medians of several turns, taken alternately.
"""

import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from battleship_ai import Design, Rules, Run, run_design, run_tournament
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys, key_of
from battleship_ai.strategies import make_strategy
from battleship_ai.tournament.executors import process_pool

SEED = 2026


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@click.group()
def main() -> None:
    """Figures of the harness."""


@main.command()
@click.option("--games", default=100_000, show_default=True)
def overhead(games: int) -> None:
    """run_tournament against its kernels alone: placing and playing in one call each."""
    rules = Rules.preset("ship-bombing")
    strategies = ["parity-hunt", "density"]

    def bare() -> None:
        keys = game_keys(key_of(SEED), 0, games)
        layouts = place_arrays(rules, keys)
        for name in strategies:
            make_strategy(name).play(rules, layouts, keys)

    def harness() -> None:
        run_tournament(rules, strategies, games=games, seed=SEED)

    def on_disk() -> None:
        with tempfile.TemporaryDirectory() as directory:
            run_design(Design(rules, strategies, games=games, seed=SEED), f"{directory}/run")

    run_tournament(rules, strategies, games=100, seed=SEED)
    turns = [(timed(bare), timed(harness), timed(on_disk)) for _ in range(3)]
    click.echo(f"ship-bombing, {' and '.join(strategies)}, {games} games, seed {SEED}")
    for name, place in (("in memory", 1), ("on disk", 2)):
        ratio = statistics.median(turn[place] / turn[0] for turn in turns)
        click.echo(f"  {name}: {100 * (ratio - 1):+.1f}% over the bare kernels")
    click.echo(f"  bare: {statistics.median(turn[0] for turn in turns):.1f} s")


def design_of(games: int) -> Design:
    """Some ten seconds of work that needs no second of compiling."""
    strategies = ["random", "hunt-target", "parity-hunt", "density", "monte-carlo:exact=0"]
    return Design("ship-bombing", strategies, games=games, seed=SEED)


def against_this_process(games: int, name: str, **players: Any) -> None:
    """Play a design here and by others, in turn, three times."""
    ratios, alone = [], []
    with tempfile.TemporaryDirectory() as directory:
        for turn, count in enumerate([40, games, games, games]):
            design = design_of(count)
            here = timed(lambda: run_design(design, f"{directory}/here{turn}"))  # noqa: B023
            there = timed(lambda: run_design(design, f"{directory}/there{turn}", **players))  # noqa: B023
            if turn:  # the first compiles
                ratios.append(here / there)
                alone.append(here)
    click.echo(f"ship-bombing, {games} games of five strategies, seed {SEED}")
    click.echo(f"  this process: {statistics.median(alone):.1f} s")
    click.echo(f"  {name}: {statistics.median(ratios):.2f} times as fast")


@main.command()
@click.option("--games", default=1500, show_default=True)
def workers(games: int) -> None:
    """Two processes against this one: with their start, and when they are there already."""
    against_this_process(games, "two processes, started each time", workers=2)
    with process_pool(2) as pool:
        against_this_process(games, "two processes that are up", executor=pool)


@main.command()
@click.option("--games", default=1500, show_default=True)
def dask(games: int) -> None:
    """A Dask cluster of two workers that is up against this process."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        against_this_process(games, "Dask, two workers", executor=client)


@main.command()
@click.option("--games", default=10_000_000, show_default=True)
def stream(games: int) -> None:
    """Games of random on hasbro into a directory, and the most memory that took."""
    with tempfile.TemporaryDirectory() as directory:
        design = Design("hasbro", ["random"], games=games, seed=SEED)
        seconds = timed(lambda: run_design(design, f"{directory}/run", progress=True))
        played = peak()
        run = Run(f"{directory}/run")
        (result,) = run.results()
        size = sum(path.stat().st_size for path in Path(directory).rglob("*") if path.is_file())
        click.echo(f"{games:,} games of random on hasbro, seed {SEED}: {result.mean('random')}")
        click.echo(f"  {seconds:.0f} s, {size / 1e6:.0f} MB on disk")
        click.echo(f"  peak memory {played:.2f} GB playing, {peak():.2f} GB with the report")


def peak() -> float:
    """The most memory this process has had so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


if __name__ == "__main__":
    main()
