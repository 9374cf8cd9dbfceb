"""Exact inference: counts, cell probabilities and uniform draws, given any record."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from battleship_ai.bitboard import unpack
from battleship_ai.errors import RecordError, RulesError
from battleship_ai.inference._graph import (
    FATE_BITS,
    HIT,
    MISSED,
    TAKEN,
    UNKNOWN,
    Fleet,
    Graph,
    Restriction,
    build_graph,
    completions,
    count_modulo,
    draw_paths,
    occupied_ways,
    reachable,
)
from battleship_ai.inference._tracker import AFLOAT, COMPLETE
from battleship_ai.inference.density import track_record
from battleship_ai.inference.tables import COUNT, FIRST, SIZE, STOP, Tables, layout_rows, tables
from battleship_ai.record import Record
from battleship_ai.rng import Seed, game_keys, key_of
from battleship_ai.rules import Rules

__all__ = ["ExactPosterior", "covers"]

# Primes just below 2**61, 2**62 and 2**63: a count is put together from its remainders.
_PRIMES = (2**61 - 1, 2**62 - 57, 2**63 - 25)


class ExactPosterior:
    """The uniform distribution over all layouts that fit a record, exactly.

    For straight ships under every contact rule, announcement and record. The method
    is told in `battleship_ai.inference._graph`.

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
        self._tables = tables(rules)
        self._graph, self._fleet = _graph_of(rules)

    def count(self, record: Record | None = None) -> int:
        """The number of layouts that fit a record.

        Ships of one size are not told apart, except under rules whose answers name
        ships and with a record: then layouts count once for each naming that fits.

        Notes
        -----
        Exact: the count is put together from its remainders modulo three primes
        (Chinese remainder theorem), good to 2**185.
        """
        if record is None and self.rules.names_ships:
            return ExactPosterior(replace(self.rules, announce="sunk")).count()
        restriction, reached = self._restricted(record)
        total, product = 0, 1
        for prime in _PRIMES:
            remainder = int(
                count_modulo(
                    self._graph, self._fleet, self._tables.placement_class, restriction, reached,
                    np.uint64(prime),
                )
            )  # fmt: skip
            total += product * ((remainder - total) * pow(product, -1, prime) % prime)
            product *= prime
        return total

    def log_count(self, record: Record | None = None) -> float:
        """The natural logarithm of the number of layouts: the information still hidden."""
        _, _, ways = self._ways(record)
        return float(np.log(ways[0, 0]))

    def probabilities(self, record: Record | None = None) -> npt.NDArray[np.float64]:
        """The probability that each square is occupied, shape (rows, cols).

        Raises
        ------
        RecordError
            If no layout fits the record.
        """
        restriction, reached, ways = self._ways(record)
        occupied = occupied_ways(
            self._graph, self._fleet, self._tables.placement_class, restriction, reached, ways
        )
        board = self.rules.board
        probabilities: npt.NDArray[np.float64] = occupied / ways[0, 0]
        return probabilities.reshape(board.rows, board.cols)

    def sample(
        self, draws: int, record: Record | None = None, *, seed: Seed = 0
    ) -> npt.NDArray[np.int16]:
        """Uniform draws among the layouts that fit a record.

        Returns
        -------
        ndarray of int16, shape (draws, ship squares)
            One layout a row, as `Layout.to_array` gives it.
        """
        restriction, _, ways = self._ways(record)
        drawn = np.zeros((draws, len(self.rules.fleet)), dtype=np.int64)
        keys = game_keys(key_of(seed), 0, draws)
        draw_paths(
            self._graph, self._fleet, self._tables.placement_class, restriction, ways, keys, drawn
        )
        return layout_rows(self._tables, drawn)

    def _restricted(self, record: Record | None) -> tuple[Restriction, npt.NDArray[np.bool_]]:
        known = np.full(self.rules.board.n_squares, UNKNOWN, dtype=np.int8)
        allowed = np.ones(len(self._tables.masks), dtype=np.bool_)
        if record is not None:
            known[list(record.misses)] = MISSED
            known[list(record.hits)] = HIT
            alive = track_record(record).alive
            allowed[:] = False
            allowed[list(unpack(alive[AFLOAT] | alive[COMPLETE]))] = True
        restriction = Restriction(known, allowed)
        return restriction, reachable(self._graph, restriction)

    def _ways(
        self, record: Record | None
    ) -> tuple[Restriction, npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
        restriction, reached = self._restricted(record)
        # Pages of states that the record does not reach are never touched.
        ways = np.empty((len(reached), self._fleet.room.shape[1]))
        completions(
            self._graph, self._fleet, self._tables.placement_class, restriction, reached, ways
        )
        if record is not None and ways[0, 0] == 0.0:
            raise RecordError(self._contradiction(record))
        return restriction, reached, ways

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


def covers(rules: Rules) -> bool:
    """Whether exact inference is there for the rules.

    Examples
    --------
    >>> covers(Rules.preset("hasbro")), covers(Rules.preset("ship-bombing-any"))
    (True, False)
    """
    return _not_covered(rules) is None


def _not_covered(rules: Rules) -> str | None:
    board, longest = rules.board, rules.fleet[0]
    if rules.shape != "straight":
        return f"straight ships, not for shape {rules.shape}"
    if FATE_BITS * (board.cols + 1) > 64 or TAKEN + longest - 1 >= 1 << FATE_BITS:
        return (
            f"boards of up to {64 // FATE_BITS - 1} columns and ships of up to "
            f"{(1 << FATE_BITS) - TAKEN} squares, not for a {board} board with a ship of {longest}"
        )
    return None


@lru_cache(maxsize=4)
def _graph_of(rules: Rules) -> tuple[Graph, Fleet]:
    why_not = _not_covered(rules)
    if why_not is not None:
        raise RulesError(
            f"exact inference is there for {why_not}; draw from the posterior instead "
            f"(sample_posterior, strategy monte-carlo)"
        )
    board, longest = rules.board, rules.fleet[0]
    arrays = tables(rules)
    across, down = _starts(arrays, board.cols)
    at_least = np.array([sum(s >= m for s in rules.fleet) for m in range(longest + 1)])
    graph = build_graph(
        board.rows, board.cols, arrays.classes, across, down, at_least,
        rules.contact != "allowed", rules.contact == "none",
    )  # fmt: skip
    return Graph(*graph), _fleet(arrays)


def _starts(arrays: Tables, cols: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The placements that start at each square and go right, and those that go down."""
    across = np.full((len(arrays.classes), arrays.n_squares), -1, dtype=np.int32)
    down = across.copy()
    for k, (size, _, first, stop) in enumerate(arrays.classes[:, [SIZE, COUNT, FIRST, STOP]]):
        start = arrays.squares[first:stop, 0]
        goes_down = np.zeros(stop - first, dtype=np.bool_)
        if size > 1:
            goes_down = arrays.squares[first:stop, 1] - start == cols
        numbers = np.arange(first, stop)
        across[k, start[~goes_down]] = numbers[~goes_down]
        down[k, start[goes_down]] = numbers[goes_down]
    return across, down


def _fleet(arrays: Tables) -> Fleet:
    radix = arrays.classes[:, COUNT] + 1
    step = np.cumprod(np.append(1, radix[:-1]))
    digits = np.arange(radix.prod()) // step[:, None] % radix[:, None]
    return Fleet(step.astype(np.int64), digits < arrays.classes[:, COUNT][:, None])
