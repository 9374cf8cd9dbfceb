"""The referee: answers to shots, solo games and duels."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from battleship_ai.contest import Contest, check_starter
from battleship_ai.errors import BattleshipError, IllegalMove, LayoutError
from battleship_ai.layouts import Layout, Square
from battleship_ai.record import Answer, Record
from battleship_ai.rng import Seed
from battleship_ai.rules import Rules

__all__ = ["Chooser", "Duel", "SoloGame", "Target", "play_duel", "play_solo"]


class Chooser(Protocol):
    """Whatever chooses squares: the one method that a strategy must have.

    Examples
    --------
    >>> class RowByRow:
    ...     def choose(self, record, rng):
    ...         return record.unasked[0]
    >>> play_solo(RowByRow(), Layout.parse(Rules(board=(4, 4), fleet=(3,)), "b0-b2")).shots
    7
    """

    def choose(self, record: Record, rng: np.random.Generator) -> Square:
        """The next square to shoot at, as an index, a name or (row, column)."""
        ...


def shot_limit(rules: Rules) -> int:
    """Shots after which a game that is not won is stopped: twice the squares.

    No strategy that remembers its shots comes near it.
    """
    return 2 * rules.board.n_squares


class Target:
    """A hidden layout that answers shots.

    Parameters
    ----------
    layout : Layout

    Attributes
    ----------
    record : Record
        The shots so far.

    Examples
    --------
    >>> target = Target(Layout.parse(Rules(board=(3, 3), fleet=(2,)), "a0-a1"))
    >>> [str(target.shoot(square)) for square in ("a0", "b2", "a1", "a0")]
    ['hit', 'miss', 'sunk', 'sunk']
    >>> target.all_sunk
    True
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.record = Record(layout.rules)
        self._owner = {square: i for i, ship in enumerate(layout.ships) for square in ship}
        self._left = [set(ship) for ship in layout.ships]

    @property
    def all_sunk(self) -> bool:
        """Whether every square of every ship has been shot."""
        return not any(self._left)

    def shoot(self, square: Square) -> Answer:
        """Answer a shot and note both in the record.

        Raises
        ------
        IllegalMove
            If the square is off the board.
        """
        try:
            index = self.layout.rules.board.index(square)
        except BattleshipError as error:
            raise IllegalMove(f"illegal shot: {error}") from None
        answer = self._answer(index)
        self.record.add(index, answer)
        return answer

    def _answer(self, square: int) -> Answer:
        rules = self.layout.rules
        if square not in self._owner:
            return Answer("miss")
        ship = self._owner[square]
        self._left[ship].discard(square)
        return answer_of_ship(rules, ship, sunk=not self._left[ship])


def answer_of_ship(rules: Rules, ship: int, *, sunk: bool) -> Answer:
    """What is said of a shot that hit a ship, by its number in the fleet."""
    if rules.announce == "hit-only":
        return Answer("hit")
    if rules.announce == "hit-name" or (sunk and rules.announce == "sunk-name"):
        return Answer("sunk" if sunk else "hit", rules.names[ship])
    if sunk and rules.announce == "sunk-size":
        return Answer("sunk", str(rules.fleet[ship]))
    return Answer("sunk" if sunk else "hit")


def shoot_until_won(target: Target, choose: Callable[[Record], Square]) -> None:
    """Shoot at a target until every ship is sunk, or the shot limit is reached."""
    limit = shot_limit(target.record.rules)
    while not target.all_sunk and len(target.record) < limit:
        target.shoot(choose(target.record))


@dataclass(frozen=True)
class SoloGame:
    """One shooter against one hidden layout, finished.

    Attributes
    ----------
    layout : Layout
    record : Record
    won : bool
        False if the shot limit came first.

    Examples
    --------
    >>> from battleship_ai import Density
    >>> game = play_solo(Density(), Layout.parse(Rules(board=(4, 4), fleet=(3,)), "b0-b2"))
    >>> game.won, game.shots, str(game.record)
    (True, 3, 'b1:hit b2:hit b0:sunk')
    """

    layout: Layout
    record: Record
    won: bool

    @property
    def shots(self) -> int:
        """Shots fired."""
        return len(self.record)


def _generator(seed: Seed) -> np.random.Generator:
    return np.random.default_rng(seed)


def play_solo(strategy: Chooser, layout: Layout, *, seed: Seed = 0) -> SoloGame:
    """Let a strategy shoot at a layout until every ship is sunk.

    Parameters
    ----------
    strategy : object with a method ``choose(record, rng)``
    layout : Layout
    seed : int, numpy.random.Generator or numpy.random.SeedSequence
        Seeds the generator that `choose` receives.

    Raises
    ------
    IllegalMove
        If the strategy shoots off the board.

    Examples
    --------
    >>> from battleship_ai import Density
    >>> layout = Layout.parse(Rules(board=(4, 4), fleet=(3,)), "b0-b2")
    >>> play_solo(Density(), layout).shots
    3
    """
    rng = _generator(seed)
    target = Target(layout)
    shoot_until_won(target, lambda record: strategy.choose(record, rng))
    return SoloGame(layout, target.record, target.all_sunk)


