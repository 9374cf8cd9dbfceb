"""Placers: who hides ships and mines. To add one, write a function and enter it below."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from battleship_ai._names import look_up
from battleship_ai.errors import LayoutError, RulesError
from battleship_ai.naval._placing import open_streams, place_in_turn, walk
from battleship_ai.naval.layouts import NavalLayout
from battleship_ai.naval.rules import NavalRules
from battleship_ai.naval.tables import GROUP, SIZE, START, naval_tables
from battleship_ai.rng import Seed, game_keys, key_of

__all__ = ["NAVAL_PLACERS", "place_naval", "place_naval_arrays"]

Layouts = npt.NDArray[np.int16]
Keys = npt.NDArray[np.uint64]
Chosen = npt.NDArray[np.int32]
"""For each game the number of each object's placement in `naval_tables`."""
Streams = npt.NDArray[np.uint64]
Wish = tuple[int, bool]

_MAX_ATTEMPTS = 10_000
_PROPOSALS_PER_OBJECT = 1000
_GUARDED = 2
_NEAR, _ANYWHERE, _FAR = 1, 0, -1


def uniform(rules: NavalRules, keys: Keys) -> Layouts:
    """Uniform over all legal layouts, as far as a Markov chain of its own brings each game.

    The chain starts at a sequential layout. A proposal moves one object, drawn uniformly, to a
    uniform placement of its kind, and is taken if that is legal [1]_; 1,000 proposals for each
    object are made. On the preset the slowest of seven statistics, the flagship's column, has
    an autocorrelation time of 201 for each object, and after 400 the means of all have come
    from four kinds of starts to within 0.02 standard deviations of where they stay, as near
    as 10,000 chains can tell (``python benchmarks/naval_mixing.py``).

    On a board so crowded that objects can pass each other only by moving two at once, the
    chain does not reach all layouts: those of a three, a two and a mine on 4×4 fall into
    eight parts, which keep the shares that sequential placing gives them.

    References
    ----------
    .. [1] N. Metropolis, A. W. Rosenbluth, M. N. Rosenbluth, A. H. Teller, E. Teller,
       "Equation of state calculations by fast computing machines", Journal of Chemical
       Physics 21, 1953.
    """
    chosen, streams = _placed_in_turn(rules, keys, _anywhere(rules), _from_nothing(rules))
    walk(naval_tables(rules), streams, _PROPOSALS_PER_OBJECT * chosen.shape[1], chosen)
    return _squares(rules, chosen)


def sequential(rules: NavalRules, keys: Keys) -> Layouts:
    """Longest ship first and mines last, each uniform among what is legal; anew when stuck.

    Ordinary mines are laid before high-explosive ones. Not uniform over layouts.
    """
    return _squares(rules, _placed_in_turn(rules, keys, _anywhere(rules), _from_nothing(rules))[0])


def edge(rules: NavalRules, keys: Keys) -> Layouts:
    """Ships hug the border: each, longest first, as near to it as it can lie; mines anywhere."""
    wishes = [(_NEAR, False)] * len(rules.ships) + [(_ANYWHERE, False)] * len(rules.mines)
    return _squares(rules, _placed_in_turn(rules, keys, wishes, _from_border(rules))[0])


def spread(rules: NavalRules, keys: Keys) -> Layouts:
    """Keeps all apart: each object, longest first, as far as can be from those before it."""
    wishes = [(_FAR, True)] * (len(rules.ships) + len(rules.mines))
    return _squares(rules, _placed_in_turn(rules, keys, wishes, _from_nothing(rules))[0])


def guards(rules: NavalRules, keys: Keys) -> Layouts:
    """Mines lie around the two largest ships, as near as they can; the ships as in sequential."""
    wishes = [(_ANYWHERE, ship < _GUARDED) for ship in range(len(rules.ships))]
    wishes += [(_NEAR, False)] * len(rules.mines)
    return _squares(rules, _placed_in_turn(rules, keys, wishes, _from_nothing(rules))[0])


def _placed_in_turn(
    rules: NavalRules, keys: Keys, wishes: list[Wish], distances: npt.NDArray[np.int64]
) -> tuple[Chosen, Streams]:
    """Layouts placed object after object, and the streams of random numbers to go on with.

    Parameters
    ----------
    wishes : list of (int, bool)
        For each object, whether it is to be near the marks or far from them, judged by its
        worst square, or anywhere; equally good placements are equally likely. And whether
        it is a mark for those after it.
    distances : int64 (squares,)
        From the marks that are there from the start.
    """
    streams = np.empty((len(keys), 2), dtype=np.uint64)
    chosen = np.empty((len(keys), len(wishes)), dtype=np.int32)
    open_streams(keys, streams)
    done = place_in_turn(
        naval_tables(rules),
        rules.board.cols,
        np.array(wishes, dtype=np.int64),
        distances,
        streams,
        _MAX_ATTEMPTS,
        chosen,
    )
    if done < len(keys):
        raise LayoutError(
            f"no legal layout of {len(rules.ships)} ships and {len(rules.mines)} mines on the "
            f"{rules.board} board in {_MAX_ATTEMPTS} attempts; another placer may find some"
        )
    return chosen, streams


def _anywhere(rules: NavalRules) -> list[Wish]:
    return [(_ANYWHERE, False)] * (len(rules.ships) + len(rules.mines))


def _from_border(rules: NavalRules) -> npt.NDArray[np.int64]:
    rows, cols = rules.board.rows, rules.board.cols
    row, col = np.divmod(np.arange(rules.board.n_squares), cols)
    away: npt.NDArray[np.int64] = np.minimum.reduce([row, rows - 1 - row, col, cols - 1 - col])
    return away


def _from_nothing(rules: NavalRules) -> npt.NDArray[np.int64]:
    return np.full(rules.board.n_squares, max(rules.board.rows, rules.board.cols))


def _squares(rules: NavalRules, chosen: Chosen) -> Layouts:
    tables = naval_tables(rules)
    layouts = np.empty((len(chosen), rules.ship_squares + len(rules.mines)), dtype=np.int16)
    for i, (group, start) in enumerate(tables.objects[:, [GROUP, START]]):
        size = tables.groups[group, SIZE]
        layouts[:, start : start + size] = tables.squares[chosen[:, i], :size]
    return layouts


NAVAL_PLACERS: dict[str, Callable[[NavalRules, Keys], Layouts]] = {
    "uniform": uniform,
    "sequential": sequential,
    "edge": edge,
    "spread": spread,
    "guards": guards,
}
"""The placers of Naval Bombardment by name.

Examples
--------
>>> " ".join(NAVAL_PLACERS)
'uniform sequential edge spread guards'
"""


def place_naval_arrays(rules: NavalRules, keys: Keys, placer: str = "uniform") -> Layouts:
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
    rules: NavalRules, count: int = 1, *, placer: str = "uniform", seed: Seed = 0
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
