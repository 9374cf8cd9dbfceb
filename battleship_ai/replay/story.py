"""What a page shows of a game, whichever game it is: a board, steps and maps."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from string import ascii_letters, digits
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from battleship_ai.board import Board

__all__ = ["Hidden", "Map", "Step", "Story", "maps_along", "packed"]

R = TypeVar("R")

# A probability is a number of 12 bits in two of these letters.
_LETTERS = ascii_letters + digits + "+/"
_MOST = 64 * 64 - 1
_NOTHING, _ZERO = ".", "-"

# Passes over a graph leave rounding errors of this size in what is impossible or certain.
_ROUNDING = 1e-9


class Step(NamedTuple):
    """A shot or a salvo."""

    entry: str
    """Its line in the record."""
    told: str
    """A sentence that says what happened."""
    squares: tuple[int, ...]
    """Where it went."""
    marks: Mapping[int, str]
    """The squares whose mark changes: each a key of the story's `legend`."""


class Map(NamedTuple):
    """Numbers from 0 to 1 for the squares of a board, before a step or after the last."""

    layers: tuple[npt.NDArray[np.float64], ...]
    """Each of shape (squares,), in the order of the story's `layers`; NaN shows nothing."""
    source: str
    """What the numbers are, in a sentence or two."""
    are_probabilities: bool = True


class Hidden(NamedTuple):
    """What lies on a square, to be uncovered."""

    mark: str
    meaning: str


@dataclass(frozen=True)
class Story:
    """A game, step by step.

    Attributes
    ----------
    title : str
    rules : str
        In a line.
    unit : str
        What a step is: ``"shot"`` or ``"salvo"``.
    board : Board
    legend : dict of str to str
        The meaning of each kind of mark, in the order in which they are explained.
    steps : sequence of Step
    layers : tuple of str
        What the layers of the maps show.
    maps : sequence of (Map or None)
        Before each step and after the last, None where there is none; empty without maps.
    hidden : dict of int to Hidden
        What lies on each square; empty if that is not known.
    """

    title: str
    rules: str
    unit: str
    board: Board
    legend: Mapping[str, str]
    steps: Sequence[Step]
    layers: tuple[str, ...] = ()
    maps: Sequence[Map | None] = ()
    hidden: Mapping[int, Hidden] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The story as plain values, for JSON."""
        board = self.board
        return {
            "rules": self.rules,
            "unit": self.unit,
            "rows": [board.name(row * board.cols)[0] for row in range(board.rows)],
            "columns": [str(board.first_column + col) for col in range(board.cols)],
            "legend": self.legend,
            "steps": [
                {"entry": s.entry, "told": s.told, "squares": s.squares, "marks": s.marks}
                for s in self.steps
            ],
            "layers": self.layers,
            "maps": [
                m and {"source": m.source, "layers": [packed(layer) for layer in m.layers]}
                for m in self.maps
            ],
            "hidden": self.hidden,
        }


def maps_along(
    growing: Iterable[R], steps: int, map_of: Callable[[R], Map | None], progress: bool
) -> list[Map | None]:
    """A map for a record before each of its steps and after the last, under a progress bar."""
    bar = tqdm(growing, total=steps + 1, unit="map", disable=None if progress else True)
    return [map_of(record) for record in bar]


def packed(layer: npt.NDArray[np.float64]) -> str:
    """Numbers from 0 to 1 as text, to 12 bits: only 0 becomes 0, and only 1 becomes 1.

    ``.`` is nothing, ``-`` is 0, and every other number two letters.

    Examples
    --------
    >>> packed(np.array([np.nan, 0.0, 0.5, 1.0]))
    '.-Ga//'
    """
    return "".join(map(_letters, layer.tolist()))


def _letters(number: float) -> str:
    if isnan(number):
        return _NOTHING
    if number < _ROUNDING:
        return _ZERO
    if number > 1.0 - _ROUNDING:
        return _LETTERS[63] * 2
    high, low = divmod(min(max(round(number * _MOST), 1), _MOST - 1), 64)
    return _LETTERS[high] + _LETTERS[low]
