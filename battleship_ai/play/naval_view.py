"""Naval Bombardment in words and pictures."""

from collections import Counter

from battleship_ai.naval.layouts import MINE_MARKS, NavalLayout
from battleship_ai.naval.record import NavalRecord
from battleship_ai.naval.salvos import Salvo
from battleship_ai.play.hints import Hint, naval_hint
from battleship_ai.play.naval import NavalSession
from battleship_ai.play.pictures import HIT, MINE, SHIP, Mark, Picture, chance_marks, likeliest
from battleship_ai.play.session import Move
from battleship_ai.play.setup import OPPONENT, YOU
from battleship_ai.play.view import View, counted

__all__ = ["NavalView", "naval_fleet_marks"]

_MINED = 5

_WATER = Mark("-", "cyan")
_SPENT = Mark("+", MINE)


class NavalView(View[NavalSession]):
    """A match of Naval Bombardment.

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass, NavalRules
    >>> from battleship_ai.play.setup import Setup
    >>> rules = NavalRules((2, 6), [NavalClass("Boat", 2, 1, "Bt", (1, 2))], 0, 1)
    >>> game = NavalSession(Setup.new(rules, opponent=None, seed=1))
    >>> view = NavalView(game)
    >>> print(*view.told(game.play(game.read("A1-A2"))), *view.status())
    Your salvo 1, 2 squares: no hits; 2 guns left there. Round 2. You have 2 guns.
    """

    def input_help(self) -> str:
        """How salvos are written."""
        board = self.session.board
        return (
            f"Squares are {board.name(0)} to {board.name(board.n_squares - 1)}. A salvo is squares "
            f"in the order in which they are called, at most as many as you have guns, such as "
            f"A1 B2; A1-A5 is a straight run of them, across, down or diagonal."
        )

    def prompt(self) -> str:
        """The question for a salvo."""
        return f"Your salvo, up to {self.session.shots_due} squares: "

    def status(self) -> list[str]:
        """The round, the guns, and what is known of ships hit."""
        record = self.session.record_of(YOU)
        line = f"Round {self.session.round}. You have {counted(self.session.shots_due, 'gun')}"
        if self.session.setup.opponent is not None:
            line += f", {self.opponent} {record.guns_left}"
        hit = _hit_so_far(record)
        return [f"{line}.", *([f"Hit so far: {', '.join(hit)}."] if hit else [])]

    def boards(self, hint: Hint | None = None) -> list[Picture]:
        """Your salvos, and your fleet."""
        setup, record = self.session.setup, self.session.record_of(YOU)
        marks = _called_marks(record, numbered=hint is None)
        if hint is not None:
            marks |= chance_marks(hint.ships, record.uncalled)
        pictures = [Picture("Your salvos", self.session.board, marks)]
        if setup.opponent is not None:
            salvos = self.session.record_of(OPPONENT)
            marks = naval_fleet_marks(setup.yours, salvos)
            pictures.append(Picture("Your fleet", self.session.board, marks))
        return pictures

    def legend(self, hint: Hint | None = None) -> str:
        """The marks of salvos, ships and mines."""
        parts = ["- called in a salvo without hits"]
        if hint is None:
            parts.append("numbers: called in that salvo")
        else:
            parts.append("? called in one with hits")
            parts.append("numbers: chance of a ship in percent, ## certain")
        parts.append("o ordinary and * high-explosive mine")
        if self.session.setup.opponent is not None:
            parts.append("letters: your ships, x hit, + mine struck")
        return ", ".join(parts)

    def hint(self) -> Hint:
        """The joint posterior of ships and mines, or ship by ship."""
        return naval_hint(self.session.record_of(YOU), self.session.setup.placer)

    def advice(self, hint: Hint) -> list[str]:
        """The likeliest squares, and those most likely mined."""
        free = self.session.record_of(YOU).uncalled
        board = self.session.board
        guns = self.session.shots_due
        lines = [f"Likeliest: {likeliest(board, hint.ships, free, guns)} ({hint.source})."]
        mined = "" if hint.mines is None else likeliest(board, hint.mines, free, _MINED)
        return [*lines, f"Mines: {mined}."] if mined else lines

    def told(self, move: Move) -> list[str]:
        """The salvo and its report; the opponent's with its squares."""
        salvo: Salvo = move.outcome
        board = self.session.board
        names = " ".join(map(board.name, salvo.fired))
        if move.player == YOU:
            whose, squares, where = "Your", counted(len(salvo.fired), "square"), "there"
        else:
            whose, squares, where = f"{self.opponent}'s", names, "to you"
        report = ", ".join(map(str, salvo.report)) or "no hits"
        lines = [
            f"{whose} salvo {salvo.round}, {squares}: {report}; "
            f"{counted(salvo.guns_left, 'gun')} left {where}."
        ]
        if salvo.mine is not None:
            costs = ""
            if salvo.mine.kind == "high-explosive":
                costs = f", and it costs salvo {salvo.round + 1}"
            lines.append(
                f"It struck the {salvo.mine.kind} mine at {board.name(salvo.mine.square)}, which "
                f"ended it{costs}."
            )
        return lines

    def log(self) -> list[str]:
        """The records, as `NavalRecord.parse` takes them."""
        lines = ["You:", *str(self.session.record_of(YOU)).splitlines()]
        if self.session.setup.opponent is not None:
            lines += [f"{self.opponent}:", *str(self.session.record_of(OPPONENT)).splitlines()]
        return lines

    def tally(self) -> str:
        """The salvos of both."""
        record = self.session.record_of(YOU)
        line = f"You fired {_fired(record)}"
        if self.session.setup.opponent is not None:
            line += f", {self.opponent} {_fired(self.session.record_of(OPPONENT))}"
        return f"{line}."

    def revealed(self) -> Picture:
        """The hidden fleet under your salvos."""
        marks = naval_fleet_marks(self.session.revealed, self.session.record_of(YOU))
        return Picture("The hidden fleet", self.session.board, marks)


