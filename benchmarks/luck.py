"""Means with and without the luck of the games, kept in `luck/` game by game.

    python benchmarks/luck.py RULES STRATEGY [--games N]

plays the games of that pair which are not there yet, on the uniform layouts of the seed,
clears them of their luck, and saves after every tenth: stop it when you like. RULES is a
preset or `small`. Without arguments it prints the figures of the games played, and for
`small` the true mean, over every layout; then the differences between strategies, on the
same layouts.
"""

import csv
import time
from itertools import combinations
from pathlib import Path

import click
import numpy as np
from tqdm import tqdm

from battleship_ai import Rules, Table, make_strategy
from battleship_ai.inference.counting import list_layouts
from battleship_ai.luck import RolloutValue, luck
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys, key_of
from battleship_ai.statistics import mean_interval, paired_interval
from battleship_ai.strategies import DEFAULT_STRATEGIES, Density, KernelStrategy

SEED = 2026
FOLDER = Path(__file__).parent / "luck"
SMALL = Rules(board=(5, 5), fleet=(3, 2))
COLUMNS = ["shots", "luck", "milliseconds"]
# Random choices differ from game to game: so many games on each layout for a true mean.
GAMES_A_LAYOUT = 1000


def rules_named(name: str) -> Rules:
    return SMALL if name == "small" else Rules.preset(name)


def path_of(rules_name: str, strategy_name: str) -> Path:
    return FOLDER / f"{rules_name}.{strategy_name}.csv"


def load(path: Path) -> list[list[float]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [[float(row[name]) for name in COLUMNS] for row in csv.DictReader(file)]


def save(path: Path, rows: list[list[float]]) -> None:
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["game", *COLUMNS])
        for game, (shots, cost, milliseconds) in enumerate(rows):
            writer.writerow([game, int(shots), f"{cost:.6f}", f"{milliseconds:.1f}"])
    unfinished.replace(path)


def play(rules_name: str, strategy_name: str, games: int) -> None:
    """Play the games of a pair that are not there yet."""
    rules, strategy = rules_named(rules_name), make_strategy(strategy_name)
    own = strategy_name in DEFAULT_STRATEGIES and isinstance(strategy, KernelStrategy)
    value = RolloutValue(strategy if own else Density())
    path = path_of(rules_name, strategy_name)
    rows = load(path)
    for first in tqdm(range(len(rows), games), initial=len(rows), total=games, unit="game"):
        keys = game_keys(key_of(SEED), first, 1)
        layouts = place_arrays(rules, keys)
        played = strategy.play(rules, layouts, keys, keep_squares=True)
        start = time.process_time()
        cost = luck(rules, layouts, played, value)
        milliseconds = 1000 * (time.process_time() - start)
        rows.append([float(played.shots[0]), float(cost[0]), milliseconds])
        if len(rows) % 10 == 0 or len(rows) == games:
            save(path, rows)


def true_mean(rules: Rules, strategy_name: str) -> float:
    """The mean over every layout, with many keys where that costs nothing."""
    layouts = list_layouts(rules)
    if strategy_name in DEFAULT_STRATEGIES:
        layouts = np.tile(layouts, (GAMES_A_LAYOUT, 1))
    keys = game_keys(key_of(SEED + 1), 0, len(layouts))
    return float(make_strategy(strategy_name).play(rules, layouts, keys).shots.mean())


def report() -> None:
    """Print means with and without luck, and the differences of strategies on common games."""
    played = {tuple(path.stem.split(".")): np.array(load(path)).T for path in FOLDER.glob("*.csv")}
    means, differences = [], []
    for (rules_name, name), (shots, cost, milliseconds) in sorted(played.items()):
        raw, cleared = mean_interval(shots), mean_interval(shots - cost)
        ratio = np.var(shots, ddof=1) / np.var(shots - cost, ddof=1)
        truth = f"{true_mean(SMALL, name):.3f}" if rules_name == "small" else None
        means.append(
            [rules_name, name, len(shots), raw, cleared, f"{ratio:.1f}", truth,
             round(milliseconds.mean())]
        )  # fmt: skip
    for one, two in combinations(sorted(played), 2):
        if one[0] == two[0]:
            n = min(played[one].shape[1], played[two].shape[1])
            (a, luck_a, _), (b, luck_b, _) = played[one][:, :n], played[two][:, :n]
            raw, cleared = paired_interval(a, b), paired_interval(a - luck_a, b - luck_b)
            differences.append([one[0], f"{one[1]} less {two[1]}", n, raw, cleared])
    header = ["rules", "strategy", "games", "mean", "less luck"]
    means_header = [*header, "ratio of variances", "true mean", "CPU ms a game"]
    click.echo(Table(means_header, means).markdown())
    click.echo()
    click.echo(Table(header, differences).markdown())
    click.echo(f"\nuniform layouts, seed {SEED}, 95% intervals")


@click.command()
@click.argument("rules_name", required=False)
@click.argument("strategy_name", required=False)
@click.option("--games", default=500, show_default=True)
def main(rules_name: str | None, strategy_name: str | None, games: int) -> None:
    """Play more games, or print the figures of those played."""
    if rules_name is None or strategy_name is None:
        report()
    else:
        play(rules_name, strategy_name, games)


if __name__ == "__main__":
    main()
