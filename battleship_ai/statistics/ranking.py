"""Strengths of strategies from the duels they won."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import BattleshipError, UnknownName
from battleship_ai.statistics._checks import check_fraction
from battleship_ai.statistics.intervals import Interval

__all__ = ["Ranking", "bradley_terry"]

_ELO = 400 / np.log(10)


@dataclass(frozen=True, eq=False)
class Ranking:
    """Strengths of strategies under the Bradley–Terry model, see `bradley_terry`.

    Attributes
    ----------
    names : tuple of str
        In the order of the matrix of wins.
    strengths : ndarray of float64, shape (k,)
        Log-strengths, with sum 0: a beats b with probability
        ``1 / (1 + exp(strength of b - strength of a))``.
    covariance : ndarray of float64, shape (k, k)
        Of their errors, from the Fisher information.

    Examples
    --------
    >>> ranking = bradley_terry([[0, 3], [1, 0]], ["exact", "density"])
    >>> ranking.strengths.round(2), ranking.standard_errors.round(2)
    (array([ 0.55, -0.55]), array([0.58, 0.58]))
    """

    names: tuple[str, ...]
    strengths: npt.NDArray[np.float64]
    covariance: npt.NDArray[np.float64]

    @property
    def standard_errors(self) -> npt.NDArray[np.float64]:
        """Of the strengths, shape (k,)."""
        return np.sqrt(np.diag(self.covariance))

    def intervals(self, level: float = 0.95) -> dict[str, Interval]:
        """The strength of each strategy with its normal interval, best first."""
        mean, half = self.strengths, _normal_quantile(level) * self.standard_errors
        return {
            self.names[i]: Interval(*map(float, (mean[i], mean[i] - half[i], mean[i] + half[i])))
            for i in np.argsort(-self.strengths, kind="stable")
        }

    def elo(self, level: float = 0.95) -> dict[str, Interval]:
        """The strengths on Elo's scale, best first.

        Their mean is 0; who is 400 ahead wins ten games for each one lost.
        """
        return {
            name: Interval(*(_ELO * bound for bound in strength))
            for name, strength in self.intervals(level).items()
        }

    def win_probability(self, a: str, b: str, level: float = 0.95) -> Interval:
        """The probability that one strategy beats another.

        Raises
        ------
        UnknownName
            If there is no such strategy.
        """
        from scipy.special import expit

        contrast = np.zeros(len(self.names))
        for name, sign in ((a, 1), (b, -1)):
            if name not in self.names:
                raise UnknownName(f"unknown strategy {name!r}; there are {', '.join(self.names)}")
            contrast[self.names.index(name)] += sign
        ahead = contrast @ self.strengths
        half = _normal_quantile(level) * np.sqrt(contrast @ self.covariance @ contrast)
        return Interval(*map(float, expit([ahead, ahead - half, ahead + half])))


def bradley_terry(wins: npt.ArrayLike, names: Sequence[str] | None = None) -> Ranking:
    """Maximum likelihood strengths under the model of Bradley and Terry.

    Each strategy has a strength, and a beats b with probability
    ``strength of a / (strength of a + strength of b)`` [1]_. Strengths are finite if
    in every division of the strategies in two groups each group has beaten the other [2]_.
    They are found by Newton's method with damped steps, which converges from anywhere [3]_.

    Parameters
    ----------
    wins : array_like, shape (k, k)
        ``wins[i, j]`` is how often i beat j, in independent games; zeros on the diagonal.
    names : sequence of str, optional
        Of the strategies; "0", "1", … by default.

    Returns
    -------
    Ranking

    Raises
    ------
    BattleshipError
        If the wins are malformed, or leave a strength infinite, as those of a strategy that
        won all its games.

    References
    ----------
    .. [1] R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs: I.
       The method of paired comparisons", Biometrika 39, 1952.
    .. [2] D. R. Hunter, "MM algorithms for generalized Bradley–Terry models", The Annals
       of Statistics 32, 2004.
    .. [3] T. Sun and Q. Tran-Dinh, "Generalized self-concordant functions: a recipe for
       Newton-type methods", Mathematical Programming 178, 2019.

    Examples
    --------
    >>> wins = [[0, 61, 90], [39, 0, 80], [10, 20, 0]]
    >>> ranking = bradley_terry(wins, ["exact", "density", "random"])
    >>> {name: round(elo.mean) for name, elo in ranking.elo().items()}
    {'exact': 147, 'density': 57, 'random': -204}
    >>> round(ranking.win_probability("exact", "density").mean, 3)
    0.627
    """
    from scipy.special import expit

    won = _checked_wins(wins)
    k = len(won)
    labels = tuple(map(str, range(k))) if names is None else tuple(names)
    if len(set(labels)) != k or len(labels) != k:
        raise BattleshipError(f"names {labels} are not {k} different names, one a strategy")
    _check_connected(won, labels)
    games = won + won.T
    strengths = np.zeros(k)
    while True:
        probability = expit(strengths[:, None] - strengths)
        gradient = won.sum(axis=1) - (games * probability).sum(axis=1)
        weights = games * probability * probability.T
        information = np.diag(weights.sum(axis=1)) - weights
        # The information has no entry for the mean strength; 1 / k in its place leaves that at 0.
        covariance = np.linalg.inv(information + 1 / k).astype(np.float64) - 1 / k
        step = covariance @ gradient
        # Squared length of the step in standard errors: at the maximum when it is nothing.
        if step @ gradient < 1e-12 * k:
            return Ranking(labels, strengths, covariance)
        spread = np.ptp(step)
        strengths = strengths + step * (np.log1p(spread) / spread)


def _checked_wins(wins: npt.ArrayLike) -> npt.NDArray[np.float64]:
    won = np.asarray(wins, dtype=np.float64)
    if won.ndim != 2 or won.shape[0] != won.shape[1] or len(won) < 2:
        raise BattleshipError(
            f"wins have shape {won.shape}; (k, k) is right for k strategies, k at least 2"
        )
    for bad in won[~((won >= 0) & (won < np.inf))]:
        raise BattleshipError(f"wins {bad} are not a number of games")
    if np.diag(won).any():
        raise BattleshipError("the diagonal of wins is not 0; no strategy beats itself")
    return won


def _check_connected(won: npt.NDArray[np.float64], names: tuple[str, ...]) -> None:
    """Whether no group of strategies has won, or lost, all its games against the rest."""
    from scipy.sparse.csgraph import connected_components

    k, group_of = connected_components(won > 0, directed=True, connection="strong")
    if k == 1:
        return
    for group in sorted((group_of == i for i in range(k)), key=np.count_nonzero):
        listed = ", ".join(name for name, inside in zip(names, group, strict=True) if inside)
        for matrix, fate in ((won, "never beat"), (won.T, "never lost to")):
            if not matrix[group][:, ~group].any():
                raise BattleshipError(
                    f"{listed} {fate} another strategy, so that strengths are infinite; "
                    f"play more games or leave strategies out"
                )


def _normal_quantile(level: float) -> float:
    from scipy.special import ndtri

    check_fraction("level", level)
    return float(ndtri(0.5 + level / 2))
