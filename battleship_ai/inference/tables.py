"""The arrays of a rule set that the kernels read, built once for each `Rules`."""

from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.bitboard import Words
from battleship_ai.layouts import check_feasible
from battleship_ai.placements import Placements, placements
from battleship_ai.rules import Rules

__all__ = ["Tables", "layout_rows", "tables"]

# Kinds of answers as the kernels know them, and a class that no answer told.
MISS, HIT, SUNK = 0, 1, 2
NO_CLASS = -1

# Columns of `Tables.classes` and `Tables.ships`.
SIZE, COUNT, FIRST, STOP = 0, 1, 2, 3
SHIP_CLASS, SHIP_SIZE, SHIP_START = 0, 1, 2


class Tables(NamedTuple):
    """One rule set as arrays.

    Placements of all ship classes are numbered through, class after class; K
    classes, P placements, N squares, W words. The arrays are few because every
    kernel call passes them on.

    Attributes
    ----------
    n_squares : int
    announces_sinking, tells_class, names_hits : bool
        Whether answers tell of a sinking; with the class of the ship; and name
        the class at every hit.
    classes : int64 (K, 4)
        Size, number of ships, first placement and the placement after the last.
    ships : int64 (n_ships, 3)
        Class, size, and where the ship's squares start in a layout's row.
    masks, halos : uint64 (P, W)
    placement_class : int16 (P,)
    squares : int16 (P, longest)
        Padded with N, so that an array of N + 1 entries takes the padding.
    cells : int32 (P, longest)
        The same as positions in a flat array of K rows of N + 1 entries, one a class.
    through, near : uint64 (N, P / 64 rounded up)
        For each square the set of placements that hold it, and of those whose halo does.
    """

    n_squares: int
    announces_sinking: bool
    tells_class: bool
    names_hits: bool
    classes: npt.NDArray[np.int64]
    ships: npt.NDArray[np.int64]
    masks: Words
    halos: Words
    placement_class: npt.NDArray[np.int16]
    squares: npt.NDArray[np.int16]
    cells: npt.NDArray[np.int32]
    through: Words
    near: Words


@lru_cache(maxsize=32)
def tables(rules: Rules) -> Tables:
    """The kernels' arrays for a rule set.

    Raises
    ------
    RulesError
        If the fleet has no legal layout.

    Examples
    --------
    >>> tables(Rules()).classes
    array([[  4,   1,   0, 140],
           [  3,   2, 140, 300],
           [  2,   3, 300, 480],
           [  1,   4, 480, 580]])
    """
    check_feasible(rules)
    classes = rules.classes
    n_squares, longest = rules.board.n_squares, rules.fleet[0]
    parts = [placements(rules.board, c.size, rules.shape, rules.contact) for c in classes]
    bounds = [0, *accumulate(len(part) for part in parts)]
    class_rows = [
        (c.size, c.count, first, stop)
        for c, first, stop in zip(classes, bounds, bounds[1:], strict=False)
    ]
    ship_classes = [k for k, c in enumerate(classes) for _ in range(c.count)]
    ship_starts = list(accumulate(rules.fleet, initial=0))[:-1]
    ships = list(zip(ship_classes, rules.fleet, ship_starts, strict=True))
    masks = np.concatenate([part.masks for part in parts])
    halos = np.concatenate([part.halos for part in parts])
    class_of = np.repeat(np.arange(len(parts)), np.diff(bounds)).astype(np.int16)
    squares = np.concatenate([padded(part, longest, n_squares) for part in parts])
    return Tables(
        n_squares=n_squares,
        announces_sinking=rules.announce != "hit-only",
        tells_class=rules.tells_class,
        names_hits=rules.announce == "hit-name",
        classes=np.array(class_rows, dtype=np.int64),
        ships=np.array(ships, dtype=np.int64),
        masks=masks,
        halos=halos,
        placement_class=class_of,
        squares=squares,
        cells=class_of[:, None].astype(np.int32) * (n_squares + 1) + squares,
        through=_transposed(masks, n_squares),
        near=_transposed(halos, n_squares),
    )


def layout_rows(arrays: Tables, placed: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
    """The squares of whole fleets, one a row as in `Layout.to_array`.

    `placed`, int64 (layouts, n_ships), has each fleet's placements in any order.
    """
    in_order = np.sort(placed, axis=1)  # class after class, hence in fleet order
    sizes = arrays.ships[:, SHIP_SIZE]
    return np.hstack([arrays.squares[in_order[:, i], :size] for i, size in enumerate(sizes)])


def _transposed(sets: Words, n_squares: int) -> Words:
    """For each square the set of the rows of `sets` that hold it."""
    bits = np.unpackbits(sets.astype("<u8").view(np.uint8), axis=1, bitorder="little")
    columns = np.zeros((n_squares, 64 * -(-len(sets) // 64)), dtype=np.uint8)
    columns[:, : len(sets)] = bits[:, :n_squares].T
    return np.packbits(columns, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def padded(part: Placements, width: int, filler: int) -> npt.NDArray[np.int16]:
    """The squares of each placement, filled up to `width`."""
    padded = np.full((len(part), width), filler, dtype=np.int16)
    padded[:, : part.size] = part.squares
    return padded
