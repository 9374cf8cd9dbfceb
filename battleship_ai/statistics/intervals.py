"""Estimates with an interval, and Student's interval for a mean."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import BattleshipError
from battleship_ai.statistics._checks import check_fraction, checked_sample

__all__ = ["Interval", "Moments", "mean_interval"]


class Interval(NamedTuple):
    """An estimate with its confidence interval.

    Examples
    --------
    >>> interval = mean_interval([44, 51, 39, 58])
    >>> interval.mean, round(interval.low, 2), round(interval.half_width, 2)
    (48.0, 34.81, 13.19)
    """

    mean: float
    """The estimate: a mean in most uses, else what the function that made it says."""
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Moments:
    """Size, mean and sum of squared deviations of a sample that need not be kept.

    ``+`` merges those of two samples. The last digits of a merged mean depend on the
    order of merging, so merge in a fixed order where results must be the same.

    Attributes
    ----------
    n : int
        Values.
    mean : float
    m2 : float
        Sum of the squared deviations from the mean.

    References
    ----------
    .. [1] T. F. Chan, G. H. Golub and R. J. LeVeque, "Algorithms for computing the
       sample variance: analysis and recommendations", The American Statistician 37,
       1983.

    Examples
    --------
    >>> both = Moments.of([44, 51]) + Moments.of([39, 58])
    >>> both == Moments.of([44, 51, 39, 58])
    True
    >>> both.n, both.mean, round(both.sd, 3)
    (4, 48.0, 8.287)
    """

    n: int = 0
    mean: float = 0.0
    m2: float = 0.0

    @classmethod
    def of(cls, values: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> "Moments":
        """Those of a sample; `mean_interval` explains the parameters."""
        sample, times = checked_sample(values, counts)
        mean = float(np.average(sample, weights=times))
        return cls(int(times.sum()), mean, float((times * (sample - mean) ** 2).sum()))

    def __add__(self, other: "Moments") -> "Moments":
        n = self.n + other.n
        if n == 0:
            return self
        apart = other.mean - self.mean
        return Moments(
            n,
            self.mean + apart * (other.n / n),
            self.m2 + other.m2 + apart**2 * (self.n * other.n / n),
        )

    @property
    def variance(self) -> float:
        """The unbiased sample variance; not a number for fewer than two values."""
        return self.m2 / (self.n - 1) if self.n > 1 else np.nan

    @property
    def sd(self) -> float:
        """The square root of the variance."""
        return float(np.sqrt(self.variance))

    def interval(self, level: float = 0.95) -> Interval:
        """The mean with Student's interval, as `mean_interval` gives it."""
        # From scipy.special: the import of scipy.stats takes a second.
        from scipy.special import stdtrit

        check_fraction("level", level)
        if self.n == 0:
            raise BattleshipError("the sample is empty; a mean needs at least one value")
        if self.n == 1:
            return Interval(self.mean, -np.inf, np.inf)
        half = float(stdtrit(self.n - 1, 0.5 + level / 2)) * self.sd / np.sqrt(self.n)
        return Interval(self.mean, float(self.mean - half), float(self.mean + half))


def mean_interval(
    values: npt.ArrayLike, level: float = 0.95, *, counts: npt.ArrayLike | None = None
) -> Interval:
    """The mean of a sample with Student's interval.

    Parameters
    ----------
    values : array_like, shape (n,)
    level : float
        Confidence level.
    counts : array_like of int, shape (n,), optional
        How often each value occurs, so that a histogram can stand for its games;
        once each by default.

    Returns
    -------
    Interval
        Its bounds are infinite for one value.

    Raises
    ------
    BattleshipError
        If the sample is empty or malformed, or the level is not between 0 and 1.

    References
    ----------
    .. [1] Student, "The probable error of a mean", Biometrika 6, 1908.

    Examples
    --------
    >>> low, high = mean_interval([1, 2, 3, 4])[1:]
    >>> round(low, 3), round(high, 3)
    (0.446, 4.554)
    >>> mean_interval([40, 50], counts=[3, 1]) == mean_interval([40, 40, 40, 50])
    True
    """
    return Moments.of(values, counts).interval(level)
