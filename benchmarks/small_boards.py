"""Small boards: what every strategy needs more than optimal play, and how far the solver reaches.

    python benchmarks/small_boards.py gaps    # minutes
    python benchmarks/small_boards.py reach [--limit SECONDS]

`gaps` sums over every layout of each board, with so many seeds as a strategy that decides by lot
takes; the interval is over the seeds. `reach` solves larger and larger boards, each in a process
of its own, until one takes longer than the limit.
"""

import resource
import time
from collections.abc import Iterator
from multiprocessing import TimeoutError as TooLong
from multiprocessing import get_context
from typing import get_args

import click
import numpy as np
from tqdm import tqdm

from battleship_ai import STRATEGIES, Rules, Table, count_layouts, make_strategy, mean_interval
from battleship_ai.solving import play_all, solve
from battleship_ai.solving.solver import Objective
from battleship_ai.statistics import Interval
from battleship_ai.tables import Cell

SEEDS = 10
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
Solved = list[Cell]
# What one of these needs is the same for every seed.
DETERMINISTIC = ("exact", "lookahead")

GAPS = [
    Rules((4, 4), (3, 2), announce="sunk-size"),
    Rules((4, 4), (3, 2), contact="allowed", announce="sunk-size"),
    Rules((4, 4), (2, 2), contact="allowed", announce="sunk-size"),
    Rules((4, 4), (3, 2), contact="corners"),
    Rules((5, 4), (3, 2), announce="sunk-size"),
    Rules((5, 4), (3, 2), contact="allowed"),
    Rules((5, 5), (3, 2)),
    Rules((5, 5), (3,), announce="hit-only"),
    Rules((4, 4), (3, 2), "tetris"),
    Rules((4, 4), (3, 1), "tetris"),
    Rules((5, 5), (4,), "tetris"),
    Rules((4, 4), (3, 2), "any"),
    Rules((3, 5), (3, 1), "any"),
    Rules((5, 5), (3,), "any"),
]

# Each line of boards grows until the limit stops it.
REACH = [
    [Rules(board, fleet, contact=contact, announce="sunk-size")
     for board, fleet in [((4, 4), (3, 2)), ((4, 5), (3, 2)), ((5, 5), (3, 2)), ((5, 6), (3, 2)),
                          ((6, 6), (3, 2))]]
    for contact in ("none", "corners", "allowed")
] + [
    [Rules((5, 5), fleet) for fleet in [(2, 1), (3, 1), (2, 2), (2, 1, 1), (3, 2, 1)]],
    [Rules(board, (3,)) for board in [(5, 5), (6, 6), (7, 7), (8, 8)]],
    *[[Rules((5, 5), (size,), shape) for size in (2, 3, 4, 5)] for shape in ("tetris", "any")],
    *[[Rules(board, (3, 2), shape) for board in [(3, 4), (4, 4), (4, 5)]]
      for shape in ("tetris", "any")],
]  # fmt: skip


def described(rules: Rules) -> list[Cell]:
    fleet = ",".join(map(str, rules.fleet))
    return [str(rules.board), fleet, rules.shape, rules.contact, rules.announce]


def gap(rules: Rules, name: str, optimal: float) -> Interval:
    """The mean shots of a strategy above optimal play, in percent of it."""
    seeds = range(1) if name in DETERMINISTIC else range(SEEDS)
    means = [float(play_all(make_strategy(name), rules, seed=seed).mean) for seed in seeds]
    percents = 100 * (np.array(means) / optimal - 1)
    if np.ptp(percents) == 0.0:
        return Interval(percents[0], percents[0], percents[0])
    return mean_interval(percents)


def gaps() -> None:
    """Print the gap of every strategy on every board."""
    rows, every_gap = [], []
    for rules in tqdm(GAPS, unit="board"):
        solution = solve(rules)
        optimal = float(solution.shots)
        found = [gap(rules, name, optimal) for name in STRATEGIES]
        every_gap.append([each.mean for each in found])
        cells = [each if each.half_width else each.mean for each in found]
        rows.append([*described(rules), solution.layouts, optimal, *cells])
    header = ["board", "fleet", "shape", "contact", "announce", "layouts", "optimal", *STRATEGIES]
    click.echo(Table(header, rows, formats={"optimal": ".4f"}).markdown())
    click.echo()
    summary = [["median", *np.median(every_gap, axis=0)], ["most", *np.max(every_gap, axis=0)]]
    click.echo(Table(["of all boards", *STRATEGIES], summary).markdown())
    click.echo(f"\nPercent above optimal; those with intervals over seeds 0 to {SEEDS - 1}")


def solved(rules: Rules, objective: Objective) -> Solved:
    """The value, the beliefs, the seconds of CPU and the peak memory in MB."""
    # Compiled before the clock starts.
    solve(Rules((2, 2), (1,)), objective)
    start = time.process_time()
    solution = solve(rules, objective)
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    value = str(solution.value) if objective == "worst" else f"{float(solution.shots):.4f}"
    return [value, solution.beliefs, seconds, round(memory)]


def within(limit: float, rules: Rules, objective: Objective) -> Solved | None:
    """What `solved` finds in a process of its own, None if that takes longer than the limit."""
    with get_context("spawn").Pool(1) as pool:
        try:
            return pool.apply_async(solved, (rules, objective)).get(limit)
        except TooLong:
            return None


def reached(limit: float) -> Iterator[list[Cell]]:
    """Rows of the table, each board of a line until one is too large."""
    for line in REACH:
        for rules in line:
            found = [within(limit, rules, objective) for objective in OBJECTIVES]
            row = [*described(rules), count_layouts(rules)]
            for each in found:
                row += each or [f"> {limit:.0f} s", None, None, None]
            yield row
            if found[0] is None:
                break


def reach(limit: float) -> None:
    """Print what it takes to solve larger and larger boards."""
    header = ["board", "fleet", "shape", "contact", "announce", "layouts"]
    for objective in OBJECTIVES:
        header += [objective, "beliefs", "seconds", "MB"]
    rows = list(tqdm(reached(limit), unit="board"))
    click.echo(Table(header, rows).markdown())


@click.command()
@click.argument("table", type=click.Choice(["gaps", "reach"]))
@click.option("--limit", default=300.0, show_default=True, help="Seconds for one search.")
def main(table: str, limit: float) -> None:
    """Print one of the tables."""
    if table == "gaps":
        gaps()
    else:
        reach(limit)


if __name__ == "__main__":
    main()
