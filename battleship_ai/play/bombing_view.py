"""Ship bombing in words and pictures."""

from battleship_ai.layouts import Layout
from battleship_ai.play.bombing import BombingSession
from battleship_ai.play.hints import Hint, bombing_hint
from battleship_ai.play.pictures import (
    HIT,
    MISS,
    SHIP,
    SUNK,
    Mark,
    Picture,
    chance_marks,
    likeliest,
)
from battleship_ai.play.session import Move
from battleship_ai.play.setup import OPPONENT, YOU
from battleship_ai.play.view import View, counted
from battleship_ai.record import Answer, Record

__all__ = ["BombingView", "fleet_marks"]

_ADVISED = 5


class BombingView(View[BombingSession]):
    """A game of ship bombing.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> from battleship_ai.play.setup import Setup
    >>> rules = Rules(board=(2, 2), fleet=(1,))
    >>> game = BombingSession(Setup.new(rules, opponent=None, seed=1))
    >>> view = BombingView(game)
    >>> view.told(game.play(game.read("b1"))), view.status()
    (['You shoot at b1: miss.'], ['Shot 2. You have sunk 0 of 1 ships.'])
    """

    def input_help(self) -> str:
        """How squares are written, and whether a hit gives another shot."""
        board = self.session.board
        line = (
            f"A square is its row and column, {board.name(0)} to {board.name(board.n_squares - 1)}."
        )
        again = self.session.setup.rules.turn == "again-on-hit"
        return f"{line} After a hit the same player shoots again." if again else line

    def prompt(self) -> str:
        """The question for a square."""
        return "Your shot: "

    def status(self) -> list[str]:
        """Shots and ships sunk."""
        setup, record = self.session.setup, self.session.record_of(YOU)
        rules = setup.rules
        if rules.announce == "hit-only":
            done = f"hit {len(record.hits)} of {rules.ship_squares} squares"
        else:
            sunk = _sunk(record)
            which = f" ({', '.join(sunk)})" if sunk and all(sunk) else ""
            done = f"sunk {len(sunk)} of {len(rules.fleet)} ships{which}"
        line = f"Shot {len(record) + 1}. You have {done}"
        if setup.opponent is not None:
            asked = self.session.record_of(OPPONENT).asked
            lost = sum(all(square in asked for square in ship) for ship in setup.yours.ships)
            line += f", {self.opponent} {lost} of yours"
        return [f"{line}."]

    def boards(self, hint: Hint | None = None) -> list[Picture]:
        """Your shots, and your fleet."""
        setup, record = self.session.setup, self.session.record_of(YOU)
        marks = _shot_marks(record)
        if hint is not None:
            marks |= chance_marks(hint.ships, record.unasked)
        pictures = [Picture("Your shots", self.session.board, marks)]
        if setup.opponent is not None:
            shots = self.session.record_of(OPPONENT)
            marks = fleet_marks(setup.yours, shots)
            pictures.append(Picture("Your fleet", self.session.board, marks))
        return pictures

    def legend(self, hint: Hint | None = None) -> str:
        """The marks of shots and ships."""
        parts = ["o miss", "x hit", "X sunk"]
        if self.session.setup.opponent is not None:
            parts.append("# your ship")
        if hint is not None:
            parts.append("numbers: chance of a ship in percent, ## certain")
        return ", ".join(parts)

    def hint(self) -> Hint:
        """The exact map where it is known, else an estimate."""
        return bombing_hint(self.session.record_of(YOU))

    def advice(self, hint: Hint) -> list[str]:
        """The likeliest squares."""
        free = self.session.record_of(YOU).unasked
        best = likeliest(self.session.board, hint.ships, free, _ADVISED)
        return [f"Likeliest: {best} ({hint.source})."]

    def told(self, move: Move) -> list[str]:
        """The square and the answer."""
        who = "You shoot" if move.player == YOU else f"{self.opponent} shoots"
        return [f"{who} at {self.session.board.name(move.squares[0])}: {_words(move.outcome)}."]

    def log(self) -> list[str]:
        """The records, as `battleship-ai posterior --record` takes them."""
        lines = [f"You: {self.session.record_of(YOU)}"]
        if self.session.setup.opponent is not None:
            lines.append(f"{self.opponent}: {self.session.record_of(OPPONENT)}")
        return lines

    def tally(self) -> str:
        """The shots of both."""
        shots = f"You fired {counted(len(self.session.record_of(YOU)), 'shot')}"
        if self.session.setup.opponent is not None:
            shots += f", {self.opponent} {len(self.session.record_of(OPPONENT))}"
        return f"{shots}."

    def revealed(self) -> Picture:
        """The hidden fleet under your shots."""
        marks = fleet_marks(self.session.revealed, self.session.record_of(YOU))
        return Picture("The hidden fleet", self.session.board, marks)


def fleet_marks(layout: Layout, record: Record | None = None) -> dict[int, Mark]:
    """A layout that all may see, under the shots at it.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> rules = Rules(board=(2, 3), fleet=(2,))
    >>> marks = fleet_marks(Layout.parse(rules, "a0-a1"), Record.parse(rules, "a1:hit b2:miss"))
    >>> {square: mark.text for square, mark in sorted(marks.items())}
    {0: '#', 1: 'x', 5: 'o'}
    """
    asked = layout.rules.board.squares() if record is None else record.asked
    marks = dict.fromkeys(asked, MISS)
    for ship in layout.ships:
        sunk = all(square in asked for square in ship)
        for square in ship:
            marks[square] = SHIP if square not in asked else SUNK if sunk else HIT
    return marks


def _shot_marks(record: Record) -> dict[int, Mark]:
    """Where ships may not touch a whole ship is known to be sunk, else the square told so."""
    marks = dict.fromkeys(record.misses, MISS) | dict.fromkeys(record.hits, HIT)
    told = {square for square, answer in record if answer.kind == "sunk"}
    if record.rules.contact != "none":
        return marks | dict.fromkeys(told, SUNK)
    for part in record.hits.components(diagonal=True):
        if told.intersection(part):
            marks |= dict.fromkeys(part, SUNK)
    return marks


def _sunk(record: Record) -> list[str]:
    """What is known of each ship sunk, in order; empty where nothing but that it is."""
    apart = record.rules.contact == "none"
    parts = record.hits.components(diagonal=True) if apart else ()
    asked: set[int] = set()
    sunk = []
    for square, answer in record:
        if answer.kind == "sunk" and square not in asked:
            sizes = [str(len(part)) for part in parts if square in part]
            sunk.append(answer.ship or "".join(sizes))
        asked.add(square)
    return sunk


def _words(answer: Answer) -> str:
    return answer.kind if answer.ship is None else f"{answer.kind} ({answer.ship})"
