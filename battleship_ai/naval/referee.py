"""The referee: a hidden layout that answers salvos."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from battleship_ai.errors import BattleshipError, IllegalMove
from battleship_ai.layouts import Square
from battleship_ai.naval.layouts import NavalLayout
from battleship_ai.naval.record import NavalRecord
from battleship_ai.naval.salvos import MineStrike, Salvo, ShipHits
from battleship_ai.rng import Seed

__all__ = ["NavalTarget"]


class NavalTarget:
    """A hidden layout that answers salvos.

    Parameters
    ----------
    layout : NavalLayout
    seed : int, numpy.random.Generator or numpy.random.SeedSequence
        Decides the letters of ships of one class that are first hit in the same salvo.

    Attributes
    ----------
    record : NavalRecord
        The salvos so far.

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass, NavalRules
    >>> rules = NavalRules((5, 6), [NavalClass("Corvette", 3, 2, "Cv", (3,))], 1, 0)
    >>> target = NavalTarget(NavalLayout.parse(rules, "Cv A1-C3 E1-E3; ordinary B5"))
    >>> _ = target.fire(["A1", "A2"]), target.fire(["B5", "B2"])
    >>> print(target.record)
    1: A1 A2 -> Cv A: 1; 2 guns left
    2: B5 -> no hits; ordinary mine at B5; 2 guns left
    """

    def __init__(self, layout: NavalLayout, *, seed: Seed = 0) -> None:
        self.layout = layout
        self.record = NavalRecord(layout.rules)
        self._ship_at = {square: i for i, ship in enumerate(layout.ships) for square in ship}
        self._mine_at = dict(zip(layout.mines, layout.rules.mines, strict=True))
        self._called: set[int] = set()
        self._hits: list[tuple[int, ...]] = [() for _ in layout.ships]
        # Drawn without a look at the layout, so that letters tell nothing about it.
        self._lots = np.random.default_rng(seed).permutation(len(layout.ships)).tolist()
        self._lettered: dict[str, list[int]] = {c.short: [] for c in layout.rules.classes}

    @property
    def guns_left(self) -> int:
        """Guns that the fleet has left."""
        return self.layout.rules.firepower([len(hits) for hits in self._hits])

    @property
    def all_sunk(self) -> bool:
        """Whether every square of every ship has been hit."""
        return self._ship_at.keys() <= self._called

    def fire(self, squares: Iterable[Square], guns: int | None = None) -> Salvo:
        """Answer a salvo and note both in the record.

        The salvo as a whole is judged before its first square is called.

        Parameters
        ----------
        squares : iterable of squares
            Indices, names or (row, column), called in this order.
        guns : int, optional
            The most squares that the salvo may have; by default as many as an undamaged
            fleet has guns.

        Raises
        ------
        IllegalMove
            If the salvo has more squares, or one that is off the board.
        """
        number = self.record.next_round
        fired: list[int] = []
        hits: Counter[int] = Counter()
        mine = None
        for square in self._checked(squares, self.layout.rules.guns if guns is None else guns):
            fired.append(square)
            if square in self._called:
                continue
            self._called.add(square)
            if square in self._mine_at:
                mine = MineStrike(square, self._mine_at[square])
                break
            if square in self._ship_at:
                hits[self._ship_at[square]] += 1
                if self.all_sunk:
                    break
        report = self._report(hits)
        for ship, count in hits.items():
            self._hits[ship] += (number,) * count
        salvo = Salvo(number, tuple(fired), report, self.guns_left, mine)
        self.record.add(salvo)
        return salvo

    def _checked(self, squares: Iterable[Square], guns: int) -> list[int]:
        try:
            salvo = [self.layout.rules.board.index(square) for square in squares]
        except BattleshipError as error:
            raise IllegalMove(f"illegal salvo: {error}") from None
        except TypeError:
            raise IllegalMove(f"illegal salvo: {squares!r} is not a list of squares") from None
        if len(salvo) > guns:
            raise IllegalMove(f"illegal salvo: it has {len(salvo)} squares, the player {guns} guns")
        return salvo

    def _report(self, hits: Counter[int]) -> tuple[ShipHits, ...]:
        """The entries of the ships hit, in an order that tells no more than they do."""
        rules = self.layout.rules
        damaged = Counter(
            ship.short for ship, old in zip(rules.ships, self._hits, strict=True) if old
        )
        entries: dict[str, list[ShipHits]] = {c.short: [] for c in rules.classes}
        for ship in sorted(hits, key=self._lots.__getitem__):
            short = rules.ships[ship].short
            if rules.identify == "tracks":
                letters = self._lettered[short]
                if ship not in letters:
                    letters.append(ship)
                entry = ShipHits(short, hits[ship], track=letters.index(ship))
            else:
                earlier = self._hits[ship] if damaged[short] >= 2 else None
                entry = ShipHits(short, hits[ship], earlier=earlier)
            entries[short].append(entry)
        return tuple(
            entry
            for group in entries.values()
            for entry in sorted(group, key=lambda e: (e.track or 0, e.earlier or (), e.hits))
        )
