"""Whether a strategy does what a strategy must, under rules of every kind."""

import json
import os
import pickle
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from functools import partial

import cloudpickle

from battleship_ai._trial import ADVICE_ON_COPIES, Fault, Game, Played, blamed, play
from battleship_ai.errors import StrategyError
from battleship_ai.game import Chooser
from battleship_ai.placers import place
from battleship_ai.rules import Rules
from battleship_ai.strategies import make_strategy
from battleship_ai.strategies._loading import as_strategy

__all__ = ["CHECKED_RULES", "check_strategy"]

CHECKED_RULES: tuple[Rules, ...] = (
    Rules((1, 5), (2,)),
    Rules((1, 1), (1,)),
    Rules((4, 4), (3, 2)),
    Rules((4, 4), (2, 2, 1), contact="allowed", announce="hit-only"),
    Rules((5, 4), (3, 2, 2), contact="corners", announce="sunk-size"),
    Rules((4, 5), (3, 3), contact="allowed", announce="hit-name"),
    Rules((5, 5), (3, 2, 2), announce="sunk-name", turn="again-on-hit"),
    Rules((6, 4), (4, 2), shape="tetris"),
    Rules((4, 6), (3, 3), shape="any"),
    Rules.preset("hasbro"),
    Rules.preset("ship-bombing"),
)
"""Rules that `check_strategy` plays: small ones of every kind, and two common games."""


class _Endless(Fault):
    """A game that goes on in its thread, so that nothing more can be judged."""


@dataclass
class _Findings:
    faults: dict[str, str] = field(default_factory=dict)
    """By advice, what was seen first."""
    cause: BaseException | None = None
    wasted: str = ""

    def add(self, fault: Fault, game: Game | None = None) -> None:
        """Note a fault and the rules of the game in which it came up."""
        where = f" ({_described(game.layout.rules)})" if game else ""
        self.faults.setdefault(fault.advice, f"{fault}{where}")
        self.cause = self.cause or fault.__cause__


def check_strategy(
    strategy: str | type | Chooser,
    rules: Rules | str | Iterable[Rules | str] = CHECKED_RULES,
    *,
    game_seconds: float = 60.0,
    first_game_seconds: float = 600.0,
) -> None:
    """Play games with a strategy, and raise if it does not do what a strategy must.

    It must win every game, by legal shots, in time; play a game the same whenever it gets
    the same seed, whatever was played before, in this process or a fresh one; and leave
    alone the record and the global random generators. A shot at a square that was asked
    before is legal, and only warned of.

    Parameters
    ----------
    strategy : str, class or object
        What `make_strategy` reads, a class made without arguments, or an object with a
        method ``choose(record, rng)`` or ``new_game(rules, seed)``.
    rules : Rules, str or iterable of them
        The rules to play, or names of presets.
    game_seconds : float
        Time for a game.
    first_game_seconds : float
        Time for the first game, in which a strategy may compile or load what it needs.

    Raises
    ------
    StrategyError
        If the strategy is at fault: each kind of fault has a line that says under which
        rules it came up first, and how to mend it. Its cause is the first exception that
        the strategy itself raised.

    Examples
    --------
    >>> class RowByRow:
    ...     def choose(self, record, rng):
    ...         return record.unasked[0]
    >>> small = Rules((4, 4), (3,))
    >>> check_strategy(RowByRow, small)
    >>> class Stubborn:
    ...     def choose(self, record, rng):
    ...         return "c2"
    >>> check_strategy(Stubborn, small)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    battleship_ai.errors.StrategyError: strategy Stubborn has 1 fault:
    - it has not won after 32 shots (4x4, fleet 3, ...): shoot at every square sooner or later
    """
    subject = make_strategy(strategy) if isinstance(strategy, str) else strategy
    subject = as_strategy(subject, "strategy")
    name = getattr(subject, "name", type(subject).__name__)
    findings = _judge(subject, _games(rules), game_seconds, first_game_seconds)
    if findings.wasted:
        warnings.warn(f"strategy {name} {findings.wasted}", stacklevel=2)
    if findings.faults:
        count = f"{len(findings.faults)} fault" + ("s" if len(findings.faults) > 1 else "")
        lines = [f"- {seen}: {advice}" for advice, seen in findings.faults.items()]
        message = "\n".join([f"strategy {name} has {count}:", *lines])
        raise StrategyError(message) from findings.cause


