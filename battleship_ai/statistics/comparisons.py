"""Paired differences between strategies on common layouts, corrected for their number."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import BattleshipError
from battleship_ai.statistics._checks import check_fraction
from battleship_ai.statistics.intervals import Interval, Moments, mean_interval

__all__ = [
    "PairedComparison",
    "compare_all",
    "compare_differences",
    "holm",
    "independent_difference",
    "paired_interval",
]


def paired_interval(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    level: float = 0.95,
    *,
    counts: npt.ArrayLike | None = None,
) -> Interval:
    """The mean of ``a - b`` over common games with Student's interval.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Shots of two strategies in the same games.
    level : float
        Confidence level.
    counts : array_like of int, shape (n,), optional
        How often each pair of values occurs; once each by default.

    Returns
    -------
    Interval

    Raises
    ------
    BattleshipError
        If the two differ in shape, or as `mean_interval` does.

    Examples
    --------
    >>> paired_interval([3, 4, 5], [2, 3, 4])
    Interval(mean=1.0, low=1.0, high=1.0)
    """
    return mean_interval(_differences(a, b), level, counts=counts)


@dataclass(frozen=True)
class PairedComparison:
    """One strategy's shots less another's over common games.

    Attributes
    ----------
    a, b : str
        The strategies.
    difference : Interval
        The mean of a's shots less b's.
    n : int
        Common games.
    sd : float
        Of the differences.
    effect_size : float
        Cohen's d_z, the mean difference over `sd` [1]_.
    p_value : float
        Two-sided, of the paired t test that the true difference is 0; 1 for one game.
    p_holm : float
        The same corrected for all comparisons made together, see `holm`.

    References
    ----------
    .. [1] J. Cohen, "Statistical power analysis for the behavioral sciences", second
       edition, 1988.

    Examples
    --------
    >>> (pair,) = compare_all({"a": [3, 5, 4, 6], "b": [2, 4, 4, 3]})
    >>> pair.difference.mean, pair.n, round(pair.p_value, 3)
    (1.25, 4, 0.141)
    """

    a: str
    b: str
    difference: Interval
    n: int
    sd: float
    effect_size: float
    p_value: float
    p_holm: float


def compare_all(
    samples: Mapping[str, npt.ArrayLike],
    level: float = 0.95,
    *,
    counts: npt.ArrayLike | None = None,
) -> list[PairedComparison]:
    """Compare each strategy with each later one over common games.

    Parameters
    ----------
    samples : mapping of str to array_like, shape (n,)
        Shots by strategy, game by game on common layouts.
    level : float
        Confidence level of each interval by itself.
    counts : array_like of int, shape (n,), optional
        How often each game occurs; once each by default.

    Returns
    -------
    list of PairedComparison

    Raises
    ------
    BattleshipError
        If two samples differ in shape, or as `mean_interval` does.

    Examples
    --------
    >>> (pair,) = compare_all({"random": [96, 97, 93, 99], "density": [55, 58, 49, 62]})
    >>> pair.a, pair.b, pair.difference.mean, round(pair.effect_size, 2)
    ('random', 'density', 40.25, 13.48)
    """
    return compare_differences(
        {
            (a, b): Moments.of(_differences(samples[a], samples[b]), counts)
            for a, b in combinations(samples, 2)
        },
        level,
    )


def compare_differences(
    differences: Mapping[tuple[str, str], Moments], level: float = 0.95
) -> list[PairedComparison]:
    """Compare pairs of strategies of whose differences only the moments were kept.

    Parameters
    ----------
    differences : mapping of (str, str) to Moments
        For each pair (a, b) those of a's shots less b's over common games; a histogram
        of differences has them by `Moments.of`.
    level : float
        Confidence level of each interval by itself.

    Returns
    -------
    list of PairedComparison
        In the order given, with p values corrected for the number of pairs.

    Raises
    ------
    BattleshipError
        If a sample is empty, or the level is not between 0 and 1.

    Examples
    --------
    >>> streamed = Moments.of([1, 4, 3]) + Moments.of([-1, 2], counts=[5, 20])
    >>> (pair,) = compare_differences({("parity-hunt", "density"): streamed})
    >>> pair.n, round(pair.difference.mean, 2), pair.p_value < 1e-5
    (28, 1.54, True)
    """
    p_values = [_p_value(moments) for moments in differences.values()]
    return [
        PairedComparison(
            a, b, moments.interval(level), moments.n, moments.sd, _effect_size(moments), p, p_holm
        )
        for ((a, b), moments), p, p_holm in zip(
            differences.items(), p_values, holm(p_values), strict=True
        )
    ]


def holm(p_values: Iterable[float]) -> list[float]:
    """Correct p values of tests made together, so that one false finding stays unlikely.

    Where all with a corrected value of at most x are called findings, any of them is
    false with probability at most x, however the tests depend on each other.

    Parameters
    ----------
    p_values : iterable of float

    Returns
    -------
    list of float
        In the order given.

    Raises
    ------
    BattleshipError
        If one is not between 0 and 1.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure",
       Scandinavian Journal of Statistics 6, 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    given = np.array(list(p_values), dtype=np.float64)
    for p in given[~((given >= 0) & (given <= 1))]:
        raise BattleshipError(f"p value {p} is not between 0 and 1")
    order = np.argsort(given)
    corrected = np.empty_like(given)
    corrected[order] = np.maximum.accumulate(np.arange(len(given), 0, -1) * given[order])
    return [float(p) for p in np.minimum(corrected, 1)]


def _differences(a: npt.ArrayLike, b: npt.ArrayLike) -> npt.NDArray[np.float64]:
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.shape != second.shape:
        raise BattleshipError(
            f"paired samples have shapes {first.shape} and {second.shape}; both hold the same games"
        )
    return first - second


def _effect_size(moments: Moments) -> float:
    """The mean over the sd; infinite, or not a number, where every value is the same."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.float64(moments.mean) / moments.sd)


def _p_value(moments: Moments) -> float:
    from scipy.special import stdtr

    effect = _effect_size(moments)
    if np.isnan(effect):  # one value, or nothing but zeros
        return 1.0
    return float(2 * stdtr(moments.n - 1, -abs(effect) * np.sqrt(moments.n)))


def independent_difference(a: Moments, b: Moments, level: float = 0.95) -> Interval:
    """The difference of two means of independent samples with Welch's interval.

    Parameters
    ----------
    a, b : Moments
        Of samples without a common game, such as those against two placers.
    level : float
        Confidence level.

    Returns
    -------
    Interval
        Of a's mean less b's; its bounds are infinite where a sample has one value.

    References
    ----------
    .. [1] B. L. Welch, "The generalization of 'Student's' problem when several different
       population variances are involved", Biometrika 34, 1947.

    Examples
    --------
    >>> apart = independent_difference(Moments.of([56, 58, 63]), Moments.of([50, 51, 49, 54]))
    >>> apart.mean, round(apart.low, 2), round(apart.high, 2)
    (8.0, 0.64, 15.36)
    """
    from scipy.special import stdtrit

    check_fraction("level", level)
    mean = a.mean - b.mean
    if min(a.n, b.n) < 2:
        return Interval(mean, -np.inf, np.inf)
    errors = np.array([a.variance / a.n, b.variance / b.n])
    if not errors.any():
        return Interval(mean, mean, mean)
    freedom = errors.sum() ** 2 / (errors**2 / [a.n - 1, b.n - 1]).sum()
    half = float(stdtrit(freedom, 0.5 + level / 2) * np.sqrt(errors.sum()))
    return Interval(mean, mean - half, mean + half)
