"""Exact inference: counts, cell probabilities and uniform draws, given any record."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from math import prod

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import RecordError, RulesError
from battleship_ai.inference import _ahead, _apart
from battleship_ai.inference._model import Model, Reading, by_square, without_rounding
from battleship_ai.inference._model_ahead import StraightModel
from battleship_ai.inference._model_apart import ApartModel
from battleship_ai.inference._passes import (
    Workspace,
    action_totals,
    count_modulo,
    draw_paths,
    list_paths,
    unroll,
    ways_on,
)
from battleship_ai.layouts import check_feasible
from battleship_ai.record import Answer, Record
from battleship_ai.rng import Seed, game_keys, key_of
from battleship_ai.rules import Rules

__all__ = ["ExactPosterior", "covers"]

# Unsigned integers wrap around at the first; the others are the primes just below 2**61, 2**62
# and 2**63. A count is put together from its remainders.
_MODULI = (2**64, 2**61 - 1, 2**62 - 57, 2**63 - 25)

# Fleets of 15 named ships, or of ten in pairs of five sizes, and more.
_MAX_NUMBERS = 2**15

_MISS, _HIT = Answer("miss"), Answer("hit")


class ExactPosterior:
    """The uniform distribution over all layouts that fit a record, exactly.

    For straight ships under every contact rule, and for ships of every shape that may
    not touch; with every announcement and every record. The method is told in
    `battleship_ai.inference._graph`.

    Parameters
    ----------
    rules : Rules

    Raises
    ------
    RulesError
        If the rules are not covered; `sample_posterior` then is the way.

    Examples
    --------
    >>> posterior = ExactPosterior(Rules(board=(4, 4), fleet=(3, 2)))
    >>> posterior.count()
    104
    >>> record = Record.parse(posterior.rules, "a0:hit a1:miss")
    >>> posterior.count(record), float(posterior.probabilities(record)[2, 0])
    (16, 0.625)
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._model = _model_of(rules)
        self._space: Workspace | None = None
        self._latest: tuple[Record, _Pass] | None = None

    def count(self, record: Record | None = None) -> int:
        """The number of layouts that fit a record.

        Ships of one size are not told apart, except under rules whose answers name
        ships and with a record: then layouts count once for each naming that fits.

        Notes
        -----
        Exact whatever its size: below 2**63 it is counted in unsigned integers of 64
        bits, above also modulo primes, and put together by the Chinese remainder theorem.
        """
        if record is None and self.rules.names_ships:
            return ExactPosterior(replace(self.rules, announce="sunk")).count()
        found = self._pass(record)
        if found is None:
            return 0
        size = found.total * 1.001
        total, product = 0, 1
        for modulus in _MODULI:
            if product > size:
                break
            remainder = int(
                count_modulo(found.unrolled, found.reading.fleet, np.uint64(modulus % 2**64))
            )
            total += product * ((remainder - total) * pow(product, -1, modulus) % modulus)
            product *= modulus
        return total * found.reading.namings

    def log_count(self, record: Record | None = None) -> float:
        """The natural logarithm of the number of layouts: the information still hidden."""
        found = self._fitting(record)
        return float(np.log(found.total) + np.log(found.reading.namings))

    def probabilities(self, record: Record | None = None) -> npt.NDArray[np.float64]:
        """The probability that each square is occupied, shape (rows, cols).

        Raises
        ------
        RecordError
            If no layout fits the record.
        """
        found = self._fitting(record)
        board = self.rules.board
        occupied = found.action_probabilities @ found.reading.occupies
        occupied = occupied[: board.n_squares]
        occupied[list(found.reading.found)] = 1.0
        return np.asarray(occupied.reshape(board.rows, board.cols))

    def answer_probabilities(
        self, square: int | str | tuple[int, int], record: Record | None = None
    ) -> dict[str, float]:
        """The probability of each answer to a shot.

        Parameters
        ----------
        square : int, str or (row, column)
            Asked before or not.
        record : Record, optional

        Returns
        -------
        dict of str to float
            By the answer as text; answers that no layout gives are left out.

        Examples
        --------
        >>> posterior = ExactPosterior(Rules(board=(1, 3), fleet=(2,)))
        >>> posterior.answer_probabilities("a0")
        {'miss': 0.5, 'hit': 0.5}
        >>> posterior.answer_probabilities("a1", Record.parse(posterior.rules, "a0:hit"))
        {'sunk': 1.0}
        """
        index = self.rules.board.index(square)
        (answers,) = self.answers_at([index], record)
        return {str(answer): p for answer, p in answers.items() if p > 0.0}

    def answers_at(
        self, squares: Sequence[int], record: Record | None = None
    ) -> list[dict[Answer, float]]:
        """The probability of each answer at several squares, sharing what passes it can."""
        record = self._record(record)
        found = self._fitting(record)
        probabilities, total = found.action_probabilities, found.total * found.reading.namings
        answers = []
        for square in squares:
            told = None
            if record.answer_at(square) is None:
                told = self._model.answers(record, probabilities, square)
            if told is None:
                told = {}
                for answer in self._possible_hits():
                    longer = self._followed_by(record, square, answer)
                    after = self._pass(longer) if longer else None
                    if after is not None:
                        told[answer] = after.total * after.reading.namings / total
            miss = 1.0 - sum(told.values())
            answers.append({_MISS: without_rounding(miss), **told})
        return answers

    def _possible_hits(self) -> list[Answer]:
        """Every answer the rules know but a miss."""
        names = [c.name for c in self.rules.classes]
        announce = self.rules.announce
        hits = [Answer("hit", name) for name in names] if announce == "hit-name" else [_HIT]
        if announce == "hit-only":
            return hits
        if announce == "sunk":
            return [*hits, Answer("sunk")]
        return [*hits, *(Answer("sunk", name) for name in names)]

    def _followed_by(self, record: Record, square: int, answer: Answer) -> Record | None:
        """A record with one more shot, None if that answer contradicts an earlier one."""
        try:
            return Record(self.rules, [*record.shots, (square, answer)])
        except RecordError:
            return None

    def sample(
        self, draws: int, record: Record | None = None, *, seed: Seed = 0
    ) -> npt.NDArray[np.int16]:
        """Uniform draws among the layouts that fit a record.

        Returns
        -------
        ndarray of int16, shape (draws, ship squares)
            One layout a row, as `Layout.to_array` gives it.

        Raises
        ------
        RecordError
            If no layout fits the record.
        """
        return self.sample_keyed(game_keys(key_of(seed), 0, draws), record)

    def sample_keyed(
        self, keys: npt.NDArray[np.uint64], record: Record | None = None
    ) -> npt.NDArray[np.int16]:
        """One uniform draw for each key (`battleship_ai.rng.game_keys`)."""
        found = self._fitting(record)
        actions = np.zeros((len(keys), self._layers_to_draw), dtype=np.int16)
        draw_paths(found.unrolled, found.reading.fleet, found.ways, keys, actions)
        return self._rows(record, found, actions, keys)

    def layouts(self, record: Record, most: int = 1_000_000) -> npt.NDArray[np.int16] | None:
        """Every layout that fits a record, None if they are more than `most`.

        Parameters
        ----------
        record : Record
        most : int
            The most layouts to list.

        Returns
        -------
        ndarray of int16, shape (layouts, ship squares), or None
            One layout a row, as `Layout.to_array` gives it. None too where ships that may
            not touch have names: which ship has which is drawn, not listed.

        Raises
        ------
        RecordError
            If no layout fits the record.

        Examples
        --------
        >>> posterior = ExactPosterior(Rules(board=(2, 3), fleet=(2,)))
        >>> posterior.layouts(Record.parse(posterior.rules, "a0:hit")).tolist()
        [[0, 1], [0, 3]]
        """
        found = self._fitting(record)
        if found.total > most or (self.rules.names_ships and self.rules.shape != "straight"):
            return None
        count = round(found.total)
        actions = np.zeros((count, self._layers_to_draw), dtype=np.int16)
        list_paths(found.unrolled, found.reading.fleet, found.ways, actions)
        return self._rows(record, found, actions, np.zeros(count, dtype=np.uint64))

    @property
    def _layers_to_draw(self) -> int:
        return -(-self._model.squares_to_draw // 2)

    def _rows(
        self,
        record: Record | None,
        found: "_Pass",
        actions: npt.NDArray[np.int16],
        keys: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.int16]:
        """The layouts of paths given by their actions, two squares at a time."""
        squares = found.reading.graph.pairs[actions].reshape(len(actions), -1)
        return self._model.rows(self._record(record), squares, keys)

    def _record(self, record: Record | None) -> Record:
        return Record(self.rules) if record is None else record

    def _pass(self, record: Record | None) -> "_Pass | None":
        """The passes for a record, kept until another is asked for; None if nothing fits."""
        record = self._record(record)
        if self._latest is None or self._latest[0] != record:
            self._latest = None
            reading = self._model.read(record)
            if reading is None:
                return None
            if self._space is None:
                self._space = Workspace(reading.graph, len(reading.evidence.due))
            found = _Pass(reading, self._space)
            if found.unrolled.is_empty:
                return None
            self._latest = (Record(self.rules, record.shots), found)
        return self._latest[1]

    def _fitting(self, record: Record | None) -> "_Pass":
        found = self._pass(record)
        if found is None or found.total == 0.0:
            raise RecordError(self._contradiction(self._record(record)))
        return found

    def _contradiction(self, record: Record) -> str:
        """Say which answer of a record that no layout fits is the first too many."""
        fits, contradicts = 0, len(record)
        while contradicts - fits > 1:
            middle = (fits + contradicts) // 2
            if self.count(Record(self.rules, record.shots[:middle])):
                fits = middle
            else:
                contradicts = middle
        square, answer = record.shots[contradicts - 1]
        return (
            f"no layout fits the record from shot {contradicts} on: "
            f"{self.rules.board.name(square)}:{answer}"
        )


class _Pass:
    """One record's unrolled graph, and the passes over it when they are asked for."""

    def __init__(self, reading: Reading, space: Workspace) -> None:
        self.reading = reading
        self.unrolled = unroll(reading.graph, reading.evidence, reading.fleet, space)
        self._space = space

    @cached_property
    def ways(self) -> npt.NDArray[np.float64]:
        ways = self._space.ways(self.unrolled.kept)
        ways_on(self.unrolled, self.reading.fleet, ways)
        return ways

    @property
    def total(self) -> float:
        return float(self.ways[0])

    @cached_property
    def action_probabilities(self) -> npt.NDArray[np.float64]:
        reading = self.reading
        totals = action_totals(self.unrolled, reading.fleet, self.ways)
        return by_square(totals / self.total, reading.graph.pairs, len(reading.occupies))


@lru_cache(maxsize=1)
def opening_posterior(rules: Rules) -> ExactPosterior:
    """For draws without a record: the pass they need is kept from one call to the next."""
    return ExactPosterior(rules)


@lru_cache(maxsize=1)
def record_posterior(rules: Rules) -> ExactPosterior:
    """For records: shared by all who ask in turn, since its arrays take a gigabyte."""
    return ExactPosterior(rules)


def record_key(record: Record) -> Hashable:
    """The same for records that say the same: misses in any order, and hits if ships are apart."""
    hits = [shot for shot in record if shot.answer.kind != "miss"]
    ordered = tuple(hits) if record.rules.contact != "none" else frozenset(hits)
    return record.misses.bits, ordered


@lru_cache(maxsize=64)
def covers(rules: Rules) -> bool:
    """Whether exact inference is there for the rules.

    Builds their graph, if need be, to see whether it is small enough.

    Examples
    --------
    >>> covers(Rules.preset("pomcp")), covers(Rules(shape="any", contact="allowed"))
    (True, False)
    """
    try:
        _model_of(rules)
    except RulesError:
        return False
    return True


def _limits(rules: Rules) -> str | None:
    """What exact inference is there for, where that is not these rules."""
    board, longest = rules.board, rules.fleet[0]
    if rules.shape == "straight":
        cols, size = _ahead.MAX_COLS, _ahead.MAX_SIZE
    elif rules.contact == "none":
        cols, size = _apart.MAX_COLS, _apart.MAX_SIZE
    else:
        return f"ships of shape {rules.shape} only where they may not touch"
    numbers = prod(c.count + 1 for c in rules.classes)
    if numbers > _MAX_NUMBERS:
        return f"fleets of up to {_MAX_NUMBERS:,} different parts, not for one of {numbers:,}"
    if board.cols > cols or longest > size:
        return (
            f"boards of up to {cols} columns and ships of up to {size} squares, "
            f"not for a {board} board with a ship of {longest}"
        )
    return None


@lru_cache(maxsize=4)
def _model_of(rules: Rules) -> Model:
    limits = _limits(rules)
    if limits is not None:
        raise RulesError(
            f"exact inference is there for {limits}; draw from the posterior instead "
            f"(sample_posterior, strategy monte-carlo)"
        )
    check_feasible(rules)
    return StraightModel(rules) if rules.shape == "straight" else ApartModel(rules)
