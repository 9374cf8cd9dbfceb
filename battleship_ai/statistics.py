"""Intervals for means and for paired differences."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Interval", "mean_interval", "paired_interval"]


class Interval(NamedTuple):
    """An estimate with its confidence interval."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def mean_interval(values: npt.ArrayLike, level: float = 0.95) -> Interval:
    """The mean of a sample with Student's interval.

    Parameters
    ----------
    values : array_like, shape (n,)
    level : float
        Confidence level.

    Returns
    -------
    Interval
        Its bounds are infinite for one value.

    References
    ----------
    .. [1] Student, "The probable error of a mean", Biometrika 6, 1908.

    Examples
    --------
    >>> low, high = mean_interval([1, 2, 3, 4])[1:]
    >>> round(low, 3), round(high, 3)
    (0.446, 4.554)
    """
    # From scipy.special: the import of scipy.stats takes a second.
    from scipy.special import stdtrit

    sample = np.asarray(values, dtype=np.float64)
    mean = float(sample.mean())
    if len(sample) < 2:
        return Interval(mean, -np.inf, np.inf)
    error = sample.std(ddof=1) / np.sqrt(len(sample))
    half = float(stdtrit(len(sample) - 1, 0.5 + level / 2) * error)
    return Interval(mean, mean - half, mean + half)


def paired_interval(a: npt.ArrayLike, b: npt.ArrayLike, level: float = 0.95) -> Interval:
    """The mean of ``a - b`` over common games with Student's interval.

    Examples
    --------
    >>> paired_interval([3, 4, 5], [2, 3, 4])
    Interval(mean=1.0, low=1.0, high=1.0)
    """
    return mean_interval(np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64), level)
