"""What a strategy is: one method, and for compiled ones a belief and a choice."""

from abc import ABC, abstractmethod
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.game import Target, shoot_until_won, shot_limit
from battleship_ai.inference.tables import tables
from battleship_ai.layouts import Layout
from battleship_ai.record import Record
from battleship_ai.rng import Seed, key_of
from battleship_ai.rules import Rules
from battleship_ai.strategies._play import choose_move, play_from, play_games

__all__ = ["BatchStrategy", "Games", "KernelStrategy", "Strategy"]


class Games(NamedTuple):
    """What several games of one strategy came to.

    Examples
    --------
    >>> from battleship_ai import Density, place
    >>> rules = Rules(board=(4, 4), fleet=(3,))
    >>> layouts = np.array([layout.to_array() for layout in place(rules, 2, seed=1)])
    >>> games = Density().play(rules, layouts, np.array([1, 2], dtype=np.uint64))
    >>> games.shots.tolist(), games.hits.tolist()
    ([6, 4], [[3, 5, 6], [2, 3, 4]])
    """

    shots: npt.NDArray[np.int32]
    """Shots to win, shape (games,); the shot limit where a game is not won."""
    hits: npt.NDArray[np.int16]
    """The number, from 1, of the shot that made each hit, shape (games, ship squares)."""
    squares: npt.NDArray[np.int16]
    """The squares shot at in order, -1 after the last, shape (games, shot limit), if kept."""

    @classmethod
    def empty(cls, rules: Rules, games: int, keep_squares: bool) -> "Games":
        """For games to be played."""
        limit = shot_limit(rules)
        return cls(
            np.full(games, limit, dtype=np.int32),
            np.zeros((games, rules.ship_squares), dtype=np.int16),
            np.full((games, limit if keep_squares else 0), -1, dtype=np.int16),
        )

    def enter(self, game: int, record: Record) -> None:
        """Take over the shots, hits and squares of a game; each hit counts at its first shot."""
        self.shots[game] = len(record)
        hit: dict[int, int] = {}
        for number, (square, answer) in enumerate(record, start=1):
            if answer.kind != "miss":
                hit.setdefault(square, number)
        self.hits[game, : len(hit)] = list(hit.values())
        if self.squares.shape[1]:
            self.squares[game, : len(record)] = [shot.square for shot in record]


class Strategy(ABC):
    """Chooses where to shoot, from the record alone.

    A strategy of your own needs only the method `choose`; deriving from this
    class is not required.

    Examples
    --------
    >>> class FirstFree(Strategy):
    ...     def choose(self, record, rng):
    ...         return record.unasked[0]
    >>> FirstFree().choose(Record(Rules()), np.random.default_rng(0))
    0
    """

    @abstractmethod
    def choose(self, record: Record, rng: np.random.Generator) -> int | str | tuple[int, int]:
        """The next square: an index, a name or (row, column).

        Parameters
        ----------
        record : Record
            The shots so far, their answers, and the rules.
        rng : numpy.random.Generator
            The only source of randomness to use: a tournament seeds it by the game.
        """


class BatchStrategy(Strategy):
    """A strategy that plays many games in one call; by default it is asked shot by shot.

    Examples
    --------
    >>> class FirstFree(BatchStrategy):
    ...     name = "first-free"
    ...     def choose(self, record, rng=0):
    ...         return record.unasked[0]
    ...     def choose_keyed(self, record, key):
    ...         return self.choose(record)
    >>> rules = Rules(board=(2, 3), fleet=(2,))
    >>> layouts = np.array([[0, 1], [2, 5]], dtype=np.int16)
    >>> FirstFree().play(rules, layouts, np.zeros(2, dtype=np.uint64)).shots
    array([2, 6], dtype=int32)
    """

    name: ClassVar[str]
    """Its name in the registry."""

    @abstractmethod
    def choose(self, record: Record, rng: Seed = 0) -> int:
        """The square to shoot at after a record, as an index."""

    @abstractmethod
    def choose_keyed(self, record: Record, key: int) -> int:
        """The square that the game with this key (`battleship_ai.rng.game_keys`) shoots at."""

    def play(
        self,
        rules: Rules,
        layouts: npt.NDArray[np.int16],
        keys: npt.NDArray[np.uint64],
        *,
        keep_squares: bool = False,
    ) -> Games:
        """Play against each of several layouts.

        Parameters
        ----------
        rules : Rules
        layouts : ndarray of int16, shape (games, ship squares)
            Rows as `Layout.to_array` gives them.
        keys : ndarray of uint64, shape (games,)
            Each game's key, for random choices.
        keep_squares : bool
            Whether to keep every shot.
        """
        games = Games.empty(rules, len(layouts), keep_squares)
        for game, (row, key) in enumerate(zip(layouts, keys.tolist(), strict=True)):
            target = Target(Layout.from_array(rules, row))
            shoot_until_won(target, partial(self.choose_keyed, key=key))
            games.enter(game, target.record)
        return games


