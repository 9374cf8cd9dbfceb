"""The ships taken as independent of each other, each anywhere on its list."""

from functools import lru_cache
from math import lgamma, log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.naval.inference._independent import add_cover, multiply_room
from battleship_ai.naval.inference.candidates import Candidates, ShipList
from battleship_ai.naval.inference.weights import placement_chances
from battleship_ai.naval.record import NavalRecord
from battleship_ai.naval.rules import NavalRules
from battleship_ai.naval.tables import naval_tables

__all__ = ["IndependentShips", "expected_hits", "independent_ships", "mine_prior", "mine_risk"]

Values = npt.NDArray[np.float64]

_LEAST_ROOM = 1e-9  # the ships taken by themselves may leave none, and yet there are mines


class IndependentShips(NamedTuple):
    """Lists of placements as arrays for the kernels; L lists, M placements in all.

    Attributes
    ----------
    ships : float64 (L,)
        How many ships share a list; under ``literal`` times the probability of its history.
    starts : int64 (L + 1,)
        Where the placements of each list begin.
    placements : int32 (M,)
    weights : float64 (M,)
        The probability of each placement, which are 1 in all for each list.
    """

    ships: Values
    starts: npt.NDArray[np.int64]
    placements: npt.NDArray[np.int32]
    weights: Values


def independent_ships(candidates: Candidates, weights: Values) -> IndependentShips:
    """The lists of all histories, with the probabilities that a prior gives them.

    Parameters
    ----------
    candidates : Candidates
    weights : ndarray of float64, shape (P,)
        The prior: a weight for each placement, as `placement_chances` gives them.

    Notes
    -----
    A choice of histories is as likely as it has ways to put its ships on their lists:
    the product, over the lists, of the sum of weights to the power of the number of ships,
    by the factorial of that number.
    """
    lists = [s for group in candidates.classes for history in group for s in history]
    starts = np.zeros(len(lists) + 1, dtype=np.int64)
    np.cumsum([len(s.placements) for s in lists], out=starts[1:])
    placements = np.concatenate([s.placements for s in lists])
    prior = weights[placements]
    sums = np.add.reduceat(prior, starts[:-1])
    return IndependentShips(
        ships=_expected_ships(candidates, lists, sums),
        starts=starts,
        placements=placements,
        weights=prior / np.repeat(sums, np.diff(starts)),
    )


def _expected_ships(candidates: Candidates, lists: list[ShipList], sums: Values) -> Values:
    ways = [
        s.count * log(total) - lgamma(s.count + 1)
        for s, total in zip(lists, sums.tolist(), strict=True)
    ]
    numbered = iter(range(len(lists)))
    rows = [[[next(numbered) for _ in h] for h in group] for group in candidates.classes]
    chosen = [
        [row for group, i in zip(rows, choice, strict=True) for row in group[i]]
        for choice in candidates.choices
    ]
    logs = np.array([sum(ways[row] for row in each) for each in chosen])
    odds = np.exp(logs - logs.max())
    ships = np.zeros(len(lists))
    for each, probability in zip(chosen, odds / odds.sum(), strict=True):
        ships[each] += probability
    return ships * [s.count for s in lists]


def expected_hits(rules: NavalRules, ships: IndependentShips) -> Values:
    """For each square the expected number of ships on it, shape (squares,).

    The sum over the ships of the probability of those of their placements that hold it.

    Examples
    --------
    >>> from battleship_ai.naval import NavalRecord
    >>> record = NavalRecord(NavalRules())
    >>> ships = independent_ships(Candidates(record), np.ones(7038))
    >>> float(expected_hits(NavalRules(), ships).sum().round(9))
    61.0
    """
    hits = np.zeros(rules.board.n_squares + 1)
    add_cover(naval_tables(rules), ships, hits)
    return hits[:-1]


def mine_risk(candidates: Candidates, ships: IndependentShips, prior: Values) -> Values:
    """For each square the probability of an unspent mine on it, shape (squares,).

    A mine is where its prior and the probability of room for it put it: the product, over
    the ships, of the probability of placements that do not touch the square.

    Parameters
    ----------
    candidates : Candidates
    ships : IndependentShips
    prior : ndarray of float64, shape (squares,)
        The weight of each square given room on it, as `mine_prior` gives them.
    """
    risk = np.zeros(candidates.rules.board.n_squares)
    if candidates.mines_left:
        where = candidates.mine_squares
        likely = _room(candidates.rules, ships)[where] * prior[where]
        risk[where] = np.minimum(1.0, candidates.mines_left * likely / likely.sum())
    return risk


@lru_cache(maxsize=16)
def mine_prior(rules: NavalRules, placer: str) -> Values:
    """The weight of each square for a mine, given room on it, shape (squares,).

    With these the risks before the first salvo are the placer's own.

    Parameters
    ----------
    rules : NavalRules
    placer : str
        A name that `placement_chances` takes.
    """
    chances = placement_chances(rules, placer)
    ships = independent_ships(Candidates(NavalRecord(rules)), chances)
    prior: Values = chances[-rules.board.n_squares :] / _room(rules, ships)
    prior.flags.writeable = False
    return prior


def _room(rules: NavalRules, ships: IndependentShips) -> Values:
    """For each square the probability that no ship touches it."""
    room = np.ones(rules.board.n_squares)
    multiply_room(naval_tables(rules), ships, np.empty(len(room)), room)
    return np.maximum(room, _LEAST_ROOM)
