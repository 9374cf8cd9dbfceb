"""The figures of the README and of the strategies' docstrings, each by name.

    python benchmarks/run.py NAME [--json]

Speeds are medians of several timings in one process, warm, on one core; the
figures of play come with their 95% interval, the number of games and the seed.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np

from battleship_ai import (
    Density,
    Exact,
    ExactPosterior,
    Layout,
    Record,
    Rules,
    play_solo,
    run_tournament,
)
from battleship_ai.inference.drawn import fitting_rows
from battleship_ai.inference.exact import record_posterior
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys, key_of
from battleship_ai.statistics import mean_interval, paired_interval
from battleship_ai.strategies import make_strategy

SEED = 2026
BENCHMARKS: dict[str, Callable[[], list[dict[str, Any]]]] = {}

Row = dict[str, Any]


def benchmark(function: Callable[[], list[Row]]) -> Callable[[], list[Row]]:
    BENCHMARKS[function.__name__.replace("_", "-")] = function
    return function


def median_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def play_rows(rules_name: str, strategies: list[str] | dict[str, Density], games: int) -> list[Row]:
    result = run_tournament(
        rules_name, strategies, games=games, seed=SEED, workers=2, progress=True
    )
    rows = []
    previous = None
    for summary in result.summaries():
        row: Row = {
            "rules": rules_name,
            "strategy": summary.name,
            "games": games,
            "seed": SEED,
            "placer": "uniform",
            "mean": round(summary.mean.mean, 3),
            "half_width": round(summary.mean.half_width, 3),
        }
        if previous is not None:
            pair = next(c for c in result.comparisons() if (c.a, c.b) == (previous, summary.name))
            row["saved_on_previous"] = round(pair.difference.mean, 3)
            row["saved_half_width"] = round(pair.difference.half_width, 3)
        rows.append(row)
        previous = summary.name
    return rows


@benchmark
def random_formula() -> list[Row]:
    """Random play against k(N + 1)/(k + 1), 100,000 games."""
    rows = []
    for name in ("hasbro", "ship-bombing", "ship-bombing-tetris", "ship-bombing-any"):
        rules = Rules.preset(name)
        (row,) = play_rows(name, ["random"], 100_000)
        k, n = rules.ship_squares, rules.board.n_squares
        row["formula"] = round(k * (n + 1) / (k + 1), 4)
        row["agrees"] = abs(row["mean"] - row["formula"]) <= row["half_width"]
        rows.append(row)
    return rows


@benchmark
def hit_weights() -> list[Row]:
    """Density with other weights for the hits that a placement explains, 10,000 games."""
    rows = []
    for name in ("hasbro", "ship-bombing"):
        strategies = {f"{w} a hit": Density((1, w, w**2, w**3)) for w in (3, 10, 20)}
        strategies["10 for any"] = Density((1, 10))
        rows += play_rows(name, strategies, 10_000)
    return rows


@benchmark
def halo_price() -> list[Row]:
    """Density with other prices for the halo, 4,000 games."""
    rows = []
    for name in ("ship-bombing", "ship-bombing-tetris", "ship-bombing-any", "hasbro-no-touch"):
        prices = (0.0, 0.1, 0.2, 0.25, 0.3, 0.4)
        strategies = {f"price {price:g}": Density(halo_price=price) for price in prices}
        rows += play_rows(name, strategies, 4000)
    return rows


@benchmark
def hasbro_map() -> list[Row]:
    """Corner and centre of 1,000,000 uniform hasbro layouts."""
    draws = place_arrays(Rules.preset("hasbro"), game_keys(key_of(SEED), 0, 1_000_000))
    share = np.bincount(draws.ravel(), minlength=100) / len(draws)
    corners, centre = share[[0, 9, 90, 99]].mean(), share[[44, 45, 54, 55]].mean()
    return [
        {"squares": "corners", "probability": round(float(corners), 5), "expected": 0.0800},
        {"squares": "centre", "probability": round(float(centre), 5), "expected": 0.2136},
    ]


@benchmark
def speed_play() -> list[Row]:
    """Compiled games a second, warm, on one core."""
    rows = []
    for name in ("hasbro", "ship-bombing", "ship-bombing-tetris", "ship-bombing-any"):
        rules = Rules.preset(name)
        for strategy_name, games in (("random", 100_000), ("hunt-target", 5_000),
                                     ("parity-hunt", 10_000), ("density", 10_000)):  # fmt: skip
            keys = game_keys(key_of(SEED), 0, games if name == "hasbro" else games // 10)
            layouts = place_arrays(rules, keys)
            strategy = make_strategy(strategy_name)
            seconds = median_seconds(lambda: strategy.play(rules, layouts, keys))  # noqa: B023
            rows.append(
                {"rules": name, "strategy": strategy_name,
                 "games_per_second": round(len(keys) / seconds)}
            )  # fmt: skip
    return rows


@benchmark
def speed_layouts() -> list[Row]:
    """Uniform layouts a second, warm, on one core."""
    rows = []
    counts = {"hasbro": 1_000_000, "hasbro-no-touch": 200_000, "pomcp": 200_000, "german": 100,
              "polish-bent": 5_000, "ship-bombing": 10_000, "ship-bombing-tetris": 10_000,
              "ship-bombing-any": 2_000}  # fmt: skip
    for name, count in counts.items():
        rules, keys = Rules.preset(name), game_keys(key_of(SEED), 0, count)
        seconds = median_seconds(lambda: place_arrays(rules, keys))  # noqa: B023
        rows.append({"rules": name, "layouts_per_second": round(count / seconds)})
    return rows


@benchmark
def exact_engine() -> list[Row]:
    """The exact posterior, compiled, one core: medians of 5, each rule set in a new process.

    The graph from nothing and from disk; the probabilities of all squares of the empty
    board, everything after the graph included; uniform draws a second; peak memory.
    """
    script = Path(__file__).with_name("exact_engine.py")
    rows = []
    for name in ("ship-bombing", "ship-bombing-tetris", "ship-bombing-any", "hasbro", "german"):
        command = [sys.executable, str(script), name]
        subprocess.run(command, check=True, capture_output=True)  # compiles
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rows.append(json.loads(done.stdout))
    return rows


@benchmark
def exact_moves() -> list[Row]:
    """Milliseconds a shot of `exact` over whole games, in order, memory of earlier games included.

    The first game, which also makes the opening's choice, is left out of the mean.
    """
    rows = []
    for name, games in (("ship-bombing", 40), ("ship-bombing-tetris", 12),
                        ("ship-bombing-any", 12), ("hasbro", 40)):  # fmt: skip
        rules, keys = Rules.preset(name), game_keys(key_of(SEED), 0, games + 1)
        layouts = place_arrays(rules, keys)
        strategy = make_strategy("exact")
        strategy.play(rules, layouts[:1], keys[:1])
        start = time.perf_counter()
        shots = strategy.play(rules, layouts[1:], keys[1:]).shots
        seconds = time.perf_counter() - start
        rows.append(
            {"rules": name, "games": games, "ms_per_shot": round(1000 * seconds / shots.sum(), 1),
             "seconds_per_game": round(seconds / games, 2)}
        )  # fmt: skip
    return rows


@benchmark
def hits_by_shot() -> list[Row]:
    """Mean hits after so many shots of density and exact on hasbro, 120 games, paired.

    And the mean shots to the last hit but k.
    """
    rules, keys = Rules.preset("hasbro"), game_keys(key_of(SEED), 0, 120)
    layouts = place_arrays(rules, keys)
    hits = {strategy.name: strategy.play(rules, layouts, keys).hits
            for strategy in (Density(), Exact())}  # fmt: skip
    rows: list[Row] = []
    for k in (10, 20, 30, 40, 50):
        counts = {name: (at <= k).sum(axis=1) for name, at in hits.items()}
        gain = paired_interval(counts["exact"], counts["density"])
        rows.append(
            {"hits_after": k, "density": round(counts["density"].mean(), 2),
             "exact_more": round(gain.mean, 3), "half_width": round(gain.half_width, 3)}
        )  # fmt: skip
    for left in (8, 4, 2, 1, 0):
        column = 16 - left
        later = paired_interval(hits["exact"][:, column], hits["density"][:, column])
        rows.append(
            {"hits_left": left, "density": round(hits["density"][:, column].mean(), 2),
             "exact_later": round(later.mean, 3), "half_width": round(later.half_width, 3)}
        )  # fmt: skip
    return rows


@benchmark
def density_regret() -> list[Row]:
    """What `density` gives away: the best square's exact probability less its own's, 30 games."""
    rows = []
    for name in ("hasbro", "ship-bombing"):
        rules, keys = Rules.preset(name), game_keys(key_of(SEED), 0, 30)
        exact = record_posterior(rules)
        given_away, shots, same = [], 0, 0
        for row in place_arrays(rules, keys):
            record = play_solo(Density(), Layout.from_array(rules, row)).record
            before, lost = Record(rules), 0.0
            for square, answer in record:
                probabilities = exact.probabilities(before).ravel()
                probabilities[list(before.asked)] = 0.0
                regret = probabilities.max() - probabilities[square]
                lost += regret
                same += regret < 1e-9
                before.add(square, answer)
            shots += len(record)
            given_away.append(lost)
        mean = mean_interval(given_away)
        rows.append(
            {"rules": name, "games": 30, "seed": SEED, "hits_given_away": round(mean.mean, 2),
             "half_width": round(mean.half_width, 2), "shots_at_the_best": round(same / shots, 3)}
        )  # fmt: skip
    return rows


# A game of `density` on the first layout of the seed, stopped after these shots.
MID_GAME = 20


@benchmark
def exact_against_rejection() -> list[Row]:
    """Seconds to a standard error of 0.001 in every cell: rejection against the exact pass.

    In turn, in one process. Rejection draws uniform layouts as fast as the placer can and
    keeps those that fit the record; its time is extrapolated from 8 seconds of drawing.
    """
    rows = []
    for name in ("ship-bombing", "ship-bombing-tetris", "ship-bombing-any", "hasbro"):
        rules, keys = Rules.preset(name), game_keys(key_of(SEED), 0, 1)
        posterior = ExactPosterior(rules)
        layout = Layout.from_array(rules, place_arrays(rules, keys)[0])
        game = play_solo(Density(), layout).record
        for record in (Record(rules), Record(rules, game.shots[:MID_GAME])):
            other = Record(rules, record.shots[:-1] if record.shots else game.shots[:1])
            exact, drawn, kept, drawing = [], 0, 0, 0.0
            posterior.probabilities(record)
            for turn in range(1, 5):
                posterior.probabilities(other)  # what follows is a new record to it
                start = time.perf_counter()
                map_ = posterior.probabilities(record)
                exact.append(time.perf_counter() - start)
                while drawing < 2.0 * turn:
                    start = time.perf_counter()
                    block = place_arrays(rules, game_keys(1, drawn, 5_000))
                    kept += len(fitting_rows(block, record))
                    drawing += time.perf_counter() - start
                    drawn += len(block)
            needed = (map_ * (1.0 - map_)).max() / 0.001**2
            row: Row = {
                "rules": name, "shots": len(record), "draws_needed": round(needed),
                "drawn": drawn, "kept": kept,
                "exact_seconds": round(statistics.median(exact), 4),
            }  # fmt: skip
            if kept:
                row["rejection_seconds"] = round(needed * drawing / kept, 3)
                row["ratio"] = round(row["rejection_seconds"] / row["exact_seconds"], 2)
            rows.append(row)
    return rows


@benchmark
def startup() -> list[Row]:
    """Import, and the main command with 100 games: with an empty kernel cache, and after."""
    rows = []
    script = "import time, battleship_ai; print(time.process_time())"
    imports = [
        float(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True,
                             text=True).stdout)
        for _ in range(5)
    ]  # fmt: skip
    rows.append({"what": "import, CPU seconds", "seconds": round(statistics.median(imports), 2)})
    command = [sys.executable, "-m", "battleship_ai.cli", "tournament", "--games", "100"]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        for what in ("empty cache", "second start", "third start"):
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True, env=environment)
            rows.append({"what": f"100 games, {what}",
                         "seconds": round(time.perf_counter() - start, 1)})  # fmt: skip
    return rows


@click.command()
@click.argument("name", type=click.Choice(sorted(BENCHMARKS)))
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def main(name: str, as_json: bool) -> None:
    """Print one benchmark's figures."""
    function = BENCHMARKS[name]
    rows = function()
    if as_json:
        click.echo(json.dumps({"benchmark": name, "rows": rows}))
        return
    click.echo((function.__doc__ or "").strip())
    for row in rows:
        click.echo("  " + "  ".join(f"{key}={value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
