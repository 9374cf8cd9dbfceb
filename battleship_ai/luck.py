"""Luck: what a game's answers cost beyond what was to be expected of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import RecordError, RulesError, TournamentError
from battleship_ai.game import Target
from battleship_ai.inference.exact import (
    ExactPosterior,
    covers,
    opening_posterior,
    record_posterior,
)
from battleship_ai.inference.tables import NO_CLASS
from battleship_ai.layouts import Layout
from battleship_ai.record import KINDS, Answer, Record, Shot
from battleship_ai.rng import game_keys, key_of
from battleship_ai.rules import Rules
from battleship_ai.strategies.base import Games, KernelStrategy
from battleship_ai.strategies.density import Density

__all__ = ["RolloutValue", "ValueFunction", "check_adjustable", "luck", "luck_of"]

# Shots whose luck is kept, since games share their openings.
_MEMORY = 2**14


class ValueFunction(Protocol):
    """An estimate of the shots still to come.

    Luck is right on average whatever the estimate; the better it is, the less of the
    spread of the games is left without their luck. The same arguments must give the same
    values.

    Examples
    --------
    >>> class SquaresLeft:
    ...     def after(self, record, square, answers):
    ...         return [len(record.unasked) - 1] * len(answers)
    >>> record = Record.parse(Rules(board=(1, 3), fleet=(2,)), "a0:miss a1:hit a2:sunk")
    >>> luck_of(record, SquaresLeft())  # one that takes no notice of answers tells of no luck
    0.0
    """

    def __hash__(self) -> int:
        """Luck once found is kept by the function it came from."""
        ...

    def after(self, record: Record, square: int, answers: Sequence[Answer]) -> Sequence[float]:
        """The shots still to come after one more shot, for each answer to it.

        Parameters
        ----------
        record : Record
            The shots before.
        square : int
            Where the next shot goes.
        answers : sequence of Answer
            Every answer that some layout gives.
        """
        ...


@dataclass(frozen=True)
class RolloutValue:
    """The mean number of shots that a compiled strategy still needs, over drawn layouts.

    The layouts are drawn from the exact posterior before the shot. Each gives one of the
    answers and is played to its end from there; an answer that none of them gives is
    worth the mean of all.

    Parameters
    ----------
    draws : int
        Layouts for each shot.
    policy : KernelStrategy
        Who plays on: at best the very strategy whose luck is wanted.
    seed : int
        Decides the draws.

    Raises
    ------
    TournamentError
        If a parameter is malformed.

    Examples
    --------
    >>> record = Record(Rules(board=(1, 4), fleet=(2,)))
    >>> miss, hit = RolloutValue().after(record, 1, [Answer("miss"), Answer("hit")])
    >>> miss, 1.0 < hit < 2.0
    (2.0, True)
    """

    draws: int = 1000
    policy: KernelStrategy = field(default_factory=Density)
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.draws, int) or self.draws < 1:
            raise TournamentError(f"draws {self.draws!r} is not a positive integer")
        if not isinstance(self.policy, KernelStrategy):
            raise TournamentError(f"policy {self.policy!r} is not a compiled strategy")

    def after(self, record: Record, square: int, answers: Sequence[Answer]) -> list[float]:
        """The shots still to come after one more shot, for each answer to it."""
        rules = record.rules
        # A key that is no tournament's: hidden layouts may be drawn from this posterior too.
        key = key_of(np.random.SeedSequence(self.seed, spawn_key=(0,)))
        keys = game_keys(key, 0, self.draws)
        layouts = _posterior_of(record).sample_keyed(keys, record)
        shots, told = self.policy.play_on(record, square, layouts, keys)
        names = [c.name for c in rules.classes]
        values = []
        for answer in answers:
            ship_class = NO_CLASS if answer.ship is None else names.index(answer.ship)
            gives = (told == (KINDS.index(answer.kind), ship_class)).all(axis=1)
            values.append(float(shots[gives].mean() if gives.any() else shots.mean()))
        return values


def luck(
    rules: Rules,
    layouts: npt.NDArray[np.int16],
    games: Games,
    value: ValueFunction | None = None,
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
    every possible answer b, with P from `ExactPosterior`. Given r its expectation is 0,
    for every V that knows the record only, and so is that of the sum over the shots [1]_.
    If V were what the strategy truly expects, and nothing it does random, nothing would be
    left of the spread.

    This takes the passes of the exact posterior at every shot, seconds a game on the large
    boards; compiled strategies get as narrow an interval sooner by more games.

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
    if value is None:
        value = RolloutValue()
    records = (
        _record_of(Layout.from_array(rules, row), squares)
        for row, squares in zip(layouts, games.squares, strict=True)
    )
    return np.array([luck_of(record, value) for record in records], dtype=np.float64)


def luck_of(record: Record, value: ValueFunction | None = None) -> float:
    """The shots that the luck of one record cost, as `luck` has it.

    Raises
    ------
    RecordError
        If no layout fits the record.
    TournamentError
        If exact inference does not cover the rules, or the values are malformed.

    Examples
    --------
    >>> class SquaresUnknown:
    ...     def after(self, record, square, answers):
    ...         left = len(record.unasked) - 1
    ...         return [left if answer.kind == "miss" else 1 for answer in answers]
    >>> luck_of(Record.parse(Rules(board=(1, 3), fleet=(2,)), "a0:miss a1:hit a2:sunk"),
    ...         SquaresUnknown())
    0.5
    """
    check_adjustable(record.rules)
    if value is None:
        value = RolloutValue()
    total = 0.0
    before = Record(record.rules)
    for square, answer in record:
        if not _is_known(before, square):
            by_answer = _luck_by_answer(value, record.rules, before.shots, square)
            if answer not in by_answer:
                place = record.rules.board.name(square)
                raise RecordError(f"no layout fits the record up to {place}:{answer}")
            total += by_answer[answer]
        before.add(square, answer)
    return total


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


@lru_cache(maxsize=_MEMORY)
def _luck_by_answer(
    value: ValueFunction, rules: Rules, shots: tuple[Shot, ...], square: int
) -> Mapping[Answer, float]:
    """What each answer to a shot is worth, less what was to be expected."""
    record = Record(rules, shots)
    (told,) = _posterior_of(record).answers_at([square], record)
    chances = {answer: p for answer, p in told.items() if p > 0.0}
    if len(chances) == 1:
        return dict.fromkeys(chances, 0.0)
    values = np.asarray(value.after(record, square, list(chances)), dtype=np.float64)
    if values.shape != (len(chances),) or not np.isfinite(values).all():
        raise TournamentError(
            f"the values {values.tolist()} are not one finite number for each of "
            f"{len(chances)} answers"
        )
    luck_of_each = values - values @ list(chances.values())
    return dict(zip(chances, luck_of_each.tolist(), strict=True))


def _posterior_of(record: Record) -> ExactPosterior:
    """Its latest pass is kept: the answers and the draws at a record share it."""
    return record_posterior(record.rules) if len(record) else opening_posterior(record.rules)


def _record_of(layout: Layout, squares: npt.NDArray[np.int16]) -> Record:
    target = Target(layout)
    for square in squares[squares >= 0].tolist():
        target.shoot(square)
    return target.record
