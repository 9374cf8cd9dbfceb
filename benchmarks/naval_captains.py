"""Captains of Naval Bombardment, each by itself against the same layouts.

    python benchmarks/naval_captains.py CAPTAINS [--placer P] [--games N] [--seed S]

CAPTAINS is a list of names with commas, or ``all``. A row has the means of rounds, shots and
mines with 95% intervals, and the median of the milliseconds of CPU that a game takes, the
referee included; then come the differences of rounds, game by game, from the captain before.
"""

import argparse
import time

import numpy as np
import numpy.typing as npt

from battleship_ai.naval import (
    CAPTAINS,
    Captain,
    NavalLayout,
    NavalRules,
    make_captain,
    place_naval,
    play_solo_match,
)
from battleship_ai.statistics import mean_interval, paired_interval

COLUMNS = ("rounds", "shots", "mines")


def play(captain: Captain, layouts: list[NavalLayout], seed: int) -> npt.NDArray[np.float64]:
    """Rounds, shots, mines and milliseconds of each game, a row a game."""
    play_solo_match(captain, layouts[0], seed=seed)  # compiles
    rows = []
    for number, layout in enumerate(layouts):
        start = time.process_time()
        game = play_solo_match(captain, layout, seed=seed + number)
        milliseconds = 1000 * (time.process_time() - start)
        rows.append((game.rounds, game.shots, len(game.record.mines), milliseconds))
    return np.array(rows, dtype=np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("captains")
    parser.add_argument("--placer", default="sequential")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    names = list(CAPTAINS) if options.captains == "all" else options.captains.split(",")
    layouts = place_naval(NavalRules(), options.games, placer=options.placer, seed=options.seed)
    print(f"{options.games} layouts of {options.placer}, seed {options.seed}")
    before = None
    for name in names:
        games = play(make_captain(name), layouts, options.seed)
        figures = []
        for column, values in zip(COLUMNS, games.T, strict=False):
            interval = mean_interval(values)
            figures.append(f"{column} {interval.mean:.2f} ± {interval.half_width:.2f}")
        line = f"{name}: {', '.join(figures)}, {np.median(games[:, 3]):.1f} ms"
        if before is not None:
            difference = paired_interval(games[:, 0], before[:, 0])
            line += f"; rounds {difference.mean:+.2f} ± {difference.half_width:.2f}"
        print(line, flush=True)
        before = games


if __name__ == "__main__":
    main()
