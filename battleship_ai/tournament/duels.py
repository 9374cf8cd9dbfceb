"""Duels by the thousand: two strategies asked apart, then compared by turns."""

import time
from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.game import Chooser
from battleship_ai.rules import Rules
from battleship_ai.tournament.batches import NO_WINNER, Batch, DuelBatch
from battleship_ai.tournament.seats import Failure
from battleship_ai.tournament.shooters import ShooterSeat, Side, shoot

__all__ = ["play_duels"]


def play_duels(
    rules: Rules,
    strategies: Mapping[str, Chooser],
    layouts: npt.NDArray[np.int16],
    keys: npt.NDArray[np.uint64],
    batch: Batch,
    seconds: float,
) -> DuelBatch:
    """Both players of a duel, asked without regard to each other; then who was done first.

    Player 0 of duel g shoots at layout 2g, player 1 at layout 2g + 1, unless the other
    strategy hides a fleet of its own.
    """
    labels = list(strategies)
    played = DuelBatch(batch, {}, {}, {}, dict.fromkeys(labels, 0.0))
    shot: dict[tuple[str, int, str | None], Side] = {}
    hidden = {
        (label, player): _hide(
            strategy, rules, layouts[1 - player :: 2], keys[player::2], seconds
        )
        for label, strategy in strategies.items() if hasattr(strategy, "hide")
        for player in (0, 1)
    }  # fmt: skip

    def side(label: str, player: int, opponent: str) -> Side:
        hider = opponent if (opponent, 1 - player) in hidden else None
        if (label, player, hider) not in shot:
            begun = time.perf_counter()
            rows = layouts[player::2]
            if hider is not None:
                rows = hidden[hider, 1 - player].rows
            found = shoot(rules, strategies[label], rows, keys[player::2], seconds)
            shot[label, player, hider] = found
            played.seconds[label] += time.perf_counter() - begun
        return shot[label, player, hider]

    starter = (batch.first + np.arange(batch.games)) % 2
    for pair in combinations(labels, 2):
        sides = side(pair[0], 0, pair[1]), side(pair[1], 1, pair[0])
        illegal = [
            hidden[label, player].faults if (label, player) in hidden else {}
            for player, label in enumerate(pair)
        ]
        _decide(played, pair, rules, sides, illegal, starter)
    return played


class _Hidden(NamedTuple):
    """Layouts that a strategy hides; the placer's where its own is illegal, and why it is."""

    rows: npt.NDArray[np.int16]
    faults: dict[int, Failure]


def _hide(
    strategy: Any,
    rules: Rules,
    layouts: npt.NDArray[np.int16],
    keys: npt.NDArray[np.uint64],
    seconds: float,
) -> _Hidden:
    hidden = _Hidden(layouts.copy(), {})
    for i, key in enumerate(keys.tolist()):
        try:
            layout = ShooterSeat(strategy, rules, key, seconds).hide()
            if layout is not None:
                hidden.rows[i] = layout.to_array()
        except Exception as error:
            hidden.faults[i] = Failure(0, f"illegal layout: {error}", illegal=True)
    return hidden


def _decide(
    played: DuelBatch,
    pair: tuple[str, str],
    rules: Rules,
    sides: tuple[Side, Side],
    illegal: list[dict[int, Failure]],
    starter: npt.NDArray[np.int64],
) -> None:
    """Enter who of a pair won each duel: whoever ended first won it, or lost it by a fault."""
    count = len(starter)
    done = [np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)]
    turns = [_turns(rules, side) for side in sides]
    for player in (0, 1):
        turns[player][list(illegal[player])] = 0
        done[player] = 2 * turns[player] + (starter != player)  # before the other in its turn
    first_done = (done[1] < done[0]).astype(np.int8)
    winner = first_done.copy()
    failures = []
    for player in (0, 1):
        for i, fault in {**sides[player].faults, **illegal[player]}.items():
            if first_done[i] == player and not (i in illegal[0] and i in illegal[1]):
                winner[i] = 1 - player
                failures.append(
                    fault._replace(
                        game=played.batch.first + i, message=f"{pair[player]}: {fault.message}"
                    )
                )
    for i in illegal[0].keys() & illegal[1].keys():
        winner[i] = NO_WINNER
        failures.append(Failure(played.batch.first + i, "both layouts are illegal", illegal=True))
    last_turn = np.minimum(*turns)
    shots = [
        _shots_by(rules, sides[player], last_turn - ((first_done != player) & (starter != player)))
        for player in (0, 1)
    ]
    played.winner[pair] = winner
    played.shots[pair] = np.stack(shots, axis=1)
    played.failures[pair] = sorted(failures)


def _turns(rules: Rules, side: Side) -> npt.NDArray[np.int64]:
    """The turn, from 1, in which each game ended, by its last shot or by the fault after it."""
    shots = side.games.shots.astype(np.int64)
    faulty = np.isin(np.arange(len(shots)), list(side.faults))
    if rules.turn == "single":
        return shots + faulty
    hits: npt.NDArray[np.int64] = (side.hits > 0).sum(axis=1)
    return 1 + shots - hits


def _shots_by(rules: Rules, side: Side, turns: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Shots fired in so many turns: where a hit gives another, a turn ends with a miss."""
    shots = turns
    if rules.turn != "single":
        number = np.arange(1, side.hits.shape[1] + 1)
        before = (side.hits > 0) & (side.hits - number < turns[:, None])
        shots = turns + before.sum(axis=1)
    return np.clip(shots, 0, side.games.shots).astype(np.int32)
