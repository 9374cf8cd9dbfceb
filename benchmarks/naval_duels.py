"""Duels of two captains of Naval Bombardment.

    python benchmarks/naval_duels.py A B [--games N] [--seed S]

Every duel has two fresh layouts of the placer ``uniform``, numbered as in a tournament of the
seed; A fires first in those of even number. They are kept in `naval_games/`, a file for each seed,
and only those that are not there yet are played: stop it when you like. Prints the share that A
won and the share that the first mover won, with Wilson's 95% intervals, and the mean number of
rounds.
"""

import argparse

import numpy as np

from battleship_ai.naval import NavalRules, make_captain, place_naval, play_match
from battleship_ai.rng import game_keys, key_of
from battleship_ai.statistics import Interval, wilson_interval
from kept_games import FOLDER, play_missing


def percent(share: Interval) -> str:
    return f"{share.mean:.1%} ({share.low:.1%} to {share.high:.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    captains = make_captain(options.first), make_captain(options.second)
    layouts = place_naval(NavalRules(), 2 * options.games, seed=options.seed)
    keys = game_keys(key_of(options.seed), 0, 2 * options.games)

    def duel(game: int) -> tuple[int, ...]:
        """The winner, 0 or 1, and the round."""
        theirs, ours = layouts[2 * game : 2 * game + 2]
        match = play_match(
            NavalRules(), captains, (ours, theirs), starter=game % 2, seed=int(keys[2 * game])
        )
        if match.winner is None or match.fault is not None:
            raise RuntimeError(f"duel {game}: {match.reason}")
        return match.winner, match.round

    name = f"{options.first} {options.second}"
    games = play_missing(FOLDER / f"duels.{options.seed}.csv", name, options.games, duel)
    winners, rounds = np.array(list(games.values())).T
    won = wilson_interval(int((winners == 0).sum()), len(winners))
    starters = np.array(list(games)) % 2
    first = wilson_interval(int((winners == starters).sum()), len(winners))
    print(f"{options.first} against {options.second}, {options.games} duels, seed {options.seed}:")
    print(f"{options.first} won {percent(won)}, the first mover {percent(first)};")
    print(f"rounds {rounds.mean():.1f}")


if __name__ == "__main__":
    main()
