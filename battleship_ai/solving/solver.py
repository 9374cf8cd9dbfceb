"""Optimal play on small boards: the least expected shots, and the fewest that surely win."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import RecordError, RulesError
from battleship_ai.game import answer_of_ship
from battleship_ai.inference.counting import list_layouts
from battleship_ai.record import Answer, Record, Shot
from battleship_ai.rules import Rules
from battleship_ai.solving._search import EXPANDED, Beliefs, search
from battleship_ai.solving.words import count_words, ship_labels

__all__ = ["Objective", "Solution", "solve"]

Objective = Literal["mean", "worst"]
"""What optimal play makes least: the expected shots, or the most that a layout takes."""

# A board is one word of the search.
_MAX_SQUARES = 64
_MAX_LAYOUTS = 20_000
_MAX_DISTRIBUTIONS = 4096

# Slots of the table: 24 bytes each.
_SLOTS = 2**22

_NO_BOUND = 2**40


@dataclass(frozen=True)
class Solution:
    """Optimal play under one rule set.

    Attributes
    ----------
    rules : Rules
    objective : {"mean", "worst"}
    layouts : int
        How many there are.
    value : int
        Where the mean counts, the sum of the shots over all layouts; else the most shots.
    beliefs : int
        Beliefs that the search expanded.
    seconds : float
        What it took, compilation aside.

    Examples
    --------
    >>> solution = solve(Rules(board=(3, 3), fleet=(2,)))
    >>> solution.layouts, solution.value, solution.shots
    (12, 54, Fraction(9, 2))
    """

    rules: Rules
    objective: Objective
    layouts: int
    value: int
    beliefs: int
    seconds: float
    _search: "_Search" = field(repr=False, compare=False)

    @property
    def shots(self) -> Fraction:
        """The least expected number of shots, or the fewest that surely win.

        Examples
        --------
        >>> solution = solve(Rules(board=(2, 3), fleet=(2,)))
        >>> solution.shots, float(solution.shots)
        (Fraction(25, 7), 3.5714285714285716)
        """
        return Fraction(self.value, self.layouts if self.objective == "mean" else 1)

    def choose(self, record: Record, rng: object = None) -> int:
        """An optimal shot after any record: a solution plays like a strategy.

        Raises
        ------
        RecordError
            If no layout fits the record, or it is not of these rules.

        Examples
        --------
        >>> solution = solve(Rules(board=(1, 5), fleet=(2,)))
        >>> solution.choose(Record.parse(solution.rules, "a1:miss"))
        3
        """
        if record.rules != self.rules:
            raise RecordError(f"the record is not of the rules solved: {record.rules}")
        return self._search.choose(record)

    def tree(self) -> dict[str, Any]:
        """The policy as nested mappings, ready for JSON.

        Each node has the square to ``shoot``, the number of ``layouts`` that fit and the
        ``answers``: for each that may come the next node, None where it ends the game.

        Examples
        --------
        >>> solve(Rules(board=(1, 3), fleet=(2,))).tree()["answers"]["hit"]["layouts"]
        2
        """
        return self._search.tree(range(self.layouts), 0)


def solve(rules: Rules, objective: Objective = "mean") -> Solution:
    """Optimal play on a small board, found by search over beliefs.

    Every layout is taken to be equally likely; ships of one size are told apart only where
    answers name them.

    Parameters
    ----------
    rules : Rules
    objective : {"mean", "worst"}
        Whether to minimise the expected number of shots, or the most shots of any layout.

    Raises
    ------
    RulesError
        If the board has more than 64 squares or there are more than 20,000 layouts. What can be
        solved in reasonable time is far less; ``benchmarks/README.md`` has a table.

    Notes
    -----
    The search, its bounds and its table are told in `battleship_ai.solving._search`. Two beliefs
    are taken for one if their keys of 128 bits are equal; that they are not, in a search of a
    billion beliefs, has a probability below 1e-20.

    Examples
    --------
    >>> round(float(solve(Rules(board=(4, 4), fleet=(3, 2), announce="sunk-size")).shots), 4)
    8.1538
    """
    if objective not in get_args(Objective):
        raise RulesError(f"objective {objective!r} is not one of {', '.join(get_args(Objective))}")
    return _solve(rules, objective)


@lru_cache(maxsize=4)
def _solve(rules: Rules, objective: Objective) -> Solution:
    found = _Search(rules, objective)
    return Solution(
        rules, objective, len(found.layouts), found.value, found.expanded, found.seconds, found
    )


class _Search:
    """The arrays of a search, and the walks through what it found."""

    def __init__(self, rules: Rules, objective: Objective) -> None:
        if rules.board.n_squares > _MAX_SQUARES:
            raise RulesError(
                f"the {rules.board} board has {rules.board.n_squares} squares; boards of up to "
                f"{_MAX_SQUARES} can be solved"
            )
        self.rules = rules
        self.layouts = _twins_together(list_layouts(rules, _MAX_LAYOUTS))
        self._ships = _masks(rules, self.layouts, rules.board.symmetries()[:1])[0].tolist()
        self._beliefs = _beliefs(rules, self.layouts, objective == "worst")
        self._best: dict[tuple[Shot, ...], int] = {}
        self._search([0], 0)  # compiles
        started = time.perf_counter()
        self.value, _ = self._search(range(len(self.layouts)), 0)
        self.seconds = time.perf_counter() - started
        self.expanded = int(self._beliefs.counts[EXPANDED])

    def _search(self, left: Sequence[int], asked: int) -> tuple[int, int]:
        """The value of a belief, and a shot that attains it."""
        n = len(left)
        self._beliefs.members[:n] = left
        value = search(self._beliefs, 0, 0, n, n, np.uint64(asked), _NO_BOUND)
        return int(value), int(self._beliefs.best[0])

    def choose(self, record: Record) -> int:
        key = record.shots
        if key not in self._best:
            fitting: Sequence[int] = range(len(self.layouts))
            asked = 0
            for square, answer in record:
                fitting = self._by_answer(fitting, asked, square).get(answer, [])
                asked |= 1 << square
            left = [layout for layout in fitting if self._is_left(layout, asked)]
            if not left:
                over = "is that of a finished game" if fitting else "fits no layout"
                raise RecordError(f"the record {record} {over}")
            _, self._best[key] = self._search(left, asked)
        return self._best[key]

    def tree(self, left: Sequence[int], asked: int) -> dict[str, Any]:
        _, square = self._search(left, asked)
        answers: dict[str, Any] = {}
        for answer, fitting in self._by_answer(left, asked, square).items():
            now = asked | 1 << square
            on = [layout for layout in fitting if self._is_left(layout, now)]
            answers[str(answer)] = self.tree(on, now) if on else None
        return {
            "shoot": self.rules.board.name(square), "layouts": len(left), "answers": answers
        }  # fmt: skip

    def _is_left(self, layout: int, asked: int) -> bool:
        return any(ship & ~asked for ship in self._ships[layout])

    def _by_answer(
        self, layouts: Sequence[int], asked: int, square: int
    ) -> dict[Answer, list[int]]:
        groups: dict[Answer, list[int]] = {}
        for layout in layouts:
            groups.setdefault(self._answer(layout, asked | 1 << square, square), []).append(layout)
        return groups

    def _answer(self, layout: int, asked: int, square: int) -> Answer:
        for ship, mask in enumerate(self._ships[layout]):
            if mask >> square & 1:
                return answer_of_ship(self.rules, ship, sunk=mask & ~asked == 0)
        return Answer("miss")


def _twins_together(layouts: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Sorted so that layouts of the same squares are neighbours."""
    squares = np.sort(layouts, axis=1)
    return layouts[np.lexsort(squares.T)]


