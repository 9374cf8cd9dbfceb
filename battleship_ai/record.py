"""The ordered shots and answers of a game: all that a strategy may see."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._display import Cell, board_svg
from battleship_ai._names import unknown
from battleship_ai.board import SquareSet, picture
from battleship_ai.errors import RecordError
from battleship_ai.rules import Rules

if TYPE_CHECKING:
    from battleship_ai.layouts import Layout

__all__ = ["Answer", "Kind", "Record", "Shot"]

Kind = Literal["miss", "hit", "sunk"]
"""The three answers."""

# In the order of the codes that kernels use; the Estonian words are aliases.
KINDS: tuple[Kind, ...] = ("miss", "hit", "sunk")
_KIND_ALIASES = {"möödas": "miss", "pihtas": "hit", "põhjas": "sunk"}


@dataclass(frozen=True)
class Answer:
    """What the owner says to a shot.

    Parameters
    ----------
    kind : {"miss", "hit", "sunk"}
    ship : str, optional
        The name of the ship class where the rules tell it: the size under
        ``sunk-size``, the ship's name under ``sunk-name`` and ``hit-name``.

    Examples
    --------
    >>> str(Answer("sunk", "3")), Answer.parse("miss")
    ('sunk:3', Answer(kind='miss', ship=None))
    """

    kind: Kind
    ship: str | None = None

    def __str__(self) -> str:
        return self.kind if self.ship is None else f"{self.kind}:{self.ship}"

    @classmethod
    def parse(cls, text: str) -> "Answer":
        """An answer from text such as ``"hit"`` or ``"sunk:3"``.

        Raises
        ------
        RecordError
            If the word is none of the answers.
        """
        word, colon, ship = text.partition(":")
        kind = _KIND_ALIASES.get(word.lower(), word.lower())
        if kind not in KINDS:
            raise RecordError(f"answer {text!r} is not miss, hit or sunk")
        if colon and not ship:
            raise RecordError(f"answer {text!r} names no ship after its colon")
        return cls(kind, ship or None)


class Shot(NamedTuple):
    """A square and the answer to it.

    Examples
    --------
    >>> shot = Record.parse(Rules(), "c3:hit").shots[0]
    >>> shot.square, str(shot.answer)
    (23, 'hit')
    """

    square: int
    answer: Answer


class RecordArrays(NamedTuple):
    """A record as int64 arrays of one length: squares, kind codes, ship classes."""

    squares: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    classes: npt.NDArray[np.int64]


class Record:
    """Shots and answers in order, under known rules.

    Parameters
    ----------
    rules : Rules
    shots : iterable of (square, Answer or str), optional

    Raises
    ------
    RecordError
        If an answer does not belong to the rules, or plainly contradicts an
        earlier one on the same square.

    Examples
    --------
    >>> record = Record.parse(Rules.preset("hasbro"), "b2:hit c2:sunk:2 d4:miss")
    >>> len(record), str(record)
    (3, 'b2:hit c2:sunk:2 d4:miss')
    >>> [record.rules.board.name(s) for s in record.hits]
    ['b2', 'c2']
    """

    def __init__(
        self,
        rules: Rules,
        shots: Iterable[tuple[int | str | tuple[int, int], Answer | str]] = (),
    ) -> None:
        self.rules = rules
        self._classes = {c.name: k for k, c in enumerate(rules.classes)}
        self._shots: list[Shot] = []
        self._last: dict[int, Answer] = {}
        for square, answer in shots:
            self.add(square, answer)

    @classmethod
    def parse(cls, rules: Rules, text: str) -> "Record":
        """A record from ``square:answer`` words separated by spaces or commas."""
        record = cls(rules)
        for word in text.replace(",", " ").split():
            square, colon, answer = word.partition(":")
            if not colon:
                raise RecordError(f"{word!r} is not of the form square:answer, such as b2:hit")
            record.add(square, answer)
        return record

    def add(self, square: int | str | tuple[int, int], answer: Answer | str) -> None:
        """Append a shot and its answer.

        Where ships may not touch, the size of a sunk ship follows from the hits; it may
        be told (``sunk:2``) even if the rules announce sinking bare, and is checked.
        """
        index = self.rules.board.index(square)
        if isinstance(answer, str):
            answer = Answer.parse(answer)
        bare = self.rules.announce == "sunk" and self.rules.contact == "none"
        if bare and answer.kind == "sunk" and answer.ship is not None:
            answer = self._without_size(index, answer)
        self._check(index, answer)
        self._shots.append(Shot(index, answer))
        self._last[index] = answer

    def _without_size(self, square: int, answer: Answer) -> Answer:
        hits = self.hits | self.rules.board.squares([square])
        ship = hits.component(square, diagonal=True)
        if answer.ship != str(len(ship)):
            raise RecordError(
                f"{self.rules.board.name(square)}:{answer}: the hits there make a ship of size "
                f"{len(ship)}"
            )
        return Answer("sunk")

    def _check(self, square: int, answer: Answer) -> None:
        rules, name = self.rules, self.rules.board.name(square)
        if answer.kind == "sunk" and rules.announce == "hit-only":
            raise RecordError(f"{name}:{answer}: sinking is not announced under hit-only")
        told = {
            "sunk": (),
            "hit-only": (),
            "sunk-size": ("sunk",),
            "sunk-name": ("sunk",),
            "hit-name": ("hit", "sunk"),
        }[rules.announce]
        if answer.kind in told and answer.ship is None:
            raise RecordError(f"{name}:{answer} names no ship, as {rules.announce} rules ask")
        if answer.kind not in told and answer.ship is not None:
            raise RecordError(
                f"{name}:{answer} tells a ship, which {rules.announce} rules do not at a "
                f"{answer.kind}"
            )
        if answer.ship is not None and answer.ship not in self._classes:
            raise RecordError(unknown("ship", answer.ship, self._classes))
        before = self._last.get(square)
        if before is not None and (
            (before.kind == "miss") != (answer.kind == "miss")
            or (before.kind == "sunk" and answer != before)
        ):
            raise RecordError(f"{name} was answered {before} before, and now {answer}")

    @property
    def shots(self) -> tuple[Shot, ...]:
        """The shots in order."""
        return tuple(self._shots)

    def __len__(self) -> int:
        return len(self._shots)

    def __iter__(self) -> Iterator[Shot]:
        return iter(self._shots)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return self.rules == other.rules and self._shots == other._shots

    def __repr__(self) -> str:
        return f"Record({self.rules!r}, {str(self)!r})"

    def __str__(self) -> str:
        board = self.rules.board
        return " ".join(f"{board.name(shot.square)}:{shot.answer}" for shot in self._shots)

    @property
    def asked(self) -> SquareSet:
        """The squares asked so far."""
        return self.rules.board.squares(self._last)

    @property
    def hits(self) -> SquareSet:
        """The squares answered hit or sunk."""
        return self.rules.board.squares(s for s, a in self._last.items() if a.kind != "miss")

    @property
    def misses(self) -> SquareSet:
        """The squares answered miss."""
        return self.rules.board.squares(s for s, a in self._last.items() if a.kind == "miss")

    @property
    def unasked(self) -> list[int]:
        """The squares not asked yet, in order."""
        return [s for s in range(self.rules.board.n_squares) if s not in self._last]

    def answer_at(self, square: int | str | tuple[int, int]) -> Answer | None:
        """The latest answer at a square, None if it was not asked."""
        return self._last.get(self.rules.board.index(square))

    def picture(self) -> str:
        """The board as text: ``o`` miss, ``x`` hit, ``X`` answered sunk."""
        marks = {s: {"miss": "o", "hit": "x", "sunk": "X"}[a.kind] for s, a in self._last.items()}
        return picture(self.rules.board, marks)

    def _repr_svg_(self) -> str:
        cells = {s: Cell(answer.kind, str(answer)) for s, answer in self._last.items()}
        return board_svg(self.rules.board, cells)

    def to_html(self, layout: "Layout | None" = None, *, maps: bool = True) -> str:
        """A page that steps through the record shot by shot, as `Replay` makes it.

        Parameters
        ----------
        layout : Layout, optional
            What was shot at; the page uncovers it on demand.
        maps : bool
            Whether to show the probability of each square before each shot.

        Returns
        -------
        str
            One HTML document in ASCII, below a megabyte. It loads nothing else.

        Raises
        ------
        LayoutError
            If the layout does not give the record.

        Examples
        --------
        >>> record = Record.parse(Rules(board=(4, 4), fleet=(3, 2)), "a0:hit a1:miss")
        >>> "Shot 2 of 2: a1, miss." in record.to_html()
        True
        """
        from battleship_ai.replay import Replay

        return Replay(self, layout, maps=maps).html

    def arrays(self) -> RecordArrays:
        """The record as arrays for the kernels."""
        classes = [-1 if s.answer.ship is None else self._classes[s.answer.ship] for s in self]
        return RecordArrays(
            np.array([s.square for s in self], dtype=np.int64),
            np.array([KINDS.index(s.answer.kind) for s in self], dtype=np.int64),
            np.array(classes, dtype=np.int64),
        )
