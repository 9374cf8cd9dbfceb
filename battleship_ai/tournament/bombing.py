"""Ship bombing in tournaments, with all its relatives."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from battleship_ai.game import Duel, SoloGame, Target, play_duel, shot_limit
from battleship_ai.layouts import Layout
from battleship_ai.luck import check_adjustable, luck
from battleship_ai.placers import PLACERS, place, place_arrays
from battleship_ai.rules import PRESETS, Rules
from battleship_ai.strategies import (
    DEFAULT_STRATEGIES,
    STRATEGIES,
    BatchStrategy,
    Games,
    make_strategy,
)
from battleship_ai.strategies._loading import can_play
from battleship_ai.tournament.batches import Batch, Columns, DuelBatch
from battleship_ai.tournament.duels import play_duels
from battleship_ai.tournament.game import Game, Keys, Layouts, Played
from battleship_ai.tournament.shooters import ShooterSeat, play_out, shoot

__all__ = ["ShipBombing"]


class ShipBombing(Game[Rules]):
    """Strategies that shoot one square at a time."""

    name = "ship bombing"
    rules_type = Rules
    presets = PRESETS
    placers = PLACERS
    players = STRATEGIES
    default_players = DEFAULT_STRATEGIES
    player_form = "choose(record, rng)"
    transcript = "squares"
    hits_type = np.int16

    def make_player(self, text: str) -> Any:
        """The strategy that a text names."""
        return make_strategy(text)

    def can_play(self, found: object) -> bool:
        """Whether an object has a method by which a strategy plays."""
        return can_play(found)

    def place(self, rules: Rules, keys: Keys, placer: str) -> Layouts:
        """One layout for each key."""
        return place_arrays(rules, keys, placer)

    def sample(self, rules: Rules, count: int, placer: str, seed: int) -> list[Layout]:
        """The layouts of the first games of a tournament with this seed."""
        return place(rules, count, placer=placer, seed=seed)

    def listed(self, layout: Layout) -> list[list[str]]:
        """The names of the squares of each ship."""
        return layout.names()

    def limits(self, rules: Rules) -> dict[str, int]:
        """The most shots."""
        return {"shots": shot_limit(rules)}

    def warm(self, rules: Rules, players: Collection[Any], layouts: Layouts, key: int) -> None:
        """Play a game with each compiled strategy."""
        for strategy in players:
            if isinstance(strategy, BatchStrategy):
                strategy.play(rules, layouts[:1], np.array([key], dtype=np.uint64))

    def play_solo(
        self,
        rules: Rules,
        player: Any,
        layouts: Layouts,
        keys: Keys,
        seconds: float,
        *,
        transcripts: bool,
    ) -> Played:
        """Let a strategy shoot at each of several layouts."""
        side = shoot(rules, player, layouts, keys, seconds, keep_squares=transcripts)
        side.games.shots[list(side.faults)] = shot_limit(rules)
        columns: Columns = {"shots": side.games.shots, "hits": side.games.hits}
        if transcripts:
            columns["squares"] = side.games.squares
        return Played(columns, side.faults)

    def play_duels(
        self,
        rules: Rules,
        players: Mapping[str, Any],
        layouts: Layouts,
        keys: Keys,
        batch: Batch,
        seconds: float,
    ) -> DuelBatch:
        """Let every pair of strategies duel."""
        return play_duels(rules, players, layouts, keys, batch, seconds)

    def replay_solo(
        self, rules: Rules, player: Any, row: npt.NDArray[np.int16], key: int, seconds: float
    ) -> SoloGame:
        """A solo game with its record."""
        target = Target(Layout.from_array(rules, row))
        play_out(ShooterSeat(player, rules, key, seconds), target)
        return SoloGame(target.layout, target.record, target.all_sunk)

    def replay_duel(
        self,
        rules: Rules,
        players: tuple[Any, Any],
        layouts: Layouts,
        keys: Keys,
        starter: int,
        seconds: float,
    ) -> Duel:
        """A duel with its records."""
        seats = [
            ShooterSeat(player, rules, key, seconds)
            for player, key in zip(players, keys.tolist(), strict=True)
        ]
        fleets = [_fleet(seat, rules, layouts[1 - player]) for player, seat in enumerate(seats)]
        try:
            return play_duel(rules, (seats[0], seats[1]), (fleets[0], fleets[1]), starter=starter)
        finally:
            for seat in seats:
                seat.close()

    def check_adjustable(self, rules: Rules, placer: str) -> None:
        """Raise `TournamentError` where luck cannot be estimated."""
        check_adjustable(rules, placer)

    def luck(self, rules: Rules, layouts: Layouts, columns: Columns) -> npt.NDArray[np.float64]:
        """What luck cost each game in shots."""
        games = Games(columns["shots"], columns["hits"], columns["squares"])
        return luck(rules, layouts, games)


def _fleet(seat: ShooterSeat, rules: Rules, row: npt.NDArray[np.int16]) -> Layout | list[list[int]]:
    """What a player hides; no ships, which is illegal, if it fails to."""
    try:
        return seat.hide() or Layout.from_array(rules, row)
    except Exception:
        return []
