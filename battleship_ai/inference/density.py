"""The placement belief: which placements the record allows, and their density."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import RulesError
from battleship_ai.inference._observe import observe_record
from battleship_ai.inference._tracker import Tracker, new_tracker
from battleship_ai.inference.tables import tables
from battleship_ai.record import Record
from battleship_ai.rules import Rules

__all__ = ["DEFAULT_HIT_WEIGHTS", "placement_density"]

DEFAULT_HIT_WEIGHTS = (1, 10, 100, 1000)


def hit_weights(weights: Sequence[int], rules: Rules) -> npt.NDArray[np.int64]:
    """One weight for each number of hits on a ship of the rules.

    Raises
    ------
    RulesError
        If a weight is not an integer from 1 to 10**6.
    """
    if not weights:
        raise RulesError("hit_weights is empty; it needs at least one weight")
    for weight in weights:
        if not isinstance(weight, (int, np.integer)) or not 1 <= weight <= 10**6:
            raise RulesError(f"hit weight {weight!r} is not an integer from 1 to 10**6")
    longest = rules.fleet[0]
    filled = [weights[min(hits, len(weights) - 1)] for hits in range(longest + 1)]
    return np.array(filled, dtype=np.int64)


def track_record(record: Record, weights: Sequence[int]) -> Tracker:
    """The placement belief after a record."""
    arrays = tables(record.rules)
    tracker = new_tracker(arrays, hit_weights(weights, record.rules))
    observe_record(tracker, arrays, *record.arrays())
    return tracker


def placement_density(
    record: Record, weights: Sequence[int] = DEFAULT_HIT_WEIGHTS
) -> npt.NDArray[np.float64]:
    """The density of the placements that the record allows, square by square.

    Each surviving ship spreads evenly over the open placements of its class that
    have no hit, and those that explain hits count more:
    the sum over classes of ``ships left / untouched placements`` times the weights
    of the open placements over the square.

    Parameters
    ----------
    record : Record
    weights : sequence of int
        The weight of a placement by the number of hits it explains.

    Returns
    -------
    ndarray of float64, shape (rows, cols)
        0 on squares already asked.

    Examples
    --------
    >>> 7 * placement_density(Record(Rules(board=(2, 3), fleet=(2,))))
    array([[2., 3., 2.],
           [2., 3., 2.]])
    """
    board = record.rules.board
    tracker = track_record(record, weights)
    share = tracker.class_left / np.maximum(tracker.untouched, 1)
    density: npt.NDArray[np.float64] = share @ tracker.score[:, : board.n_squares]
    density[list(record.asked)] = 0.0
    return density.reshape(board.rows, board.cols)
