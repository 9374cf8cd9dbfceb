"""A strategy in its games: asked for shots, timed, and charged with its own faults."""

import copy
import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import IllegalMove
from battleship_ai.game import Chooser, Target, shoot_until_won, shot_limit
from battleship_ai.layouts import Layout, Square
from battleship_ai.record import Record
from battleship_ai.rules import Rules
from battleship_ai.strategies import BatchStrategy, Games

__all__ = ["Failure", "Seat", "Side", "play_out", "shoot"]


class Failure(NamedTuple):
    """A game that a strategy lost by its own fault."""

    game: int
    message: str
    illegal: bool = False
    """Whether it was an illegal move or layout; else it raised, took too long or never won."""


class Side(NamedTuple):
    """What a strategy did against several layouts, asked without regard to an opponent."""

    games: Games
    hits: npt.NDArray[np.int16]
    """The number of every shot that was not a miss, repeated squares too; 0 after the last."""
    faults: dict[int, Failure]
    """What ended a game before it was won, by its place in the batch."""


def shoot(
    rules: Rules,
    strategy: Chooser,
    layouts: npt.NDArray[np.int16],
    keys: npt.NDArray[np.uint64],
    seconds: float,
    *,
    keep_squares: bool = False,
) -> Side:
    """Let a strategy shoot at each of several layouts; `seconds` is its time for one."""
    if isinstance(strategy, BatchStrategy):
        games = strategy.play(rules, layouts, keys, keep_squares=keep_squares)
        limit = shot_limit(rules)
        lost = np.flatnonzero(games.hits[:, -1] == 0).tolist()
        return Side(games, games.hits, {i: _not_won(limit) for i in lost})
    games = Games.empty(rules, len(layouts), keep_squares)
    hits = np.zeros((len(layouts), shot_limit(rules)), dtype=np.int16)
    faults = {}
    for i, (row, key) in enumerate(zip(layouts, keys.tolist(), strict=True)):
        target = Target(Layout.from_array(rules, row))
        fault = play_out(Seat(strategy, rules, key, seconds), target)
        if fault is not None:
            faults[i] = fault
        games.enter(i, target.record)
        answered = [n for n, shot in enumerate(target.record, 1) if shot.answer.kind != "miss"]
        hits[i, : len(answered)] = answered
    return Side(games, hits, faults)


class Seat:
    """A strategy in one game: its own copy or process, its random numbers and its time."""

    def __init__(self, strategy: Chooser, rules: Rules, key: int, seconds: float) -> None:
        self._strategy = strategy
        self._rules = rules
        self._key = key
        self._rng = np.random.default_rng(key)
        self._seconds = seconds
        self._left = seconds
        self._player: Any = None

    def hide(self) -> Layout | None:
        """The strategy's own fleet, None if it leaves that to the placer.

        Raises
        ------
        Exception
            Whatever the strategy raises, and if the fleet is illegal.
        """
        hide = getattr(self._strategy, "hide", None)
        if hide is None:
            return None
        ships = hide(self._rules, self._key)
        return ships if isinstance(ships, Layout) else Layout(self._rules, ships)

    def choose(self, record: Record, rng: object = None) -> Square:
        """The strategy's next square.

        Raises
        ------
        TimeoutError
            If it has used up its time.
        """
        begun = time.monotonic()
        try:
            with _time_limit(max(self._left, 1e-6)):
                return self._ask(record)
        except _TimedOut:
            raise TimeoutError(f"not done after {self._seconds:g} seconds") from None
        finally:
            self._left -= time.monotonic() - begun

    def _ask(self, record: Record) -> Square:
        if isinstance(self._strategy, BatchStrategy):
            return self._strategy.choose_keyed(record, self._key)
        if self._player is None:
            new_game = getattr(self._strategy, "new_game", None)
            if new_game is not None:
                self._player = new_game(self._rules, self._key)
            else:
                self._player = copy.deepcopy(self._strategy)
        square: Square = self._player.choose(record, self._rng)
        return square

    def close(self) -> None:
        """Let the copy go."""
        if hasattr(self._player, "close"):
            self._player.close()


def play_out(seat: Seat, target: Target) -> Failure | None:
    """Let a strategy shoot until every ship is sunk; what went wrong, if anything did."""
    try:
        shoot_until_won(target, seat.choose)
    except Exception as error:  # whatever a strategy does wrong costs it this game only
        return Failure(0, f"{type(error).__name__}: {error}", isinstance(error, IllegalMove))
    finally:
        seat.close()
    return None if target.all_sunk else _not_won(len(target.record))


def _not_won(limit: int) -> Failure:
    return Failure(0, f"not won after {limit} shots")


class _TimedOut(BaseException):
    """Raised in a strategy that takes too long; no `except Exception` of its own stops it."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    in_main = threading.current_thread() is threading.main_thread()
    limit = _by_signal if in_main and hasattr(signal, "setitimer") else _by_other_thread
    with limit(seconds):
        yield


@contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    def interrupt(signum: int, frame: object) -> None:
        raise _TimedOut

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)


@contextmanager
def _by_other_thread(seconds: float) -> Iterator[None]:
    """For threads that get no signals; what waits inside C code is interrupted after it."""
    thread = ctypes.c_ulong(threading.get_ident())
    timer = threading.Timer(
        seconds,
        ctypes.pythonapi.PyThreadState_SetAsyncExc,
        (thread, ctypes.py_object(_TimedOut)),
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # what it raised at the last moment comes out here
