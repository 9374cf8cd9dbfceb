"""Games of the slow strategies, kept in `games/` shot count by shot count.

    python benchmarks/exact_games.py RULES STRATEGY [--games N]

plays the games of that column which are not there yet, on the uniform layouts of the seed,
and saves after every tenth: stop it when you like. Without arguments it prints the means
of the games that all strategies of a rule set have played, with paired differences.
"""

import csv
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from battleship_ai import Rules, make_strategy
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys, key_of
from battleship_ai.statistics import mean_interval, paired_interval

SEED = 2026
GAMES = 1000
FOLDER = Path(__file__).parent / "games"
STRATEGIES = ("density", "monte-carlo", "exact")


def load(rules_name: str) -> dict[str, npt.NDArray[np.int32]]:
    """Shots to win by strategy and game; 0 where a game was not played yet."""
    shots = {name: np.zeros(GAMES, dtype=np.int32) for name in STRATEGIES}
    path = FOLDER / f"{rules_name}.csv"
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                for name in STRATEGIES:
                    shots[name][int(row["game"])] = int(row[name] or 0)
    return shots


def save(rules_name: str, strategy: str, played: npt.NDArray[np.int32]) -> None:
    """Write one column; the others are read again, since another process may have grown them."""
    shots = load(rules_name)
    shots[strategy] = played
    path = FOLDER / f"{rules_name}.csv"
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["game", *STRATEGIES])
        for game in range(GAMES):
            writer.writerow([game, *(int(shots[name][game]) or "" for name in STRATEGIES)])
    unfinished.replace(path)


def play(rules_name: str, strategy_name: str, games: int) -> None:
    """Play the games of a column that are not there yet."""
    rules, strategy = Rules.preset(rules_name), make_strategy(strategy_name)
    keys = game_keys(key_of(SEED), 0, GAMES)
    layouts = place_arrays(rules, keys)
    shots = load(rules_name)[strategy_name]
    missing = np.flatnonzero(shots[:games] == 0)
    for done, game in enumerate(tqdm(missing, unit="game"), start=1):
        shots[game] = strategy.play(rules, layouts[[game]], keys[[game]]).shots[0]
        if done % 10 == 0 or done == len(missing):
            save(rules_name, strategy_name, shots)


def report() -> None:
    """Print means and paired differences."""
    for path in sorted(FOLDER.glob("*.csv")):
        shots = load(path.stem)
        for name in STRATEGIES:
            others = [other for other in STRATEGIES if other != name]
            mine = shots[name] > 0
            if not mine.any():
                continue
            mean = mean_interval(shots[name][mine])
            line = (
                f"{path.stem}: {name} {mean.mean:.2f} ± {mean.half_width:.2f} ({mine.sum()} games)"
            )
            for other in others:
                both = mine & (shots[other] > 0)
                if name == "exact" and both.any():
                    saved = paired_interval(shots[name][both], shots[other][both])
                    line += f"; less {other} {saved.mean:+.2f} ± {saved.half_width:.2f}"
            click.echo(line)
    click.echo(f"uniform layouts, seed {SEED}, 95% intervals")


@click.command()
@click.argument("rules_name", required=False)
@click.argument("strategy_name", type=click.Choice(STRATEGIES), required=False)
@click.option("--games", default=GAMES, show_default=True)
def main(rules_name: str | None, strategy_name: str | None, games: int) -> None:
    """Play more games, or print the figures of those played."""
    if rules_name is None or strategy_name is None:
        report()
    else:
        play(rules_name, strategy_name, games)


if __name__ == "__main__":
    main()
