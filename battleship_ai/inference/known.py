"""The probability of a ship on each square, by the best inference that there is for a record."""

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import RecordError
from battleship_ai.inference.density import placement_density
from battleship_ai.inference.exact import covers, record_posterior
from battleship_ai.inference.sampled import sample_posterior
from battleship_ai.record import Record

__all__ = ["DRAWS", "Known", "best_known"]

DRAWS = 2000
"""Layouts drawn where there is no exact posterior."""


class Known(NamedTuple):
    """What a record tells of each square, were all layouts equally likely at the start."""

    numbers: npt.NDArray[np.float64]
    """Shape (squares,): probabilities, or shares of the highest placement density."""
    by: Literal["exact", "draws", "density"]
    """The exact posterior; weighted draws; or the density, where none of them fits the record."""
    effective_draws: float | None = None
    """How many independent layouts the draws are worth."""


def best_known(record: Record) -> Known:
    """The exact posterior where there is one, else an estimate of it, else the density.

    Raises
    ------
    RecordError
        If there is an exact posterior and no layout fits the record.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> best_known(Record(Rules(board=(1, 3), fleet=(2,))))
    Known(numbers=array([0.5, 1. , 0.5]), by='exact', effective_draws=None)
    """
    if covers(record.rules):
        return Known(record_posterior(record.rules).probabilities(record).ravel(), "exact")
    try:
        sample = sample_posterior(record, DRAWS)
    except RecordError:  # none of the draws came to a layout
        density = placement_density(record).ravel()
        return Known(density / max(density.max(), 1.0), "density")
    return Known(sample.probabilities.ravel(), "draws", sample.effective_size)
