"""Play a batch of a design, or one of its games once more."""

import time

import numpy as np
import numpy.typing as npt

from battleship_ai._names import look_up
from battleship_ai.game import Duel, SoloGame, Target, play_duel, shot_limit
from battleship_ai.layouts import Layout
from battleship_ai.luck import luck
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys, key_of
from battleship_ai.rules import Rules
from battleship_ai.strategies import BatchStrategy
from battleship_ai.tournament.batches import Batch, DuelBatch, SoloBatch
from battleship_ai.tournament.design import Design, Pool
from battleship_ai.tournament.duels import play_duels
from battleship_ai.tournament.seats import Seat, play_out, shoot

__all__ = ["play_batch", "replay", "warm"]


def play_batch(design: Design, batch: Batch) -> SoloBatch | DuelBatch:
    """Play a batch of a design, and time it."""
    start = time.perf_counter()
    played = play_duels(design, batch) if design.mode == "duel" else _play_solo(design, batch)
    played.wall_seconds = time.perf_counter() - start
    return played


def warm(design: Design, pool: Pool) -> float:
    """Draw a layout and play a game with each compiled strategy; seconds taken."""
    start = time.perf_counter()
    keys = game_keys(key_of(design.seed), 0, 1)
    layouts = place_arrays(pool.rules, keys, pool.placer)
    for strategy in design.strategies.values():
        if isinstance(strategy, BatchStrategy):
            strategy.play(pool.rules, layouts, keys)
    return time.perf_counter() - start


def _play_solo(design: Design, batch: Batch) -> SoloBatch:
    pool = design.pools[batch.pool]
    keys = game_keys(key_of(design.seed), batch.first, batch.games)
    layouts = place_arrays(pool.rules, keys, pool.placer)
    played = SoloBatch(batch, {}, {}, {})
    keep = design.keep_shots or design.luck_adjusted
    for label, strategy in design.strategies.items():
        begun = time.perf_counter()
        side = shoot(pool.rules, strategy, layouts, keys, design.game_seconds, keep_squares=keep)
        played.seconds[label] = time.perf_counter() - begun
        side.games.shots[list(side.faults)] = shot_limit(pool.rules)
        played.games[label] = side.games
        played.failures[label] = [
            fault._replace(game=batch.first + i) for i, fault in sorted(side.faults.items())
        ]
        if design.luck_adjusted:
            played.luck[label] = luck(pool.rules, layouts, side.games)
    return played


def replay(
    design: Design, pool: int, game: int, label: str, opponent: str | None = None
) -> SoloGame | Duel:
    """Play one game of a design once more.

    Raises
    ------
    TournamentError
        If there is no such strategy, or a duel lacks its opponent.
    """
    rules, placer = design.pools[pool].rules, design.pools[pool].placer
    players = [label] if design.mode == "solo" else [label, str(opponent)]
    strategies = [look_up("strategy", name, design.strategies) for name in players]
    number = len(players)
    keys = game_keys(key_of(design.seed), number * game, number)
    targets = place_arrays(rules, keys, placer)
    seats = [
        Seat(strategy, rules, key, design.game_seconds)
        for strategy, key in zip(strategies, keys.tolist(), strict=True)
    ]
    if design.mode == "solo":
        target = Target(Layout.from_array(rules, targets[0]))
        play_out(seats[0], target)
        return SoloGame(target.layout, target.record, target.all_sunk)
    fleets = [_fleet(seat, rules, targets[1 - player]) for player, seat in enumerate(seats)]
    try:
        return play_duel(rules, (seats[0], seats[1]), (fleets[0], fleets[1]), starter=game % 2)
    finally:
        for seat in seats:
            seat.close()


def _fleet(seat: Seat, rules: Rules, row: npt.NDArray[np.int16]) -> Layout | list[list[int]]:
    """What a player hides; no ships, which is illegal, if it fails to."""
    try:
        return seat.hide() or Layout.from_array(rules, row)
    except Exception:
        return []
