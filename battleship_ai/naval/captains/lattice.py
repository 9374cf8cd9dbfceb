"""Spread shots without inference."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from battleship_ai.naval.record import NavalRecord, NavalState

__all__ = ["Lattice"]

_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class Lattice:
    """Walks the diagonals on which no ship can hide, then the squares next to salvos that hit.

    The diagonals from lower left to upper right that are as far apart as the shortest ship is
    long, each salvo spread over the whole board. A ship across, down or along the other
    diagonals cannot lie between them; one along these can. Of the other squares it first takes
    those whose neighbours were called in salvos with many hits for their shots: all that it
    makes of the reports. Squares beside a spent mine, where no ship may be, come last.

    Examples
    --------
    >>> from battleship_ai.naval import NavalRules
    >>> rules = NavalRules()
    >>> salvo = Lattice().choose(NavalState(1, NavalRecord(rules)), np.random.default_rng(0))
    >>> {sum(divmod(square, 20)) % 3 for square in salvo}, len(salvo)
    ({0}, 24)
    """

    name: ClassVar[str] = "lattice"

    def choose(self, state: NavalState, rng: np.random.Generator) -> list[int]:
        """The squares of the next salvo."""
        rules, record = state.rules, state.record
        spacing = rules.classes[-1].size
        mines = rules.board.squares(mine.square for mine in record.mines)
        beside = set(mines.dilate(diagonal=True))
        lattice: list[int] = []
        rest: list[int] = []
        for square in record.uncalled:
            row, col = divmod(square, rules.board.cols)
            ahead = (row + col) % spacing == 0 and square not in beside
            (lattice if ahead else rest).append(square)
        # Successive multiples of the golden ratio fall far apart, whatever their number.
        lattice.sort(key=lambda square: square * _GOLDEN % 1)
        if len(lattice) < state.guns:
            warmth = _warmth(record)
            rest.sort(key=lambda square: (square in beside, -warmth[square], square * _GOLDEN % 1))
        return [*lattice, *rest][: state.guns]


def _warmth(record: NavalRecord) -> list[float]:
    """For each square, the hits for each shot of the salvos that called its neighbours, added."""
    board = record.rules.board
    warmth = [0.0] * board.n_squares
    called: set[int] = set()
    for salvo in record:
        fresh = set(salvo.fired) - called
        called |= fresh
        hits = sum(entry.hits for entry in salvo.report)
        if hits:
            for square in fresh:
                for other in board.neighbours(square, diagonal=True):
                    warmth[other] += hits / len(fresh)
    return warmth
