"""Exact greedy: shoot the square most likely to be occupied, by the exact posterior."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from battleship_ai.errors import RecordError
from battleship_ai.inference.exact import record_key, record_posterior
from battleship_ai.record import Record
from battleship_ai.rng import Seed
from battleship_ai.rules import Rules
from battleship_ai.strategies.base import BatchStrategy
from battleship_ai.strategies.density import Density

__all__ = ["Exact"]

# Probabilities that differ by less are tied; they are exact to 1e-12.
_TIED = 1e-10

# Choices kept for records that come again in other games.
_MEMORY = 200_000


@dataclass(frozen=True)
class Exact(BatchStrategy):
    """Shoots the square most likely to be occupied under the exact posterior.

    Ties go to the square whose answer tells the most, then to the lowest. The choice for
    a record is kept, since the games of a tournament share their openings.

    Parameters
    ----------
    by_information : bool
        Whether ties go by the entropy of the answer; otherwise to the lowest square.

    Raises
    ------
    RulesError
        If the rules are not covered by `ExactPosterior`.

    Examples
    --------
    >>> record = Record.parse(Rules(board=(5, 5), fleet=(3, 2)), "c2:hit c1:miss")
    >>> record.rules.board.name(Exact().choose(record))
    'b2'
    """

    by_information: bool = True
    name: ClassVar[str] = "exact"

    def choose(self, record: Record, rng: Seed = 0) -> int:
        """The square to shoot at after a record, as an index; nothing is random."""
        return _player(record.rules, bool(self.by_information)).choose(record)

    def choose_keyed(self, record: Record, key: int) -> int:
        """The same for every key."""
        return self.choose(record)


class _Player:
    """The posterior of one rule set, and the choices made."""

    def __init__(self, rules: Rules, by_information: bool) -> None:
        self._posterior = record_posterior(rules)
        self._by_information = by_information
        self._chosen: dict[Hashable, int] = {}

    def choose(self, record: Record) -> int:
        key = record_key(record)
        square = self._chosen.get(key)
        if square is None:
            square = self._best(record)
            if len(self._chosen) < _MEMORY:
                self._chosen[key] = square
        return square

    def _best(self, record: Record) -> int:
        try:
            probabilities = self._posterior.probabilities(record).ravel()
        except RecordError:  # whoever answers so has no legal layout
            return Density().choose(record)
        probabilities[list(record.asked)] = -1.0
        tied = np.flatnonzero(probabilities > probabilities.max() - _TIED)
        if len(tied) == 1 or not self._by_information:
            return int(tied[0])
        answers = self._posterior.answers_at(tied.tolist(), record)
        information = np.array([_entropy(list(at.values())) for at in answers])
        return int(tied[np.argmax(information > information.max() - _TIED)])


def _entropy(probabilities: list[float]) -> float:
    return -sum(p * math.log(p) for p in probabilities if p > 0.0)


@lru_cache(maxsize=2)
def _player(rules: Rules, by_information: bool) -> _Player:
    return _Player(rules, by_information)
