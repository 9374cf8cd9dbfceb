"""Sequential importance sampling: one ship after another, clear of those drawn before."""

import numpy as np

from battleship_ai._jit import cached
from battleship_ai.bitboard import clear, include, intersects
from battleship_ai.naval.inference._drawing import above, deal_mass, draw_deal
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
    longest = 0
    for which in range(lists.rows.shape[0]):
        longest = max(longest, lists.bounds[which + 1] - lists.bounds[which])
    clear_ones = np.empty(longest, np.int64)
    cumulated = np.empty(longest, np.float64)
    stream = np.empty(2, np.uint64)
    for draw in range(start, stop):
        open_stream(stream, key, np.uint64(draw))
        deal = draw_deal(lists, stream)
        deals[draw] = deal
        log_weight = -lists.log_orders[deal] - np.log(deal_mass(lists, deal))
        clear(taken, 0)
        for i in range(n_ships):
            ship = order[i]
            which = lists.deals[deal, ship]
            n = 0
            total = 0.0
            for j in range(lists.bounds[which], lists.bounds[which + 1]):
                p = np.int64(lists.members[j])
                if not intersects(lists.masks, p, taken, 0):
                    total += lists.weights[p]
                    clear_ones[n] = p
                    cumulated[n] = total
                    n += 1
            if n == 0:
                log_weight = -np.inf
                break
            p = clear_ones[above(cumulated, 0, n, unit(stream) * total)]
            placements[draw, ship] = p
            include(taken, 0, lists.reach, p)
            log_weight += np.log(total)
        log_weights[draw] = log_weight