def naval_fleet_marks(layout: NavalLayout, record: NavalRecord | None = None) -> dict[int, Mark]:
    """A layout that all may see, under the salvos at it.

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass, NavalRules
    >>> rules = NavalRules((1, 5), [NavalClass("Boat", 2, 1, "Bt", (2,))], 1, 0)
    >>> record = NavalRecord.parse(rules, "1: A2 A3 -> Bt A: 1; 1 guns left")
    >>> marks = naval_fleet_marks(NavalLayout.parse(rules, "Bt A1-A2; ordinary A5"), record)
    >>> {square: mark.text for square, mark in marks.items()}
    {1: 'x', 2: '-', 0: 'Bt', 4: 'o'}
    """
    called = layout.rules.board.squares() if record is None else record.called
    marks = dict.fromkeys(called, _WATER)
    for ship_class, ship in zip(layout.rules.ships, layout.ships, strict=True):
        for square in ship:
            marks[square] = HIT if square in called else Mark(ship_class.short, SHIP.style)
    for kind, square in zip(layout.rules.mines, layout.mines, strict=True):
        marks[square] = _SPENT if square in called else Mark(MINE_MARKS[kind], MINE)
    return marks


def _fired(record: NavalRecord) -> str:
    return f"{counted(record.shots, 'shot')} in {counted(len(record), 'salvo')}"


def _called_marks(record: NavalRecord, *, numbered: bool) -> dict[int, Mark]:
    """Each square by the salvo that called it first."""
    marks: dict[int, Mark] = {}
    for salvo in record:
        mark = Mark(str(salvo.round) if numbered else "?", HIT.style) if salvo.report else _WATER
        marks = dict.fromkeys(salvo.fired, mark) | marks
        if salvo.mine is not None:
            marks[salvo.mine.square] = Mark(MINE_MARKS[salvo.mine.kind], MINE)
    return marks


def _hit_so_far(record: NavalRecord) -> list[str]:
    """Each damaged ship, or, where reports do not tell ships apart, each class."""
    if record.rules.identify == "literal":
        hits = Counter[str]()
        for salvo in record:
            for entry in salvo.report:
                hits[entry.ship_class] += entry.hits
        return [
            f"{c.short} {hits[c.short]}/{c.size * c.count}"
            for c in record.rules.classes
            if hits[c.short]
        ]
    return [
        f"{c.short} {chr(ord('A') + i)} " + ("sunk" if len(track) == c.size else
                                             f"{len(track)}/{c.size}")
        for c in record.rules.classes
        for i, track in enumerate(record.tracks[c.short])
    ]  # fmt: skip
