"""The placements of every ship, and the squares of the mines, that fit a record."""

from collections import Counter
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.bitboard import unpack
from battleship_ai.errors import RecordError
from battleship_ai.naval.inference._candidates import (
    Lists,
    list_placements,
    prune_lists,
)
from battleship_ai.naval.inference.histories import History, agreeing, class_histories
from battleship_ai.naval.record import NavalRecord
from battleship_ai.naval.rules import NavalRules
from battleship_ai.naval.salvos import Salvo, Track
from battleship_ai.naval.tables import FIRST, NavalTables, naval_tables

__all__ = ["Candidates", "ShipList", "pruned"]

Squares = npt.NDArray[np.int16]

_MINES = -1  # the last group of the tables


class ShipList(NamedTuple):
    """The placements that ships of one class and track may have.

    Attributes
    ----------
    ship_class : str
        The short name of the class.
    track : tuple of int
        The number of the salvo of each hit on it; empty for an undamaged ship.
    count : int
        How many ships of the class share the list.
    placements : ndarray of int32
        Their numbers in `naval_tables`, increasing.
    """

    ship_class: str
    track: Track
    count: int  # type: ignore[assignment]  # hides the method of tuples, which nobody needs
    placements: npt.NDArray[np.int32]


_Classes = tuple[tuple[tuple[ShipList, ...], ...], ...]


class Candidates:
    """What each ship and mine may be, given a record, apart from the room they take.

    A placement of a ship fits if each salvo called, for the first time, as many of its squares
    as the ship's track has hits in the salvo, and it keeps clear of the spent mines. The
    squares that a mine kept from being called tell nothing.

    Parameters
    ----------
    record : NavalRecord
        Salvos that are added to it later are not seen.

    Attributes
    ----------
    rules : NavalRules
    classes : tuple of tuple of tuple of ShipList
        For each class its possible histories, exactly one under ``tracks``, and for each
        history the lists of all its ships: those of damaged ships first, under ``tracks`` one
        for each, and last that of the undamaged.
    mine_squares : ndarray of int16
        Where an unspent mine may lie, increasing; empty if there is none.
    mines_left : int

    Raises
    ------
    RecordError
        If the reports rule out every history of some class, or leave too few squares for
        the mines.

    Notes
    -----
    A layout gives the record if and only if, for one of the `choices`, the ships of each
    class are on the lists of its chosen history, and the mines left on mine squares. (The
    letter of a ship first hit with others of its class, and the kind of a mine not struck,
    are chance.)

    Examples
    --------
    >>> from battleship_ai.naval import NavalRules
    >>> text = "1: K7 K9 C3 -> Dy A: 2; 23 guns left"
    >>> candidates = Candidates(NavalRecord.parse(NavalRules(), text))
    >>> [(each.track, each.count, len(each.placements)) for each in candidates.classes[4][0]]
    [((1, 1), 1, 2), ((), 2, 1217)]
    >>> candidates.mines_left, len(candidates.mine_squares)
    (12, 397)
    """

    def __init__(self, record: NavalRecord) -> None:
        fitting = _fitting(record)
        if fitting is None:
            raise RecordError(
                f"salvo {_first_contradiction(record)}: no layout gives this report after the "
                f"ones before it"
            )
        self.rules: NavalRules = record.rules
        self.classes, self.mine_squares = fitting
        self.mines_left = len(record.rules.mines) - len(record.mines)
        self._salvos = record.salvos

    @cached_property
    def record(self) -> NavalRecord:
        """The salvos taken in."""
        return NavalRecord(self.rules, self._salvos)

    @property
    def choices(self) -> tuple[tuple[int, ...], ...]:
        """For each class the number of one history, wherever the guns left add up."""
        return tuple(_choices(self.rules, self.classes, self._salvos))


def pruned(candidates: Candidates) -> Candidates:
    """The candidates without those beside which some other ship or mine has no room.

    That is arc consistency: what is left of each list has, for each other list, some
    placement that does not touch it; in another class, in one of its histories.

    Raises
    ------
    RecordError
        If nothing is left for some ship or mine: no layout gives the record.

    References
    ----------
    .. [1] A. K. Mackworth, "Consistency in networks of relations", Artificial
       Intelligence 8, 1977.

    Examples
    --------
    >>> from battleship_ai.naval import NavalRules
    >>> text = "1: K7 K8 K9 K10 C3 -> Dy A: 4; 22 guns left"
    >>> candidates = Candidates(NavalRecord.parse(NavalRules(), text))
    >>> len(candidates.mine_squares), len(pruned(candidates).mine_squares)
    (395, 381)
    """
    rules, salvos, mines_left = candidates.rules, candidates._salvos, candidates.mines_left
    classes, mine_squares = candidates.classes, candidates.mine_squares
    while True:
        kept, mine_squares = _with_room(rules, classes, mine_squares, mines_left)
        possible = _possible(rules, kept, salvos)
        if possible is None or len(mine_squares) < mines_left:
            raise RecordError(
                "no layout gives the record: some ship or mine has no room beside the others"
            )
        classes = possible
        if sum(map(len, classes)) == sum(map(len, kept)):
            break
    result = copy(candidates)
    result.classes, result.mine_squares = classes, mine_squares
    return result


