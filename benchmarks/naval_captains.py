"""Captains of Naval Bombardment, each by itself against the same layouts.

    python benchmarks/naval_captains.py CAPTAINS [--placer P] [--games N]

CAPTAINS is a list of names with commas, or ``all``. Games are kept in `naval_games/`, a file
for each placer, and only those that are not there yet are played: stop it when you like. A row
has the means of rounds, shots and mines with 95% intervals, and the median of the milliseconds
of CPU that the games played now took, the referee included; then come the differences of
rounds, game by game, from the captain before.
"""

import argparse
import time

import numpy as np

from battleship_ai.naval import (
    CAPTAINS,
    NavalLayout,
    NavalRules,
    make_captain,
    place_naval,
    play_solo_match,
)
from battleship_ai.statistics import mean_interval, paired_interval
from kept_games import FOLDER, Games, play_missing

SEED = 2026
COLUMNS = ("rounds", "shots", "mines")


def play(name: str, placer: str, layouts: list[NavalLayout]) -> tuple[Games, list[float]]:
    """The games of a captain, and the milliseconds of those that were not kept."""
    captain = make_captain(name)
    milliseconds: list[float] = []

    def one(game: int) -> tuple[int, ...]:
        if not milliseconds:
            play_solo_match(captain, layouts[0], seed=SEED)  # compiles
        start = time.process_time()
        match = play_solo_match(captain, layouts[game], seed=SEED + game)
        milliseconds.append(1000 * (time.process_time() - start))
        return match.rounds, match.shots, len(match.record.mines)

    return play_missing(FOLDER / f"{placer}.csv", name, len(layouts), one), milliseconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("captains")
    parser.add_argument("--placer", default="sequential")
    parser.add_argument("--games", type=int, default=500)
    options = parser.parse_args()
    names = list(CAPTAINS) if options.captains == "all" else options.captains.split(",")
    layouts = place_naval(NavalRules(), options.games, placer=options.placer, seed=SEED)
    print(f"{options.games} layouts of {options.placer}, seed {SEED}")
    before = None
    for name in names:
        games, milliseconds = play(name, options.placer, layouts)
        rows = np.array(list(games.values()), dtype=np.float64)
        figures = []
        for column, values in zip(COLUMNS, rows.T, strict=True):
            interval = mean_interval(values)
            figures.append(f"{column} {interval.mean:.2f} ± {interval.half_width:.2f}")
        line = f"{name}: {', '.join(figures)}"
        if milliseconds:
            line += f", {np.median(milliseconds):.1f} ms"
        if before is not None:
            difference = paired_interval(rows[:, 0], before[:, 0])
            line += f"; rounds {difference.mean:+.2f} ± {difference.half_width:.2f}"
        print(line, flush=True)
        before = rows


if __name__ == "__main__":
    main()
