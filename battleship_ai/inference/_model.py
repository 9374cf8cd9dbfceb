"""What the passes need of a rule set and a record, whichever automaton it takes."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from battleship_ai.board import SquareSet
from battleship_ai.inference._graph import FIRST_COUNTED, Graph
from battleship_ai.inference._passes import Evidence, Fleet
from battleship_ai.record import Answer, Record

__all__ = [
    "Model",
    "Reading",
    "by_square",
    "evidence_of_pairs",
    "fleet_of_pairs",
    "rows_of_water",
    "ships_of_at_least",
    "weights_of_digits",
    "without_rounding",
]

# What is left of a probability of 0 that is the difference of two others.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Reading:
    """A record in terms of a graph.

    Attributes
    ----------
    graph, fleet, evidence
        For the passes.
    occupies : ndarray of bool, shape (actions,)
        Whether an action puts a ship on its square.
    found : SquareSet
        Squares of sunk ships that the passes take for water.
    namings : int
        How many layouts, told apart by the names of their ships, each path stands for.
    """

    graph: Graph
    fleet: Fleet
    evidence: Evidence
    occupies: npt.NDArray[np.bool_]
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

        `probabilities`, shape (squares, actions), are those of each action at each square.
        None where they do not tell, and another pass must.
        """

    def rows(
        self, record: Record, actions: npt.NDArray[np.int8], keys: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int16]:
        """The layouts of drawn paths, as `Layout.to_array` gives them.

        `keys` decide which ship has which name, where the record does not tell.
        """


def without_rounding(difference: float) -> float:
    """The difference of two probabilities, 0 where only rounding is left of it."""
    return difference if difference > _ROUNDING else 0.0


def ships_of_at_least(fleet: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """For each size up to the longest the number of ships of so many squares or more."""
    return np.array([sum(size >= m for size in fleet) for m in range(max(fleet) + 1)])


def rows_of_water(rows: int, cols: int) -> int:
    """Rows below the board: two bring every path to its end, and squares come in pairs."""
    return 2 + rows * cols % 2


def weights_of_digits(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """What one ship of each class adds to the number of ships used, largest first."""
    radix = counts[::-1] + 1
    return np.cumprod(np.append(1, radix[:-1]))[::-1]


def fleet_of_pairs(counts: npt.NDArray[np.int64], pairs: npt.NDArray[np.int8]) -> Fleet:
    """What pairs of actions count, for a fleet with so many ships of each class, largest first."""
    step = weights_of_digits(counts)
    used = np.arange(np.prod(counts + 1)) // step[:, None] % (counts + 1)[:, None]
    step = np.concatenate(([0] * FIRST_COUNTED, np.repeat(step, 2)))
    room = np.ones((len(step), used.shape[1] + step.max()))  # with a margin of no room
    room[FIRST_COUNTED:, : used.shape[1]] = np.repeat(used < counts[:, None], 2, axis=0)
    room[:, used.shape[1] :] = 0.0
    first, second = pairs.T
    numbers = np.arange(used.shape[1])
    after_first = room[second[:, None], numbers + step[first][:, None]]
    return Fleet(step[first] + step[second], room[first, : used.shape[1]] * after_first)


def evidence_of_pairs(
    pairs: npt.NDArray[np.int8],
    occupies: npt.NDArray[np.bool_],
    allowed: npt.NDArray[np.bool_],
    extends: npt.NDArray[np.int64] | None = None,
    due: npt.NDArray[np.int64] | None = None,
    used: int = 0,
) -> Evidence:
    """What a record says of pairs of squares, from what it says of squares.

    Parameters
    ----------
    pairs, occupies
        The pairs of actions, and whether an action puts a ship on its square.
    allowed : ndarray of bool, shape (squares, actions)
    extends, due : ndarray of int64, shape (squares,), optional
        The bits of the pieces that a ship on a square makes larger, and of those that no
        later square can make larger.
    """
    first, second = pairs.T
    if extends is None or due is None:
        extends = due = np.zeros(len(allowed), dtype=np.int64)
    gained: npt.NDArray[np.int64] = np.where(occupies, extends[:, None], 0)
    return Evidence(
        allowed[::2, first] & allowed[1::2, second],
        gained[::2, first] | gained[1::2, second],
        due[::2] | due[1::2],
        int(due.max()).bit_length(),
        used,
    )


def by_square(
    of_pairs: npt.NDArray[np.float64], pairs: npt.NDArray[np.int8], n_actions: int
) -> npt.NDArray[np.float64]:
    """Totals of pairs of actions, shape (layers, A), as totals of actions at each square."""
    totals = np.empty((2 * len(of_pairs), n_actions))
    for i in range(2):
        totals[i::2] = of_pairs @ (pairs[:, i, None] == np.arange(n_actions))
    return totals
