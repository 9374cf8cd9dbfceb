"""A match of two captains, and the solo form."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from battleship_ai.contest import Contest, check_starter
from battleship_ai.errors import IllegalMove, LayoutError
from battleship_ai.layouts import Square
from battleship_ai.naval.layouts import NavalLayout
from battleship_ai.naval.record import NavalRecord, NavalState
from battleship_ai.naval.referee import NavalTarget
from battleship_ai.naval.rules import NavalRules
from battleship_ai.naval.salvos import Salvo
from battleship_ai.rng import Seed

__all__ = ["Captain", "Match", "SoloMatch", "play_match", "play_solo_match"]


class Captain(Protocol):
    """Whatever chooses salvos: the one method that a captain must have.

    Examples
    --------
    >>> from battleship_ai.naval import place_naval
    >>> class RowByRow:
    ...     def choose(self, state, rng):
    ...         return state.record.uncalled[: state.guns]
    >>> play_solo_match(RowByRow(), *place_naval(NavalRules(), seed=1)).rounds
    25
    """

    def choose(self, state: NavalState, rng: np.random.Generator) -> Iterable[Square]:
        """The squares of the next salvo, in order: at most ``state.guns``."""
        ...


@dataclass(frozen=True)
class SoloMatch:
    """One captain against one hidden layout, finished.

    Attributes
    ----------
    layout : NavalLayout
    record : NavalRecord
    won : bool
        False if the last round allowed came first.

    Examples
    --------
    >>> from battleship_ai.naval import Lattice, place_naval
    >>> (layout,) = place_naval(NavalRules(), seed=1)
    >>> match = play_solo_match(Lattice(), layout)
    >>> match.won, match.rounds, match.shots
    (True, 25, 351)
    """

    layout: NavalLayout
    record: NavalRecord
    won: bool

    @property
    def rounds(self) -> int:
        """Rounds until the last salvo, skipped ones included."""
        return self.record.salvos[-1].round

    @property
    def shots(self) -> int:
        """Squares called, inert ones included."""
        return self.record.shots


def play_solo_match(captain: Captain, layout: NavalLayout, *, seed: Seed = 0) -> SoloMatch:
    """Let a captain with all its guns fire at a layout until every ship is sunk.

    Nobody shoots back.

    Parameters
    ----------
    captain : object with a method ``choose(state, rng)``
    layout : NavalLayout
    seed : int, numpy.random.Generator or numpy.random.SeedSequence
        Seeds the generator that `choose` receives, and the letters of ships first hit together.

    Raises
    ------
    IllegalMove
        If a salvo has too many squares or one off the board.

    Examples
    --------
    >>> from battleship_ai.naval import RandomSalvo, place_naval
    >>> (layout,) = place_naval(NavalRules(), seed=1)
    >>> game = play_solo_match(RandomSalvo(), layout, seed=1)
    >>> game.won, game.rounds, game.shots, len(game.record.mines)
    (True, 27, 394, 12)
    """
    target, rng = solo_target(layout, seed)
    fire_until_won(target, lambda state: captain.choose(state, rng))
    return SoloMatch(layout, target.record, target.all_sunk)


def solo_target(layout: NavalLayout, seed: Seed) -> tuple[NavalTarget, np.random.Generator]:
    """The target of a solo match, and the generator that its captain receives."""
    letters, rng = np.random.default_rng(seed).spawn(2)
    return NavalTarget(layout, seed=letters), rng


def fire_until_won(target: NavalTarget, choose: Callable[[NavalState], Iterable[Square]]) -> None:
    """Fire at a target until every ship is sunk, or the last round allowed is over."""
    record = target.record
    while not target.all_sunk and record.next_round <= record.rules.max_rounds:
        target.fire(choose(NavalState(record.next_round, record)))


class Match(Contest):
    """Two players, each hiding ships and mines and firing salvos at the other's.

    Parameters
    ----------
    rules : NavalRules
    layouts : pair of NavalLayout or of mappings as `NavalLayout.to_dict` gives them
        What players 0 and 1 hide. An illegal one loses its owner the match at once;
        if both are, the match is void.
    starter : {0, 1}, optional
        Who fires first in each round; by default a coin decides.
    seed : int, numpy.random.Generator or numpy.random.SeedSequence
        Seeds the coin, and the letters of ships first hit together.

    Attributes
    ----------
    starter : int
    to_move : int
        The player whose salvo is due.
    round : int
    winner : int or None
    void : bool
        The match ended without a winner: both layouts were illegal, or the last round
        allowed was over.
    reason : str
        Why the match ended; empty while it goes on.

    Examples
    --------
    >>> from battleship_ai.naval import NavalClass
    >>> rules = NavalRules((2, 4), [NavalClass("Boat", 1, 1, "Bt", (1,))], 0, 1)
    >>> layout = NavalLayout.parse(rules, "Bt A1; high-explosive A4")
    >>> match = Match(rules, (layout, layout), starter=0)
    >>> match.salvo(["A4"]).mine.kind, match.salvo(["B1"]).report
    ('high-explosive', ())
    >>> match.round, match.to_move  # player 0 skips round 2
    (2, 1)
    >>> str(match.salvo(["A1"]).report[0]), match.winner, match.reason
    ('Bt A: 1', 1, 'all ships of player 0 are sunk')
    """

    def __init__(
        self,
        rules: NavalRules,
        layouts: tuple[NavalLayout | Mapping[str, Any], NavalLayout | Mapping[str, Any]],
        *,
        starter: int | None = None,
        seed: Seed = 0,
    ) -> None:
        if starter is not None:
            check_starter(starter)
        rng = np.random.default_rng(seed)
        coin = int(rng.integers(2))
        self.starter = coin if starter is None else starter
        super().__init__(self.starter)
        self.rules = rules
        self.round = 1
        self._targets = self._hide(
            partial(_target, rules, layout, letters)
            for layout, letters in zip(layouts, rng.spawn(2), strict=True)
        )

    def record(self, player: int) -> NavalRecord:
        """The salvos of a player and their reports."""
        if len(self._targets) < 2:
            raise LayoutError(f"no salvo was fired: {self.reason}")
        return self._targets[1 - player].record

    def layout(self, player: int) -> NavalLayout:
        """What a player hides."""
        if len(self._targets) < 2:
            raise LayoutError(f"not both layouts are legal: {self.reason}")
        return self._targets[player].layout

    def state(self) -> NavalState:
        """What the player to move knows."""
        player = self.to_move
        return NavalState(
            self.round, self.record(player), self.record(1 - player), player == self.starter
        )

    def salvo(self, squares: Iterable[Square]) -> Salvo | None:
        """The player to move fires; None if the salvo is illegal, which loses the match.

        Raises
        ------
        IllegalMove
            If the match is over.
        """
        if self.over:
            raise IllegalMove(f"the match is over: {self.reason}")
        player = self.to_move
        target, own = self._targets[1 - player], self._targets[player]
        try:
            salvo = target.fire(squares, own.guns_left)
        except IllegalMove as error:
            self.forfeit(str(error))
            return None
        if target.all_sunk:
            self._end(player, f"all ships of player {1 - player} are sunk")
        else:
            self._pass_on()
        return salvo

    def _pass_on(self) -> None:
        """Let the next player move that need not skip: both may have to."""
        while True:
            self.to_move = 1 - self.to_move
            if self.to_move == self.starter:
                self.round += 1
            if self.round > self.rules.max_rounds:
                self._end(None, f"no winner in {self.rules.max_rounds} rounds")
                return
            if self.record(self.to_move).next_round == self.round:
                return


def _target(
    rules: NavalRules, layout: NavalLayout | Mapping[str, Any], letters: np.random.Generator
) -> NavalTarget:
    given = layout.to_dict() if isinstance(layout, NavalLayout) else layout
    return NavalTarget(NavalLayout.from_dict(rules, given), seed=letters)


def play_match(
    rules: NavalRules,
    captains: tuple[Captain, Captain],
    layouts: tuple[NavalLayout | Mapping[str, Any], NavalLayout | Mapping[str, Any]],
    *,
    starter: int | None = None,
    seed: Seed = 0,
) -> Match:
    """Play a match to its end.

    A captain that raises loses.

    Parameters
    ----------
    rules : NavalRules
    captains : pair of objects with a method ``choose(state, rng)``
    layouts : pair of NavalLayout or of mappings as `NavalLayout.to_dict` gives them
        What players 0 and 1 hide.
    starter : {0, 1}, optional
        Who fires first in each round; by default a coin decides.
    seed : int, numpy.random.Generator or numpy.random.SeedSequence

    Examples
    --------
    >>> from battleship_ai.naval import RandomSalvo, place_naval
    >>> rules = NavalRules()
    >>> a, b = place_naval(rules, 2, seed=5)
    >>> match = play_match(rules, (RandomSalvo(), RandomSalvo()), (a, b), seed=5)
    >>> match.over, match.winner in (0, 1)
    (True, True)
    """
    rng = np.random.default_rng(seed)
    rngs = rng.spawn(2)
    match = Match(rules, layouts, starter=starter, seed=rng)
    while not match.over:
        player = match.to_move
        try:
            squares = list(captains[player].choose(match.state(), rngs[player]))
        except Exception as error:  # a captain's fault ends its match, not the caller's
            match.forfeit(f"{type(error).__name__}: {error}")
            break
        match.salvo(squares)
    return match
