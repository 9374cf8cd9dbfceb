"""How many games a question takes."""

from bisect import bisect_left
from collections.abc import Callable

import numpy as np

from battleship_ai.statistics._checks import check_fraction, check_positive

__all__ = ["games_for_half_width", "games_needed"]


def games_needed(sd: float, difference: float, *, level: float = 0.95, power: float = 0.8) -> int:
    """The fewest common games in which a paired t test finds a difference.

    By the noncentral t distribution [1]_: the interval of the mean difference then lies on
    the right side of 0 with at least the probability asked for, if the differences are
    roughly normal or the games many.

    Parameters
    ----------
    sd : float
        Of the paired differences, in shots.
    difference : float
        The true mean difference to be found, in shots; its sign does not matter.
    level : float
        Confidence level of the interval, 1 less the level of significance of the test.
    power : float
        Probability of finding the difference.

    Returns
    -------
    int

    Raises
    ------
    BattleshipError
        If the sd or the difference is not positive, or the level or the power is not
        between 0 and 1.

    References
    ----------
    .. [1] J. Cohen, "Statistical power analysis for the behavioral sciences", second
       edition, 1988.

    Examples
    --------
    >>> games_needed(sd=8.0, difference=0.5)
    2012
    """
    from scipy.special import nctdtr, stdtrit

    check_positive("sd", sd)
    check_positive("difference", abs(difference))
    check_fraction("level", level)
    check_fraction("power", power)
    effect = abs(difference) / sd
    return _fewest(
        lambda n: nctdtr(n - 1, effect * np.sqrt(n), stdtrit(n - 1, 0.5 + level / 2)) <= 1 - power
    )


def games_for_half_width(sd: float, half_width: float, level: float = 0.95) -> int:
    """The fewest games whose mean has an interval this narrow.

    Parameters
    ----------
    sd : float
        Of the shots, or of the paired differences.
    half_width : float
        Half the width of Student's interval, in shots.
    level : float
        Confidence level.

    Returns
    -------
    int

    Raises
    ------
    BattleshipError
        If the sd or the half width is not positive, or the level is not between 0 and 1.

    Examples
    --------
    >>> games_for_half_width(sd=8.0, half_width=0.1)
    24588
    """
    from scipy.special import stdtrit

    check_positive("sd", sd)
    check_positive("half_width", half_width)
    check_fraction("level", level)
    return _fewest(lambda n: stdtrit(n - 1, 0.5 + level / 2) * sd / np.sqrt(n) <= half_width)


def _fewest(suffice: Callable[[int], bool]) -> int:
    """The fewest games, two at least, that suffice; more than those always do."""
    upper = 2
    while not suffice(upper):
        upper *= 2
    return bisect_left(range(upper), True, lo=max(2, upper // 2), key=suffice)
