"""Hunters: shoot around until something is hit, then follow it up."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from battleship_ai.bitboard import Words, pack, word_count
from battleship_ai.inference._tracker import new_tracker
from battleship_ai.inference.tables import tables
from battleship_ai.rules import Rules
from battleship_ai.strategies._hunting import ClassFirst, NextToHits
from battleship_ai.strategies.base import KernelStrategy

__all__ = ["HuntTarget", "ParityHunt", "hunting_classes"]


@dataclass(frozen=True)
class HuntTarget(KernelStrategy):
    """Shoots at random until it hits, then at random next to hits of ships afloat.

    The beginner's way: it knows which hits belong to sunk ships where the answers
    settle it, and uses neither parity nor the contact rule.

    Examples
    --------
    >>> from battleship_ai import Record
    >>> record = Record.parse(Rules(board=(3, 3), fleet=(2,)), "a0:hit a1:miss")
    >>> record.rules.board.name(HuntTarget().choose(record))
    'b0'
    """

    name: ClassVar[str] = "hunt-target"

    def kernel_pair(self, rules: Rules) -> tuple[Any, Any]:
        """A fresh belief and a choice for these rules."""
        found = np.empty(8 * rules.board.n_squares, np.int64)
        belief = new_tracker(tables(rules))
        return belief, NextToHits(neighbour_table(rules), found)


@dataclass(frozen=True)
class ParityHunt(KernelStrategy):
    """Hunts on one class of squares modulo the smallest surviving ship, then follows hits.

    Only squares that some surviving ship can hold are shot, so never the halo of a
    sunk ship where ships may not touch. Of the classes it keeps to the one with the
    fewest such squares left (see `hunting_classes`). After a hit it goes on next to
    it, straight ships in line first.

    References
    ----------
    .. [1] N. Berry, "Battleship", DataGenetics, 2011.

    Examples
    --------
    >>> from battleship_ai import Record
    >>> record = Record.parse(Rules(board=(1, 6), fleet=(3, 1)), "a1:hit a2:hit")
    >>> record.rules.board.name(ParityHunt().choose(record)) in ("a0", "a3")
    True
    """

    name: ClassVar[str] = "parity-hunt"

    def kernel_pair(self, rules: Rules) -> tuple[Any, Any]:
        """A fresh belief and a choice for these rules."""
        words = word_count(rules.board.n_squares)
        choice = ClassFirst(
            neighbours=neighbour_table(rules),
            found=np.empty(8 * rules.board.n_squares, np.int64),
            straight=rules.shape == "straight",
            classes=_stacked_classes(rules),
            sets=np.empty((2, words), np.uint64),
        )
        return new_tracker(tables(rules)), choice


@lru_cache(maxsize=32)
def neighbour_table(rules: Rules) -> npt.NDArray[np.int16]:
    """The squares that a ship can go on to from each square; −1 where there is none."""
    rows, cols = rules.board.rows, rules.board.cols
    steps = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)]
    steps = steps if rules.shape == "any" else steps[:4]
    table = np.full((rows * cols, len(steps)), -1, dtype=np.int16)
    for column, (dr, dc) in enumerate(steps):
        for square in range(rows * cols):
            row, col = square // cols + dr, square % cols + dc
            if 0 <= row < rows and 0 <= col < cols:
                table[square, column] = row * cols + col
    return table


def hunting_classes(rules: Rules, size: int) -> list[list[int]]:
    """Sets of squares, each of which meets every ship of `size` or more squares.

    Straight ships of s squares hold every value of (row + col) mod s: s classes.
    Edge-connected ships of 2 or more squares hold both parities, but a 2×2 square
    misses a value mod 4: two classes. A king-connected ship of 2 or more squares
    may lie on a diagonal, all of one parity; but no two squares of even row and
    even column are neighbours, so all squares but those are a class, and likewise
    for the other three parities of row and column.

    Examples
    --------
    >>> hunting_classes(Rules(board=(2, 5), fleet=(3,)), 3)
    [[0, 3, 7], [1, 4, 5, 8], [2, 6, 9]]
    """
    cols = rules.board.cols
    squares = range(rules.board.n_squares)
    if size <= 1:
        return [list(squares)]
    if rules.shape == "any":
        return [
            [s for s in squares if (s // cols % 2, s % cols % 2) != parity]
            for parity in ((0, 0), (0, 1), (1, 0), (1, 1))
        ]
    modulus = size if rules.shape == "straight" else 2
    return [[s for s in squares if (s // cols + s % cols) % modulus == v] for v in range(modulus)]


@lru_cache(maxsize=32)
def _stacked_classes(rules: Rules) -> Words:
    """`hunting_classes` of every size as words, filled up with whole boards."""
    n = rules.board.n_squares
    table = [hunting_classes(rules, size) for size in range(rules.fleet[0] + 1)]
    most = max(len(classes) for classes in table)
    return np.array(
        [[pack(c, n) for c in classes + [list(range(n))] * (most - len(classes))]
         for classes in table]
    )  # fmt: skip
