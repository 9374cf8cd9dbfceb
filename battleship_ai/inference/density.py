"""The placement belief: which placements the record allows, and their density."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import RulesError
from battleship_ai.inference._observe import observe_record
from battleship_ai.inference._tracker import Tracker, new_tracker
from battleship_ai.inference.tables import tables
from battleship_ai.record import Record
from battleship_ai.rules import Rules

__all__ = ["DensityWeights", "placement_density"]

# Weights and prices are rounded to integers, so that the counts, kept up by adding and
# subtracting them, stay exact.
_PRICE_UNIT = 10_000
_CLASS_UNIT = 1_000


@dataclass(frozen=True)
class DensityWeights:
    """How much each placement counts in the density.

    Parameters
    ----------
    by_hits : tuple of int
        The weight of a placement that explains 0, 1, 2, … hits; the last goes on.
    halo_price : float, optional
        A placement counts e^−price for each square of its halo that may still hold
        another ship: a mean-field estimate of the layouts it rules out for the rest
        of the fleet. By default 0.25 for fleets of 8 ships or more that may not
        touch, else 0.

    Notes
    -----
    Mean shots to win, uniform layouts, seed 2026 (``benchmarks/run.py hit-weights`` and
    ``halo-price``). Weights of 3, 10 and 20 a hit, and 10 for any number: 44.58, 44.21,
    44.25 and 45.47 on `hasbro`, 10,000 games, ±0.17. Halo prices of 0, 0.1, 0.2, 0.3 and
    0.4: 57.4, 55.9, 55.9, 56.0 and 56.2 on `ship-bombing`, 71.9, 68.6, 62.5, 62.1 and
    62.2 on `ship-bombing-any`, but 39.0, 39.0, 40.0, 41.4 and 43.6 on `hasbro-no-touch`,
    4,000 games, ±0.26 or less.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> record = Record.parse(Rules(board=(1, 4), fleet=(2,)), "a1:hit")
    >>> placement_density(record, DensityWeights(by_hits=(1, 10)))
    array([[10.,  0., 10.,  0.]])
    """

    by_hits: tuple[int, ...] = (1, 10, 100, 1000)
    halo_price: float | None = None

    def __post_init__(self) -> None:
        if not self.by_hits:
            raise RulesError("by_hits is empty; it needs at least one weight")
        for weight in self.by_hits:
            if not isinstance(weight, int) or not 1 <= weight <= 10_000:
                raise RulesError(f"hit weight {weight!r} is not an integer from 1 to 10000")
        if self.halo_price is not None and not 0.0 <= self.halo_price <= 5.0:
            raise RulesError(f"halo price {self.halo_price!r} is not from 0 to 5")

    def new_tracker(self, rules: Rules) -> Tracker:
        """The placement belief with these weights, before the first shot."""
        arrays = tables(rules)
        weight = np.zeros((len(arrays.classes), rules.fleet[0] + 1))
        for k, (size, _, first, stop) in enumerate(arrays.classes.tolist()):
            by_hits = [self.by_hits[min(h, len(self.by_hits) - 1)] for h in range(size)]
            weight[k, 1 : size + 1] = by_hits[::-1]
            if rules.shape != "straight":
                # Bent ships have many forms; each still is one ship.
                weight[k] *= max(1, round(_CLASS_UNIT * rules.board.n_squares / (stop - first)))
        return new_tracker(arrays, weight, self._prices(rules))

    def _prices(self, rules: Rules) -> npt.NDArray[np.float64]:
        price = self.halo_price
        if price is None:
            price = 0.25 if len(rules.fleet) >= 8 and rules.contact == "none" else 0.0
        if price == 0.0:
            return np.ones(1)
        largest_halo = 8 * rules.fleet[0]
        prices = np.round(_PRICE_UNIT * np.exp(-price * np.arange(largest_halo + 1)))
        return np.asarray(np.maximum(prices, 1.0))


def track_record(record: Record, weights: DensityWeights | None = None) -> Tracker:
    """The placement belief after a record; every placement counts 1 without weights."""
    arrays = tables(record.rules)
    tracker = new_tracker(arrays) if weights is None else weights.new_tracker(record.rules)
    observe_record(tracker, arrays, *record.arrays())
    return tracker


def placement_density(
    record: Record, weights: DensityWeights | None = None
) -> npt.NDArray[np.float64]:
    """The density of the placements that the record allows, square by square.

    The sum over the surviving ships of the weights of the placements of their class
    over the square.

    Parameters
    ----------
    record : Record
    weights : DensityWeights, optional
        By default every placement counts 1.

    Returns
    -------
    ndarray of float64, shape (rows, cols)
        0 on squares already asked.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> placement_density(Record(Rules(board=(2, 3), fleet=(2,))))
    array([[2., 3., 2.],
           [2., 3., 2.]])
    """
    board = record.rules.board
    tracker = track_record(record, weights)
    by_class = tracker.score.reshape(len(tracker.class_left), -1)[:, :-1]
    density: npt.NDArray[np.float64] = tracker.class_left @ by_class
    density[list(record.asked)] = 0.0
    return density.reshape(board.rows, board.cols)
