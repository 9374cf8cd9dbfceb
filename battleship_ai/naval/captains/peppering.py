"""The beginner's captain: it blitzes the area where it hit last."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from battleship_ai.naval.record import NavalState

__all__ = ["Peppering"]


@dataclass(frozen=True)
class Peppering:
    """Fires around the shots of the last salvo that hit, then around those before, then at random.

    A report tells that a salvo hit and not where, so most of these shots are wasted on the
    neighbours of misses; and those that hit are soon as hard to place as the first.

    Examples
    --------
    >>> from battleship_ai.naval import NavalRecord, NavalRules
    >>> record = NavalRecord.parse(NavalRules(), "1: B2 -> Cv A: 1; 24 guns left")
    >>> salvo = Peppering().choose(NavalState(2, record), np.random.default_rng(0))
    >>> sorted(map(record.rules.board.name, salvo[:8]))
    ['A1', 'A2', 'A3', 'B1', 'B3', 'C1', 'C2', 'C3']
    """

    name: ClassVar[str] = "peppering"

    def choose(self, state: NavalState, rng: np.random.Generator) -> list[int]:
        """The squares of the next salvo."""
        board = state.rules.board
        order = [int(square) for square in rng.permutation(state.record.uncalled)]
        areas = [
            set(board.squares(salvo.fired).dilate(diagonal=True))
            for salvo in reversed(state.record.salvos)
            if salvo.report
        ]
        rank = {
            square: next((i for i, area in enumerate(areas) if square in area), len(areas))
            for square in order
        }
        return sorted(order, key=rank.__getitem__)[: state.guns]
