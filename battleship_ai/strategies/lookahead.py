"""Lookahead: weigh the likeliest squares by what the rest of the game comes to."""

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
from tabulate import tabulate

from battleship_ai.errors import RecordError, RulesError
from battleship_ai.game import Target
from battleship_ai.inference._listed import shots_of_greedy, tally
from battleship_ai.inference.drawn import DrawnLayouts, drawn_after
from battleship_ai.inference.tables import tables
from battleship_ai.layouts import Layout
from battleship_ai.record import Record, Shot
from battleship_ai.rng import Seed
from battleship_ai.rules import Rules
from battleship_ai.strategies._rollouts import race
from battleship_ai.strategies.base import BatchStrategy, Games
from battleship_ai.strategies.density import Density

__all__ = ["Lookahead", "Weighed", "Weighing"]

# Which layouts are drawn is the same in every game, so that games share their openings.
_KEY = 0
# All games share the opening, which so may have many draws: this many times as many as later.
_AT_START = 300


class Weighed(NamedTuple):
    """A square that was weighed."""

    square: str
    probability: float
    """Of a hit."""
    information: float
    """The entropy of the answer, in bits."""
    score: float
    shots: float | None
    """Shots to win from here on if it is next; None if only scores were compared."""


@dataclass(frozen=True)
class Weighing:
    """Why a square was chosen.

    Attributes
    ----------
    square : str
    layouts : int
        The layouts that the strategy believed in.
    complete : bool
        Whether they are all that fit, not drawn among them.
    by : str
        What decided: ``"sure hit"``, ``"score"``, ``"all layouts"`` played greedily to their
        end, or ``"rollouts"``.
    squares : tuple of Weighed
        Best score first.
    """

    square: str
    layouts: int
    complete: bool
    by: str
    squares: tuple[Weighed, ...]

    def __str__(self) -> str:
        known = "all" if self.complete else "drawn"
        table = tabulate(
            [[w.square, w.probability, w.information, w.score, w.shots] for w in self.squares],
            headers=["square", "hit", "bits", "score", "shots to win"],
            floatfmt=("", ".3f", ".3f", ".3f", ".2f"),
        )
        return f"{self.square} by {self.by}, {self.layouts} layouts ({known})\n{table}"


