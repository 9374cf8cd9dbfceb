"""Games of the slow strategies, kept in `games/` shot count by shot count.

    python benchmarks/exact_games.py RULES STRATEGY [--games N]

plays the games of that column which are not there yet, on the uniform layouts of the seed,
and saves after every tenth: stop it when you like. Without arguments it prints the means
of the games that all strategies of a rule set have played, with paired differences.
"""

from pathlib import Path

import click
import numpy as np

from battleship_ai import Rules, make_strategy
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys, key_of
from battleship_ai.statistics import mean_interval, paired_interval
from kept_games import load, play_missing

SEED = 2026
GAMES = 1000
FOLDER = Path(__file__).parent / "games"
STRATEGIES = ("density", "monte-carlo", "exact", "lookahead")
COMPARED = ("exact", "lookahead")


def play(rules_name: str, strategy_name: str, games: int) -> None:
    """Play the games of a column that are not there yet."""
    rules, strategy = Rules.preset(rules_name), make_strategy(strategy_name)
    keys = game_keys(key_of(SEED), 0, games)
    layouts = place_arrays(rules, keys)

    def one(game: int) -> tuple[int, ...]:
        return (int(strategy.play(rules, layouts[[game]], keys[[game]]).shots[0]),)

    play_missing(FOLDER / f"{rules_name}.csv", strategy_name, games, one)


def report() -> None:
    """Print means and paired differences."""
    for path in sorted(FOLDER.glob("*.csv")):
        shots = {
            name: {game: figures[0] for game, figures in games.items()}
            for name, games in load(path).items()
        }
        for name, mine in shots.items():
            mean = mean_interval(list(mine.values()))
            line = (
                f"{path.stem}: {name} {mean.mean:.2f} ± {mean.half_width:.2f} ({len(mine)} games)"
            )
            for other in shots:
                both = sorted(mine.keys() & shots[other].keys())
                if name in COMPARED and other != name and both:
                    saved = paired_interval(
                        *(np.array([shots[who][game] for game in both]) for who in (name, other))
                    )
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
