"""The joint posterior: layouts drawn in proportion to their probability given a record."""

from functools import cached_property
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from battleship_ai._names import unknown
from battleship_ai.errors import RecordError, RulesError
from battleship_ai.naval.inference.candidates import Candidates, pruned
from battleship_ai.naval.inference.fleet_lists import fleet_lists
from battleship_ai.naval.inference.regimes import REGIMES, Diagnostics, Regime, draw_fleets
from battleship_ai.naval.inference.weights import placement_weights
from battleship_ai.naval.record import NavalRecord
from battleship_ai.naval.rules import MINE_KINDS
from battleship_ai.naval.tables import naval_tables
from battleship_ai.rng import Seed, key_of

__all__ = ["NavalPosterior", "check_draws"]

_LEAST_DRAWS = 16


def check_draws(draws: int) -> None:
    """Raise `RulesError` unless a posterior can have that many draws."""
    if not isinstance(draws, int) or draws < _LEAST_DRAWS:
        raise RulesError(f"draws {draws!r} is not an integer of at least {_LEAST_DRAWS}")


class NavalPosterior:
    """What a record says of ships and mines together: no two objects touch.

    A layout is possible if it gives the record; its prior is the product of a weight for
    each of its placements, ships and mines (all 1 for ``uniform``). Three ways lead to the
    posterior, and each falls on to the next where it gives too little:

    - ``enumeration`` of all fleets, where the lists of placements are short. If the ways to
      lay the mines are few too, the probabilities are exact; else each fleet's mines
      are drawn.
    - ``sequential`` importance sampling, where they are long: ship after ship is drawn from
      the placements left that touch nothing, and the layout weighted by how much was left.
    - ``chains`` otherwise: several Markov chains whose ships may touch at a price, of which
      the states without contact are kept.

    Mines are laid one by one around each fleet, which is weighted by the room they had. Where
    the probabilities are not exact, they are means over the layouts drawn of what each object
    may do beside the others, so that they are less noisy than a count of the layouts.

    Parameters
    ----------
    record : NavalRecord
    placer : str
        Whoever is believed to have hidden the fleet, as in `placement_weights`.
    draws : int
        Layouts to draw, at least 16.
    seed : int, numpy.random.Generator or numpy.random.SeedSequence
        The same integer gives the same draws.
    regime : {"enumeration", "sequential", "chains"}, optional
        Use this one, however little it gives.

    Attributes
    ----------
    rows : tuple of (str, tuple of int)
        Class and track of each row of `chances` and `ships`.
    chances : ndarray of float64, shape (rows, placements)
        How likely a ship of that class and track is on each ship's placement of
        `naval_tables`: any of them where there are several.
    ships : ndarray of float64, shape (rows, squares)
        And on each square.
    square_probabilities, mine_probabilities : ndarray of float64, shape (squares,)
        How likely any ship is on a square, or an unspent mine.
    placements : ndarray of int32, shape (draws, ships)
        The ships of each layout drawn, as placements of `naval_tables`.
    mines : ndarray of int16, shape (draws, unspent mines)
        The squares of its unspent mines.
    weights : ndarray of float64, shape (draws,)
        Of the layouts drawn; their sum is 1.
    diagnostics : Diagnostics

    Raises
    ------
    RecordError
        If no layout gives the record, or none was found.
    RulesError
        If `draws` or `regime` is wrong.
    UnknownName
        If there is no such placer.

    References
    ----------
    .. [1] J. S. Liu, "Monte Carlo Strategies in Scientific Computing", 2001: sequential
       importance sampling.
    .. [2] C. J. Geyer, E. A. Thompson, "Annealing Markov chain Monte Carlo with applications
       to ancestral inference", Journal of the American Statistical Association 90, 1995:
       chains that relax a constraint.

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass, NavalRules
    >>> rules = NavalRules((4, 5), [NavalClass("Corvette", 3, 1, "Cv", (3,))], 1, 0)
    >>> record = NavalRecord.parse(rules, "1: B2 C2 -> Cv A: 1; 1 guns left")
    >>> posterior = NavalPosterior(record)
    >>> posterior.diagnostics.exact, posterior.rows
    (True, (('Cv', (1,)),))
    >>> print(posterior.square_probabilities.reshape(4, 5).round(2))
    [[0.1  0.   0.12 0.07 0.  ]
     [0.25 0.5  0.38 0.08 0.  ]
     [0.25 0.5  0.38 0.08 0.  ]
     [0.1  0.   0.12 0.07 0.  ]]
    """

    def __init__(
        self,
        record: NavalRecord,
        placer: str = "uniform",
        *,
        draws: int = 1000,
        seed: Seed = 0,
        regime: Regime | None = None,
    ) -> None:
        check_draws(draws)
        if regime is not None and regime not in REGIMES:
            raise RulesError(unknown("regime", regime, REGIMES))
        self.rules = record.rules
        self._spent = record.mines
        self._key = key_of(seed)
        tables = naval_tables(self.rules)
        weights = placement_weights(self.rules, placer)
        lists, self.rows = fleet_lists(pruned(Candidates(record)), weights)
        found = draw_fleets(lists, tables.squares, draws, self._key, regime)
        if found is None:
            raise RecordError("no layout that gives the record was found")
        self.chances = found.chances
        self.ships = found.ships
        self.square_probabilities: npt.NDArray[np.float64] = found.ships.sum(axis=0)
        self.mine_probabilities = found.mine_squares
        self.placements = found.placements
        self.mines = found.mines
        self.weights = found.weights
        self.diagnostics: Diagnostics = found.diagnostics

    @cached_property
    def layouts(self) -> npt.NDArray[np.int16]:
        """The layouts drawn, shape (draws, squares), as `NavalLayout.to_array` gives them.

        They count by their `weights`. Which of the unspent mines are of which kind is
        drawn too.
        """
        tables = naval_tables(self.rules)
        columns = []
        bounds = list(accumulate((c.count for c in self.rules.classes), initial=0))
        for ship_class, first, stop in zip(self.rules.classes, bounds, bounds[1:], strict=False):
            group = np.sort(self.placements[:, first:stop], axis=1)
            squares = tables.squares[group][:, :, : ship_class.size]
            columns.append(squares.reshape(len(group), -1))
        # A draw's mines come in the random order in which they were laid.
        start = 0
        for kind in MINE_KINDS:
            spent = np.array([m.square for m in self._spent if m.kind == kind], dtype=np.int16)
            stop = start + self.rules.mines.count(kind) - len(spent)
            laid = self.mines[:, start:stop]
            known = np.broadcast_to(spent, (len(laid), len(spent)))
            columns.append(np.sort(np.concatenate([known, laid], axis=1), axis=1))
            start = stop
        return np.concatenate(columns, axis=1)

    def __repr__(self) -> str:
        return f"NavalPosterior({self.rules.board} board, {self.diagnostics})"