@dataclass(frozen=True)
class Lookahead(BatchStrategy):
    """Weighs the likeliest squares by information, all layouts left, or rollouts.

    The belief is a set of layouts drawn from the exact posterior (`DrawnLayouts`); once few
    enough fit, it is all of them. A square scores the probability of a hit plus
    ``information`` times the entropy of its answer, in bits. With all layouts at hand, the
    best squares are compared by the shots that greedy play after each needs against every
    layout; before, if asked to, by rollouts of `Density` on common layouts. A sure hit
    needs no comparison. Nothing is random: the same record gives the same square.

    Parameters
    ----------
    draws : int
        Layouts to believe in, at least.
    information : float
        Hits that a bit of information is worth.
    least : float
        Only squares at least so likely, compared with the likeliest, are weighed.
    candidates : int
        How many of the best are compared by what follows; 1 compares scores only.
    enumeration : int
        Compare squares by all layouts when those are no more; 0 never does. The belief is
        all layouts from ten times as many on.
    rollouts : int
        Layouts to play on while they are not all known; 0 compares scores only.
    spread : float
        The standard deviation of the true differences between squares, in shots, by which
        estimated ones are shrunk.

    Raises
    ------
    RulesError
        If a parameter is wrong.

    Notes
    -----
    Rollouts are there to be tried: on `ship-bombing` ``rollouts=300:candidates=4`` needed 0.1
    ± 0.7 shots more than none and four times as long (400 games, ``benchmarks/lookahead_tuning.py``
    compares such settings).

    References
    ----------
    .. [1] D. P. Bertsekas, J. N. Tsitsiklis, C. Wu, "Rollout algorithms for combinatorial
       optimization", Journal of Heuristics 3, 1997.

    Examples
    --------
    >>> record = Record.parse(Rules(board=(5, 5), fleet=(3, 2)), "c2:hit c1:miss")
    >>> print(Lookahead(candidates=3).weigh(record))
    c4 by all layouts, 71 layouts (all)
    square      hit    bits    score    shots to win
    --------  -----  ------  -------  --------------
    b2        0.408   1.341    0.543            7.38
    d2        0.408   1.341    0.543            7.38
    c4        0.338   0.923    0.430            7.34
    """

    draws: int = 1000
    information: float = 0.1
    least: float = 0.6
    candidates: int = 8
    enumeration: int = 5000
    rollouts: int = 0
    spread: float = 0.2
    name: ClassVar[str] = "lookahead"

    def __post_init__(self) -> None:
        lowest = {"draws": 1, "candidates": 1, "enumeration": 0, "rollouts": 0}
        for setting, least in lowest.items():
            value = getattr(self, setting)
            if not isinstance(value, int) or value < least:
                raise RulesError(f"{setting} {value!r} is not an integer from {least}")
        for setting in ("information", "least", "spread"):
            value = getattr(self, setting)
            if not 0 <= value < np.inf:
                raise RulesError(f"{setting} {value!r} is not a number from 0")

    def choose(self, record: Record, rng: Seed = 0) -> int:
        """The square to shoot at after a record, as an index; nothing is random."""
        try:
            drawn = self._after(record)
        except RecordError:  # nothing fits
            return Density().choose(record)
        return record.rules.board.index(self._weigh(drawn).square)

    def choose_keyed(self, record: Record, key: int) -> int:
        """The same for every key."""
        return self.choose(record)

    def weigh(self, record: Record) -> Weighing:
        """What speaks for the square that it chooses.

        Raises
        ------
        RecordError
            If no layout fits the record.
        """
        return self._weigh(self._after(record))

    def play(
        self,
        rules: Rules,
        layouts: npt.NDArray[np.int16],
        keys: npt.NDArray[np.uint64],
        *,
        keep_squares: bool = False,
    ) -> Games:
        """Play against each of several layouts; games share the shots before they part."""
        games = Games.empty(rules, len(layouts), keep_squares)
        targets = [Target(Layout.from_array(rules, row)) for row in layouts]
        waiting = [(self._after(Record(rules)).fork(), list(range(len(targets))))]
        while waiting:
            drawn, together = waiting.pop()
            square = rules.board.index(self._weigh(drawn).square)
            by_answer = defaultdict(list)
            for game in together:
                by_answer[targets[game].shoot(square)].append(game)
            for answer, alike in by_answer.items():
                if not targets[alike[0]].all_sunk:
                    after = drawn.fork()
                    after.take(Shot(square, answer))
                    waiting.append((after, alike))
                    continue
                for game in alike:
                    games.enter(game, targets[game].record)
        return games

    def _after(self, record: Record) -> DrawnLayouts:
        return drawn_after(
            record, self.draws, _KEY, at_start=_AT_START, list_from=10 * self.enumeration
        )

    def _weigh(self, drawn: DrawnLayouts) -> Weighing:
        """Where to shoot next, given what is believed."""
        rules, n = drawn.record.rules, len(drawn.rows)
        arrays = tables(rules)
        hits = tally(arrays, drawn.rows, drawn.asked)
        chance = hits.sum(axis=1) / n
        best = chance.max()
        if 0.0 < best < 1.0:
            squares = np.flatnonzero((chance >= self.least * best) & ~drawn.asked)
        else:  # a sure hit, or a game that is over
            squares = chance.argmax(keepdims=True)
        shares = np.column_stack((1.0 - chance[squares], hits[squares, 1:] / n))
        information = _entropies(shares)
        score = chance[squares] + self.information * information
        order = np.argsort(-score, kind="stable")[: self.candidates]
        squares, shares = squares[order], shares[order]
        chosen, by, shots = 0, "score", None
        if best >= 1.0:
            by = "sure hit"
        elif len(squares) > 1 and drawn.complete and n <= self.enumeration:
            rows, asked = drawn.rows, drawn.asked
            totals = [shots_of_greedy(arrays, rows, asked, s) for s in squares.tolist()]
            by, shots = "all layouts", np.array(totals) / n
            chosen = int(shots.argmin())
        elif len(squares) > 1 and self.rollouts:
            rows = drawn.rows[: self.rollouts]
            run = race(drawn.record, squares, shares, rows, Density(), self.spread)
            by, shots = "rollouts", run.shots
            chosen = int(run.gain.argmax())
        names = [rules.board.name(square) for square in squares.tolist()]
        weighed = zip(
            names,
            chance[squares].tolist(),
            information[order].tolist(),
            score[order].tolist(),
            [None] * len(names) if shots is None else shots.tolist(),
            strict=True,
        )
        return Weighing(
            names[chosen], n, drawn.complete, by, tuple(Weighed(*each) for each in weighed)
        )


def _entropies(shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """In bits, of each row."""
    return np.asarray(-(shares * np.log2(np.where(shares > 0.0, shares, 1.0))).sum(axis=1))