class Duel(Contest):
    """Two players in turn, each hiding a fleet and shooting at the other's.

    Parameters
    ----------
    rules : Rules
    ships : pair of Layout or of lists of ships
        The fleets of players 0 and 1. One that is illegal loses its owner the
        game at once; if both are, the game is void.
    starter : {0, 1}
        Who shoots first.

    Attributes
    ----------
    to_move : int
        The player whose shot it is.
    winner : int or None
    void : bool
        Both layouts were illegal.
    reason : str
        Why the game ended; empty while it goes on.

    Examples
    --------
    >>> rules = Rules(board=(2, 2), fleet=(1,))
    >>> duel = Duel(rules, (Layout.parse(rules, "a0"), Layout.parse(rules, "b1")), starter=1)
    >>> str(duel.shoot("b0")), duel.to_move
    ('miss', 0)
    >>> str(duel.shoot("b1")), duel.winner, duel.reason
    ('sunk', 0, 'all ships of player 1 are sunk')
    """

    def __init__(
        self,
        rules: Rules,
        ships: tuple[
            Layout | Iterable[Iterable[Square]],
            Layout | Iterable[Iterable[Square]],
        ],
        *,
        starter: int = 0,
    ) -> None:
        check_starter(starter)
        super().__init__(starter)
        self.rules = rules
        self._targets = self._hide(partial(_target, rules, fleet) for fleet in ships)

    def record(self, player: int) -> Record:
        """The shots of a player and their answers."""
        if len(self._targets) < 2:
            raise LayoutError(f"no shot was fired: {self.reason}")
        return self._targets[1 - player].record

    def layout(self, player: int) -> Layout:
        """What a player hides."""
        if len(self._targets) < 2:
            raise LayoutError(f"not both layouts are legal: {self.reason}")
        return self._targets[player].layout

    def shoot(self, square: Square) -> Answer | None:
        """The player to move shoots; None if the shot is illegal, which loses the game.

        Raises
        ------
        IllegalMove
            If the game is over.
        """
        if self.over:
            raise IllegalMove(f"the game is over: {self.reason}")
        shooter = self.to_move
        target = self._targets[1 - shooter]
        try:
            answer = target.shoot(square)
        except IllegalMove as error:
            self.forfeit(str(error))
            return None
        if target.all_sunk:
            self._end(shooter, f"all ships of player {1 - shooter} are sunk")
        elif answer.kind == "miss" or self.rules.turn == "single":
            self.to_move = 1 - shooter
        return answer


def _target(rules: Rules, fleet: Layout | Iterable[Iterable[Square]]) -> Target:
    return Target(Layout(rules, fleet.ships if isinstance(fleet, Layout) else fleet))


def play_duel(
    rules: Rules,
    strategies: tuple[Chooser, Chooser],
    layouts: tuple[
        Layout | Iterable[Iterable[Square]],
        Layout | Iterable[Iterable[Square]],
    ],
    *,
    starter: int = 0,
    seed: Seed = 0,
) -> Duel:
    """Play a duel to its end.

    A strategy that raises, or has fired the shot limit without winning, loses.

    Parameters
    ----------
    rules : Rules
    strategies : pair of objects with a method ``choose(record, rng)``
    layouts : pair of Layout or of lists of ships
        What players 0 and 1 hide.
    starter : {0, 1}
    seed : int, numpy.random.Generator or numpy.random.SeedSequence

    Examples
    --------
    >>> from battleship_ai import Density, HuntTarget, place
    >>> rules = Rules.preset("hasbro")
    >>> a, b = place(rules, 2, seed=5)
    >>> duel = play_duel(rules, (Density(), HuntTarget()), (a, b), starter=1, seed=5)
    >>> duel.winner in (0, 1), duel.over
    (True, True)
    """
    duel = Duel(rules, layouts, starter=starter)
    rngs = _generator(seed).spawn(2)
    limit = shot_limit(rules)
    while not duel.over:
        player = duel.to_move
        record = duel.record(player)
        if len(record) >= limit:
            duel.forfeit(f"not won after {limit} shots")
            break
        try:
            square = strategies[player].choose(record, rngs[player])
        except Exception as error:  # a strategy's fault ends its game, not the caller's
            duel.forfeit(f"{type(error).__name__}: {error}")
            break
        duel.shoot(square)
    return duel
