"""Boards as self-contained SVG pictures, which notebooks show."""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from battleship_ai.board import Board

__all__ = ["BoardPicture", "Cell", "board_svg"]

_SIDE = 32
_MARGIN = 24

_FILLS = {"miss": "#ffffff", "ship": "#cfe3f5", "hit": "#f7cfae", "sunk": "#7a2e00"}
_CROSS = "M-8,-8 8,8 M-8,8 8,-8"
_MARKS = {
    "miss": '<circle r="6" fill="none" stroke="#555" stroke-width="2"/>',
    "hit": f'<path d="{_CROSS}" stroke="#000" stroke-width="3"/>',
    "sunk": f'<path d="{_CROSS}" stroke="#fff" stroke-width="4"/>',
}


class Cell(NamedTuple):
    """What a square of a picture shows; a pointer that rests on it is told the title."""

    kind: Literal["ship", "miss", "hit", "sunk", "probability"]
    title: str
    text: str = ""
    fill: str | None = None
    """Instead of the fill of its kind."""
    colour: str = "#000"
    """Of the text."""


def board_svg(board: Board, cells: Mapping[int, Cell]) -> str:
    """A board with the names of its rows and columns, and what `cells` says on each square.

    Marks differ in shape, not in colour alone: a letter is a ship, a ring a miss, a cross
    a hit, a white cross on dark ground a sunk ship. Each square is a group of its kind's class.
    """
    width, height = board.cols * _SIDE, board.rows * _SIDE
    full_width, full_height = _MARGIN + width + 1, _MARGIN + height + 1
    grid = [f"M{c * _SIDE},0 v{height}" for c in range(board.cols + 1)]
    grid += [f"M0,{r * _SIDE} h{width}" for r in range(board.rows + 1)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{full_width}" height="{full_height}" '
            f'viewBox="{-_MARGIN} {-_MARGIN} {full_width} {full_height}" '
            'font-family="sans-serif" font-size="12" text-anchor="middle">',
            f'<rect x="{-_MARGIN}" y="{-_MARGIN}" width="100%" height="100%" fill="#fff"/>',
            *(
                _text((c + 0.5) * _SIDE, -_MARGIN / 2, str(c + board.first_column))
                for c in range(board.cols)
            ),
            *(
                _text(-_MARGIN / 2, (r + 0.5) * _SIDE, board.name(r * board.cols)[0])
                for r in range(board.rows)
            ),
            *(_square(board, square, cell) for square, cell in cells.items()),
            f'<path d="{" ".join(grid)}" stroke="#999"/>',
            "</svg>",
        ]
    )


def _square(board: Board, square: int, cell: Cell) -> str:
    row, col = divmod(square, board.cols)
    x, y = (col + 0.5) * _SIDE, (row + 0.5) * _SIDE
    title = html.escape(f"{board.name(square)}: {cell.title}")
    fill = cell.fill or _FILLS[cell.kind]
    half = _SIDE / 2
    return (
        f'<g class="{cell.kind}" transform="translate({x},{y})">'
        f"<title>{title}</title>"
        f'<rect x="{-half}" y="{-half}" width="{_SIDE}" height="{_SIDE}" fill="{fill}"/>'
        f"{_MARKS.get(cell.kind) or _text(0, 0, cell.text, cell.colour)}</g>"
    )


def _text(x: float, y: float, text: str, colour: str = "#000") -> str:
    # The middle of a digit lies about a third of the font size above its base line.
    return f'<text x="{x}" y="{y + 4}" fill="{colour}">{html.escape(text)}</text>'


@dataclass(frozen=True)
class BoardPicture:
    """A picture that a notebook shows.

    Attributes
    ----------
    svg : str
        A whole SVG document.
    """

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg
