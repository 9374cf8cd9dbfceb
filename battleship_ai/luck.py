"""Luck: what a game's answers cost beyond what was to be expected of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import RulesError, TournamentError
from battleship_ai.game import Target
from battleship_ai.inference._listed import answer_numbers
from battleship_ai.inference.drawn import DrawnLayouts, answer_number
from battleship_ai.inference.exact import ExactPosterior, covers
from battleship_ai.layouts import Layout
from battleship_ai.record import Answer, Record, Shot
from battleship_ai.rng import game_keys, key_of
from battleship_ai.rules import Rules
from battleship_ai.strategies.base import Games, KernelStrategy
from battleship_ai.strategies.density import Density

__all__ = ["RolloutValue", "ValueFunction", "check_adjustable", "luck", "luck_of"]

# Before the first shot so many times the layouts needed are drawn.
_AT_START = 20
# So many times `draws` are listed instead: fewer passes, as accurate.
_LISTED = 10
# Random choices of the policy that plays on; no tournament's key.
_KEY = key_of(np.random.SeedSequence(0, spawn_key=(0,)))


class ValueFunction(Protocol):
    """An estimate of the shots still to come.

    Luck is right on average whatever the estimate; the better it is, the less of the
    spread of the games is left without their luck.

    Examples
    --------
    >>> class SquaresLeft:
    ...     def after(self, record, square, answers, layouts):
    ...         return [len(record.unasked) - 1] * len(answers)
    >>> record = Record.parse(Rules(board=(1, 3), fleet=(2,)), "a0:miss a1:hit a2:sunk")
    >>> luck_of(record, SquaresLeft())  # one that takes no notice of answers tells of no luck
    0.0
    """

    def after(
        self,
        record: Record,
        square: int,
        answers: Sequence[Answer],
        layouts: npt.NDArray[np.int16],
    ) -> Sequence[float]:
        """The shots still to come after one more shot, for each answer to it.

        Parameters
        ----------
        record : Record
            The shots before.
        square : int
            Where the next shot goes.
        answers : sequence of Answer
            Every answer there may be.
        layouts : ndarray of int16, shape (n, ship squares)
            Some layouts that fit the record, each as likely as any other to be among them.
        """
        ...


@dataclass(frozen=True)
class RolloutValue:
    """The mean number of shots that a compiled strategy still needs.

    Each layout gives one of the answers and is played to its end from there; an answer
    that none of them gives is worth the mean of all.

    Parameters
    ----------
    policy : KernelStrategy
        Who plays on: at best the very strategy whose luck is wanted.

    Raises
    ------
    TournamentError
        If the policy is not compiled.

    Examples
    --------
    >>> record = Record(Rules(board=(1, 4), fleet=(2,)))
    >>> layouts = np.array([[0, 1], [1, 2], [2, 3]], dtype=np.int16)
    >>> RolloutValue().after(record, 1, [Answer("miss"), Answer("hit")], layouts)
    [2.0, 1.5]
    """

    policy: KernelStrategy = field(default_factory=Density)

    def __post_init__(self) -> None:
        if not isinstance(self.policy, KernelStrategy):
            raise TournamentError(f"policy {self.policy!r} is not a compiled strategy")

    def after(
        self,
        record: Record,
        square: int,
        answers: Sequence[Answer],
        layouts: npt.NDArray[np.int16],
    ) -> list[float]:
        """The shots still to come after one more shot, for each answer to it."""
        keys = game_keys(_KEY, 0, len(layouts))
        shots, told = self.policy.play_on(record, square, layouts, keys)
        numbers = answer_numbers(*told.T)
        values = []
        for answer in answers:
            gives = numbers == answer_number(record.rules, answer)
            values.append(float(shots[gives].mean() if gives.any() else shots.mean()))
        return values


def luck(
    rules: Rules,
    layouts: npt.NDArray[np.int16],
    games: Games,
    value: ValueFunction | None = None,
    *,
    draws: int = 500,
) -> npt.NDArray[np.float64]:
    """The shots of each game that its luck cost: ``shots - luck`` has the same expectation.

    Parameters
    ----------
    rules : Rules
    layouts : ndarray of int16, shape (games, ship squares)
        Drawn uniformly among all layouts.
    games : Games
        Played against them, with their squares kept.
    value : ValueFunction, optional
        By default `RolloutValue()`.
    draws : int
        Layouts drawn for the value at each shot, and as many at least for the chances.

    Returns
    -------
    ndarray of float64, shape (games,)
        Negative where a game was lucky.

    Raises
    ------
    TournamentError
        If exact inference does not cover the rules, the squares were not kept, or the
        values are malformed.

    Notes
    -----
    Let V be the estimate of the shots still to come and r the record before a shot at x
    with the answer a. The luck of the shot is ``V(r a) - sum(P(b | r, x) V(r b))`` over
    every possible answer b, with P from the exact posterior. Given r its expectation is 0,
    for every V that knows the record only, and so is that of the sum over the shots [1]_.
    If V were what the strategy truly expects, and nothing it does random, nothing would be
    left of the spread.

    P and V are estimated from layouts drawn along the game (`DrawnLayouts`), no layout
    for both: so their product is right on average too, and what is added to the spread is
    less than one part in `draws` of that of the games. Once few layouts are left all of
    them are listed, and P is exact. An exact P at every shot takes a pass of the posterior
    at each.

    References
    ----------
    .. [1] N. Burch, M. Schmid, M. Moravčík, D. Morrill, M. Bowling, "AIVAT: A new variance
       reduction technique for agent evaluation in imperfect information games", AAAI 2018.

    Examples
    --------
    >>> from battleship_ai.placers import place_arrays
    >>> rules, keys = Rules(board=(4, 4), fleet=(2, 1)), game_keys(1, 0, 100)
    >>> layouts = place_arrays(rules, keys)
    >>> games = Density().play(rules, layouts, keys, keep_squares=True)
    >>> adjusted = games.shots - luck(rules, layouts, games)
    >>> bool(adjusted.std() < 0.2 * games.shots.std())
    True
    """
    if games.squares.shape[1] == 0:
        raise TournamentError("the games lack their squares; play them with keep_squares=True")
    records = (
        _record_of(Layout.from_array(rules, row), squares)
        for row, squares in zip(layouts, games.squares, strict=True)
    )
    return np.array([luck_of(record, value, draws=draws) for record in records], np.float64)


def luck_of(record: Record, value: ValueFunction | None = None, *, draws: int = 500) -> float:
    """The shots that the luck of one record cost, as `luck` has it.

    Raises
    ------
    RecordError
        If no layout fits the record.
    TournamentError
        If exact inference does not cover the rules, or an argument or the values are
        malformed.

    Examples
    --------
    >>> class SquaresUnknown:
    ...     def after(self, record, square, answers, layouts):
    ...         left = len(record.unasked) - 1
    ...         return [left if answer.kind == "miss" else 1 for answer in answers]
    >>> luck_of(Record.parse(Rules(board=(1, 3), fleet=(2,)), "a0:miss a1:hit a2:sunk"),
    ...         SquaresUnknown())
    0.5
    """
    check_adjustable(record.rules)
    if not isinstance(draws, int) or draws < 1:
        raise TournamentError(f"draws {draws!r} is not a positive integer")
    if value is None:
        value = RolloutValue()
    drawn = DrawnLayouts(
        record.rules,
        2 * draws,
        _key_of(record, draws),
        at_start=_AT_START,
        list_from=_LISTED * draws,
    )
    total = 0.0
    for shot in record:
        if not _is_known(drawn.record, shot.square):
            total += _luck_of_shot(value, drawn, shot, draws)
        drawn.take(shot)
    return total


def _luck_of_shot(value: ValueFunction, drawn: DrawnLayouts, shot: Shot, draws: int) -> float:
    """What the answer to a shot is worth, less what was to be expected."""
    for_value, for_chances = _halves(drawn, draws)
    chances = drawn.answer_shares(shot.square, for_chances)
    # One that no draw gives, rare or impossible: `take` tells.
    chances.setdefault(shot.answer, 0.0)
    if len(chances) == 1:
        return 0.0
    values = np.asarray(
        value.after(drawn.record, shot.square, list(chances), for_value), dtype=np.float64
    )
    if values.shape != (len(chances),) or not np.isfinite(values).all():
        raise TournamentError(
            f"the values {values.tolist()} are not one finite number for each of "
            f"{len(chances)} answers"
        )
    came = list(chances).index(shot.answer)
    return float(values[came] - values @ list(chances.values()))


def _halves(drawn: DrawnLayouts, draws: int) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """Layouts for the value and others for the chances; from all of them the chances are exact."""
    if drawn.complete:
        return drawn.rows[:: -(-len(drawn.rows) // draws)], drawn.rows
    return drawn.rows[:draws], drawn.rows[draws:]


def _key_of(record: Record, draws: int) -> int:
    """A key for each game, since games that share draws would share their errors."""
    return int.from_bytes(sha256(f"{draws} {record}".encode()).digest()[:7])


def check_adjustable(rules: Rules, placer: str = "uniform") -> None:
    """Raise `TournamentError` unless games under these rules can be cleared of their luck.

    Examples
    --------
    >>> check_adjustable(Rules(), "uniform")
    >>> check_adjustable(Rules(), "edge")
    Traceback (most recent call last):
    ...
    battleship_ai.errors.TournamentError: luck is known for placer 'uniform' only, not 'edge'
    """
    if placer != "uniform":
        raise TournamentError(f"luck is known for placer 'uniform' only, not {placer!r}")
    if not covers(rules):
        try:
            ExactPosterior(rules)
        except RulesError as error:
            raise TournamentError(f"luck is not known under these rules: {error}") from None


def _is_known(record: Record, square: int) -> bool:
    """Whether the record tells the answer: only a ship that was hit may have been sunk since."""
    earlier = record.answer_at(square)
    if earlier is None:
        return False
    return earlier.kind != "hit" or record.rules.announce == "hit-only"


def _record_of(layout: Layout, squares: npt.NDArray[np.int16]) -> Record:
    target = Target(layout)
    for square in squares[squares >= 0].tolist():
        target.shoot(square)
    return target.record
