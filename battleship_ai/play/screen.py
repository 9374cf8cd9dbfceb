"""What is written to the terminal and read from it; plain text where there is none."""

import importlib
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress

from rich.console import Console
from rich.text import Text

from battleship_ai.board import picture
from battleship_ai.play.pictures import Picture

__all__ = ["Screen"]

_GAP = 4


class Screen:
    """A terminal, or any text stream.

    Colour repeats what the characters say, and is left out where the output is no terminal,
    or ``NO_COLOR`` is set.

    Parameters
    ----------
    console : rich.console.Console, optional
        By default standard output.

    Examples
    --------
    >>> from battleship_ai import Board
    >>> from battleship_ai.play.pictures import HIT, MISS
    >>> board = Board(2, 3)
    >>> pictures = [Picture("One", board, {1: MISS}), Picture("Two", board, {5: HIT})]
    >>> Screen().boards(pictures)
    One        Two
      0 1 2      0 1 2
    a . o .    a . . .
    b . . .    b . . x
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = Console(highlight=False) if console is None else console
        if sys.stdin.isatty() and not self._console.is_dumb_terminal:
            with suppress(ImportError):  # which is not there on every platform
                importlib.import_module("readline")  # lets `input` edit and recall lines

    def say(self, *lines: str, style: str = "", whole: bool = False) -> None:
        """Write lines; a terminal breaks them between words, unless they are to stay whole."""
        for line in lines:
            self._console.print(Text(line, style), soft_wrap=whole or not self._console.is_terminal)

    def boards(self, pictures: Sequence[Picture]) -> None:
        """Draw boards side by side, or below each other where there is no room."""
        drawn = [_drawn(picture) for picture in pictures]
        widths = [max(map(len, lines)) for lines in drawn]
        if sum(widths) + _GAP * (len(drawn) - 1) <= self._console.width:
            drawn = [_beside(drawn, widths)]
        for lines in drawn:
            for line in lines:
                self._console.print(line, soft_wrap=True)

    def busy(self, what: str) -> AbstractContextManager[object]:
        """Show on a terminal that something takes its time."""
        return self._console.status(what)

    def ask(self, prompt: str) -> str:
        """A line that is typed; one that is not typed at a terminal is written out too.

        Raises
        ------
        EOFError
            At the end of the input.
        """
        line = input(prompt)
        if not sys.stdin.isatty():
            self.say(line)
        return line.strip()


def _drawn(what: Picture) -> list[Text]:
    """A title and the rows of a board, in colour."""
    plain = picture(what.board, {square: mark.text for square, mark in what.marks.items()})
    lines = [Text(line) for line in plain.splitlines()]
    step = (len(lines[0]) - 1) // what.board.cols  # a cell and the space before it
    for square, mark in what.marks.items():
        row, col = divmod(square, what.board.cols)
        end = 1 + (col + 1) * step
        lines[row + 1].stylize(mark.style, end - step + 1, end)
    return [Text(what.title, "bold"), *lines]


def _beside(drawn: Sequence[Sequence[Text]], widths: Sequence[int]) -> list[Text]:
    """Blocks of as many lines each, next to each other."""
    return [
        Text(" " * _GAP).join(
            Text.assemble(line, " " * (width - len(line)))
            for line, width in zip(row, [*widths[:-1], 0], strict=True)
        )
        for row in zip(*drawn, strict=True)
    ]
