"""Rollouts: what the game comes to after each of several shots, on the same layouts."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.inference._listed import answer_numbers
from battleship_ai.record import Record
from battleship_ai.rng import game_keys
from battleship_ai.strategies.base import KernelStrategy

# The race begins with so many layouts, and doubles them.
_FIRST_HEAT = 100
# Shots that lie so many standard errors behind are out.
_OUT = 2.0


class Race(NamedTuple):
    """What a race came to, one entry for each square."""

    shots: npt.NDArray[np.float64]
    """The shots that follow, in the mean."""
    gain: npt.NDArray[np.float64]
    """Shots saved against the first square, shrunk by how uncertain they are."""
    layouts: npt.NDArray[np.int64]
    """The layouts played on; fewer where a square fell out early."""


def race(
    record: Record,
    squares: npt.NDArray[np.int64],
    answer_shares: npt.NDArray[np.float64],
    rows: npt.NDArray[np.int16],
    policy: KernelStrategy,
    spread: float,
) -> Race:
    """Play on after each of several shots, dropping those that fall behind.

    Parameters
    ----------
    record : Record
        The shots before.
    squares : ndarray of int64, shape (squares,)
        The first is the one to beat.
    answer_shares : ndarray of float64, shape (squares, answers)
        The probability of each answer, from all that is known.
    rows : ndarray of int16, shape (layouts, ship squares)
        Drawn from the posterior.
    policy : KernelStrategy
        Who plays on.
    spread : float
        The standard deviation of true gains: an estimated one is multiplied by
        ``spread² / (spread² + standard error²)``.

    Notes
    -----
    Every layout counts by its answer, so that each answer has its known probability
    (post-stratification); the differences between squares are taken layout by layout.
    """
    keys = game_keys(0, 0, len(rows))
    shots = np.empty((len(squares), len(rows)), dtype=np.int32)
    answers = np.empty(shots.shape, dtype=np.int64)
    racing = np.ones(len(squares), dtype=np.bool_)
    played = np.zeros(len(squares), dtype=np.int64)
    mean, gain = np.zeros(len(squares)), np.full(len(squares), -np.inf)
    gain[0] = 0.0
    start, stop = 0, min(_FIRST_HEAT, len(rows))
    while True:
        for i in np.flatnonzero(racing):
            heat = slice(start, stop)
            shots[i, heat], told = policy.play_on(record, squares[i], rows[heat], keys[heat])
            answers[i, heat] = answer_numbers(*told.T)
            played[i] = stop
        first = _weights(answers[0, :stop], answer_shares[0])
        mean[0] = first @ shots[0, :stop]
        for i in np.flatnonzero(racing)[1:]:
            own = _weights(answers[i, :stop], answer_shares[i])
            mean[i] = own @ shots[i, :stop]
            saved = first * (shots[0, :stop] - mean[0]) - own * (shots[i, :stop] - mean[i])
            error2 = float(saved @ saved)
            difference = mean[0] - mean[i]
            gain[i] = difference * spread**2 / (spread**2 + error2)
            racing[i] = difference > -_OUT * np.sqrt(error2)
        if stop == len(rows) or racing.sum() == 1:
            return Race(mean, gain, played)
        start, stop = stop, min(2 * stop, len(rows))


def _weights(
    answers: npt.NDArray[np.int64], shares: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Weights of layouts, summing to 1, that give each answer met its known share."""
    met = np.bincount(answers, minlength=len(shares))
    weights = (shares / np.maximum(met, 1))[answers]
    return np.asarray(weights / weights.sum())
