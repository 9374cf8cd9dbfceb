"""The parameters of `lookahead`, compared on layouts that no reported game uses.

    python benchmarks/lookahead_tuning.py RULES STRATEGY [STRATEGY ...] [--games N]

Strategies are names with parameters, such as ``lookahead:information=0.2:least=0.5``. Each plays
the same uniform layouts; a row has its mean with a 95% interval, the difference to the first
strategy, game by game, and the seconds of CPU a game.
"""

import time

import click
from tabulate import tabulate

from battleship_ai import Rules, make_strategy
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys, key_of
from battleship_ai.statistics import mean_interval, paired_interval
from battleship_ai.strategies import BatchStrategy

# Reported games have the seed 2026.
SEED = 7


@click.command()
@click.argument("rules_name")
@click.argument("strategy_names", nargs=-1, required=True)
@click.option("--games", default=400, show_default=True)
def main(rules_name: str, strategy_names: tuple[str, ...], games: int) -> None:
    """Compare settings on the training pool."""
    rules = Rules.preset(rules_name)
    keys = game_keys(key_of(SEED), 0, games)
    layouts = place_arrays(rules, keys)
    table, first = [], None
    for name, strategy in [(name, make_strategy(name)) for name in strategy_names]:
        assert isinstance(strategy, BatchStrategy)
        strategy.play(rules, layouts[:1], keys[:1])  # compiles
        start = time.process_time()
        shots = strategy.play(rules, layouts, keys).shots
        seconds = (time.process_time() - start) / games
        first = shots if first is None else first
        mean, less = mean_interval(shots), paired_interval(shots, first)
        table.append(
            [
                name,
                f"{mean.mean:.2f} ± {mean.half_width:.2f}",
                f"{less.mean:+.2f} ± {less.half_width:.2f}",
                f"{seconds:.2f}",
            ]
        )
        click.echo(f"{name} is done", err=True)
    click.echo(f"{rules_name}, {games} uniform layouts, seed {SEED}, 95% intervals")
    click.echo(tabulate(table, headers=["strategy", "shots", "less the first", "s a game"]))


if __name__ == "__main__":
    main()
