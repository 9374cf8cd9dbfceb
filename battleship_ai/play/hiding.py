"""Hiding a fleet by hand, ship by ship."""

import re
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from battleship_ai.errors import LayoutError
from battleship_ai.layouts import Layout, parse_ship
from battleship_ai.naval.layouts import NavalLayout
from battleship_ai.naval.rules import NavalRules
from battleship_ai.play.bombing_view import fleet_marks
from battleship_ai.play.naval_view import naval_fleet_marks
from battleship_ai.play.pictures import Picture
from battleship_ai.play.view import counted
from battleship_ai.rules import Rules

__all__ = ["BombingForm", "Form", "NavalForm", "Slot"]


class Slot(NamedTuple):
    """A ship or mine to be placed."""

    label: str
    size: int
    group: str = ""
    """The class or kind by which a layout lists it."""


class Form(ABC):
    """A fleet that is being placed.

    Parameters
    ----------
    rules : Rules or NavalRules

    Attributes
    ----------
    slots : list of Slot
    layout : Layout or NavalLayout or None
        What is placed so far, legal by itself.
    """

    input_help: ClassVar[str]

    def __init__(self, rules: Any, slots: list[Slot]) -> None:
        self.rules = rules
        self.slots = slots
        self.layout: Any = None
        self._placed: list[str] = []

    @property
    def due(self) -> Slot | None:
        """What is to be placed next; None when all is."""
        return self.slots[len(self._placed)] if len(self._placed) < len(self.slots) else None

    def put(self, text: str) -> None:
        """Place what is due, or several in turn; those before a bad one stay.

        Raises
        ------
        BattleshipError
            If a text is malformed, or breaks a rule.
        """
        for part in self._parts(text):
            if self.due is None:
                raise LayoutError(f"{part!r} is one too many; all is placed")
            self.layout = self._laid([*self._placed, part])
            self._placed.append(part)

    def undo(self) -> None:
        """Take back the last one placed."""
        if self._placed:
            self._placed.pop()
            self.layout = self._laid(self._placed) if self._placed else None

    @abstractmethod
    def picture(self) -> Picture:
        """The board so far."""

    @abstractmethod
    def _parts(self, text: str) -> list[str]:
        """A text as one for each ship or mine."""

    @abstractmethod
    def _laid(self, placed: list[str]) -> Any:
        """The layout of the first slots."""


class BombingForm(Form):
    """A fleet of ship bombing.

    Examples
    --------
    >>> form = BombingForm(Rules(board=(4, 4), fleet=(3, 1)))
    >>> form.due.label, form.put("a0-a2"), form.due.label
    ('a ship of 3 squares', None, 'a ship of 1 square')
    >>> form.put("b1")
    Traceback (most recent call last):
    ...
    battleship_ai.errors.LayoutError: ships a0-a2 and b1 touch at a0 and b1; contact is none
    >>> form.put("d3")
    >>> form.due is None, form.layout == Layout.parse(form.rules, "a0-a2, d3")
    (True, True)
    """

    input_help: ClassVar[str] = "A ship is a run such as a0-a3, or its squares, such as c4 c5 d5."

    def __init__(self, rules: Rules) -> None:
        named = zip(rules.names, rules.fleet, strict=True)
        super().__init__(rules, [Slot(_label(rules, name, size), size) for name, size in named])

    def picture(self) -> Picture:
        """The board so far."""
        marks = {} if self.layout is None else fleet_marks(self.layout)
        return Picture("Your fleet", self.rules.board, marks)

    def _parts(self, text: str) -> list[str]:
        return [part.strip() for part in text.split(",") if part.strip()]

    def _laid(self, placed: list[str]) -> Layout:
        count, last = len(placed), placed[-1]
        size, given = self.slots[count - 1].size, len(parse_ship(self.rules, last))
        if given != size:
            raise LayoutError(f"{last!r} has {given} squares; this ship has {size}")
        rules = replace(self.rules, fleet=self.rules.fleet[:count], names=self.rules.names[:count])
        return Layout.parse(rules, ", ".join(placed))


def _label(rules: Rules, name: str, size: int) -> str:
    squares = counted(size, "square")
    return f"the {name}, {squares}" if rules.names_ships else f"a ship of {squares}"


class NavalForm(Form):
    """The ships and mines of Naval Bombardment.

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass
    >>> form = NavalForm(NavalRules((5, 6), [NavalClass("Corvette", 3, 2, "Cv", (3,))], 1, 0))
    >>> form.put("A1-C3 E1-E3")
    >>> form.due.label, form.put("B5"), form.due
    ('an ordinary mine', None, None)
    """

    input_help: ClassVar[str] = (
        "A ship is a straight run such as B6-E3, across, down or diagonal; a mine is a square."
    )

    def __init__(self, rules: NavalRules) -> None:
        ships = [
            Slot(f"{c.name} {c.short}, {counted(c.size, 'square')}", c.size, c.short)
            for c in rules.ships
        ]
        mines = [
            Slot(f"{'an' if kind == 'ordinary' else 'a'} {kind} mine", 1, kind)
            for kind in rules.mines
        ]
        super().__init__(rules, [*ships, *mines])

    def picture(self) -> Picture:
        """The board so far."""
        marks = {} if self.layout is None else naval_fleet_marks(self.layout)
        return Picture("Your fleet", self.rules.board, marks)

    def _parts(self, text: str) -> list[str]:
        return re.split(r"[\s,]+", text.strip())

    def _laid(self, placed: list[str]) -> NavalLayout:
        groups: dict[str, list[str]] = {}
        for slot, text in zip(self.slots, placed, strict=False):
            groups.setdefault(slot.group, []).append(text)
        rules = replace(
            self.rules,
            classes=[
                replace(c, count=len(groups[c.short]))
                for c in self.rules.classes
                if c.short in groups
            ],
            ordinary_mines=len(groups.get("ordinary", ())),
            high_explosive_mines=len(groups.get("high-explosive", ())),
        )
        return NavalLayout.parse(rules, "; ".join(" ".join([k, *v]) for k, v in groups.items()))