class KernelStrategy(BatchStrategy):
    """A strategy whose whole games run as compiled code.

    A subclass names a belief and a choice; each is a tuple of arrays and numbers
    whose class has kernels registered in `battleship_ai.strategies._play`.

    Examples
    --------
    >>> from battleship_ai import Density, MonteCarlo
    >>> rules = Rules.preset("hasbro")
    >>> isinstance(Density(), KernelStrategy), Density().is_compiled(rules)
    (True, True)
    >>> MonteCarlo().is_compiled(rules)  # its draws come from the exact posterior
    False
    """

    def is_compiled(self, rules: Rules) -> bool:
        """Whether its games under these rules are compiled code."""
        return True

    @abstractmethod
    def kernel_pair(self, rules: Rules) -> tuple[Any, Any]:
        """A fresh belief and a choice for these rules."""

    def choose(self, record: Record, rng: Seed = 0) -> int:
        """The square to shoot at after a record, as an index.

        Parameters
        ----------
        record : Record
        rng : int, numpy.random.Generator or numpy.random.SeedSequence
            Decides random choices; the same integer gives the same square.
        """
        return self.choose_keyed(record, key_of(rng))

    def choose_keyed(self, record: Record, key: int) -> int:
        """The square that the game with this key (`battleship_ai.rng.game_keys`) shoots at."""
        belief, choice = self.kernel_pair(record.rules)
        arrays = record.arrays()
        square = choose_move(belief, choice, tables(record.rules), *arrays, np.uint64(key))
        return int(square)

    def play(
        self,
        rules: Rules,
        layouts: npt.NDArray[np.int16],
        keys: npt.NDArray[np.uint64],
        *,
        keep_squares: bool = False,
    ) -> Games:
        """Play against each of several layouts, as compiled code where there is some."""
        if not self.is_compiled(rules):
            return super().play(rules, layouts, keys, keep_squares=keep_squares)
        games = Games.empty(rules, len(layouts), keep_squares)
        belief, choice = self.kernel_pair(rules)
        limit = shot_limit(rules)
        play_games(belief, choice, tables(rules), layouts, keys, limit, *games)
        return games

    def play_on(
        self,
        record: Record,
        square: int,
        layouts: npt.NDArray[np.int16],
        keys: npt.NDArray[np.uint64],
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Play on from a record and one more shot, as compiled code.

        Parameters
        ----------
        record : Record
        square : int
            Where the next shot goes.
        layouts : ndarray of int16, shape (games, ship squares)
            What fits the record.
        keys : ndarray of uint64, shape (games,)
            Each game's key, for random choices.

        Returns
        -------
        shots : ndarray of int32, shape (games,)
            The shots after that one, until the game is won or has as many as there may be.
        told : ndarray of int64, shape (games, 2)
            The answer to it: its kind and the class told.
        """
        rules = record.rules
        opening = np.append(record.arrays().squares, square)
        shots = np.empty(len(layouts), dtype=np.int32)
        told = np.empty((len(layouts), 2), dtype=np.int64)
        belief, choice = self.kernel_pair(rules)
        limit = shot_limit(rules)
        play_from(belief, choice, tables(rules), opening, layouts, keys, limit, shots, told)
        return shots, told
