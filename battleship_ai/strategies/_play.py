"""Whole games as one kernel, for any belief and any choice.

A belief and a choice are `NamedTuple` classes; their kernels are chosen by type
when `play_games` is compiled, so that there is one game loop and each pair gets
machine code of its own, cached on disk like any other kernel.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload

from battleship_ai._jit import cached
from battleship_ai._referee import answer, hide
from battleship_ai.rng import FIRST_MOVE_STREAM, open_stream


def reset(belief: Any, tables: Any) -> None:
    """Forget every answer."""
    raise NotImplementedError("compiled code only")


def observe(belief: Any, tables: Any, square: Any, kind: Any, ship_class: Any) -> None:
    """Take in an answer."""
    raise NotImplementedError("compiled code only")


def choose(choice: Any, belief: Any, tables: Any, stream: Any) -> Any:
    """The square to shoot at."""
    raise NotImplementedError("compiled code only")


def register_belief(
    cls: type, reset_kernel: Callable[..., None], observe_kernel: Callable[..., None]
) -> None:
    """Make two kernels the `reset` and `observe` of a belief class."""

    @overload(reset)
    def _reset(belief, tables):
        if getattr(belief, "instance_class", None) is cls:
            return lambda belief, tables: reset_kernel(belief, tables)
        return None

    @overload(observe)
    def _observe(belief, tables, square, kind, ship_class):
        if getattr(belief, "instance_class", None) is cls:
            return lambda belief, tables, square, kind, ship_class: observe_kernel(
                belief, tables, square, kind, ship_class
            )
        return None


def register_choice(cls: type, kernel: Callable[..., int]) -> None:
    """Make a kernel ``(choice, belief, tables, stream) -> square`` the one of a choice class."""

    @overload(choose)
    def _choose(choice, belief, tables, stream):
        if getattr(choice, "instance_class", None) is cls:
            return lambda choice, belief, tables, stream: kernel(choice, belief, tables, stream)
        return None


@cached
def play_games(belief, choice, tables, layouts, keys, cap, shots, hits, squares):
    """Play one game for each layout.

    `shots` receives the shots to win, or `cap` if not won; `hits` the number of the shot,
    from 1, that made each hit; `squares`, unless it has no columns, the squares shot at.
    """
    owner = np.empty(tables.n_squares, np.int16)
    left = np.empty(tables.ships.shape[0], np.int64)
    shot_at = np.empty(tables.n_squares, np.bool_)
    stream = np.empty(2, np.uint64)
    for game in range(layouts.shape[0]):
        hide(tables, layouts, game, owner, left, shot_at)
        reset(belief, tables)
        squares_left = layouts.shape[1]
        t = 0
        while squares_left > 0 and t < cap:
            open_stream(stream, keys[game], FIRST_MOVE_STREAM + np.uint64(t))
            square = choose(choice, belief, tables, stream)
            if owner[square] >= 0 and not shot_at[square]:
                hits[game, layouts.shape[1] - squares_left] = t + 1
                squares_left -= 1
            if squares.shape[1] > 0:
                squares[game, t] = square
            kind, ship_class = answer(tables, owner, left, shot_at, square)
            observe(belief, tables, square, kind, ship_class)
            t += 1
        shots[game] = t


@cached
def play_from(belief, choice, tables, opening, layouts, keys, cap, shots, answers):
    """Play one game for each layout after the shots `opening`, of which there is at least one.

    `shots` receives the shots after them, until the game is won or has `cap` in all;
    `answers` the kind and the class told at the last of `opening`.
    """
    owner = np.empty(tables.n_squares, np.int16)
    left = np.empty(tables.ships.shape[0], np.int64)
    shot_at = np.empty(tables.n_squares, np.bool_)
    stream = np.empty(2, np.uint64)
    opened = opening.shape[0]
    for game in range(layouts.shape[0]):
        hide(tables, layouts, game, owner, left, shot_at)
        reset(belief, tables)
        squares_left = layouts.shape[1]
        t = 0
        while t < opened or (squares_left > 0 and t < cap):
            if t < opened:
                square = opening[t]
            else:
                open_stream(stream, keys[game], FIRST_MOVE_STREAM + np.uint64(t))
                square = choose(choice, belief, tables, stream)
            if owner[square] >= 0 and not shot_at[square]:
                squares_left -= 1
            kind, ship_class = answer(tables, owner, left, shot_at, square)
            observe(belief, tables, square, kind, ship_class)
            t += 1
            if t == opened:
                answers[game, 0] = kind
                answers[game, 1] = ship_class
        shots[game] = t - opened


@cached
def choose_move(belief, choice, tables, squares, kinds, classes, key):
    """The square that a strategy shoots at after a record, and its belief then."""
    stream = np.empty(2, np.uint64)
    reset(belief, tables)
    for t in range(squares.shape[0]):
        observe(belief, tables, squares[t], kinds[t], classes[t])
    open_stream(stream, key, FIRST_MOVE_STREAM + np.uint64(squares.shape[0]))
    return choose(choice, belief, tables, stream)