def _fitting(record: NavalRecord) -> tuple[_Classes, Squares] | None:
    """The lists and the squares of mines that fit; None if there are too few of some."""
    rules = record.rules
    called_in = np.zeros(rules.board.n_squares + 1, dtype=np.int64)  # and one for the padding
    for salvo in reversed(record.salvos):
        called_in[list(salvo.fired)] = salvo.round
    tables = naval_tables(rules)
    first_mine = tables.groups[_MINES, FIRST]
    struck = [first_mine + mine.square for mine in record.mines]
    closed = np.zeros(rules.board.n_squares, dtype=np.bool_)
    closed[list(unpack(np.bitwise_or.reduce(tables.reach[struck], axis=0)))] = True
    classes = _possible(rules, _listed(record, tables, called_in, closed), record.salvos)
    mines_left = len(rules.mines) - len(struck)
    free = (called_in[:-1] == 0) & ~closed
    mine_squares = np.flatnonzero(free if mines_left else ()).astype(np.int16)
    if classes is None or len(mine_squares) < mines_left:
        return None
    return classes, mine_squares


def _listed(
    record: NavalRecord,
    tables: NavalTables,
    called_in: npt.NDArray[np.int64],
    closed: npt.NDArray[np.bool_],
) -> _Classes:
    """The lists of each history that the reports on its class allow."""
    classes = record.rules.classes
    histories = class_histories(record)
    tracks = [sorted({track for h in group for track in h}) for group in histories]
    rows = np.zeros((sum(map(len, tracks)), tables.squares.shape[1]), dtype=np.int64)
    for row, track in zip(rows, chain.from_iterable(tracks), strict=True):
        row[: len(track)] = track
    bounds = np.array([0, *accumulate(map(len, tracks))])
    placements, starts = list_placements(tables, called_in, closed, rows, bounds)
    lists = np.split(placements, starts[1:-1])
    placed = [
        dict(zip(group, lists[first:stop], strict=True))
        for group, (first, stop) in zip(tracks, pairwise(bounds), strict=True)
    ]
    shared = record.rules.identify == "literal"
    return tuple(
        tuple(
            tuple(
                ShipList(ship_class.short, track, count, of_class[track])
                for track, count in _counted(history, shared)
            )
            for history in group
        )
        for ship_class, group, of_class in zip(classes, histories, placed, strict=True)
    )


def _counted(history: History, shared: bool) -> list[tuple[Track, int]]:
    """The tracks of a history and how many ships have each; damaged ships are `shared` or not."""
    if shared:
        return list(Counter(history).items())
    damaged = [track for track in history if track]
    undamaged = len(history) - len(damaged)
    return [*((track, 1) for track in damaged), *([((), undamaged)] if undamaged else [])]


def _choices(
    rules: NavalRules, classes: _Classes, salvos: Sequence[Salvo]
) -> list[tuple[int, ...]]:
    """For each class the number of one of its histories, wherever the guns left add up."""
    if rules.identify == "tracks":
        # Each class has one or none, and the record has compared its guns.
        return [(0,) * len(classes)] if all(classes) else []
    histories = [
        [tuple(s.track for s in lists for _ in range(s.count)) for lists in group]
        for group in classes
    ]
    return list(agreeing(rules, histories, salvos))


def _possible(rules: NavalRules, classes: _Classes, salvos: Sequence[Salvo]) -> _Classes | None:
    """The histories with enough placements and with guns that agree; None if a class has none."""
    long_enough = tuple(
        tuple(h for h in group if all(len(s.placements) >= s.count for s in h)) for group in classes
    )
    choices = _choices(rules, long_enough, salvos)
    if not choices:
        return None
    used = map(set, zip(*choices, strict=True))
    return tuple(
        tuple(history for i, history in enumerate(group) if i in numbers)
        for group, numbers in zip(long_enough, used, strict=True)
    )


def _first_contradiction(record: NavalRecord) -> int:
    """The number of the first salvo with which no lists fit."""
    first = NavalRecord(record.rules)
    for salvo in record:
        first.add(salvo)
        if _fitting(first) is None:
            break
    return first.salvos[-1].round


def _with_room(
    rules: NavalRules, classes: _Classes, mine_squares: Squares, mines_left: int
) -> tuple[_Classes, Squares]:
    """What arc consistency leaves; the histories with too short a list are left out."""
    tables = naval_tables(rules)
    first_mine = tables.groups[_MINES, FIRST]
    groups: list[tuple[tuple[tuple[int, npt.NDArray[np.int32]], ...], ...]] = [
        tuple(tuple((s.count, s.placements) for s in history) for history in group)
        for group in classes
    ]
    if mines_left:
        groups.append((((mines_left, (mine_squares + first_mine).astype(np.int32)),),))
    histories = [history for group in groups for history in group]
    lists = [each for history in histories for each in history]
    starts = np.array([0, *accumulate(len(placed) for _, placed in lists)])
    kept = Lists(
        groups=np.array([0, *accumulate(map(len, groups))]),
        histories=np.array([0, *accumulate(map(len, histories))]),
        placements=np.concatenate([placed for _, placed in lists]),
        starts=starts[:-1],
        stops=starts[1:].copy(),
        counts=np.array([count for count, _ in lists]),
        alive=np.ones(len(histories), dtype=np.bool_),
        compact=np.ones(len(lists), dtype=np.bool_),
    )
    prune_lists(tables, rules.board.cols, kept)
    left = iter(
        kept.placements[start:stop] for start, stop in zip(kept.starts, kept.stops, strict=True)
    )
    alive = iter(kept.alive.tolist())
    result = []
    for group in classes:
        cut = [tuple(s._replace(placements=next(left)) for s in history) for history in group]
        result.append(tuple(history for history in cut if next(alive)))
    if mines_left:
        mine_squares = (next(left) - first_mine).astype(np.int16)
    return tuple(result), mine_squares
