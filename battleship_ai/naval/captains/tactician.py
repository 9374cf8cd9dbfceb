"""Hits, guns and information, weighed square by square on the joint posterior."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from battleship_ai.naval.captains._checks import check_weights
from battleship_ai.naval.captains._list_info import pick_squares
from battleship_ai.naval.inference.independent import IndependentShips
from battleship_ai.naval.inference.posterior import NavalPosterior, check_draws
from battleship_ai.naval.inference.weights import check_prior
from battleship_ai.naval.record import NavalState
from battleship_ai.naval.tables import naval_tables

__all__ = ["Tactician"]


@dataclass(frozen=True)
class Tactician:
    """Picks squares as `ListInfo` does, by what all objects of a layout together allow.

    The joint posterior gives each ship its probable placements and each square its risk of a
    mine. Squares are added to the salvo one by one. Each adds the hits to be expected; in a
    duel the guns that they will destroy; the entropy of the number of each ship's squares in
    the salvo, which the report will tell; and its risk, which counts against it. The least
    risky is called first.

    Parameters
    ----------
    information : float
        Hits that a nat of information is worth to a captain at whom nobody fires.
    duel_information : float
        The same where the enemy shoots back, and guns destroyed early win.
    mine_weight : float
        Hits that a mine is taken to cost.
    gun_weight : float
        Hits that an enemy's gun is worth beyond its squares, where the enemy shoots back.
    draws : int
        Layouts drawn for each salvo, at least 16.
    placer : str
        Whose layouts it believes in: a name in `NAVAL_PLACERS`.

    Raises
    ------
    RulesError, UnknownName
        If a parameter is wrong.

    Notes
    -----
    The weights were chosen on layouts of other seeds than those of the figures reported. In duels
    with `ListInfo` they matter little: of the same 600, the defaults won 57%, with
    ``duel_information`` 1.5 and 3 it won 54% and 52%, with 1.5 and no ``gun_weight`` 55%, each
    within 4% (``benchmarks/naval_duels.py`` with ``--seed 2027``).

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass, NavalRecord, NavalRules
    >>> rules = NavalRules((4, 5), [NavalClass("Corvette", 3, 1, "Cv", (3,))], 1, 0)
    >>> record = NavalRecord.parse(rules, "1: B2 C2 B3 -> Cv A: 2; 1 guns left")
    >>> squares = Tactician().choose(NavalState(2, record), np.random.default_rng(0))
    >>> [rules.board.name(square) for square in squares]
    ['A2']
    """

    information: float = 3.0
    duel_information: float = 2.0
    mine_weight: float = 1.0
    gun_weight: float = 1.0
    draws: int = 160
    placer: str = "uniform"
    name: ClassVar[str] = "tactician"

    def __post_init__(self) -> None:
        check_weights(self, "information", "duel_information", "mine_weight", "gun_weight")
        check_draws(self.draws)
        check_prior(self.placer)

    def choose(self, state: NavalState, rng: np.random.Generator) -> list[int]:
        """The squares of the next salvo."""
        posterior = NavalPosterior(state.record, self.placer, draws=self.draws, seed=rng)
        hits, risk = posterior.square_probabilities, posterior.mine_probabilities
        alone = state.enemy_record is None
        information = self.information if alone else self.duel_information
        gun_weight = 0.0 if alone else self.gun_weight
        useful = np.zeros(state.rules.board.n_squares, dtype=np.bool_)
        useful[state.record.uncalled] = True
        useful &= hits > 0.0
        picked = pick_squares(
            naval_tables(state.rules),
            _ships_by_row(posterior),
            gun_weight * guns_by_hit(posterior),
            information,
            hits - self.mine_weight * risk,
            useful,
            state.guns,
        )
        return sorted(picked.tolist(), key=risk.__getitem__)


def _ships_by_row(posterior: NavalPosterior) -> IndependentShips:
    """The placements that the ships of each class and track may have, each with its chance."""
    ships = posterior.chances.sum(axis=1)
    rows, placements = np.nonzero(posterior.chances)
    return IndependentShips(
        ships,
        np.searchsorted(rows, np.arange(len(ships) + 1)),
        placements.astype(np.int32),
        posterior.chances[rows, placements] / ships[rows],
    )


def guns_by_hit(posterior: NavalPosterior) -> npt.NDArray[np.float64]:
    """Guns lost by one hit more, shape (rows, longest ship + 2).

    Row by row of a posterior, for each number of hits that a salvo has made before.
    """
    rules = posterior.rules
    guns = np.zeros((len(posterior.rows), rules.classes[0].size + 2))
    for lost, (short, track) in zip(guns, posterior.rows, strict=True):
        for loss in rules.ship_class(short).gun_losses:
            if loss > len(track):
                lost[loss - len(track) - 1] += 1.0
    return guns
