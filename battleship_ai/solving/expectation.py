"""What a strategy needs against every layout of a small board, one after another."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.game import Chooser, play_solo
from battleship_ai.inference.counting import list_layouts
from battleship_ai.layouts import Layout
from battleship_ai.rng import Seed, key_of
from battleship_ai.rules import Rules
from battleship_ai.strategies.base import BatchStrategy

__all__ = ["AllGames", "play_all"]


class AllGames(NamedTuple):
    """The shots that a strategy needs against each layout.

    Examples
    --------
    >>> from battleship_ai import Density
    >>> games = play_all(Density(), Rules(board=(3, 3), fleet=(2,)))
    >>> len(games.layouts), games.mean, int(games.shots.max())
    (12, Fraction(9, 2), 7)
    """

    layouts: npt.NDArray[np.int16]
    """One layout a row, as `Layout.to_array` gives it."""
    shots: npt.NDArray[np.int32]
    """Shape (layouts,)."""

    @property
    def mean(self) -> Fraction:
        """The exact expectation where every layout is equally likely."""
        return Fraction(int(self.shots.sum()), len(self.shots))

    def hardest(self, rules: Rules) -> list[Layout]:
        """The layouts that hold out longest: the best that a placer can do who knows all."""
        longest = np.flatnonzero(self.shots == self.shots.max())
        return [Layout.from_array(rules, self.layouts[i]) for i in longest]


def play_all(strategy: Chooser, rules: Rules, *, seed: Seed = 0, most: int = 1_000_000) -> AllGames:
    """Let a strategy play against every layout.

    Parameters
    ----------
    strategy : object with a method ``choose(record, rng)``
        All games have the same seed, so that one that decides by lot is one deterministic
        strategy for each seed.
    rules : Rules
    seed : int, numpy.random.Generator or numpy.random.SeedSequence
    most : int
        The most layouts to play against.

    Raises
    ------
    RulesError
        If there are more layouts.

    Examples
    --------
    >>> from battleship_ai import Exact, solve
    >>> rules = Rules(board=(5, 5), fleet=(3,), announce="sunk-size")
    >>> games = play_all(Exact(by_information=False), rules)
    >>> float(games.mean), float(play_all(solve(rules), rules).mean)
    (7.1, 6.9)
    >>> len(games.hardest(rules)), int(games.shots.max())
    (1, 12)
    """
    layouts = list_layouts(rules, most)
    key = key_of(seed)
    if isinstance(strategy, BatchStrategy):
        keys = np.full(len(layouts), key, dtype=np.uint64)
        return AllGames(layouts, strategy.play(rules, layouts, keys).shots)
    games = (play_solo(strategy, Layout.from_array(rules, row), seed=key) for row in layouts)
    shots = np.array([game.shots for game in games], dtype=np.int32)
    return AllGames(layouts, shots)
