"""Ships of every shape that may not touch, as paths.

A record then says which squares are occupied and which are not, and little more. A
sunk ship is the king-connected piece of hits around the shot that sank it, and water
lies around it: it is taken off the board and off the fleet. Where sinking is announced,
every other piece of hits is part of a larger ship. Where the name of the ship is told
at every hit (``hit-name``) the graph is built for the record, with the names as tags.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from math import factorial, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.board import Board, SquareSet
from battleship_ai.inference._apart import ShipsApart, rows_of_paths, ships_apart
from battleship_ai.inference._graph import FIRST_COUNTED, HIT, MISSED, UNKNOWN, build_graph
from battleship_ai.inference._model import (
    Reading,
    evidence_of_pairs,
    fleet_of_pairs,
    rows_of_water,
    ships_of_at_least,
    weights_of_digits,
    without_rounding,
)
from battleship_ai.inference._store import load_or_build
from battleship_ai.record import Answer, Record
from battleship_ai.rules import Rules

__all__ = ["ApartModel"]

_AFLOAT = object()


class _Pieces(NamedTuple):
    """The pieces of hits: sunk ships by the name told, and pieces still open."""

    sunk: dict[SquareSet, str | None]
    open: list[SquareSet]
    water: SquareSet


class ApartModel:
    """The model of ships that may not touch."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.squares_to_draw = rules.board.n_squares + rules.board.cols + 1
        counts = Counter(rules.fleet)
        ships = np.array(list(counts.values()))
        self._weights = weights_of_digits(ships)
        self._graph = load_or_build(self._automaton(list(counts)))
        self._fleet = fleet_of_pairs(ships, self._graph.pairs)
        self._occupies = _holds_ship(len(counts))

    def _automaton(self, sizes: list[int]) -> ShipsApart:
        at_least = ships_of_at_least(self._rules.fleet)
        return ships_apart(self._rules.board.cols, self._rules.shape, np.array(sizes), at_least)

    def read(self, record: Record) -> Reading | None:
        """A record in terms of the graph; None where it contradicts itself."""
        pieces = _pieces(record)
        if pieces is None:
            return None
        if self._rules.announce == "hit-name" and record.hits:
            return self._read_named(record, pieces)
        left = Counter(self._rules.fleet)
        left.subtract(len(ship) for ship in pieces.sunk)
        if min(left.values()) < 0:
            return None
        must_go_on = []
        if self._rules.announce != "hit-only":
            must_go_on = [piece for piece in pieces.open if left[len(piece)] > 0]
        sunk = _union(self._rules.board, pieces.sunk)
        known = self._known(sunk | pieces.water, _union(self._rules.board, pieces.open))
        extends, due = np.zeros((2, len(known)), dtype=np.int64)
        for j, piece in enumerate(must_go_on):
            around = list(piece.dilate(diagonal=True) - piece - pieces.water)
            if not around:
                return None
            extends[around] |= 1 << j
            due[around[-1]] |= 1 << j
        sunk_ships = [self._rules.fleet.count(size) - n for size, n in left.items()]
        used = int(self._weights @ sunk_ships)
        evidence = evidence_of_pairs(
            self._graph.pairs, self._occupies, _allowed(known, self._occupies), extends, due, used
        )
        namings = prod(map(factorial, left.values())) if self._rules.names_ships else 1
        return Reading(self._graph, self._fleet, evidence, self._occupies, sunk, namings)

    def _read_named(self, record: Record, pieces: _Pieces) -> Reading | None:
        """Every hit told the name of its ship."""
        board, names = self._rules.board, self._rules.names
        known = self._known(pieces.water, record.hits)
        tags = np.zeros(len(known), dtype=np.int64)
        for square, answer in record:
            if answer.ship is not None:
                tag = names.index(answer.ship) + 1
                if tags[square] not in (0, tag):
                    return None
                tags[square] = tag
        for piece in pieces.open:
            if len(piece) >= self._rules.fleet[tags[min(piece)] - 1]:
                return None
        graph = build_graph(self._automaton(list(self._rules.fleet)), known, tags)
        fleet = fleet_of_pairs(np.ones(len(names), dtype=np.int64), graph.pairs)
        occupies = _holds_ship(len(names))
        evidence = evidence_of_pairs(graph.pairs, occupies, _allowed(known, occupies))
        return Reading(graph, fleet, evidence, occupies, board.squares())

    def _known(self, water: SquareSet, hits: SquareSet) -> npt.NDArray[np.int8]:
        board = self._rules.board
        known = np.full(
            (board.rows + rows_of_water(board.rows, board.cols)) * board.cols, UNKNOWN, np.int8
        )
        known[board.n_squares :] = MISSED
        known[list(water)] = MISSED
        known[list(hits)] = HIT
        return known

    def answers(
        self, record: Record, probabilities: npt.NDArray[np.float64], square: int
    ) -> dict[Answer, float] | None:
        """The probability of each answer but a miss.

        A ship of one square is completed by the action that lets it leave the frontier. A
        larger one is sunk if the square and the open hits around it are all of it, which
        takes another pass.
        """
        rules, board = self._rules, self._rules.board
        pieces = _pieces(record)
        if pieces is None or rules.names_ships:
            return None
        occupied = float(probabilities[square] @ self._occupies)
        if rules.announce == "hit-only":
            return {Answer("hit"): occupied}
        target = board.squares([square])
        around = target.dilate(diagonal=True)
        ship = target | _union(board, [piece for piece in pieces.open if piece & around])
        sizes = list(Counter(rules.fleet))
        sunk = 0.0
        if len(ship) == 1 and 1 in sizes:
            first = FIRST_COUNTED + 2 * sizes.index(1)
            sunk = float(probabilities[square + board.cols + 1, first : first + 2].sum())
        elif len(ship) in sizes:
            return None
        told = str(len(ship)) if rules.announce == "sunk-size" else None
        return {Answer("hit"): without_rounding(occupied - sunk), Answer("sunk", told): sunk}

    def rows(
        self, record: Record, actions: npt.NDArray[np.int8], keys: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int16]:
        """The layouts of drawn paths."""
        rules, board = self._rules, self._rules.board
        starts = np.array(list(accumulate(rules.fleet, initial=0))[:-1])
        rows = np.zeros((len(actions), rules.ship_squares), dtype=np.int16)
        if rules.announce == "hit-name" and record.hits:
            slots, used = starts[:, None], np.zeros(len(starts), dtype=np.int64)
            rows_of_paths(board.cols, board.n_squares, actions, slots, used, rows)
            return rows
        pieces = _pieces(record)
        assert pieces is not None
        sizes = list(Counter(rules.fleet))
        used = np.zeros(len(sizes), dtype=np.int64)
        slots = np.zeros((len(sizes), len(rules.fleet)), dtype=np.int64)
        for k, size in enumerate(sizes):
            of_size = starts[np.array(rules.fleet) == size]
            slots[k, : len(of_size)] = of_size
        for ship in pieces.sunk:
            k = sizes.index(len(ship))
            rows[:, slots[k, used[k]] + np.arange(len(ship))] = list(ship)
            used[k] += 1
        rows_of_paths(board.cols, board.n_squares, actions, slots, used, rows)
        if rules.names_ships:
            _name_ships(rules, list(pieces.sunk.values()), rows, keys)
        return rows


