"""Every fleet whose ships do not touch, by depth-first search over lists that shrink."""

import numpy as np

from battleship_ai._jit import cached
from battleship_ai.bitboard import intersects


@cached
def enumerate_fleets(lists, slots, max_nodes, placements):
    """Write the fleets with the lists `slots` (n_ships,) into rows of `placements`.

    Ships that share a list appear in every set of placements once. At each node the ship
    with the shortest list left is placed, and what touches it dropped from the others.
    Returns the number of fleets and of nodes; the former is −1 if there are more nodes
    than allowed or more fleets than rows.
    """
    n_ships = slots.shape[0]
    start = np.zeros(n_ships + 1, np.int64)
    for ship in range(n_ships):
        which = slots[ship]
        start[ship + 1] = start[ship] + lists.bounds[which + 1] - lists.bounds[which]
    # Row d: the lists left to each ship after d ships were placed.
    left = np.empty((n_ships, start[n_ships]), np.int32)
    lengths = np.zeros((n_ships, n_ships), np.int64)
    for ship in range(n_ships):
        first = lists.bounds[slots[ship]]
        lengths[0, ship] = start[ship + 1] - start[ship]
        for i in range(lengths[0, ship]):
            left[0, start[ship] + i] = lists.members[first + i]
    placed_at = np.full(n_ships, -1, np.int64)  # by ship: its depth
    turn = np.zeros(n_ships, np.int64)  # by depth: its ship
    cursor = np.zeros(n_ships, np.int64)
    fleet = np.zeros(n_ships, np.int64)
    fleets = nodes = 0
    depth = 0
    opening = True
    while depth >= 0:
        if opening:
            shortest = np.int64(-1)
            for ship in range(n_ships):
                if placed_at[ship] < 0 and (
                    shortest < 0 or lengths[depth, ship] < lengths[depth, shortest]
                ):
                    shortest = ship
            turn[depth] = shortest
            placed_at[shortest] = depth
            cursor[depth] = 0
            opening = False
        ship = turn[depth]
        if cursor[depth] == lengths[depth, ship]:
            placed_at[ship] = -1
            depth -= 1
            continue
        p = np.int64(left[depth, start[ship] + cursor[depth]])
        cursor[depth] += 1
        nodes += 1
        if nodes > max_nodes:
            return -1, nodes
        fleet[ship] = p
        if depth == n_ships - 1:
            if fleets == placements.shape[0]:
                return -1, nodes
            placements[fleets] = fleet
            fleets += 1
            continue
        possible = True
        for other in range(n_ships):
            if placed_at[other] >= 0:
                continue
            n = 0
            for i in range(start[other], start[other] + lengths[depth, other]):
                q = np.int64(left[depth, i])
                # Of ships that share a list the one placed first has the lowest number.
                if slots[other] == slots[ship] and q < p:
                    continue
                if not intersects(lists.masks, q, lists.reach, p):
                    left[depth + 1, start[other] + n] = q
                    n += 1
            lengths[depth + 1, other] = n
            if n == 0:
                possible = False
                break
        if possible:
            depth += 1
            opening = True
    return fleets, nodes
