"""Salvos and their reports in order: all that a captain may see."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from battleship_ai._names import unknown
from battleship_ai.board import SquareSet
from battleship_ai.errors import RecordError
from battleship_ai.naval.rules import MINE_KINDS, NavalRules
from battleship_ai.naval.salvos import MineStrike, Salvo, ShipHits, Track

if TYPE_CHECKING:
    from battleship_ai.naval.layouts import NavalLayout

__all__ = ["NavalRecord", "NavalState"]


class NavalRecord:
    """The salvos fired at one layout, under known rules.

    Parameters
    ----------
    rules : NavalRules
    salvos : iterable of Salvo, optional

    Raises
    ------
    RecordError
        If a salvo or its report is malformed, or contradicts the rules or the earlier ones.

    Examples
    --------
    >>> from battleship_ai.naval import NavalTarget, place_naval
    >>> (layout,) = place_naval(NavalRules(), seed=1)
    >>> target = NavalTarget(layout)
    >>> _ = target.fire(layout.ships[2][:3]), target.fire([*layout.ships[3], *layout.ships[2]])
    >>> print(target.record)
    1: B1 C1 D1 -> HC A: 3; 23 guns left
    2: O13 O14 O15 O16 O17 O18 B1 C1 D1 E1 F1 G1 -> HC A: 3, HC B: 6; 20 guns left
    >>> target.record.tracks["HC"]
    ((1, 1, 1, 2, 2, 2), (2, 2, 2, 2, 2, 2))
    """

    def __init__(self, rules: NavalRules, salvos: Iterable[Salvo] = ()) -> None:
        self.rules = rules
        self._salvos: list[Salvo] = []
        self._called: set[int] = set()
        self._tracks: dict[str, list[Track]] = {c.short: [] for c in rules.classes}
        for salvo in salvos:
            self.add(salvo)

    @classmethod
    def parse(cls, rules: NavalRules, text: str) -> "NavalRecord":
        """A record from text as `str` prints it, a line a salvo."""
        lines = (line for line in text.splitlines() if line.strip())
        return cls(rules, (Salvo.parse(rules.board, line) for line in lines))

    def add(self, salvo: Salvo) -> None:
        """Append a salvo."""
        for square in salvo.fired:
            self.rules.board.check(square)
        where = f"salvo {salvo.round}"
        if salvo.round != self.next_round:
            raise RecordError(f"{where}: the next salvo has the number {self.next_round}")
        if salvo.mine is not None:
            self._check_mine(where, salvo.fired, salvo.mine)
        fresh = len(set(salvo.fired) - self._called) - (salvo.mine is not None)
        hits = sum(entry.hits for entry in salvo.report)
        if hits > fresh:
            raise RecordError(f"{where} has {hits} hits by {fresh} new squares without a mine")
        tracks = {short: ships.copy() for short, ships in self._tracks.items()}
        for entry in salvo.report:
            self._check_entry(f"{where}: {entry}", entry)
            if self.rules.identify == "tracks":
                self._extend(f"{where}: {entry}", tracks[entry.ship_class], entry, salvo.round)
            else:
                self._check_earlier(f"{where}: {entry}", entry)
        self._check_guns(where, salvo.guns_left, tracks)
        self._salvos.append(salvo)
        self._called.update(salvo.fired)
        self._tracks = tracks

    def _check_mine(self, where: str, fired: tuple[int, ...], mine: MineStrike) -> None:
        name = self.rules.board.name(mine.square)
        if mine.kind not in MINE_KINDS:
            raise RecordError(f"{where}: {unknown('mine kind', mine.kind, MINE_KINDS)}")
        if mine.square not in fired or fired.index(mine.square) != len(fired) - 1:
            raise RecordError(f"{where}: the mine at {name} is not its last square only")
        if mine.square in self._called:
            raise RecordError(f"{where}: the mine at {name} was called before")
        known = [other.kind for other in self.mines].count(mine.kind)
        if known == self.rules.mines.count(mine.kind):
            raise RecordError(f"{where}: there are only {known} {mine.kind} mines")

    def _check_entry(self, where: str, entry: ShipHits) -> None:
        shorts = list(self._tracks)
        if entry.ship_class not in shorts:
            raise RecordError(f"{where}: {unknown('ship class', entry.ship_class, shorts)}")
        size = self.rules.ship_class(entry.ship_class).size
        if not isinstance(entry.hits, int) or not 1 <= entry.hits <= size:
            raise RecordError(f"{where}: {entry.hits!r} is not a number of hits from 1 to {size}")
        told, other = (
            ("track", "earlier") if self.rules.identify == "tracks" else ("earlier", "track")
        )
        if getattr(entry, other) is not None:
            raise RecordError(
                f"{where}: identify is {self.rules.identify}, under which a report tells the "
                f"{told} and not the {other}"
            )

    def _extend(self, where: str, ships: list[Track], entry: ShipHits, number: int) -> None:
        """Enter hits in the tracks of their class."""
        ship_class = self.rules.ship_class(entry.ship_class)
        track = entry.track
        known = min(len(ships) + 1, ship_class.count)
        if not isinstance(track, int) or not 0 <= track < known:
            raise RecordError(f"{where}: track {track!r} is not one of 0 to {known - 1}")
        if track == len(ships):
            ships.append(())
        if number in ships[track]:
            raise RecordError(f"{where}: the ship has two entries in one report")
        ships[track] += (number,) * entry.hits
        if len(ships[track]) > ship_class.size:
            raise RecordError(
                f"{where} makes {len(ships[track])} hits on a ship of {ship_class.size} squares"
            )

    def _check_earlier(self, where: str, entry: ShipHits) -> None:
        size = self.rules.ship_class(entry.ship_class).size
        earlier = entry.earlier or ()
        if len(earlier) + entry.hits > size:
            raise RecordError(
                f"{where} makes {len(earlier) + entry.hits} hits on a ship of {size} squares"
            )
        for number in earlier:
            if not any(
                salvo.round == number and entry.ship_class in {e.ship_class for e in salvo.report}
                for salvo in self._salvos
            ):
                raise RecordError(
                    f"{where}: salvo {number} hit no ship of class {entry.ship_class}"
                )

    def _check_guns(self, where: str, guns: int, tracks: dict[str, list[Track]]) -> None:
        if not isinstance(guns, int) or not 0 <= guns <= self.guns_left:
            raise RecordError(f"{where}: guns_left {guns!r} is not from 0 to {self.guns_left}")
        if self.rules.identify == "tracks":
            lost = sum(
                ship.guns - ship.guns_left(len(track))
                for ship in self.rules.classes
                for track in tracks[ship.short]
            )
            if guns != self.rules.guns - lost:
                raise RecordError(
                    f"{where}: guns_left is {guns}; the reports make it {self.rules.guns - lost}"
                )

    @property
    def salvos(self) -> tuple[Salvo, ...]:
        """The salvos in order; a skipped one leaves a gap in their numbers."""
        return tuple(self._salvos)

    def __len__(self) -> int:
        return len(self._salvos)

    def __iter__(self) -> Iterator[Salvo]:
        return iter(self._salvos)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NavalRecord):
            return NotImplemented
        return self.rules == other.rules and self._salvos == other._salvos

    @property
    def called(self) -> SquareSet:
        """The squares called so far; calling them again has no effect."""
        return self.rules.board.squares(self._called)

    @property
    def uncalled(self) -> list[int]:
        """The squares not called yet, in order."""
        return [s for s in range(self.rules.board.n_squares) if s not in self._called]

    @property
    def shots(self) -> int:
        """Squares called in all, inert ones included."""
        return sum(len(salvo.fired) for salvo in self._salvos)

    @property
    def mines(self) -> tuple[MineStrike, ...]:
        """The spent mines, in the order in which they were struck."""
        return tuple(salvo.mine for salvo in self._salvos if salvo.mine is not None)

    @property
    def guns_left(self) -> int:
        """Guns that the fleet fired at has left."""
        return self._salvos[-1].guns_left if self._salvos else self.rules.guns

    @property
    def next_round(self) -> int:
        """The number of the next salvo: a high-explosive mine costs the one after it."""
        if not self._salvos:
            return 1
        last = self._salvos[-1]
        skips = last.mine is not None and last.mine.kind == "high-explosive"
        return last.round + 1 + skips

    @property
    def tracks(self) -> dict[str, tuple[Track, ...]]:
        """For each class the damaged ships, in order of first damage, by their hits.

        A ship is sunk when its track is as long as the ship.

        Raises
        ------
        RecordError
            Under ``literal``, where reports do not always tell the ships apart.
        """
        if self.rules.identify != "tracks":
            raise RecordError("tracks are not public where identify is literal")
        return {short: tuple(ships) for short, ships in self._tracks.items()}

    def to_html(self, layout: "NavalLayout | None" = None, *, maps: bool = True) -> str:
        """A page that steps through the record salvo by salvo, as `Replay` makes it.

        Parameters
        ----------
        layout : NavalLayout, optional
            What was fired at; the page uncovers it on demand.
        maps : bool
            Whether to show the probabilities of ships and mines before each salvo.

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
        >>> record = NavalRecord.parse(NavalRules(), "1: K7 K8 -> Dy A: 1; 24 guns left")
        >>> "Salvo 1: 2 squares called, hits on Dy A: 1" in record.to_html(maps=False)
        True
        """
        from battleship_ai.replay import Replay

        return Replay(self, layout, maps=maps).html

    def __repr__(self) -> str:
        return f"NavalRecord({self.rules!r}, {self._salvos!r})"

    def __str__(self) -> str:
        return "\n".join(salvo.text(self.rules.board) for salvo in self._salvos)


@dataclass(frozen=True)
class NavalState:
    """What a captain knows when its salvo is due; all of it is public.

    Parameters
    ----------
    round : int
        The number of the salvo.
    record : NavalRecord
        The captain's own salvos so far.
    enemy_record : NavalRecord or None
        The enemy's salvos so far; None where nobody shoots back.
    moves_first : bool
        Whether the captain fires first in each round.

    Examples
    --------
    >>> record = NavalRecord.parse(NavalRules(), "1: B2 B4 -> Dy A: 2; 23 guns left")
    >>> state = NavalState(2, record)
    >>> state.guns, state.enemy_guns, state.enemy_skips
    (24, 23, False)
    """

    round: int
    record: NavalRecord
    enemy_record: NavalRecord | None = None
    moves_first: bool = True

    @property
    def rules(self) -> NavalRules:
        """The rules of the game."""
        return self.record.rules

    @property
    def guns(self) -> int:
        """The captain's guns left: the most squares that the salvo may have."""
        return self.rules.guns if self.enemy_record is None else self.enemy_record.guns_left

    @property
    def enemy_guns(self) -> int:
        """The enemy's guns left."""
        return self.record.guns_left

    @property
    def enemy_skips(self) -> bool:
        """Whether the enemy's next salvo is lost to a high-explosive mine."""
        if self.enemy_record is None:
            return False
        due = self.round if self.moves_first else self.round + 1
        return self.enemy_record.next_round > due
