"""Layouts drawn from the exact posterior along a game."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from battleship_ai.inference.exact import opening_posterior, record_posterior
from battleship_ai.record import Record, Shot
from battleship_ai.rng import game_keys
from battleship_ai.rules import Rules

__all__ = ["DrawnLayouts", "drawn_after", "fitting_rows"]

# So many times the draws asked for are drawn at the start, and when too few are left.
_AT_START, _AGAIN = 60, 12


class DrawnLayouts:
    """Independent uniform draws among the layouts that fit a record that grows.

    Of earlier draws those that fit the next answer too are draws given the longer record;
    when fewer than asked for are left, fresh ones are drawn from `ExactPosterior`.

    Parameters
    ----------
    rules : Rules
    draws : int
        The least number to have at every record.
    key : int
        Decides the draws.

    Attributes
    ----------
    record : Record
        The shots taken in.
    rows : ndarray of int16, shape (n, ship squares)
        One layout a row, as `Layout.to_array` gives it; n is at least `draws`.

    Examples
    --------
    >>> drawn = DrawnLayouts(Rules.preset("pomcp"), 50, key=1)
    >>> for shot in Record.parse(drawn.record.rules, "a0:miss c3:hit"):
    ...     drawn.take(shot)
    >>> len(drawn.rows) >= 50, bool((drawn.rows == 23).any(axis=1).all())
    (True, True)
    """

    def __init__(self, rules: Rules, draws: int, key: int) -> None:
        self.record = Record(rules)
        self._draws = draws
        self._key = key
        self._asked = np.zeros(rules.board.n_squares, dtype=np.bool_)
        self.rows = opening_posterior(rules).sample_keyed(game_keys(key, 0, _AT_START * draws))

    def take(self, shot: Shot) -> None:
        """Take in the next answer.

        Raises
        ------
        RecordError
            If no layout fits the record with it.
        """
        self.record.add(*shot)
        self._asked[shot.square] = True
        self.rows = self.rows[_give(self.rows, self.record.rules, self._asked, shot)]
        if len(self.rows) < self._draws:
            first = (len(self.record) + 1) * _AT_START * self._draws
            keys = game_keys(self._key, first, _AGAIN * self._draws)
            self.rows = record_posterior(self.record.rules).sample_keyed(keys, self.record)

    def counts(self) -> npt.NDArray[np.int64]:
        """How many of the layouts occupy each square, shape (squares,)."""
        return np.bincount(self.rows.ravel(), minlength=len(self._asked))


def fitting_rows(rows: npt.NDArray[np.int16], record: Record) -> npt.NDArray[np.int16]:
    """Those of several layouts that fit a record: rejection, for comparison."""
    asked = np.zeros(record.rules.board.n_squares, dtype=np.bool_)
    for shot in record:
        asked[shot.square] = True
        rows = rows[_give(rows, record.rules, asked, shot)]
    return rows


def _give(
    rows: npt.NDArray[np.int16], rules: Rules, asked: npt.NDArray[np.bool_], shot: Shot
) -> npt.NDArray[np.bool_]:
    """Which layouts give an answer; `asked` holds the squares asked by then."""
    here = rows == shot.square
    occupied = here.any(axis=1)
    if shot.answer.kind == "miss":
        return np.asarray(~occupied)
    ship = np.repeat(np.arange(len(rules.fleet)), rules.fleet)[here.argmax(axis=1)]
    gives = occupied
    if rules.announce != "hit-only":
        starts = np.cumsum((0, *rules.fleet[:-1]))
        squares_left = np.add.reduceat(~asked[rows], starts, axis=1, dtype=np.int64)
        sunk = squares_left[np.arange(len(rows)), ship] == 0
        gives = gives & (sunk == (shot.answer.kind == "sunk"))
    if shot.answer.ship is not None:
        names = np.array([c.name for c in rules.classes for _ in range(c.count)])
        gives = gives & (names == shot.answer.ship)[ship]
    return np.asarray(gives)


def drawn_after(record: Record, draws: int, key: int) -> DrawnLayouts:
    """The layouts drawn along a record; taken up where the same game was left before."""
    latest = _latest(record.rules, draws, key)
    if not latest or latest[0].record.shots != record.shots[: len(latest[0].record)]:
        latest[:] = [DrawnLayouts(record.rules, draws, key)]
    for shot in record.shots[len(latest[0].record) :]:
        latest[0].take(shot)
    return latest[0]


@lru_cache(maxsize=4)
def _latest(rules: Rules, draws: int, key: int) -> list[DrawnLayouts]:
    return []