def _masks(
    rules: Rules, layouts: npt.NDArray[np.int16], images: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint64]:
    """The squares of each ship under each symmetry; without announced sinkings, of the fleet."""
    bits = np.uint64(1) << images.astype(np.uint64)[:, layouts]
    if rules.announce == "hit-only":
        fleet: npt.NDArray[np.uint64] = bits.sum(axis=2, keepdims=True, dtype=np.uint64)
        return fleet
    starts = np.cumsum([0, *rules.fleet[:-1]])
    ships: npt.NDArray[np.uint64] = np.add.reduceat(bits, starts, axis=2, dtype=np.uint64)
    return ships


def _beliefs(rules: Rules, layouts: npt.NDArray[np.int16], worst: bool) -> Beliefs:
    images = rules.board.symmetries()
    ships = _masks(rules, layouts, images)
    n = ships.shape[1]
    hidden = rules.announce == "hit-only"
    sizes = (rules.ship_squares,) if hidden else rules.fleet
    labels = [(0, 0)] if hidden else ship_labels(rules)
    hit_label, sunk_label = np.array(labels, dtype=np.int64).T
    if prod(size + 1 for size in sizes) > _MAX_DISTRIBUTIONS:
        raise RulesError(
            f"the fleet {', '.join(map(str, rules.fleet))} is too large to be solved on any board"
        )
    squares = np.sort(layouts, axis=1)
    return Beliefs(
        ships=ships,
        images=images,
        hit_label=np.ascontiguousarray(hit_label),
        sunk_label=np.ascontiguousarray(sunk_label),
        n_labels=int(sunk_label.max()) + 1,
        worst=worst,
        knows_sunk_squares=hidden
        or rules.contact == "none"
        or (rules.contact == "corners" and rules.shape != "any"),
        twin=np.cumsum((squares != np.roll(squares, 1, axis=0)).any(axis=1)),
        radix=np.cumprod([1, *(size + 1 for size in sizes[:-1])]),
        words=_words(sizes, labels),
        members=np.zeros((rules.board.n_squares + 2) * n, dtype=np.int32),
        keys=np.zeros((_SLOTS, 2), dtype=np.uint64),
        values=np.zeros(_SLOTS, dtype=np.int32),
        sizes=np.zeros(_SLOTS, dtype=np.int32),
        best=np.zeros(rules.board.n_squares + 1, dtype=np.int64),
        seen=np.zeros(prod(size + 1 for size in sizes), dtype=np.int64),
        counts=np.zeros(2, dtype=np.int64),
    )


def _words(sizes: Sequence[int], labels: Sequence[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """For each distribution of squares left on the ships, how many words there may be."""
    # The first ship's squares run fastest.
    lefts = product(*(range(size + 1) for size in reversed(sizes)))
    return np.array([count_words(left[::-1], labels) for left in lefts], dtype=np.int64)
