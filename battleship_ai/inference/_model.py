"""What the passes need of a rule set and a record, whichever automaton it takes."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from battleship_ai.board import SquareSet
from battleship_ai.inference._graph import Graph
from battleship_ai.inference._passes import Evidence, Fleet
from battleship_ai.record import Answer, Record

__all__ = ["Model", "Reading", "ships_of_at_least"]


@dataclass(frozen=True)
class Reading:
    """A record in terms of a graph.

    Attributes
    ----------
    graph, fleet, evidence
        For the passes.
    found : SquareSet
        Squares of sunk ships that the passes take for water.
    namings : int
        How many layouts, told apart by the names of their ships, each path stands for.
    """

    graph: Graph
    fleet: Fleet
    evidence: Evidence
    found: SquareSet
    namings: int = 1


class Model(Protocol):
    """One rule set's layouts as paths.

    Attributes
    ----------
    squares_to_draw : int
        After so many squares a path's layout is plain.
    """

    squares_to_draw: int

    def read(self, record: Record) -> Reading | None:
        """A record in terms of the graph; None where it contradicts itself."""

    def answers(
        self, record: Record, probabilities: npt.NDArray[np.float64], square: int
    ) -> dict[Answer, float] | None:
        """The probability of each answer but a miss to a shot at an open square.

        `probabilities`, shape (Q, A), are those of each action at each square. None where
        they do not tell, and another pass must.
        """

    def rows(
        self, record: Record, actions: npt.NDArray[np.int8], keys: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int16]:
        """The layouts of drawn paths, as `Layout.to_array` gives them.

        `keys` decide which ship has which name, where the record does not tell.
        """


def ships_of_at_least(fleet: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """For each size up to the longest the number of ships of so many squares or more."""
    return np.array([sum(size >= m for size in fleet) for m in range(max(fleet) + 1)])
