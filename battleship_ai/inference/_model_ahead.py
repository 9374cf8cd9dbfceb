"""Straight ships as paths; the placement belief tells what a record allows."""

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from battleship_ai.bitboard import unpack
from battleship_ai.inference._ahead import PlacedAhead, rows_of_paths
from battleship_ai.inference._graph import FIRST_COUNTED, GOES_ON, WATER
from battleship_ai.inference._model import (
    Reading,
    evidence_of_pairs,
    fleet_of_pairs,
    rows_of_water,
    ships_of_at_least,
)
from battleship_ai.inference._store import load_or_build
from battleship_ai.inference._tracker import AFLOAT, COMPLETE, EMPTY, HITS
from battleship_ai.inference.density import track_record
from battleship_ai.inference.tables import COUNT, FIRST, SIZE, STOP, Tables, tables
from battleship_ai.record import Answer, Record
from battleship_ai.rules import Rules

__all__ = ["StraightModel"]


class StraightModel:
    """The model of straight ships.

    Attributes
    ----------
    placement : int64 (A, N)
        The placement that an action commits at each square, −1 for none.
    """

    def __init__(self, rules: Rules) -> None:
        self._tables = tables(rules)
        self._cols = rules.board.cols
        self.squares_to_draw = rules.board.n_squares
        sizes = self._tables.classes[:, SIZE].copy()
        longest_first = ships_of_at_least(rules.fleet)
        automaton = PlacedAhead(
            cols=self._cols,
            side=rules.contact != "allowed",
            corner=rules.contact == "none",
            sizes=sizes,
            at_least=longest_first,
            wanted=np.zeros(len(longest_first), np.int64),
        )
        self._graph = load_or_build(automaton)
        self.placement = _placements_of_actions(self._tables, self._cols)
        self._occupies = np.arange(len(self.placement)) != WATER
        self._action = np.zeros(len(self._tables.masks), dtype=np.int64)
        commits = self.placement[FIRST_COUNTED:] >= 0
        actions, _ = np.nonzero(commits)
        self._action[self.placement[FIRST_COUNTED:][commits]] = actions + FIRST_COUNTED
        self._fleet = fleet_of_pairs(self._tables.classes[:, COUNT], self._graph.pairs)

    def read(self, record: Record) -> Reading:
        """A record in terms of the graph."""
        tracker = track_record(record)
        fits = np.zeros(len(self._tables.masks) + 1, dtype=np.bool_)  # the last stands for none
        fits[list(unpack(tracker.alive[AFLOAT] | tracker.alive[COMPLETE]))] = True
        on_board = fits[self.placement].T
        on_board[:, [WATER, GOES_ON]] = True
        on_board[list(unpack(tracker.sets[HITS])), WATER] = False
        on_board[list(unpack(tracker.sets[EMPTY])), GOES_ON] = False
        rows, cols = record.rules.board.rows, self._cols
        below = np.zeros((rows_of_water(rows, cols) * cols, on_board.shape[1]), dtype=np.bool_)
        below[:, WATER] = True
        allowed = np.concatenate((on_board, below))
        evidence = evidence_of_pairs(self._graph.pairs, self._occupies, allowed)
        nothing = record.rules.board.squares()
        return Reading(self._graph, self._fleet, evidence, self._occupies, nothing)

    def answers(
        self, record: Record, probabilities: npt.NDArray[np.float64], square: int
    ) -> dict[Answer, float]:
        """The probability of each answer but a miss, from those of the placements."""
        rules, tracker = record.rules, track_record(record)
        answers: dict[Answer, float] = defaultdict(float)
        for p in unpack(self._tables.through[square] & tracker.alive[AFLOAT]):
            ship_class = rules.classes[self._tables.placement_class[p]]
            sinks = rules.announce != "hit-only" and tracker.left[p] == 1
            told = self._tables.tells_class and (sinks or self._tables.names_hits)
            answer = Answer("sunk" if sinks else "hit", ship_class.name if told else None)
            answers[answer] += float(probabilities[self._tables.squares[p, 0], self._action[p]])
        return dict(answers)

    def rows(
        self, record: Record, actions: npt.NDArray[np.int8], keys: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int16]:
        """The layouts of drawn paths."""
        arrays = self._tables
        rows = np.empty((len(actions), record.rules.ship_squares), dtype=np.int16)
        sizes, counts = arrays.classes[:, SIZE], arrays.classes[:, COUNT]
        slots = np.append(0, np.cumsum(sizes * counts)[:-1])
        rows_of_paths(self.placement, arrays.squares, actions, slots, sizes, rows)
        return rows


def _placements_of_actions(arrays: Tables, cols: int) -> npt.NDArray[np.int64]:
    """An even action commits a ship to the right, the odd one after it a ship down."""
    n_classes = len(arrays.classes)
    placement = np.full((FIRST_COUNTED + 2 * n_classes, arrays.n_squares), -1, dtype=np.int64)
    for k, (size, _, first, stop) in enumerate(arrays.classes[:, [SIZE, COUNT, FIRST, STOP]]):
        start = arrays.squares[first:stop, 0]
        goes_down = np.zeros(stop - first, dtype=np.bool_)
        if size > 1:
            goes_down = arrays.squares[first:stop, 1] - start == cols
        action = FIRST_COUNTED + 2 * k + goes_down
        placement[action, start] = np.arange(first, stop)
    return placement
