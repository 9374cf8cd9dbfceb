"""Hits and information, weighed square by square on the lists of placements."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from battleship_ai.naval.captains._checks import check_weights
from battleship_ai.naval.captains._list_info import pick_squares
from battleship_ai.naval.inference.candidates import Candidates, pruned
from battleship_ai.naval.inference.independent import (
    expected_hits,
    independent_ships,
    mine_prior,
    mine_risk,
)
from battleship_ai.naval.inference.weights import check_prior, placement_chances
from battleship_ai.naval.record import NavalState
from battleship_ai.naval.tables import naval_tables

__all__ = ["ListInfo"]


@dataclass(frozen=True)
class ListInfo:
    """Picks squares by expected hits and by what the report will tell, less the risk of mines.

    Every ship is taken by itself, anywhere on its list of placements, as `SalvoDensity` does.
    Squares are added to the salvo one by one. Each adds the hits to be expected; the expected
    cut in the logarithm of each ship's list, which is the entropy of the number of the ship's
    squares in the salvo; and the risk to end it. Squares with less risk are called first.

    Parameters
    ----------
    hits, information, mines : float
        Weights of an expected hit, of a nat of information, and of an expected mine.
    placer : str
        Whose layouts it believes in: a name in `NAVAL_PLACERS`.

    Examples
    --------
    >>> from battleship_ai.naval import NavalRecord, NavalRules
    >>> state = NavalState(1, NavalRecord(NavalRules()))
    >>> len(set(ListInfo().choose(state, np.random.default_rng(0))))
    24
    """

    hits: float = 1.0
    information: float = 1.5
    mines: float = 0.5
    placer: str = "uniform"
    name: ClassVar[str] = "list-info"

    def __post_init__(self) -> None:
        check_weights(self, "hits", "information", "mines")
        check_prior(self.placer)

    def choose(self, state: NavalState, rng: np.random.Generator) -> list[int]:
        """The squares of the next salvo."""
        rules = state.rules
        candidates = pruned(Candidates(state.record))
        ships = independent_ships(candidates, placement_chances(rules, self.placer))
        hits = expected_hits(rules, ships)
        risk = mine_risk(candidates, ships, mine_prior(rules, self.placer))
        tables = naval_tables(rules)
        useful = np.zeros(len(hits), dtype=np.bool_)
        useful[state.record.uncalled] = True
        useful &= hits > 0.0
        worth = self.hits * hits - self.mines * risk
        prizes = np.zeros((len(ships.ships), tables.squares.shape[1] + 2))
        picked = pick_squares(tables, ships, prizes, self.information, worth, useful, state.guns)
        return sorted(picked.tolist(), key=risk.__getitem__)
