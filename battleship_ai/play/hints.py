"""Where the hidden ships may be, by the best inference that there is for the rules."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import RecordError
from battleship_ai.inference.known import best_known
from battleship_ai.naval.inference.candidates import Candidates, pruned
from battleship_ai.naval.inference.independent import (
    expected_hits,
    independent_ships,
    mine_prior,
    mine_risk,
)
from battleship_ai.naval.inference.posterior import NavalPosterior
from battleship_ai.naval.inference.weights import placement_chances
from battleship_ai.naval.record import NavalRecord
from battleship_ai.record import Record

__all__ = ["Hint", "bombing_hint", "naval_hint"]

Chances = npt.NDArray[np.float64]

_NAVAL_DRAWS = 400


class Hint(NamedTuple):
    """A probability map.

    Attributes
    ----------
    ships : ndarray of float64, shape (squares,)
        How likely a ship is on each square.
    source : str
        How that is known, for the reader.
    mines : ndarray of float64, shape (squares,), optional
        How likely an unspent mine is.
    """

    ships: Chances
    source: str
    mines: Chances | None = None


def bombing_hint(record: Record) -> Hint:
    """What a record of ship bombing tells, were all layouts equally likely.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> hint = bombing_hint(Record(Rules(board=(1, 3), fleet=(2,))))
    >>> hint.ships.tolist(), hint.source
    ([0.5, 1.0, 0.5], 'exact, all layouts taken as equally likely')
    """
    known = best_known(record)
    source = {
        "exact": "exact, all layouts taken as equally likely",
        "draws": f"estimated; {known.effective_draws or 0:.0f} layouts drawn, all taken as "
        "equally likely",
        "density": "by the number of placements, in percent of the highest",
    }[known.by]
    return Hint(known.numbers, source)


def naval_hint(record: NavalRecord, placer: str) -> Hint:
    """What the reports tell, if that placer has hidden the ships and mines.

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass, NavalRules
    >>> rules = NavalRules((1, 5), [NavalClass("Boat", 2, 1, "Bt", (2,))], 1, 0)
    >>> hint = naval_hint(NavalRecord(rules), "uniform")
    >>> hint.ships.round(2).tolist(), hint.mines.round(2).tolist()
    ([0.33, 0.5, 0.33, 0.5, 0.33], [0.33, 0.17, 0.0, 0.17, 0.33])
    """
    rules = record.rules
    try:
        posterior = NavalPosterior(record, placer, draws=_NAVAL_DRAWS)
    except RecordError:  # none of the draws came to a layout
        candidates = pruned(Candidates(record))
        ships = independent_ships(candidates, placement_chances(rules, placer))
        risk = mine_risk(candidates, ships, mine_prior(rules, placer))
        chances = np.minimum(expected_hits(rules, ships), 1.0)
        return Hint(chances, "estimated, each ship by itself", risk)
    found = posterior.diagnostics
    source = "exact" if found.exact else f"estimated; {found.effective_draws:.0f} layouts drawn"
    rough = "" if found.reliable else ", a rough estimate"
    return Hint(
        posterior.square_probabilities,
        f"{source}, the placer taken as {placer}{rough}",
        posterior.mine_probabilities,
    )
