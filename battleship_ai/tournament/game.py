"""What a tournament asks of a game: its names, how it is played, and what is measured."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from battleship_ai._names import check_keys
from battleship_ai.errors import RulesError, TournamentError
from battleship_ai.rules import Preset
from battleship_ai.tournament.batches import Batch, Columns, DuelBatch
from battleship_ai.tournament.seats import Failure

__all__ = ["Game", "Keys", "Layouts", "Played"]


class _RuleSet(Protocol):
    @classmethod
    def preset(cls, name: str, **overrides: Any) -> Self: ...


R = TypeVar("R", bound=_RuleSet)
Keys = npt.NDArray[np.uint64]
"""A key for each game, shape (games,)."""

Layouts = npt.NDArray[np.int16]
"""A layout for each game, one a row."""


class Played(NamedTuple):
    """What a player did against several layouts."""

    columns: Columns
    faults: dict[int, Failure]
    """What ended a game before it was won, by its place among them."""


class Game(ABC, Generic[R]):
    """A game with its rules, placers and players; to add one, see `games.py`.

    Players are strategies or captains, layouts are rows of squares, and everything random
    in a game follows from its key (`battleship_ai.rng.game_keys`).
    """

    name: ClassVar[str]
    rules_type: type[R]
    presets: Mapping[str, Preset]
    placers: Collection[str]
    players: Mapping[str, type]
    """The registered players by name."""
    default_players: tuple[str, ...]
    player_form: ClassVar[str]
    """The method by which an object plays."""
    measures: ClassVar[Mapping[str, str]] = {}
    """What is counted in a solo game beside its shots: by column of rows, the name of its mean."""
    duel_measures: ClassVar[tuple[str, ...]] = ()
    """The columns of a duel's rows beside the shots."""
    transcript: ClassVar[str]
    """The column of rows that keeps a solo game's every shot."""
    hits_type: ClassVar[type[np.signedinteger[Any]]]
    """Of the numbers of shots in the column ``hits``."""

    @property
    def default_placer(self) -> str:
        """Uniform layouts, where they can be drawn."""
        return "uniform" if "uniform" in self.placers else next(iter(self.placers))

    @property
    def settings(self) -> list[str]:
        """The keys of its rules."""
        return [field.name for field in fields(self.rules_type)]  # type: ignore[arg-type]

    def preset(self, name: str, settings: Mapping[str, Any]) -> R:
        """The rules of one of its presets with some settings replaced.

        Raises
        ------
        RulesError
            If a setting is unknown or wrong.
        """
        check_keys("rules key", settings, self.settings, RulesError)
        return self.rules_type.preset(name, **settings)

    @abstractmethod
    def make_player(self, text: str) -> Any:
        """The player that a text names."""

    @abstractmethod
    def can_play(self, found: object) -> bool:
        """Whether an object plays the game."""

    @abstractmethod
    def place(self, rules: R, keys: Keys, placer: str) -> Layouts:
        """One layout for each key."""

    @abstractmethod
    def sample(self, rules: R, count: int, placer: str, seed: int) -> list[Any]:
        """The layouts of the first games of a tournament with this seed."""

    @abstractmethod
    def listed(self, layout: Any) -> Any:
        """A layout as plain values, for JSON."""

    @abstractmethod
    def limits(self, rules: R) -> dict[str, int]:
        """The most that ``shots`` and each of `measures` can come to.

        A game that is lost by a fault counts as the most shots.
        """

    @abstractmethod
    def warm(self, rules: R, players: Collection[Any], layouts: Layouts, key: int) -> None:
        """Let compiled code be compiled, by games of the players at a pair of layouts."""

    @abstractmethod
    def play_solo(
        self,
        rules: R,
        player: Any,
        layouts: Layouts,
        keys: Keys,
        seconds: float,
        *,
        transcripts: bool,
    ) -> Played:
        """Let a player shoot at each of several layouts; `seconds` is its time for one.

        The columns are ``shots``, `measures`, ``hits`` (the number, from 1, of the shot that
        made each hit; 0 where none did), and the transcript if wanted.
        """

    @abstractmethod
    def play_duels(
        self,
        rules: R,
        players: Mapping[str, Any],
        layouts: Layouts,
        keys: Keys,
        batch: Batch,
        seconds: float,
    ) -> DuelBatch:
        """Let every pair of players duel.

        In duel g player 0, the first of the pair, shoots at layout 2g and player 1 at layout
        2g + 1; player g % 2 starts.
        """

    @abstractmethod
    def replay_solo(
        self, rules: R, player: Any, row: npt.NDArray[np.int16], key: int, seconds: float
    ) -> Any:
        """One of the games of `play_solo` with all that happened."""

    @abstractmethod
    def replay_duel(
        self,
        rules: R,
        players: tuple[Any, Any],
        layouts: Layouts,
        keys: Keys,
        starter: int,
        seconds: float,
    ) -> Any:
        """One of the duels of `play_duels` with all that happened."""

    def check_adjustable(self, rules: R, placer: str) -> None:
        """Raise `TournamentError` where luck cannot be estimated."""
        raise TournamentError(f"luck_adjusted is for ship bombing; {self.name} has no exact luck")

    def luck(self, rules: R, layouts: Layouts, columns: Columns) -> npt.NDArray[np.float64]:
        """What luck cost each game in shots, from transcripts."""
        raise NotImplementedError
