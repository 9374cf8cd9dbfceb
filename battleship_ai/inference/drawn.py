"""Layouts drawn from the exact posterior along a game."""

from copy import copy
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from battleship_ai.inference._listed import answer_numbers, answers_to
from battleship_ai.inference.exact import covers, opening_posterior, record_posterior
from battleship_ai.inference.sampled import sample_posterior
from battleship_ai.inference.tables import NO_CLASS, tables
from battleship_ai.record import KINDS, Answer, Record, Shot
from battleship_ai.rng import game_keys
from battleship_ai.rules import Rules

__all__ = ["DrawnLayouts", "answer_number", "drawn_after", "fitting_rows"]

# So many times the draws asked for are drawn when too few are left.
_AGAIN = 12


class DrawnLayouts:
    """Independent uniform draws among the layouts that fit a record that grows.

    Of earlier draws those that fit the next answer too are draws given the longer record;
    when fewer than asked for are left, fresh ones are drawn from `ExactPosterior`, or, once
    they are few enough, all layouts are listed instead. Where `ExactPosterior` does not
    cover the rules, draws of `sample_posterior` are drawn again by their weights: nearly
    uniform, but no longer independent.

    Parameters
    ----------
    rules : Rules
    draws : int
        The least number to have at every record.
    key : int
        Decides the draws.
    at_start : int
        So many times `draws` are drawn before the first shot; later 12 times.
    list_from : int
        List the layouts instead when they are no more than that; by default never.

    Attributes
    ----------
    record : Record
        The shots taken in.
    asked : ndarray of bool, shape (squares,)
        Their squares.
    rows : ndarray of int16, shape (n, ship squares)
        One layout a row, as `Layout.to_array` gives it; n is at least `draws`, or `complete`.
    complete : bool
        Whether `rows` are no draws but all layouts that fit.

    Examples
    --------
    >>> drawn = DrawnLayouts(Rules.preset("pomcp"), 50, key=1)
    >>> for shot in Record.parse(drawn.record.rules, "a0:miss c3:hit"):
    ...     drawn.take(shot)
    >>> len(drawn.rows) >= 50, bool((drawn.rows == 23).any(axis=1).all())
    (True, True)
    """

    def __init__(
        self, rules: Rules, draws: int, key: int, *, at_start: int = 60, list_from: int = 0
    ) -> None:
        self.record = Record(rules)
        self.complete = False
        self._draws = draws
        self._key = key
        self._at_start = at_start
        self._list_from = list_from
        self.asked = np.zeros(rules.board.n_squares, dtype=np.bool_)
        self.rows = self._fresh(at_start)

    def take(self, shot: Shot) -> None:
        """Take in the next answer.

        Raises
        ------
        RecordError
            If no layout fits the record with it.
        """
        self.record.add(*shot)
        self.rows = _rows_with(self.rows, self.record.rules, self.asked, shot)
        self.asked[shot.square] = True
        if len(self.rows) < (1 if self.complete else self._draws):
            self.rows = self._fresh(_AGAIN)

    def fork(self) -> "DrawnLayouts":
        """The same, to go on with another answer."""
        other = copy(self)
        other.record = Record(self.record.rules, self.record.shots)
        other.asked = self.asked.copy()
        return other

    def _fresh(self, times: int) -> npt.NDArray[np.int16]:
        record, n = self.record, times * self._draws
        first = len(record) and (len(record) + 1) * self._at_start * self._draws
        if not covers(record.rules):
            return _resampled(record, n, self._key + first)
        posterior = record_posterior(record.rules) if record else opening_posterior(record.rules)
        if self._list_from:
            listed = posterior.layouts(record, self._list_from)
            if listed is not None:
                self.complete = True
                return listed
        return posterior.sample_keyed(game_keys(self._key, first, n), record)

    def answer_shares(self, square: int, rows: npt.NDArray[np.int16]) -> dict[Answer, float]:
        """The shares of some of the layouts that give each answer to a shot, 0 left out."""
        rules = self.record.rules
        told = np.bincount(answers_to(tables(rules), rows, self.asked, square))
        return {
            _answer(rules, number): float(told[number] / len(rows))
            for number in np.flatnonzero(told).tolist()
        }

    def counts(self) -> npt.NDArray[np.int64]:
        """How many of the layouts occupy each square, shape (squares,)."""
        return np.bincount(self.rows.ravel(), minlength=len(self.asked))


def _resampled(record: Record, n: int, key: int) -> npt.NDArray[np.int16]:
    sample = sample_posterior(record, n, seed=key)
    # Evenly spaced along the weights: of all ways to draw again the least noisy.
    ends = np.cumsum(sample.weights)
    chosen = np.searchsorted(ends, (np.arange(n) + 0.5) / n * ends[-1])
    return np.asarray(sample.squares[chosen])


def fitting_rows(rows: npt.NDArray[np.int16], record: Record) -> npt.NDArray[np.int16]:
    """Those of several layouts that fit a record: rejection, for comparison."""
    asked = np.zeros(record.rules.board.n_squares, dtype=np.bool_)
    for shot in record:
        rows = _rows_with(rows, record.rules, asked, shot)
        asked[shot.square] = True
    return rows


def _answer(rules: Rules, number: int) -> Answer:
    """The answer with a number of `answers_to`."""
    if number == 0:
        return Answer("miss")
    ship_class, sunk = divmod(number - 1, 2)
    tells = rules.announce == "hit-name" or (sunk and rules.tells_class)
    return Answer("sunk" if sunk else "hit", rules.classes[ship_class].name if tells else None)


def answer_number(rules: Rules, answer: Answer) -> int:
    """The number that `answers_to` has for an answer."""
    names = [c.name for c in rules.classes]
    ship_class = NO_CLASS if answer.ship is None else names.index(answer.ship)
    return int(answer_numbers(KINDS.index(answer.kind), ship_class))


def _rows_with(
    rows: npt.NDArray[np.int16], rules: Rules, asked: npt.NDArray[np.bool_], shot: Shot
) -> npt.NDArray[np.int16]:
    """The layouts that give an answer after other squares were asked."""
    square, answer = shot
    told = answers_to(tables(rules), rows, asked, square)
    return np.asarray(rows[told == answer_number(rules, answer)])


def drawn_after(
    record: Record, draws: int, key: int, *, at_start: int = 60, list_from: int = 0
) -> DrawnLayouts:
    """The layouts drawn along a record; taken up where the same game was left before."""
    how = (record.rules, draws, key, at_start, list_from)
    latest = _latest(*how)
    # Taken out until it has taken in everything: a contradiction leaves it useless.
    drawn = latest.pop() if latest else opening_draws(*how).fork()
    if drawn.record.shots != record.shots[: len(drawn.record)]:
        drawn = opening_draws(*how).fork()
    for shot in record.shots[len(drawn.record) :]:
        drawn.take(shot)
    latest.append(drawn)
    return drawn


@lru_cache(maxsize=4)
def _latest(
    rules: Rules, draws: int, key: int, at_start: int, list_from: int
) -> list[DrawnLayouts]:
    return []


@lru_cache(maxsize=1)
def opening_draws(
    rules: Rules, draws: int, key: int, at_start: int, list_from: int
) -> DrawnLayouts:
    """Those before the first shot: `fork` them."""
    return DrawnLayouts(rules, draws, key, at_start=at_start, list_from=list_from)
