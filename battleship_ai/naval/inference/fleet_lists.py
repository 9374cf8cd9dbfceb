"""The candidates of a record as the arrays that the kernels of the posterior read."""

from collections import Counter
from math import lgamma
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai.bitboard import Words, pack
from battleship_ai.naval.inference.candidates import Candidates, ShipList
from battleship_ai.naval.salvos import Track
from battleship_ai.naval.tables import FIRST, GROUP, naval_tables

__all__ = ["FleetLists", "Row", "fleet_lists"]

Row = tuple[str, Track]
"""Class and track of a ship."""


class FleetLists(NamedTuple):
    """Lists of placements, and the ways to deal them to the ships.

    A deal gives each ship a list. Ships of one class and track share theirs and are not
    told apart: a set of placements counts once, in whatever order it was drawn. P
    placements of ships, N squares, W words, L lists, D deals.

    Attributes
    ----------
    masks, reach : uint64 (P or more, W)
        As in `NavalTables`.
    weights : float64 (P,)
    bounds : int64 (L + 1,)
        Where each list starts among the members.
    members : int32 (bounds[-1],)
        Placements, increasing in each list.
    cumulated : float64 (bounds[-1],)
        The weights of the members of a list up to this one.
    rows : int64 (L,)
        Class and track of each list, as their number in what `fleet_lists` returns.
    classes : int64 (n_ships,)
        The class of each ship.
    deals : int64 (D, n_ships)
        The list of each ship.
    log_orders : float64 (D,)
        In how many orders each set of placements may be drawn under the deal.
    cumulated_deals : float64 (D,)
        The weights of all sets of placements of a deal, were the ships free to touch,
        summed up to this deal and scaled to end at 1.
    mine_squares : uint64 (1, W)
        Where an unspent mine may lie.
    mine_weights : float64 (N,)
    mine_reach : uint64 (N, W)
        Each square and its neighbours.
    n_mines : int
        Unspent mines.
    """

    masks: Words
    reach: Words
    weights: npt.NDArray[np.float64]
    bounds: npt.NDArray[np.int64]
    members: npt.NDArray[np.int32]
    cumulated: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int64]
    classes: npt.NDArray[np.int64]
    deals: npt.NDArray[np.int64]
    log_orders: npt.NDArray[np.float64]
    cumulated_deals: npt.NDArray[np.float64]
    mine_squares: Words
    mine_weights: npt.NDArray[np.float64]
    mine_reach: Words
    n_mines: int


def fleet_lists(
    candidates: Candidates, weights: npt.NDArray[np.float64]
) -> tuple[FleetLists, tuple[Row, ...]]:
    """The arrays for some candidates, and the class and track of each row of probabilities.

    Parameters
    ----------
    candidates : Candidates
    weights : float64
        Of every placement in `naval_tables`, those of mines last.
    """
    tables = naval_tables(candidates.rules)
    numbers: dict[tuple[Row, bytes], int] = {}
    rows: dict[Row, int] = {}
    lists: list[npt.NDArray[np.int32]] = []
    list_rows: list[int] = []
    deals, log_orders = [], []

    def number(each: ShipList) -> int:
        row = (each.ship_class, each.track)
        key = (row, each.placements.tobytes())
        if key not in numbers:
            numbers[key] = len(lists)
            lists.append(each.placements)
            list_rows.append(rows.setdefault(row, len(rows)))
        return numbers[key]

    for choice in candidates.choices:
        chosen = [group[i] for group, i in zip(candidates.classes, choice, strict=True)]
        deals.append(
            [number(each) for history in chosen for each in history for _ in range(each.count)]
        )
        log_orders.append(sum(lgamma(n + 1) for n in Counter(deals[-1]).values()))
    totals = np.array([weights[listed].sum() for listed in lists])
    log_masses = np.log(totals)[np.array(deals)].sum(axis=1) - log_orders
    masses = np.exp(log_masses - log_masses.max())
    first_mine = int(tables.groups[-1, FIRST])
    return FleetLists(
        masks=tables.masks,
        reach=tables.reach,
        weights=np.ascontiguousarray(weights[:first_mine]),
        bounds=np.cumsum([0, *map(len, lists)], dtype=np.int64),
        members=np.concatenate(lists),
        cumulated=np.concatenate([np.cumsum(weights[listed]) for listed in lists]),
        rows=np.array(list_rows, dtype=np.int64),
        classes=tables.objects[: tables.n_ships, GROUP].copy(),
        deals=np.array(deals, dtype=np.int64),
        log_orders=np.array(log_orders, dtype=np.float64),
        cumulated_deals=np.cumsum(masses) / masses.sum(),
        mine_squares=pack(candidates.mine_squares.tolist(), tables.n_squares)[np.newaxis],
        mine_weights=np.ascontiguousarray(weights[first_mine:]),
        mine_reach=np.ascontiguousarray(tables.reach[first_mine:]),
        n_mines=candidates.mines_left,
    ), tuple(rows)
