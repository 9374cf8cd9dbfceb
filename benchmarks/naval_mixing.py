"""How many proposals a uniform layout of Naval Bombardment takes, and how fast they are.

    python benchmarks/naval_mixing.py

runs the Markov chain of the uniform placer from four kinds of starts that differ as much as can
be: sequential layouts, ships along the border, objects far apart, and all in the left part of
the board. For seven statistics of a layout it prints

- their integrated autocorrelation time in proposals for each object (with Sokal's window of 5
  times) and the split R-hat of all chains (Gelman et al., Bayesian Data Analysis, 2013);
- how far their means over the chains of each start are from the stationary mean after so many
  proposals for each object, in standard deviations of the statistic: the largest of the seven;

and then the speed of the chain and of the placers in seconds of one core, and effective draws a
second: proposals a second over the longest autocorrelation time.
"""

import statistics
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from tabulate import tabulate

from battleship_ai.naval import NAVAL_PLACERS, NavalRules
from battleship_ai.naval._placing import open_streams, walk
from battleship_ai.naval.placers import place_naval_arrays
from battleship_ai.naval.tables import GROUP, START, naval_tables
from battleship_ai.rng import game_keys, key_of

SEED = 2026
RULES = NavalRules()
LEFT = NavalRules((20, 13))
OBJECTS = len(RULES.ships) + len(RULES.mines)

CHAINS = 10_000  # of each start, to see what is left of it
AFTER = (0, 10, 30, 100, 200, 300, 400, 600, 1000)  # proposals for each object
LONG_CHAINS, THINNING, STATES = 32, 10, 4000  # of each start, for their autocorrelation

Values = npt.NDArray[np.float64]


def starts() -> dict[str, Callable[[npt.NDArray[np.uint64]], npt.NDArray[np.int16]]]:
    return {
        "sequential": lambda keys: place_naval_arrays(RULES, keys, "sequential"),
        "edge": lambda keys: place_naval_arrays(RULES, keys, "edge"),
        "spread": lambda keys: place_naval_arrays(RULES, keys, "spread"),
        "left": lambda keys: on_the_left(place_naval_arrays(LEFT, keys, "sequential")),
    }


def on_the_left(layouts: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    row, col = np.divmod(layouts, LEFT.board.cols)
    return row * RULES.board.cols + col


def placements_of(layouts: npt.NDArray[np.int16]) -> npt.NDArray[np.int32]:
    """The number of each object's placement in the tables, shape (layouts, objects)."""
    tables = naval_tables(RULES)
    n = RULES.board.n_squares
    chosen = np.empty((len(layouts), OBJECTS), dtype=np.int32)
    for i, (group, start) in enumerate(tables.objects[:, [GROUP, START]]):
        size, first, stop = tables.groups[group]
        # Two squares, the first and the last, tell a placement from all others of its size.
        number = np.empty((n, n), dtype=np.int32)
        squares = tables.squares[first:stop]
        number[squares[:, 0], squares[:, size - 1]] = np.arange(first, stop)
        chosen[:, i] = number[layouts[:, start], layouts[:, start + size - 1]]
    return chosen


def used_squares(chosen: npt.NDArray[np.int32]) -> Values:
    reach = naval_tables(RULES).reach[chosen]
    return np.bitwise_count(np.bitwise_or.reduce(reach, axis=1)).sum(axis=1).astype(float)


def border_squares(chosen: npt.NDArray[np.int32]) -> Values:
    row, col = np.divmod(np.arange(RULES.board.n_squares), RULES.board.cols)
    border = np.append((row % 19 == 0) | (col % 19 == 0), False)
    return border[naval_tables(RULES).squares[chosen]].sum(axis=(1, 2)).astype(float)


def diagonal_ships(chosen: npt.NDArray[np.int32]) -> Values:
    squares = naval_tables(RULES).squares[chosen[:, : len(RULES.ships)]].astype(np.int64)
    return np.isin(squares[:, :, 1] - squares[:, :, 0], (19, 21)).sum(axis=1).astype(float)


def flagship_column(chosen: npt.NDArray[np.int32]) -> Values:
    squares = naval_tables(RULES).squares[chosen[:, 0], :8]
    return (squares % RULES.board.cols).mean(axis=1)


def flagship_diagonal(chosen: npt.NDArray[np.int32]) -> Values:
    squares = naval_tables(RULES).squares[chosen[:, 0]]
    return np.isin(squares[:, 1] - squares[:, 0], (19, 21)).astype(float)


def flagship_from_border(chosen: npt.NDArray[np.int32]) -> Values:
    row, col = np.divmod(naval_tables(RULES).squares[chosen[:, 0], :8], RULES.board.cols)
    return np.minimum.reduce([row, 19 - row, col, 19 - col]).mean(axis=1)


def mean_column(chosen: npt.NDArray[np.int32]) -> Values:
    return (naval_tables(RULES).squares[chosen, 0] % RULES.board.cols).mean(axis=1)


STATISTICS: dict[str, Callable[[npt.NDArray[np.int32]], Values]] = {
    "used squares": used_squares,
    "objects' squares on the border": border_squares,
    "diagonal ships": diagonal_ships,
    "column of the flagship": flagship_column,
    "flagship is diagonal": flagship_diagonal,
    "flagship's way to the border": flagship_from_border,
    "mean column of first squares": mean_column,
}


def begun(start: str, chains: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint64]]:
    """Placements and random streams; each kind of start has keys of its own."""
    keys = game_keys(key_of(SEED) + list(starts()).index(start), 0, chains)
    chosen = placements_of(starts()[start](keys))
    streams = np.empty((chains, 2), dtype=np.uint64)
    # Not the streams that the starts were drawn from.
    open_streams(~keys, streams)
    return chosen, streams


