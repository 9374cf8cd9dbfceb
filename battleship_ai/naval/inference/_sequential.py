"""Sequential importance sampling: one ship after another, clear of those drawn before."""

import numpy as np

from battleship_ai._jit import cached
from battleship_ai.bitboard import clear, include
from battleship_ai.naval.inference._drawing import (
    above,
    clear_members,
    deal_mass,
    draw_deal,
    longest_list,
)
from battleship_ai.rng import open_stream, unit


@cached
def draw_sequentially(lists, order, key, start, stop, deals, placements, log_weights):
    """Fill some rows of `placements` (draws, n_ships) with ships that do not touch.

    Each draw gets a deal, and each ship in the order given a placement by weight among
    those of its list that are clear. A draw's log weight makes up for what the drawing
    prefers; it is −inf where some ship found no room.
    """
    n_ships = order.shape[0]
    taken = np.empty((1, lists.masks.shape[1]), np.uint64)
    clear_ones = np.empty(longest_list(lists), np.int64)
    cumulated = np.empty(len(clear_ones), np.float64)
    stream = np.empty(2, np.uint64)
    for draw in range(start, stop):
        open_stream(stream, key, np.uint64(draw))
        deal = draw_deal(lists, stream)
        deals[draw] = deal
        log_weight = -lists.log_orders[deal] - np.log(deal_mass(lists, deal))
        clear(taken, 0)
        for i in range(n_ships):
            ship = order[i]
            n = clear_members(lists, lists.deals[deal, ship], taken, clear_ones, cumulated)
            if n == 0:
                log_weight = -np.inf
                break
            total = cumulated[n - 1]
            p = clear_ones[above(cumulated, 0, n, unit(stream) * total)]
            placements[draw, ship] = p
            include(taken, 0, lists.reach, p)
            log_weight += np.log(total)
        log_weights[draw] = log_weight
