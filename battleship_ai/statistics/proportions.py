"""Shares of games won."""

import numpy as np

from battleship_ai.errors import BattleshipError
from battleship_ai.statistics._checks import check_fraction
from battleship_ai.statistics.intervals import Interval

__all__ = ["starter_advantage", "wilson_interval"]


def wilson_interval(wins: int, games: int, level: float = 0.95) -> Interval:
    """The share of games won with Wilson's score interval.

    Its coverage goes up and down with the true share; averaged over shares it is near the
    level. Games must be independent of each other: for duels played in pairs on the
    same two layouts with the starter exchanged, take `mean_interval` of each pair's share.

    Parameters
    ----------
    wins, games : int
    level : float
        Confidence level.

    Returns
    -------
    Interval
        ``mean`` is the share won; the interval is not centred on it.

    Raises
    ------
    BattleshipError
        If there is no game or more wins than games, or the level is not between 0 and 1.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical
       inference", Journal of the American Statistical Association 22, 1927.

    Examples
    --------
    >>> share = wilson_interval(61, 100)
    >>> share.mean, round(share.low, 3), round(share.high, 3)
    (0.61, 0.512, 0.7)
    """
    # Not scipy.stats.binomtest: it works out an exact test too, and takes a second to import.
    from scipy.special import ndtri

    check_fraction("level", level)
    if not 0 <= wins <= games or games == 0:
        raise BattleshipError(f"{wins} wins of {games} games; wins are from 0 to the games played")
    z = float(ndtri(0.5 + level / 2))
    share = wins / games
    centre = (wins + z**2 / 2) / (games + z**2)
    half = z * np.sqrt(games * share * (1 - share) + z**2 / 4) / (games + z**2)
    return Interval(share, max(0.0, float(centre - half)), min(1.0, float(centre + half)))


def starter_advantage(starter_wins: int, games: int, level: float = 0.95) -> Interval:
    """How far the share of duels won by who shoots first lies above one half.

    Parameters
    ----------
    starter_wins, games : int
        Over duels in which either strategy starts equally often.
    level : float
        Confidence level.

    Returns
    -------
    Interval
        By `wilson_interval`; 0 where starting does not matter, 0.5 where it decides.

    Raises
    ------
    BattleshipError
        As `wilson_interval` does.

    Examples
    --------
    >>> advantage = starter_advantage(5240, 10_000)
    >>> round(advantage.mean, 3), round(advantage.low, 3), round(advantage.high, 3)
    (0.024, 0.014, 0.034)
    """
    share = wilson_interval(starter_wins, games, level)
    return Interval(*(bound - 0.5 for bound in share))
