"""The joint posterior of Naval Bombardment along games, salvo by salvo.

    python benchmarks/naval_posterior.py [--games N] [--draws D] [--seed S] [--placer P]

The captain ``list-info`` plays by itself against sequential layouts; before each salvo the
posterior is found with D draws. A row has, over the games that came so far, the medians of the
lengths of the lists of undamaged and of damaged ships, how often each regime was used and how
often exactly, the medians of the effective part of the draws, of the total variation
between chains and of the milliseconds of CPU, and how many posteriors were not reliable.
"""

import argparse
import time
from collections import Counter
from typing import NamedTuple

import numpy as np

from battleship_ai.naval import (
    NavalRecord,
    NavalRules,
    NavalState,
    NavalTarget,
    make_captain,
    place_naval,
)
from battleship_ai.naval.inference.candidates import Candidates, pruned
from battleship_ai.naval.inference.posterior import NavalPosterior
from battleship_ai.naval.inference.regimes import REGIMES, Diagnostics


class Row(NamedTuple):
    """One posterior."""

    undamaged: list[int]
    damaged: list[int]
    diagnostics: Diagnostics
    milliseconds: float


def measured(record: NavalRecord, placer: str, draws: int, seed: int) -> Row:
    start = time.process_time()
    posterior = NavalPosterior(record, placer, draws=draws, seed=seed)
    milliseconds = 1000 * (time.process_time() - start)
    lists = [each for group in pruned(Candidates(record)).classes for each in group[0]]
    return Row(
        [len(each.placements) for each in lists if not each.track],
        [len(each.placements) for each in lists if each.track],
        posterior.diagnostics,
        milliseconds,
    )


def median(values: list[float] | list[int]) -> str:
    return f"{np.median(values):.3g}" if values else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--placer", default="sequential", help="the prior")
    options = parser.parse_args()
    rules = NavalRules()
    captain = make_captain("list-info")
    rows: dict[int, list[Row]] = {}
    measured(NavalRecord(rules), options.placer, 16, 0)  # compiles, and fits the weights
    for regime in REGIMES:
        NavalPosterior(NavalRecord(NavalRules("9x9", rules.classes[:1], 1, 0)), regime=regime)
    layouts = place_naval(rules, options.games, placer="sequential", seed=options.seed)
    for game, layout in enumerate(layouts):
        target, rng = NavalTarget(layout, seed=game), np.random.default_rng(game)
        salvo = 1
        while not target.all_sunk:
            record = target.record
            row = measured(record, options.placer, options.draws, game)
            rows.setdefault(salvo, []).append(row)
            target.fire(captain.choose(NavalState(record.next_round, record), rng))
            salvo += 1
    print("| salvo | games | lists: undamaged, damaged | regimes (exact) | effective |", end="")
    print(" variation | ms | not reliable |")
    print("|---" * 8 + "|")
    for salvo, found in sorted(rows.items()):
        told = [row.diagnostics for row in found]
        used = Counter(each.regime for each in told)
        exact = sum(each.exact for each in told)
        regimes = ", ".join(f"{used[regime]} {regime}" for regime in REGIMES if used[regime])
        part = median([each.effective_draws / each.draws for each in told])
        variation = median([v for each in told if (v := each.total_variation) is not None])
        undamaged = median([n for row in found for n in row.undamaged])
        damaged = median([n for row in found for n in row.damaged])
        print(
            f"| {salvo} | {len(found)} | {undamaged}, {damaged} | {regimes} ({exact}) | {part} | "
            f"{variation} | {median([row.milliseconds for row in found])} | "
            f"{sum(not each.reliable for each in told)} |"
        )
    milliseconds = [row.milliseconds for found in rows.values() for row in found]
    print(f"mean of all posteriors: {np.mean(milliseconds):.0f} ms")


if __name__ == "__main__":
    main()
