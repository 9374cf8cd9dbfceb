"""A player in a game: asked for its moves, timed, and charged with its own faults."""

import copy
import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from battleship_ai.errors import IllegalMove

__all__ = ["Failure", "Seat"]


class Failure(NamedTuple):
    """A game that a player lost by its own fault.

    Examples
    --------
    >>> from battleship_ai import run_tournament
    >>> class Broken:
    ...     def choose(self, record, rng):
    ...         return "z99"
    >>> result = run_tournament("pomcp", {"broken": Broken()}, games=1)
    >>> result.failures["broken"][0].illegal
    True
    """

    game: int
    message: str
    illegal: bool = False
    """Whether it was an illegal move or layout; else it raised, took too long or never won."""

    @classmethod
    def by(cls, error: Exception) -> "Failure":
        """What an error says that ended a player's only game."""
        return cls(0, f"{type(error).__name__}: {error}", isinstance(error, IllegalMove))


class Seat:
    """A player in one game: its own copy or process, and its time.

    Parameters
    ----------
    player : object
    seconds : float
        Its time for the whole game.

    Attributes
    ----------
    failure : Exception or None
        What the player raised, or its want of time.
    """

    def __init__(self, player: Any, seconds: float) -> None:
        self.failure: Exception | None = None
        self._player = player
        self._seconds = seconds
        self._left = seconds
        self._copy: Any = None

    def choose(self, position: Any, rng: np.random.Generator) -> Any:
        """The player's next move.

        Raises
        ------
        TimeoutError
            If it has used up its time.
        """
        begun = time.monotonic()
        try:
            with _time_limit(max(self._left, 1e-6)):
                return self._ask(position, rng)
        except _TimedOut:
            self.failure = TimeoutError(f"not done after {self._seconds:g} seconds")
            raise self.failure from None
        except Exception as error:
            self.failure = error
            raise
        finally:
            self._left -= time.monotonic() - begun

    def _ask(self, position: Any, rng: np.random.Generator) -> Any:
        return self._seated().choose(position, rng)

    @property
    def spent(self) -> float:
        """Seconds that the player has used."""
        return self._seconds - self._left

    def close(self) -> None:
        """Let the copy go."""
        if hasattr(self._copy, "close"):
            self._copy.close()

    def _seated(self) -> Any:
        """The copy of the player that plays this game."""
        if self._copy is None:
            self._copy = self._new_copy()
        return self._copy

    def _new_copy(self) -> Any:
        return copy.deepcopy(self._player)


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
