"""Fleets with their mines from the lists of the ships: enumerated, or drawn in two ways."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, comb, log
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from battleship_ai.naval.inference._chains import run_chains
from battleship_ai.naval.inference._conditionals import add_conditionals
from battleship_ai.naval.inference._enumeration import enumerate_fleets
from battleship_ai.naval.inference._mines import draw_mines, sum_mines
from battleship_ai.naval.inference._sequential import draw_sequentially
from battleship_ai.naval.inference.fleet_lists import FleetLists
from battleship_ai.rng import game_keys

__all__ = ["REGIMES", "Diagnostics", "FleetDraws", "Regime", "draw_fleets"]

Regime = Literal["enumeration", "sequential", "chains"]
"""A way to the joint posterior, see `NavalPosterior`."""

REGIMES: tuple[Regime, ...] = get_args(Regime)
"""All of them, from the exact one on."""

_Floats = npt.NDArray[np.float64]

# Enumeration: nodes and fleets at most, and sets of mines over all fleets. It is tried first
# where the lists are short, and in the end where nothing else was good enough.
_NODES, _PATIENT_NODES, _FLEETS = 100_000, 5_000_000, 10_000
_MINE_SETS = 20_000_000
_FEW_DEALS, _LOG_FEW_FLEETS = 64, log(1e12)

# Sequential draws leave it to the chains where they are worth less than this part of their
# number, or would look through more placements for each draw.
_WORTH, _LONG = 0.25, 4_000

_CHAINS = 8
_TOUCHING_PRICE = 3.0
_STARTING_MOVES, _MOVES_BETWEEN = 2_000, 80

# How many squares a mine takes from the others, in the chains' guess at the mines' room.
_TAKEN_BY_MINE = 5.0

# Fewer effective draws than this are not called reliable.
_ENOUGH = 100


@dataclass(frozen=True)
class Diagnostics:
    """How a posterior was found, and how far to trust it.

    Attributes
    ----------
    regime : {"enumeration", "sequential", "chains"}
    exact : bool
        Whether the probabilities are sums over all layouts; the layouts themselves are
        draws in any case.
    draws : int
        Layouts kept.
    effective_draws : float
        How many independent draws would be as good, by the spread of the weights and, for
        chains, by how far their maps of ship squares lie apart.
    total_variation : float or None
        Between chains, 0 to 1: the largest distance of the map of one chain from that of
        all, both scaled to a sum of 1.
    reliable : bool
        Whether the probabilities are exact, or from at least 100 effective draws (a
        quarter of the draws, where fewer than 400 were asked for) and no chain was without
        a layout.
    """

    regime: Regime
    exact: bool
    draws: int
    effective_draws: float
    total_variation: float | None
    reliable: bool


class FleetDraws(NamedTuple):
    """K layouts, and the probabilities of squares.

    Attributes
    ----------
    placements : int32 (K, n_ships)
    mines : int16 (K, unspent mines)
    weights : float64 (K,)
        Of the layouts; their sum is 1.
    chances : float64 (rows, P)
        How likely a ship of a class and track is on each placement.
    ships : float64 (rows, N)
        And on each square.
    mine_squares : float64 (N,)
        How likely an unspent mine is.
    diagnostics : Diagnostics
    """

    placements: npt.NDArray[np.int32]
    mines: npt.NDArray[np.int16]
    weights: _Floats
    chances: _Floats
    ships: _Floats
    mine_squares: _Floats
    diagnostics: Diagnostics


class _Fleets(NamedTuple):
    """Ships whose log weights do not count the mines yet."""

    regime: Regime
    deals: npt.NDArray[np.int64]
    placements: npt.NDArray[np.int32]
    log_weights: _Floats
    chains: npt.NDArray[np.int64] | None = None

    def take(self, rows: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> "_Fleets":
        chains = None if self.chains is None else self.chains[rows]
        return _Fleets(
            self.regime, self.deals[rows], self.placements[rows], self.log_weights[rows], chains
        )


def draw_fleets(
    lists: FleetLists,
    squares: npt.NDArray[np.int16],
    draws: int,
    key: int,
    regime: Regime | None = None,
) -> FleetDraws | None:
    """Layouts from the lists, in the first regime that gives enough or in the one named.

    Parameters
    ----------
    lists : FleetLists
    squares : int16 (P, longest)
        As in `NavalTables`.
    draws : int
        Fleets to draw; where all are enumerated, the least number of layouts.
    key : int
        Decides the draws.
    regime : str, optional

    Returns
    -------
    FleetDraws or None
        What is worth most, where no regime gives enough; None if no layout was found.
    """
    best = None
    for attempt in _attempts(lists, draws, key, regime):
        if attempt is None:
            continue
        found = _with_mines(lists, squares, draws, key, attempt)
        if found is None:
            if attempt.regime == "enumeration":
                return None
            continue
        worth = found.diagnostics.effective_draws
        if best is None or worth > best.diagnostics.effective_draws:
            best = found
        if found.diagnostics.reliable and (
            attempt.regime != "sequential" or worth >= _WORTH * draws
        ):
            break
    return best


def _attempts(
    lists: FleetLists, draws: int, key: int, regime: Regime | None
) -> Iterator[_Fleets | None]:
    ships_key, chains_key, _ = game_keys(key, 0, 3)
    if regime == "enumeration" or (regime is None and _few_fleets(lists)):
        yield _enumerated(lists, _NODES if regime is None else _PATIENT_NODES)
    if regime == "sequential" or (regime is None and _members(lists).sum() <= _LONG):
        yield _sequential(lists, draws, ships_key, regime is None)
    if regime in (None, "chains"):
        yield _chained(lists, draws, chains_key)
    if regime is None and len(lists.deals) <= _FEW_DEALS:
        yield _enumerated(lists, _PATIENT_NODES)


def _members(lists: FleetLists) -> npt.NDArray[np.int64]:
    """For each ship how long its list is, under the deal where it is longest."""
    return np.asarray(np.diff(lists.bounds)[lists.deals].max(axis=0))


def _few_fleets(lists: FleetLists) -> bool:
    """Whether enumeration is worth a try."""
    span = np.log(_members(lists)).sum()
    return len(lists.deals) <= _FEW_DEALS and bool(span <= _LOG_FEW_FLEETS)


def _enumerated(lists: FleetLists, max_nodes: int) -> _Fleets | None:
    """All fleets; None if there are too many."""
    placements = np.empty((_FLEETS, lists.deals.shape[1]), dtype=np.int32)
    counts = []
    start = 0
    for slots in lists.deals:
        count, nodes = enumerate_fleets(lists, slots, max_nodes, placements[start:])
        if count < 0:
            return None
        max_nodes -= nodes
        start += count
        counts.append(count)
    found = placements[:start].copy()
    log_weights = np.log(lists.weights)[found].sum(axis=1)
    return _Fleets("enumeration", np.repeat(np.arange(len(counts)), counts), found, log_weights)


def _sequential(lists: FleetLists, draws: int, key: np.uint64, give_up: bool) -> _Fleets | None:
    """Sequential draws; with `give_up` None if a first part of them is worth too little."""
    n_ships = lists.deals.shape[1]
    deals = np.empty(draws, dtype=np.int64)
    placements = np.zeros((draws, n_ships), dtype=np.int32)
    log_weights = np.empty(draws)
    order = np.arange(n_ships)
    first = min(max(64, draws // 8), draws)
    draw_sequentially(lists, order, key, 0, first, deals, placements, log_weights)
    if give_up and _effective(log_weights[:first]) < _WORTH * first:
        return None
    draw_sequentially(lists, order, key, first, draws, deals, placements, log_weights)
    return _Fleets("sequential", deals, placements, log_weights)


def _chained(lists: FleetLists, draws: int, key: np.uint64) -> _Fleets:
    n_ships = lists.deals.shape[1]
    per_chain = ceil(draws / _CHAINS)
    rows = _CHAINS * per_chain
    deals = np.empty(rows, dtype=np.int64)
    placements = np.zeros((rows, n_ships), dtype=np.int32)
    log_weights = np.empty(rows)
    run_chains(
        lists,
        _log_room(lists),
        _TOUCHING_PRICE,
        _STARTING_MOVES,
        _MOVES_BETWEEN,
        per_chain,
        key,
        deals,
        placements,
        log_weights,
    )
    chains = np.repeat(np.arange(_CHAINS), per_chain)
    return _Fleets("chains", deals, placements, log_weights, chains)


def _log_room(lists: FleetLists) -> _Floats:
    """For each number of squares, about the log number of ways to lay the mines there."""
    squares = np.arange(64 * lists.mine_squares.shape[1] + 1)[:, np.newaxis]
    left = squares - _TAKEN_BY_MINE * np.arange(lists.n_mines)
    return np.asarray(np.log(np.maximum(left, 0.5)).sum(axis=1))


def _with_mines(
    lists: FleetLists, squares: npt.NDArray[np.int16], draws: int, key: int, fleets: _Fleets
) -> FleetDraws | None:
    """The fleets with mines laid around them; None if there is not one layout."""
    fleets = fleets.take(np.isfinite(fleets.log_weights))
    if not len(fleets.deals):
        return None
    shift = float(fleets.log_weights.max())
    exact = None
    if fleets.regime == "enumeration":
        if _mine_sets(lists) * len(fleets.deals) <= _MINE_SETS:
            exact = _summed(lists, fleets, shift)
        # So many rows a fleet that there are draws enough of the mines.
        repeats = ceil(draws / len(fleets.deals))
        fleets = fleets.take(np.repeat(np.arange(len(fleets.deals)), repeats))
    log_weights = fleets.log_weights.copy()
    mines = np.zeros((len(log_weights), lists.n_mines), dtype=np.int16)
    mass = np.zeros(len(lists.mine_weights))
    even = bool((lists.mine_weights == 1.0).all())
    mine_key = game_keys(key, 0, 3)[2]
    draw_mines(lists, even, mine_key, shift, fleets.placements, mines, log_weights, mass)
    laid = np.isfinite(log_weights)
    if not laid.any():
        return None
    mine_squares = mass / np.exp(log_weights - shift).sum()
    fleets, mines, log_weights = fleets.take(laid), mines[laid], log_weights[laid]
    weights = np.exp(log_weights - log_weights.max())
    weights /= weights.sum()
    effective, variation, reliable = _effective(log_weights), None, True
    if exact is not None:
        chances, mine_squares = exact
    elif fleets.chains is None:
        chances = _conditionals(lists, fleets, mines, weights)
    else:
        chains = [np.flatnonzero(fleets.chains == c) for c in np.unique(fleets.chains)]
        parts = [_conditionals(lists, fleets.take(c), mines[c], weights[c]) for c in chains]
        chances = np.sum(parts, axis=0)
        maps = np.array([_on_squares(part, squares, len(mass)).sum(axis=0) for part in parts])
        shares = np.array([weights[c].sum() for c in chains])
        between, variation = _spread(maps / shares[:, np.newaxis])
        effective = min(effective, between)
        reliable = len(chains) == _CHAINS
    reliable = exact is not None or (reliable and effective >= min(_ENOUGH, draws / 4))
    diagnostics = Diagnostics(
        fleets.regime, exact is not None, len(weights), effective, variation, reliable
    )
    return FleetDraws(
        fleets.placements,
        mines,
        weights,
        chances,
        _on_squares(chances, squares, len(mass)),
        mine_squares,
        diagnostics,
    )


def _conditionals(
    lists: FleetLists, fleets: _Fleets, mines: npt.NDArray[np.int16], weights: _Floats
) -> _Floats:
    """The weighted sum of the chances of every ship given the rest of each layout."""
    chances = np.zeros((int(lists.rows.max()) + 1, len(lists.weights)))
    add_conditionals(lists, fleets.deals, fleets.placements, mines, weights, chances)
    return chances


def _on_squares(chances: _Floats, squares: npt.NDArray[np.int16], n_squares: int) -> _Floats:
    """Chances of placements summed over those that hold each square, row by row."""
    rows, placements = np.nonzero(chances)
    cells = rows[:, np.newaxis] * (n_squares + 1) + squares[placements]
    shares = np.broadcast_to(chances[rows, placements][:, np.newaxis], cells.shape)
    sums = np.bincount(cells.ravel(), shares.ravel(), len(chances) * (n_squares + 1))
    # The last column took the squares that pad the shorter ships.
    return np.asarray(sums.reshape(len(chances), n_squares + 1)[:, :n_squares], dtype=np.float64)


def _summed(lists: FleetLists, fleets: _Fleets, shift: float) -> tuple[_Floats, _Floats] | None:
    """The chances of placements for each row of ships, and of mines, from all layouts."""
    log_weights = fleets.log_weights.copy()
    mass = np.zeros(len(lists.mine_weights))
    if lists.n_mines:
        sum_mines(lists, shift, fleets.placements, log_weights, mass)
    if log_weights.max() == -np.inf:
        return None
    weights = np.exp(log_weights - shift)
    cells = lists.rows[lists.deals[fleets.deals]] * len(lists.weights) + fleets.placements
    counts = np.broadcast_to(weights[:, np.newaxis], cells.shape)
    shape = int(lists.rows.max()) + 1, len(lists.weights)
    chances = np.bincount(cells.ravel(), counts.ravel(), shape[0] * shape[1]).reshape(shape)
    return chances / weights.sum(), mass / weights.sum()


def _mine_sets(lists: FleetLists) -> int:
    """At most how many ways there are to lay the mines."""
    return comb(int(np.bitwise_count(lists.mine_squares).sum()), lists.n_mines)


def _effective(log_weights: _Floats) -> float:
    """How many equal weights would be as good (Kish 1965); 0 if all are 0."""
    if log_weights.max() == -np.inf:
        return 0.0
    weights = np.exp(log_weights - log_weights.max())
    return float(weights.sum() ** 2 / (weights**2).sum())


def _spread(maps: _Floats) -> tuple[float, float]:
    """Effective draws and total variation, from the map of each chain.

    Independent draws would give the mean map a variance of p(1 − p) / draws in each
    square; the chains' own spread tells what it has.
    """
    mean = maps.mean(axis=0)
    variation = float(np.abs(maps - mean).sum(axis=1).max() / (2 * mean.sum()))
    if len(maps) < 2:
        return 0.0, variation
    noise = maps.var(axis=0, ddof=1).sum() / len(maps)
    spread = (mean * (1 - mean)).sum()
    return (float(spread / noise) if noise > 0.0 else np.inf), variation