def _games(rules: Rules | str | Iterable[Rules | str]) -> list[Game]:
    several = [rules] if isinstance(rules, (Rules, str)) else list(rules)
    wanted = [Rules.preset(one) if isinstance(one, str) else one for one in several]
    if not wanted:
        raise StrategyError("rules is empty; name at least one rule set to play")
    return [Game(place(one, seed=seed)[0], seed) for seed, one in enumerate(wanted)]


def _described(rules: Rules) -> str:
    fleet = ",".join(map(str, rules.fleet))
    return f"{rules.board}, fleet {fleet}, {rules.shape}, {rules.contact}, {rules.announce}"


def _judge(
    strategy: Chooser, games: list[Game], game_seconds: float, first_game_seconds: float
) -> _Findings:
    findings = _Findings()
    played: list[tuple[Game, Played, Played]] = []
    for game in games:
        seconds = game_seconds if played else first_game_seconds
        try:
            once = _within(seconds, partial(play, strategy, game))
            again = _within(game_seconds, partial(play, strategy, game))
        except Fault as fault:
            findings.add(fault, game)
            if isinstance(fault, _Endless):
                return findings
            continue
        findings.wasted = findings.wasted or _wasted(game, once[1])
        played.append((game, once, again))
    try:
        _check_elsewhere(strategy, played, first_game_seconds + game_seconds * len(played))
    except Fault as fault:
        findings.add(fault)
    return findings


def _within(seconds: float, work: Callable[[], Played]) -> Played:
    """The result of a call that is left to itself if it takes longer."""
    future: Future[Played] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    if not wait([future], seconds).done:
        advice = "it must be faster, or be allowed more by game_seconds"
        raise _Endless(f"it has not won after {seconds:g} s", advice)
    return future.result()


def _wasted(game: Game, shots: list[int]) -> str:
    for number, square in enumerate(shots, start=1):
        if square in shots[: number - 1]:
            rules = game.layout.rules
            return (
                f"shoots at {rules.board.name(square)} again by shot {number} "
                f"({_described(rules)}): legal, but wasted; choose from record.unasked"
            )
    return ""


def _check_elsewhere(
    strategy: Chooser, played: list[tuple[Game, Played, Played]], seconds: float
) -> None:
    """Raise unless a process that has played nothing before plays the same games."""
    with blamed("cloudpickle of it, which takes it to workers,", ADVICE_ON_COPIES):
        pickled = cloudpickle.dumps(strategy)
    if not played:
        return
    games = [game for game, _, _ in played]
    fresh = _play_elsewhere(pickled, games, seconds, hash_seed="1")
    if all(once == again == there for (_, once, again), there in zip(played, fresh, strict=True)):
        return
    if fresh == _play_elsewhere(pickled, games, seconds, hash_seed="2"):
        raise Fault(
            "it plays a game differently after others",
            "keep what it learns in self, of which each game has a copy or what new_game makes, "
            "not in a class or module",
        )
    raise Fault(
        "it plays a game differently under the same seed",
        "draw from the rng that choose receives, or from one seeded in new_game, and let nothing "
        "depend on the clock or on the order of a set",
    )


_ELSEWHERE = """
import json, pickle, sys
sys.path[:], pickled, games = pickle.load(sys.stdin.buffer)
strategy = pickle.loads(pickled)
from battleship_ai._trial import play
print("\\n" + json.dumps([play(strategy, game) for game in pickle.loads(games)]))
"""


def _play_elsewhere(
    pickled: bytes, games: list[Game], seconds: float, *, hash_seed: str
) -> list[Played]:
    """Play games in a process of their own; its hash seed decides the order of sets."""
    advice = "what it needs must be importable, and must come along when it is pickled"
    try:
        done = subprocess.run(
            [sys.executable, "-c", _ELSEWHERE],
            input=pickle.dumps((sys.path, pickled, pickle.dumps(games))),
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise Fault(f"it does not end in a new process within {seconds:g} s", advice) from None
    if done.returncode != 0:
        *_, last = ["it ended", *done.stderr.decode(errors="replace").split("\n")[:-1]]
        raise Fault(f"it fails in a new process: {last}", advice)
    played: list[Played] = json.loads(done.stdout.splitlines()[-1])
    return played
