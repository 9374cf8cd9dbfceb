"""Salvos and their reports, and how they are written."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from battleship_ai._names import unknown
from battleship_ai.board import Board
from battleship_ai.errors import RecordError
from battleship_ai.naval.rules import MINE_KINDS, MineKind

__all__ = ["MineStrike", "Salvo", "ShipHits", "Track"]

Track = tuple[int, ...]
"""The number of the salvo of each hit on one ship, in order."""

_NO_HITS = "no hits"
_ENTRY = re.compile(r"([A-Za-z]+)(?: ([A-Z])| \(([\d ]+|new)\))?: (\d+)", re.ASCII)
_SALVO = re.compile(
    r"(\d+):([^>]*)->([^;]*)(?:; *(\S+) mine at (\S+))?; *(\d+) guns left", re.ASCII
)


@dataclass(frozen=True)
class ShipHits:
    """What a report says of one ship that a salvo hit.

    Parameters
    ----------
    ship_class : str
        The short name of its class.
    hits : int
        Its squares hit in this salvo.
    track : int, optional
        Under ``tracks``, which damaged ship of its class it is: 0 is ship A.
    earlier : tuple of int, optional
        Under ``literal``, the salvos of its earlier hits, once for each hit; None where
        only the class is told.

    Examples
    --------
    >>> print(ShipHits("Dy", 2, track=1))
    Dy B: 2
    >>> ShipHits.parse("Dy (1 1 3): 1")
    ShipHits(ship_class='Dy', hits=1, track=None, earlier=(1, 1, 3))
    """

    ship_class: str
    hits: int
    track: int | None = None
    earlier: Track | None = None

    def __str__(self) -> str:
        which = ""
        if self.track is not None:
            which = f" {chr(ord('A') + self.track)}"
        elif self.earlier is not None:
            which = f" ({' '.join(map(str, self.earlier)) or 'new'})"
        return f"{self.ship_class}{which}: {self.hits}"

    @classmethod
    def parse(cls, text: str) -> "ShipHits":
        """An entry from text as `str` prints it.

        Raises
        ------
        RecordError
            If the text is malformed.
        """
        match = _ENTRY.fullmatch(text.strip())
        if match is None:
            raise RecordError(
                f"entry {text!r} is not of the form 'Dy A: 2', 'Dy (1 3): 2' or 'Dy: 2'"
            )
        ship_class, letter, earlier, hits = match.groups()
        return cls(
            ship_class,
            int(hits),
            None if letter is None else ord(letter) - ord("A"),
            None if earlier is None else tuple(map(int, earlier.replace("new", "").split())),
        )


class MineStrike(NamedTuple):
    """The mine that ended a salvo.

    Examples
    --------
    >>> board = Board(20, 20, "A1")
    >>> Salvo.parse(board, "1: A1 A2 -> no hits; ordinary mine at A2; 24 guns left").mine
    MineStrike(square=1, kind='ordinary')
    """

    square: int
    kind: MineKind


@dataclass(frozen=True)
class Salvo:
    """One salvo, as both players know it.

    Parameters
    ----------
    round : int
        Its number, from 1.
    fired : tuple of int
        The squares called, in order, inert ones included; those that a mine or the
        end of the game left uncalled are not among them.
    report : tuple of ShipHits
        One entry for each ship hit, in the order of the rules' classes.
    guns_left : int
        Guns that the fleet fired at has left.
    mine : MineStrike, optional
        The mine struck; its square is the last of `fired`.

    Examples
    --------
    >>> board = Board(20, 20, "A1")
    >>> salvo = Salvo.parse(board, "2: K7 B18 -> Dy A: 1; ordinary mine at B18; 24 guns left")
    >>> board.name(salvo.mine.square), salvo.report
    ('B18', (ShipHits(ship_class='Dy', hits=1, track=0, earlier=None),))
    """

    round: int
    fired: tuple[int, ...]
    report: tuple[ShipHits, ...]
    guns_left: int
    mine: MineStrike | None = None

    @classmethod
    def parse(cls, board: Board, text: str) -> "Salvo":
        """A salvo from text as `text` gives it.

        Raises
        ------
        RecordError
            If the text is malformed.
        SquareError
            If a square is malformed or off the board.
        """
        match = _SALVO.fullmatch(text.strip())
        if match is None:
            raise RecordError(
                f"salvo {text!r} is not of the form '1: K7 K8 -> Dy A: 1; 24 guns left'"
            )
        number, squares, entries, kind, square, guns = match.groups()
        if kind not in (None, *MINE_KINDS):
            raise RecordError(f"salvo {number}: {unknown('mine kind', kind, MINE_KINDS)}")
        report = () if entries.strip() == _NO_HITS else map(ShipHits.parse, entries.split(","))
        return cls(
            int(number),
            tuple(map(board.square, squares.split())),
            tuple(report),
            int(guns),
            None if kind is None else MineStrike(board.square(square), kind),
        )

    def text(self, board: Board) -> str:
        """The salvo in a line, with the names of its squares."""
        squares = "".join(f" {board.name(square)}" for square in self.fired)
        report = ", ".join(map(str, self.report)) or _NO_HITS
        mine = f"; {self.mine.kind} mine at {board.name(self.mine.square)}" if self.mine else ""
        return f"{self.round}:{squares} -> {report}{mine}; {self.guns_left} guns left"
