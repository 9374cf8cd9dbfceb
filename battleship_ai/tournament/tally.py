"""What the games of a pool add up to, in memory that does not grow with them."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from battleship_ai.statistics import Interval, Moments
from battleship_ai.tournament.batches import NO_WINNER

__all__ = ["DuelTally", "SoloTally", "new_tally"]

Pair = tuple[str, str]


class SoloTally:
    """Histograms of shots to win, and of their paired differences.

    Parameters
    ----------
    labels : sequence of str
        The strategies.
    limit : int
        The largest number of shots.
    measures : mapping of str to int, optional
        What else is counted, with the largest number of it.

    Attributes
    ----------
    games : int
    counts : dict of str to ndarray of int64, shape (limit + 1,)
        How often each number of shots came.
    differences : dict of (str, str) to ndarray of int64, shape (2 * limit + 1,)
        How often the first needed so many shots more than the second, from -`limit`.
    measures : dict of str to dict of str to ndarray of int64, shape (largest + 1,)
        By measure and strategy, how often each number came.
    adjusted, adjusted_differences : dict to Moments
        Of the luck-adjusted shots, where there are any.

    Examples
    --------
    >>> tally = SoloTally(["a", "b"], 4)
    >>> tally.add({"a": np.array([2, 4]), "b": np.array([2, 3])})
    >>> tally.counts["a"].tolist(), tally.differences["a", "b"].tolist()
    ([0, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1, 0, 0, 0])
    """

    def __init__(
        self, labels: Sequence[str], limit: int, measures: Mapping[str, int] | None = None
    ) -> None:
        self.games = 0
        self.limit = limit
        self.counts = {label: np.zeros(limit + 1, dtype=np.int64) for label in labels}
        self.differences = {
            pair: np.zeros(2 * limit + 1, dtype=np.int64) for pair in combinations(labels, 2)
        }
        self.measures = {
            name: {label: np.zeros(largest + 1, dtype=np.int64) for label in labels}
            for name, largest in (measures or {}).items()
        }
        self.adjusted: dict[str, Moments] = {}
        self.adjusted_differences: dict[Pair, Moments] = {}

    def add(
        self,
        shots: Mapping[str, npt.NDArray[np.integer]],
        luck: Mapping[str, npt.NDArray[np.float64]] | None = None,
        measures: Mapping[str, Mapping[str, npt.NDArray[np.integer]]] | None = None,
    ) -> None:
        """Take in games: by strategy the shots to win, their luck where known, and the rest."""
        self.games += len(next(iter(shots.values())))
        for label, counts in self.counts.items():
            counts += np.bincount(shots[label], minlength=self.limit + 1)
        for (a, b), counts in self.differences.items():
            difference = shots[a].astype(np.int64) - shots[b] + self.limit
            counts += np.bincount(difference, minlength=2 * self.limit + 1)
        for name, by_label in self.measures.items():
            for label, counts in by_label.items():
                counts += np.bincount((measures or {})[name][label], minlength=len(counts))
        if luck:
            adjusted = {label: shots[label] - luck[label] for label in self.counts}
            for label, values in adjusted.items():
                _add(self.adjusted, label, values)
            for a, b in self.differences:
                _add(self.adjusted_differences, (a, b), adjusted[a] - adjusted[b])

    def paired(self) -> dict[Pair, Moments]:
        """The moments of each pair's differences; luck-adjusted where there are such."""
        return self.adjusted_differences or self.raw_paired()

    def intervals_to_narrow(self) -> list[Interval]:
        """What a stopping rule looks at: every paired difference, or the mean of one strategy."""
        moments = list((self.paired() or self.singles()).values())
        return [m.interval() for m in moments]

    def raw_paired(self) -> dict[Pair, Moments]:
        """The moments of each pair's differences in shots."""
        values = np.arange(-self.limit, self.limit + 1)
        return {pair: Moments.of(values, counts) for pair, counts in self.differences.items()}

    def singles(self) -> dict[str, Moments]:
        """The moments of each strategy's shots; luck-adjusted where there are such."""
        return self.adjusted or self.raw_singles()

    def raw_singles(self) -> dict[str, Moments]:
        """The moments of each strategy's shots."""
        return _moments(self.counts)

    def measured(self, name: str) -> dict[str, Moments]:
        """The moments of one of the measures."""
        return _moments(self.measures[name])


def _moments(counts: Mapping[str, npt.NDArray[np.int64]]) -> dict[str, Moments]:
    return {label: Moments.of(np.arange(len(c)), c) for label, c in counts.items()}


def _add(moments: dict[Any, Moments], key: Any, values: npt.NDArray[np.float64]) -> None:
    more = Moments.of(values)
    moments[key] = moments[key] + more if key in moments else more


def new_tally(labels: Sequence[str], limits: Mapping[str, int]) -> SoloTally:
    """An empty tally of shots and of whatever else has a limit in `Game.limits`."""
    measures = dict(limits)
    return SoloTally(labels, measures.pop("shots"), measures)


class DuelTally:
    """Who won how many duels against whom, and how often the starter did.

    Attributes
    ----------
    games : int
        Duels of each pair.
    wins : dict of (str, str) to int
        Duels of the pair that its first won; the second won the rest but the void ones.
    void : dict of (str, str) to int
    starter_wins : dict of (str, str) to int
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)
        self.games = 0
        pairs = list(combinations(labels, 2))
        self.wins = dict.fromkeys(pairs, 0)
        self.void = dict.fromkeys(pairs, 0)
        self.starter_wins = dict.fromkeys(pairs, 0)

    def add(
        self, winner: Mapping[Pair, npt.NDArray[np.int8]], starter: npt.NDArray[np.integer]
    ) -> None:
        """Take in duels: by pair the winner and by duel the starter, 0 or 1 in the pair."""
        self.games += len(starter)
        for pair, won in winner.items():
            self.wins[pair] += int((won == 0).sum())
            self.void[pair] += int((won == NO_WINNER).sum())
            self.starter_wins[pair] += int((won == starter).sum())

    def win_matrix(self) -> npt.NDArray[np.int64]:
        """How often the strategy of each row beat that of each column."""
        place = {label: i for i, label in enumerate(self.labels)}
        matrix = np.zeros((len(place), len(place)), dtype=np.int64)
        for (a, b), wins in self.wins.items():
            matrix[place[a], place[b]] = wins
            matrix[place[b], place[a]] = self.games - wins - self.void[a, b]
        return matrix
