"""One game of a strategy, played as tournaments play it, under watch."""

import copy
import random
import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from battleship_ai.game import Chooser, Target, shoot_until_won
from battleship_ai.layouts import Layout
from battleship_ai.record import Record
from battleship_ai.rules import Rules

__all__ = ["ADVICE_ON_COPIES", "Fault", "Game", "Played", "blamed", "play"]


class Game(NamedTuple):
    layout: Layout
    seed: int


Played = list[list[int]]  # the squares hidden in a duel, and those shot at; as JSON has it

ADVICE_ON_COPIES = (
    "keep what cannot be copied, such as locks and open files, out of it until new_game(rules, "
    "seed) makes the player of a game"
)
_ADVICE_ON_RULES = (
    "it must play under all rules, as record.rules tells them; to check it under some only, give "
    "check_strategy those"
)
_ADVICE_ON_SQUARES = (
    "return an index, a name such as 'c7' or a pair (row, column); record.unasked lists the free "
    "squares"
)


class Fault(Exception):
    """What a strategy did wrong, and what to do about it."""

    def __init__(self, seen: str, advice: str) -> None:
        super().__init__(seen)
        self.advice = advice


@contextmanager
def blamed(what: str, advice: str) -> Iterator[None]:
    """Whatever is raised is the strategy's fault."""
    try:
        yield
    except (Exception, SystemExit) as error:
        raise Fault(f"{what} raises {type(error).__name__}: {error}", advice) from error


def play(strategy: Chooser, game: Game) -> Played:
    """Play a game to its end, and raise `Fault` for what a strategy must not do."""
    target = Target(game.layout)
    rules = target.record.rules
    rng = np.random.default_rng(game.seed)
    before = _global_generators()
    hidden = _hidden(strategy, rules, game.seed)
    player = _player(strategy, rules, game.seed)
    try:
        shoot_until_won(target, lambda record: _choice(player, record, rng))
        if not target.all_sunk:
            advice = "shoot at every square sooner or later"
            raise Fault(f"it has not won after {len(target.record)} shots", advice)
    finally:
        if hasattr(player, "close"):
            with blamed("close", "let it do no more than end the game"):
                player.close()
    for name, state in _global_generators().items():
        if state != before[name]:
            advice = "draw from the rng that choose receives, or from one seeded in new_game"
            raise Fault(f"it uses the global generator of {name}", advice)
    return [hidden, [shot.square for shot in target.record]]


def _global_generators() -> dict[str, object]:
    numpy_state = np.random.get_state(legacy=False)  # noqa: NPY002  (to see whether it is used)
    words = numpy_state.pop("state")
    numpy_state |= {"key": words["key"].tobytes(), "pos": words["pos"]}
    return {"random": random.getstate(), "numpy.random": numpy_state}


def _hidden(strategy: Any, rules: Rules, seed: int) -> list[int]:
    """The squares that a strategy with a method `hide` hides."""
    if not hasattr(strategy, "hide"):
        return []
    with blamed("hide", _ADVICE_ON_RULES):
        layout = strategy.hide(rules, seed)
    if not isinstance(layout, Layout) or layout.rules != rules:
        raise Fault(f"hide returns {reprlib.repr(layout)}", "return a Layout of the given rules")
    return [square for ship in layout.ships for square in ship]


def _player(strategy: Any, rules: Rules, seed: int) -> Any:
    if hasattr(strategy, "new_game"):
        with blamed("new_game", _ADVICE_ON_RULES):
            return strategy.new_game(rules, seed)
    with blamed("copy.deepcopy of it", ADVICE_ON_COPIES):
        return copy.deepcopy(strategy)


def _choice(player: Any, record: Record, rng: np.random.Generator) -> int:
    shots = record.shots
    with blamed(f"choose at shot {len(shots) + 1}", _ADVICE_ON_RULES):
        square = player.choose(record, rng)
    if record.shots != shots:
        raise Fault("choose changes the record", "let it work on Record(record.rules, record)")
    try:
        return record.rules.board.index(square)
    except (TypeError, ValueError) as error:
        raise Fault(f"choose returns {reprlib.repr(square)}; {error}", _ADVICE_ON_SQUARES) from None
