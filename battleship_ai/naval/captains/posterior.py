"""The captain that fires where most hits are to be expected, all objects taken together."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from battleship_ai.naval.captains._checks import check_weights
from battleship_ai.naval.inference.posterior import NavalPosterior, check_draws
from battleship_ai.naval.inference.weights import check_prior
from battleship_ai.naval.record import NavalState

__all__ = ["PosteriorCaptain"]


@dataclass(frozen=True)
class PosteriorCaptain:
    """Draws layouts that give the record, and fires at the squares with the most hits expected.

    A square counts for the probability of a ship less `mine_weight` times that of a mine.
    The squares chosen are called in the order of their risk, since a mine ends the salvo.

    Parameters
    ----------
    placer : str
        Whose layouts it believes in: a name in `NAVAL_PLACERS`.
    draws : int
        Layouts drawn for each salvo, at least 16.
    mine_weight : float
        Ship squares that a mine is taken to cost.

    Raises
    ------
    RulesError, UnknownName
        If a parameter is wrong.

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass, NavalRecord, NavalRules
    >>> rules = NavalRules((4, 5), [NavalClass("Corvette", 3, 1, "Cv", (3,))], 1, 0)
    >>> record = NavalRecord.parse(rules, "1: B2 C2 B3 -> Cv A: 2; 1 guns left")
    >>> squares = PosteriorCaptain().choose(NavalState(2, record), np.random.default_rng(0))
    >>> [rules.board.name(square) for square in squares]
    ['A2']
    """

    placer: str = "uniform"
    draws: int = 400
    mine_weight: float = 0.5
    name: ClassVar[str] = "posterior"

    def __post_init__(self) -> None:
        check_prior(self.placer)
        check_draws(self.draws)
        check_weights(self, "mine_weight")

    def choose(self, state: NavalState, rng: np.random.Generator) -> list[int]:
        """The squares of the next salvo."""
        posterior = NavalPosterior(state.record, self.placer, draws=self.draws, seed=rng)
        risk = posterior.mine_probabilities
        value = posterior.square_probabilities - self.mine_weight * risk
        uncalled = np.array(state.record.uncalled)
        best = uncalled[np.argsort(-value[uncalled], kind="stable")[: state.guns]]
        return [int(square) for square in best[np.argsort(risk[best], kind="stable")]]