def _pieces(record: Record) -> _Pieces | None:
    """The pieces of hits; None where the answers contradict one another."""
    rules, board = record.rules, record.rules.board
    sizes = {c.name: c.size for c in rules.classes}
    hits = board.squares()
    sunk: dict[SquareSet, str | None] = {}
    for square, answer in record:
        if answer.kind == "miss":
            continue
        of_sunk = next((name for ship, name in sunk.items() if square in ship), _AFLOAT)
        if square in hits:
            if of_sunk != (answer.ship if answer.kind == "sunk" else _AFLOAT):
                return None
            continue
        hits |= board.squares([square])
        if answer.kind == "sunk":
            piece = hits.component(square, diagonal=True)
            if rules.shape == "tetris" and len(list(piece.components(diagonal=False))) > 1:
                return None
            name = answer.ship
            if name is not None and sizes[name] != len(piece):
                return None
            if rules.names_ships and name in sunk.values():
                return None
            sunk[piece] = name
    water = record.misses
    for ship in sunk:
        water |= ship.dilate(diagonal=True) - ship
    if hits & water:
        return None
    rest = hits - _union(board, sunk)
    return _Pieces(sunk, list(rest.components(diagonal=True)), water)


def _union(board: Board, sets: Iterable[SquareSet]) -> SquareSet:
    return board.squares(square for part in sets for square in part)


def _allowed(known: npt.NDArray[np.int8], occupies: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    unlike = np.where(occupies, MISSED, HIT)
    return np.asarray(known[:, None] != unlike)


def _holds_ship(n_classes: int) -> npt.NDArray[np.bool_]:
    """An even action leaves water, an odd one holds a ship; both may complete a ship."""
    return np.asarray(np.arange(FIRST_COUNTED + 2 * n_classes) % 2 == 1)


def _name_ships(
    rules: Rules,
    sunk: list[str | None],
    rows: npt.NDArray[np.int16],
    keys: npt.NDArray[np.uint64],
) -> None:
    """Give ships of one size their names: as told the sunk ones, which come first."""
    start = 0
    for size, n in Counter(rules.fleet).items():
        first = rules.fleet.index(size)
        names = rules.names[first : first + n]
        told = [names.index(name) for name in sunk if name in names]
        untold = [i for i in range(n) if i not in told]
        ships = rows[:, start : start + n * size].reshape(len(rows), n, size).copy()
        shuffled = [np.random.default_rng(key).permutation(untold) for key in keys + np.uint64(n)]
        order = np.hstack((np.tile(told, (len(rows), 1)), np.array(shuffled))).astype(np.intp)
        named = np.empty_like(ships)
        np.put_along_axis(named, order[:, :, None], ships, axis=1)
        rows[:, start : start + n * size] = named.reshape(len(rows), n * size)
        start += n * size