def evaluate(chosen: npt.NDArray[np.int32]) -> Values:
    """Shape (statistics, chains)."""
    return np.stack([statistic(chosen) for statistic in STATISTICS.values()])


def means_after(start: str) -> Values:
    """The means over the chains after each number of proposals, shape (times, statistics)."""
    chosen, streams = begun(start, CHAINS)
    means, done = [], 0
    for after in AFTER:
        walk(naval_tables(RULES), streams, (after - done) * OBJECTS, chosen)
        done = after
        means.append(evaluate(chosen).mean(axis=1))
    return np.stack(means)


def long_chains(start: str) -> Values:
    """Shape (states, statistics, chains), from 1,000 proposals for each object on."""
    chosen, streams = begun(start, LONG_CHAINS)
    walk(naval_tables(RULES), streams, 1000 * OBJECTS, chosen)
    states = []
    for _ in range(STATES):
        walk(naval_tables(RULES), streams, THINNING * OBJECTS, chosen)
        states.append(evaluate(chosen))
    return np.stack(states)


def autocorrelation_time(values: Values) -> float:
    """In states, of chains of shape (states, chains) about their common mean."""
    n = len(values)
    deviations = values - values.mean()
    spectrum = np.abs(np.fft.rfft(deviations, 2 * n, axis=0)) ** 2
    covariance = np.fft.irfft(spectrum.mean(axis=1))[:n] / np.arange(n, 0, -1)
    times = 2 * np.cumsum(covariance / covariance[0]) - 1
    return float(times[np.argmax(np.arange(n) >= 5 * times)])


def split_r_hat(values: Values) -> float:
    """Of chains of shape (states, chains), each cut in two."""
    halves = np.concatenate(np.split(values, 2), axis=1)
    n = len(halves)
    within = halves.var(axis=0, ddof=1).mean()
    between = halves.mean(axis=0).var(ddof=1)
    return float(np.sqrt((n - 1) / n + between / within))


def median_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Of the processor, since all of this runs on one core."""
    work()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def print_what_is_left(stationary: Values) -> None:
    """`stationary` has shape (states, statistics, chains)."""
    mean = stationary.mean(axis=(0, 2))
    deviation = stationary.std(axis=(0, 2))
    print(
        f"\nLargest of what is left of a start, in standard deviations, ±{CHAINS**-0.5:.3f} each\n"
    )
    rows = [
        [start, *abs((means_after(start) - mean) / deviation).max(axis=1)] for start in starts()
    ]
    print(tabulate(rows, ["start", *AFTER], tablefmt="github", floatfmt=".3f"))


def print_autocorrelation(stationary: Values) -> float:
    """Returns the longest time, in proposals."""
    rows = []
    for k, statistic in enumerate(STATISTICS):
        values = stationary[:, k]
        in_proposals = THINNING * autocorrelation_time(values)
        rows.append([statistic, values.mean(), values.std(), in_proposals, split_r_hat(values)])
    print(f"\n{4 * LONG_CHAINS} chains of {STATES} states, {THINNING} proposals an object apart\n")
    headers = ["statistic", "mean", "sd", "time", "R-hat"]
    print(tabulate(rows, headers, tablefmt="github", floatfmt=("", ".3f", ".3f", ".1f", ".5f")))
    return max(row[3] for row in rows) * OBJECTS


def print_speed(longest: float) -> None:
    chosen, streams = begun("sequential", 10)
    proposals = 100_000
    seconds = median_seconds(lambda: walk(naval_tables(RULES), streams, proposals, chosen))
    rate = len(chosen) * proposals / seconds
    accepted = walk(naval_tables(RULES), streams, proposals, chosen) / (len(chosen) * proposals)
    print(
        f"\n{rate / 1e6:.1f} million proposals a second, {accepted:.1%} taken; "
        f"{rate / longest:,.0f} effective draws a second\n"
    )
    rows = []
    for placer in NAVAL_PLACERS:
        keys = game_keys(key_of(SEED), 0, 10_000 if placer == "sequential" else 500)
        seconds = median_seconds(lambda: place_naval_arrays(RULES, keys, placer))  # noqa: B023
        rows.append([placer, round(len(keys) / seconds)])
    print(tabulate(rows, ["placer", "layouts a second"], tablefmt="github", intfmt=","))


if __name__ == "__main__":
    stationary = np.concatenate([long_chains(start) for start in starts()], axis=2)
    longest = print_autocorrelation(stationary)
    print_what_is_left(stationary)
    print_speed(longest)
