"""Play a batch of a design, or one of its games once more."""

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from battleship_ai._names import look_up
from battleship_ai.rng import game_keys, key_of
from battleship_ai.tournament.batches import Batch, DuelBatch, SoloBatch
from battleship_ai.tournament.design import Design, Pool

__all__ = ["play_batch", "replay", "warm"]


def play_batch(design: Design, batch: Batch) -> SoloBatch | DuelBatch:
    """Play a batch of a design, and time it."""
    start = time.perf_counter()
    played = _play_duels(design, batch) if design.mode == "duel" else _play_solo(design, batch)
    played.wall_seconds = time.perf_counter() - start
    return played


def warm(design: Design, pool: Pool) -> float:
    """Draw layouts and play a game with each compiled strategy; seconds taken."""
    start = time.perf_counter()
    keys, layouts = _hidden(design, pool, 0, 2)
    pool.game.warm(pool.rules, design.strategies.values(), layouts, int(keys[0]))
    return time.perf_counter() - start


def _hidden(
    design: Design, pool: Pool, first: int, count: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int16]]:
    """Keys of games and the layouts that follow from them."""
    keys = game_keys(key_of(design.seed), first, count)
    return keys, pool.game.place(pool.rules, keys, pool.placer)


def _play_solo(design: Design, batch: Batch) -> SoloBatch:
    pool = design.pools[batch.pool]
    game = pool.game
    keys, layouts = _hidden(design, pool, batch.first, batch.games)
    played = SoloBatch(batch, {}, {})
    keep = design.keep_shots or design.luck_adjusted
    for label, strategy in design.strategies.items():
        begun = time.perf_counter()
        columns, faults = game.play_solo(
            pool.rules, strategy, layouts, keys, design.game_seconds, transcripts=keep
        )
        played.seconds[label] = time.perf_counter() - begun
        if design.luck_adjusted:
            columns["luck"] = game.luck(pool.rules, layouts, columns)
        played.columns[label] = columns
        played.failures[label] = [
            fault._replace(game=batch.first + i) for i, fault in sorted(faults.items())
        ]
    return played


def _play_duels(design: Design, batch: Batch) -> DuelBatch:
    pool = design.pools[batch.pool]
    keys, layouts = _hidden(design, pool, 2 * batch.first, 2 * batch.games)
    return pool.game.play_duels(
        pool.rules, design.strategies, layouts, keys, batch, design.game_seconds
    )


def replay(design: Design, pool: int, game: int, label: str, opponent: str | None = None) -> Any:
    """Play one game of a design once more: a solo game, or a duel, of the game's own class.

    Raises
    ------
    UnknownName
        If there is no such strategy, or a duel lacks its opponent.
    """
    chosen = design.pools[pool]
    labels = [label] if design.mode == "solo" else [label, str(opponent)]
    players = [look_up("strategy", name, design.strategies) for name in labels]
    keys, layouts = _hidden(design, chosen, len(players) * game, len(players))
    if design.mode == "solo":
        return chosen.game.replay_solo(
            chosen.rules, players[0], layouts[0], int(keys[0]), design.game_seconds
        )
    return chosen.game.replay_duel(
        chosen.rules, (players[0], players[1]), layouts, keys, game % 2, design.game_seconds
    )
