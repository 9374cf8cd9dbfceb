"""How often the 95% intervals hold the truth, simulated where the truth is known.

    python benchmarks/coverage.py

prints one line an interval. Shots are drawn from 20,000 games of real strategies, whose own
mean is the truth. Wilson's coverage goes up and down with the true share and so is averaged
over shares, as that of rankings is over strategies and pairs.
"""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from battleship_ai import run_tournament
from battleship_ai.statistics import (
    Interval,
    Moments,
    StoppingRule,
    bradley_terry,
    mean_interval,
    paired_interval,
    quantile_interval,
    starter_advantage,
    wilson_interval,
)

SEED = 2026
REPLICATIONS = 20_000
STRENGTHS = np.array([1.0, 0.4, -0.2, -1.2])


def holds(interval: Interval, truth: float) -> bool:
    return bool(interval.low <= truth <= interval.high)


@cache
def shots() -> npt.NDArray[np.int64]:
    """Of random, hunt-target and density in 20,000 games of ship-bombing, a row each."""
    strategies = ["random", "hunt-target", "density"]
    played = run_tournament("ship-bombing", strategies, games=20_000, seed=SEED).shots
    return np.stack(list(played.values())).astype(np.int64)


@cache
def differences(pairs: tuple[tuple[int, int], ...]) -> npt.NDArray[np.int64]:
    """Of each pair of strategies in those games, shape (games, pairs)."""
    return np.stack([shots()[a] - shots()[b] for a, b in pairs], axis=1)


@cache
def mean_shots() -> npt.NDArray[np.float64]:
    return shots().mean(axis=1)


def mean_holds(rng: np.random.Generator) -> bool:
    return holds(mean_interval(rng.choice(shots()[1], 100)), mean_shots()[1])


def paired_difference_holds(rng: np.random.Generator) -> bool:
    a, b, _ = shots()[:, rng.integers(shots().shape[1], size=100)]
    return holds(paired_interval(a, b), mean_shots()[0] - mean_shots()[1])


def exponential_quantile_holds(q: float, n: int, rng: np.random.Generator) -> bool:
    return holds(quantile_interval(rng.exponential(size=n), q), -np.log1p(-q))


def shots_median_holds(rng: np.random.Generator) -> bool:
    return holds(quantile_interval(rng.choice(shots()[2], 200)), float(np.median(shots()[2])))


def win_share_holds(rng: np.random.Generator) -> bool:
    share = rng.uniform(0.1, 0.9)
    return holds(wilson_interval(rng.binomial(200, share), 200), share)


def starter_advantage_holds(rng: np.random.Generator) -> bool:
    advantage = rng.uniform(0.0, 0.2)
    return holds(starter_advantage(rng.binomial(500, 0.5 + advantage), 500), advantage)


def duels_won(rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Of 60 duels between any two strategies of the known strengths, as a matrix of wins."""
    above = np.triu_indices(len(STRENGTHS), 1)
    won = np.zeros((len(STRENGTHS), len(STRENGTHS)), dtype=np.int64)
    ahead = STRENGTHS[above[0]] - STRENGTHS[above[1]]
    won[above] = rng.binomial(60, 1 / (1 + np.exp(-ahead)))
    won.T[above] = 60 - won[above]
    return won


def strength_holds(rng: np.random.Generator) -> bool:
    i = int(rng.integers(len(STRENGTHS)))
    return holds(bradley_terry(duels_won(rng)).intervals()[str(i)], STRENGTHS[i])


def win_probability_holds(rng: np.random.Generator) -> bool:
    i, j = rng.permutation(len(STRENGTHS))[:2]
    truth = 1 / (1 + np.exp(STRENGTHS[j] - STRENGTHS[i]))
    return holds(bradley_terry(duels_won(rng)).win_probability(str(i), str(j)), truth)


def stopped_difference_holds(
    rule: StoppingRule, pairs: tuple[tuple[int, int], ...], rng: np.random.Generator
) -> bool:
    """The interval of one of the pairs, drawn at random, all of which were watched."""
    population = differences(pairs)
    moments = [Moments() for _ in pairs]
    played = 0
    for look in rule.looks():
        new = population[rng.integers(len(population), size=look - played)]
        moments = [old + Moments.of(column) for old, column in zip(moments, new.T, strict=True)]
        played = look
        if rule.is_met(each.interval() for each in moments):
            break
    watched = int(rng.integers(len(pairs)))
    a, b = pairs[watched]
    return holds(moments[watched].interval(), mean_shots()[a] - mean_shots()[b])


TOO_EARLY = StoppingRule(4.0, at_most=10_000, first=5, growth=1.0001)

CLOSE: dict[str, Callable[[np.random.Generator], bool]] = {
    "mean of 100 games": mean_holds,
    "paired difference of 100 games": paired_difference_holds,
    "median of 40 continuous values": partial(exponential_quantile_holds, 0.5, 40),
    "90% quantile of 60 continuous values": partial(exponential_quantile_holds, 0.9, 60),
    "share of 200 games won": win_share_holds,
    "starter's advantage in 500 duels": starter_advantage_holds,
    "strength, 60 duels a pair": strength_holds,
    "win probability, 60 duels a pair": win_probability_holds,
    "stopped from 100 games at half width 4": partial(
        stopped_difference_holds, StoppingRule(4.0, at_most=10_000), ((0, 1),)
    ),
    "three pairs stopped at half width 1.5": partial(
        stopped_difference_holds, StoppingRule(1.5, at_most=10_000), ((0, 1), (0, 2), (1, 2))
    ),
}
"""Intervals whose coverage is to be 94 to 96%."""

OFF: dict[str, Callable[[np.random.Generator], bool]] = {
    "median of 200 games (discrete)": shots_median_holds,
    "stopped from 5 games at half width 4": partial(stopped_difference_holds, TOO_EARLY, ((0, 1),)),
}
"""Those known to be wide, or too narrow."""


def covered(holds_truth: Callable[[np.random.Generator], bool], replications: int) -> int:
    """In how many replications the interval holds the truth."""
    rng = np.random.default_rng(SEED)
    return sum(holds_truth(rng) for _ in range(replications))


if __name__ == "__main__":
    for name, holds_truth in (CLOSE | OFF).items():
        share = covered(holds_truth, REPLICATIONS) / REPLICATIONS
        print(
            f"{name:40} nominal 95%, covered {share:.1%}, "
            f"{REPLICATIONS:,} replications, seed {SEED}",
            flush=True,
        )
