"""Naval Bombardment in tournaments."""

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from battleship_ai.naval.captains import CAPTAINS, DEFAULT_CAPTAINS, can_command, make_captain
from battleship_ai.naval.layouts import NavalLayout
from battleship_ai.naval.match import (
    Match,
    SoloMatch,
    fire_until_won,
    play_match,
    play_solo_match,
    solo_target,
)
from battleship_ai.naval.placers import NAVAL_PLACERS, place_naval, place_naval_arrays
from battleship_ai.naval.record import NavalRecord, NavalState
from battleship_ai.naval.rules import NAVAL_PRESETS, NavalRules
from battleship_ai.naval.ship_classes import NavalClass
from battleship_ai.tournament.batches import NO_WINNER, Batch, Columns, DuelBatch
from battleship_ai.tournament.game import Game, Keys, Layouts, Played
from battleship_ai.tournament.seats import Failure, Seat

__all__ = ["GAME"]

_PRACTICE_BOARD = "8x8"
_PRACTICE_FLEET = (
    NavalClass("Destroyer", 4, 1, "Dy", (2, 4)),
    NavalClass("Corvette", 3, 2, "Cv", (3,)),
)


class _Bridge(Seat):
    """A captain in one match."""

    def _ask(self, position: NavalState, rng: np.random.Generator) -> list[Any]:
        return list(super()._ask(position, rng))  # in its time, should it be a generator


class NavalBombardment(Game[NavalRules]):
    """Captains that fire salvos; a match's seed is the key of its game, a duel's of the first."""

    name = "Naval Bombardment"
    rules_type = NavalRules
    presets = NAVAL_PRESETS
    placers = NAVAL_PLACERS
    players = CAPTAINS
    default_players = DEFAULT_CAPTAINS
    player_form = "choose(state, rng)"
    measures: ClassVar[dict[str, str]] = {"rounds": "salvos", "mines": "mines"}
    duel_measures = ("rounds", "mines_first", "mines_second")
    transcript = "record"
    hits_type = np.int32

    def make_player(self, text: str) -> Any:
        """The captain that a text names."""
        return make_captain(text)

    def can_play(self, found: object) -> bool:
        """Whether an object has the method by which a captain plays."""
        return can_command(found)

    def place(self, rules: NavalRules, keys: Keys, placer: str) -> Layouts:
        """One layout for each key."""
        return place_naval_arrays(rules, keys, placer)

    def sample(self, rules: NavalRules, count: int, placer: str, seed: int) -> list[NavalLayout]:
        """The layouts of the first games of a tournament with this seed."""
        return place_naval(rules, count, placer=placer, seed=seed)

    def listed(self, layout: NavalLayout) -> dict[str, dict[str, list[str]]]:
        """The ships by class and the mines by kind, as `NavalLayout.to_dict` has them."""
        return layout.to_dict()

    def limits(self, rules: NavalRules) -> dict[str, int]:
        """The most shots, rounds and mines."""
        return {
            "shots": rules.max_rounds * rules.guns,
            "rounds": rules.max_rounds,
            "mines": len(rules.mines),
        }

    def warm(self, rules: NavalRules, players: Collection[Any], layouts: Layouts, key: int) -> None:
        """Let each captain of the package play on a small board, and fire first on the real one.

        On the small board the same code is compiled in a fraction of the time that a game
        may take; the first salvo fills the tables of the rules.
        """
        small = NavalRules(_PRACTICE_BOARD, _PRACTICE_FLEET, 1, 1, rules.identify)
        pair = place_naval(small, 2, placer="sequential", seed=key)
        for captain in players:
            if type(captain) in CAPTAINS.values():
                play_solo_match(captain, pair[0], seed=key)
                play_match(small, (captain, captain), (pair[0], pair[1]), seed=key)
                captain.choose(NavalState(1, NavalRecord(rules)), np.random.default_rng(key))

    def play_solo(
        self,
        rules: NavalRules,
        player: Any,
        layouts: Layouts,
        keys: Keys,
        seconds: float,
        *,
        transcripts: bool,
    ) -> Played:
        """Let a captain fire at each of several layouts.

        Mines are counted until the match ends, even by a fault.
        """
        limits = self.limits(rules)
        games = len(layouts)
        columns: Columns = {
            "shots": np.full(games, limits["shots"], dtype=np.int32),
            "rounds": np.full(games, limits["rounds"], dtype=np.int32),
            "mines": np.zeros(games, dtype=np.int32),
            "hits": np.zeros((games, rules.ship_squares), dtype=self.hits_type),
        }
        if transcripts:
            columns["record"] = np.empty(games, dtype=object)
        faults = {}
        for i, (row, key) in enumerate(zip(layouts, keys.tolist(), strict=True)):
            match, fault = _play_solo(rules, player, row, key, seconds)
            if fault is None:
                columns["shots"][i], columns["rounds"][i] = match.shots, match.rounds
            else:
                faults[i] = fault
            columns["mines"][i] = len(match.record.mines)
            hits = _hits(match)
            columns["hits"][i, : len(hits)] = hits
            if transcripts:
                columns["record"][i] = str(match.record)
        return Played(columns, faults)

    def play_duels(
        self,
        rules: NavalRules,
        players: Mapping[str, Any],
        layouts: Layouts,
        keys: Keys,
        batch: Batch,
        seconds: float,
    ) -> DuelBatch:
        """Let every pair of captains play matches."""
        played = DuelBatch(batch, {}, {}, {}, dict.fromkeys(players, 0.0))
        for pair in combinations(players, 2):
            _play_pair(played, pair, rules, players, layouts, keys, seconds)
        return played

    def replay_solo(
        self, rules: NavalRules, player: Any, row: npt.NDArray[np.int16], key: int, seconds: float
    ) -> SoloMatch:
        """A solo match with its record."""
        return _play_solo(rules, player, row, key, seconds)[0]

    def replay_duel(
        self,
        rules: NavalRules,
        players: tuple[Any, Any],
        layouts: Layouts,
        keys: Keys,
        starter: int,
        seconds: float,
    ) -> Match:
        """A match with its records."""
        seats = _Bridge(players[0], seconds), _Bridge(players[1], seconds)
        return _play_match(rules, seats, layouts, int(keys[0]), starter)


