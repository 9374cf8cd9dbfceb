"""Placers: who hides ships and mines. To add one, write a function and enter it below."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from battleship_ai._names import look_up
from battleship_ai.errors import LayoutError, RulesError
from battleship_ai.naval.layouts import NavalLayout
from battleship_ai.naval.placements import naval_placements
from battleship_ai.naval.rules import NavalRules
from battleship_ai.rng import Seed, game_keys, key_of

__all__ = ["NAVAL_PLACERS", "place_naval", "place_naval_arrays"]

Layouts = npt.NDArray[np.int16]
Keys = npt.NDArray[np.uint64]

_MAX_RESTARTS = 10_000


def sequential(rules: NavalRules, keys: Keys) -> Layouts:
    """Longest ship first and mines last, each uniform among what is legal; anew when stuck.

    Ordinary mines are laid before high-explosive ones. Not uniform over layouts.
    """
    layouts = np.empty((len(keys), rules.ship_squares + len(rules.mines)), dtype=np.int16)
    for layout, key in zip(layouts, keys, strict=True):
        rng = np.random.default_rng(int(key))
        for _ in range(_MAX_RESTARTS):
            if _fill_one_by_one(rules, rng, layout):
                break
        else:
            raise LayoutError(
                f"no legal layout of {len(rules.ships)} ships and {len(rules.mines)} mines on the "
                f"{rules.board} board in {_MAX_RESTARTS} attempts"
            )
    return layouts


def _fill_one_by_one(
    rules: NavalRules, rng: np.random.Generator, layout: npt.NDArray[np.int16]
) -> bool:
    """Whether every object found room; `layout` then has its squares."""
    closed = np.uint64(0)
    end = 0
    for size in [*(ship.size for ship in rules.ships), *(1 for _ in rules.mines)]:
        table = naval_placements(rules.board, size)
        free = np.flatnonzero(~(table.masks & closed).any(axis=1))
        if not len(free):
            return False
        chosen = rng.choice(free)
        closed = closed | table.masks[chosen] | table.halos[chosen]
        end += size
        layout[end - size : end] = table.squares[chosen]
    return True


NAVAL_PLACERS: dict[str, Callable[[NavalRules, Keys], Layouts]] = {"sequential": sequential}


def place_naval_arrays(rules: NavalRules, keys: Keys, placer: str = "sequential") -> Layouts:
    """One layout for each game's key, as an int16 array of shape (games, squares).

    Its rows are as `NavalLayout.from_array` takes them.

    Raises
    ------
    UnknownName
        If there is no such placer.
    LayoutError
        If the placer gave up.
    """
    return look_up("placer", placer, NAVAL_PLACERS)(rules, keys)


def place_naval(
    rules: NavalRules, count: int = 1, *, placer: str = "sequential", seed: Seed = 0
) -> list[NavalLayout]:
    """Hide `count` fleets with their mines.

    Parameters
    ----------
    rules : NavalRules
    count : int
    placer : str
        A name in `NAVAL_PLACERS`.
    seed : int, numpy.random.Generator or numpy.random.SeedSequence
        The same integer gives the same layouts, the first ones whatever `count` is.

    Examples
    --------
    >>> (layout,) = place_naval(NavalRules(), seed=7)
    >>> len(layout.squares)
    73
    """
    if not isinstance(count, int) or count < 0:
        raise RulesError(f"count {count!r} is not a non-negative integer")
    keys = game_keys(key_of(seed), 0, count)
    return [NavalLayout.from_array(rules, row) for row in place_naval_arrays(rules, keys, placer)]
