"""The Monte-Carlo belief: whole layouts drawn consistently with the whole record."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import RecordError
from battleship_ai.inference._observe import draw_from
from battleship_ai.inference._sampler import new_sampler
from battleship_ai.inference.density import track_record
from battleship_ai.inference.tables import layout_rows, tables
from battleship_ai.layouts import Layout
from battleship_ai.record import Record
from battleship_ai.rng import Seed, key_of

__all__ = ["PosteriorSample", "sample_posterior"]


@dataclass(frozen=True)
class PosteriorSample:
    """Weighted layouts that fit a record.

    Attributes
    ----------
    record : Record
    squares : ndarray of int16, shape (draws, ship squares)
        One layout a row, as `Layout.to_array` gives it; dead ends are left out.
    log_weights : ndarray of float64, shape (draws,)
        Logarithms of the importance weights. The mean weight over all draws, dead
        ends counted as 0, estimates the number of layouts that fit the record.
    asked_draws : int
        Draws made, dead ends included.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> record = Record.parse(Rules(board=(5, 5), fleet=(3, 2)), "c2:hit c3:miss")
    >>> sample = sample_posterior(record, 2000, seed=1)
    >>> sample.probabilities.shape, round(float(sample.weights.sum()), 6)
    ((5, 5), 1.0)
    >>> len(sample.layout(0).squares)
    5
    """

    record: Record
    squares: npt.NDArray[np.int16]
    log_weights: npt.NDArray[np.float64]
    asked_draws: int

    @cached_property
    def weights(self) -> npt.NDArray[np.float64]:
        """The weights, scaled to sum to 1."""
        weights = np.exp(self.log_weights - self.log_weights.max())
        return np.asarray(weights / weights.sum())

    @property
    def effective_size(self) -> float:
        """Kish's effective sample size, the inverse of the sum of squared weights."""
        return float(1.0 / np.sum(self.weights**2))

    @property
    def layout_count(self) -> float:
        """An unbiased estimate of the number of layouts that fit the record."""
        return float(np.exp(self.log_weights).sum() / self.asked_draws)

    @cached_property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """The estimated probability that each square is occupied, shape (rows, cols)."""
        board = self.record.rules.board
        weight = np.broadcast_to(self.weights[:, None], self.squares.shape)
        sums = np.bincount(self.squares.ravel(), weight.ravel(), minlength=board.n_squares)
        return np.asarray(sums, dtype=np.float64).reshape(board.rows, board.cols)

    def layout(self, draw: int) -> Layout:
        """One of the drawn layouts."""
        return Layout.from_array(self.record.rules, self.squares[draw])


def sample_posterior(record: Record, draws: int = 1000, *, seed: Seed = 0) -> PosteriorSample:
    """Draw layouts that fit a record, by sequential importance sampling.

    The weighted draws are unbiased for the uniform distribution over all layouts
    that fit the record (see `battleship_ai.inference._sampler` for the method).

    Parameters
    ----------
    record : Record
    draws : int
    seed : int, numpy.random.Generator or numpy.random.SeedSequence

    Raises
    ------
    RecordError
        If every draw was a dead end: no layout fits, or too few to be met.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> record = Record.parse(Rules.preset("ship-bombing"), "c3:hit c4:miss")
    >>> sample = sample_posterior(record, 500, seed=1)
    >>> bool(sample.probabilities[2, 3] > 0.999), 100 < sample.effective_size < 500
    (True, True)
    """
    if draws < 1:
        raise RecordError(f"draws is {draws}; it must be at least 1")
    arrays = tables(record.rules)
    tracker = track_record(record)
    sampler = new_sampler(arrays, draws)
    n_drawn = draw_from(sampler, tracker, arrays, np.uint64(key_of(seed)))
    drawn, log_weights = sampler.drawn, sampler.log_weight
    alive = np.isfinite(log_weights)
    if not alive.any():
        raise RecordError(f"none of {draws} draws fits the record: {record}")
    drawn[:, n_drawn:] = tracker.fixed[: drawn.shape[1] - n_drawn]
    return PosteriorSample(record, layout_rows(arrays, drawn[alive]), log_weights[alive], draws)
