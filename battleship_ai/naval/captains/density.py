"""Probability density from the lists of placements."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from battleship_ai.naval.inference.candidates import Candidates, pruned
from battleship_ai.naval.inference.independent import expected_hits, independent_ships
from battleship_ai.naval.inference.weights import check_prior, placement_chances
from battleship_ai.naval.record import NavalState

__all__ = ["SalvoDensity"]


@dataclass(frozen=True)
class SalvoDensity:
    """Fires at the squares that the most ships may be on, each ship taken by itself.

    For every ship it lists the placements that the reports allow, without those beside which
    some other ship has no room. A square is worth the sum, over the ships, of the probability
    of the placements that hold it. Squares that no ship can be on are not fired at.

    Parameters
    ----------
    placer : str
        Whose layouts it believes in: a name in `NAVAL_PLACERS`.

    Examples
    --------
    >>> from battleship_ai.naval import NavalRecord, NavalRules
    >>> record = NavalRecord.parse(NavalRules(), "1: B2 B4 -> Dy A: 2; 23 guns left")
    >>> salvo = SalvoDensity().choose(NavalState(2, record), np.random.default_rng(0))
    >>> record.rules.board.name(salvo[0])
    'B3'
    """

    placer: str = "uniform"
    name: ClassVar[str] = "density"

    def __post_init__(self) -> None:
        check_prior(self.placer)

    def choose(self, state: NavalState, rng: np.random.Generator) -> list[int]:
        """The squares of the next salvo."""
        chances = placement_chances(state.rules, self.placer)
        ships = independent_ships(pruned(Candidates(state.record)), chances)
        hits = expected_hits(state.rules, ships)
        uncalled = np.array(state.record.uncalled, dtype=np.int64)
        best = uncalled[np.argsort(-hits[uncalled], kind="stable")[: state.guns]]
        return [int(square) for square in best if hits[square] > 0.0]
