"""The referee's answers as a kernel; `battleship_ai.game` is the same in plain Python."""

import numpy as np

from battleship_ai._jit import inlined
from battleship_ai.inference.tables import (
    HIT,
    MISS,
    NO_CLASS,
    SHIP_CLASS,
    SHIP_SIZE,
    SHIP_START,
    SUNK,
)


@inlined
def hide(tables, layouts, game, owner, left, shot_at):
    """Lay out a fleet: the ship on each square, and the squares each ship has left."""
    for square in range(tables.n_squares):
        owner[square] = -1
        shot_at[square] = False
    for ship in range(tables.ships.shape[0]):
        size, start = tables.ships[ship, SHIP_SIZE], tables.ships[ship, SHIP_START]
        left[ship] = size
        for i in range(start, start + size):
            owner[layouts[game, i]] = ship


@inlined
def answer(tables, owner, left, shot_at, square):
    """The answer to a shot as (kind, class told or NO_CLASS)."""
    ship = owner[square]
    if ship < 0:
        shot_at[square] = True
        return MISS, NO_CLASS
    if not shot_at[square]:
        shot_at[square] = True
        left[ship] -= 1
    sunk = tables.announces_sinking and left[ship] == 0
    told = tables.names_hits or (sunk and tables.tells_class)
    ship_class = tables.ships[ship, SHIP_CLASS] if told else np.int64(NO_CLASS)
    return (SUNK if sunk else HIT), ship_class