def _play_solo(
    rules: NavalRules, captain: Any, row: npt.NDArray[np.int16], key: int, seconds: float
) -> tuple[SoloMatch, Failure | None]:
    """A solo match as `play_solo_match` plays it, and what went wrong, if anything did."""
    target, rng = solo_target(NavalLayout.from_array(rules, row), key)
    seat = _Bridge(captain, seconds)
    fault = None
    try:
        fire_until_won(target, lambda state: seat.choose(state, rng))
    except Exception as error:  # whatever a captain does wrong costs it this game only
        fault = Failure.by(error)
    finally:
        seat.close()
    if fault is None and not target.all_sunk:
        fault = Failure(0, f"not won after {rules.max_rounds} rounds")
    return SoloMatch(target.layout, target.record, target.all_sunk), fault


def _hits(match: SoloMatch) -> list[int]:
    """The number, from 1, of the shot that made each hit."""
    left = {square for ship in match.layout.ships for square in ship}
    numbers = []
    shots = (square for salvo in match.record for square in salvo.fired)
    for number, square in enumerate(shots, 1):
        if square in left:
            left.remove(square)
            numbers.append(number)
    return numbers


def _play_pair(
    played: DuelBatch,
    pair: tuple[str, str],
    rules: NavalRules,
    players: Mapping[str, Any],
    layouts: Layouts,
    keys: Keys,
    seconds: float,
) -> None:
    """Play the matches of a pair, and enter them."""
    games = played.batch.games
    winner = np.full(games, NO_WINNER, dtype=np.int8)
    shots, mines = np.zeros((2, games, 2), dtype=np.int32)
    rounds = np.zeros(games, dtype=np.int32)
    failures = []
    for i in range(games):
        number = played.batch.first + i
        duel = slice(2 * i, 2 * i + 2)
        seats = _Bridge(players[pair[0]], seconds), _Bridge(players[pair[1]], seconds)
        match = _play_match(rules, seats, layouts[duel], int(keys[2 * i]), number % 2)
        for player, seat in enumerate(seats):
            played.seconds[pair[player]] += seat.spent
            record = match.record(player)
            shots[i, player], mines[i, player] = record.shots, len(record.mines)
        rounds[i] = min(match.round, rules.max_rounds)
        if match.winner is None:
            failures.append(Failure(number, match.reason))
            continue
        winner[i] = match.winner
        if match.fault is not None:
            loser = 1 - match.winner
            illegal = seats[loser].failure is None
            failures.append(Failure(number, f"{pair[loser]}: {match.fault}", illegal))
    played.winner[pair] = winner
    played.shots[pair] = shots
    played.failures[pair] = failures
    played.measures[pair] = {
        "rounds": rounds, "mines_first": mines[:, 0], "mines_second": mines[:, 1],
    }  # fmt: skip


def _play_match(
    rules: NavalRules, seats: tuple[Seat, Seat], layouts: Layouts, key: int, starter: int
) -> Match:
    hidden = NavalLayout.from_array(rules, layouts[1]), NavalLayout.from_array(rules, layouts[0])
    try:
        return play_match(rules, seats, hidden, starter=starter, seed=key)
    finally:
        for seat in seats:
            seat.close()


GAME = NavalBombardment()
"""What `battleship_ai.tournament.games` enters."""
