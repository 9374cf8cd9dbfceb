"""Markov chains over fleets whose ships may touch at a price."""

import numpy as np

from battleship_ai._jit import cached, inlined
from battleship_ai.bitboard import popcount_word
from battleship_ai.naval.inference._drawing import deal_mass, draw_deal, draw_member
from battleship_ai.rng import below, open_stream, unit

_ZERO = np.uint64(0)

# Where the reports allow several deals, one move in so many changes the deal.
_DEAL_EVERY = 8

# A chain gives up on a row after so many times the moves that lie between two rows.
_PATIENCE = 40


@inlined
def _touching(lists, fleet, ship, p, most):
    """How many other ships of a fleet a placement touches; counted until past `most`."""
    count = 0
    for other in range(fleet.shape[0]):
        if other != ship:
            q = fleet[other]
            clash = _ZERO
            for w in range(lists.masks.shape[1]):
                clash |= lists.masks[p, w] & lists.reach[q, w]
            if clash != _ZERO:
                count += 1
                if count > most:
                    break
    return count


@inlined
def _touching_pairs(lists, fleet):
    count = 0
    for ship in range(fleet.shape[0]):
        count += _touching(lists, fleet, ship, fleet[ship], fleet.shape[0])
    return count // 2


@inlined
def _room(lists, fleet):
    """How many squares a fleet leaves to the mines."""
    room = _ZERO
    for w in range(lists.masks.shape[1]):
        word = lists.mine_squares[0, w]
        for ship in range(fleet.shape[0]):
            word &= ~lists.reach[fleet[ship], w]
        room += popcount_word(word)
    return np.int64(room)


@inlined
def _passes(log_room, room, trial_room, stream):
    """Whether a move passes for the room of the mines."""
    gain = log_room[trial_room] - log_room[room]
    return gain >= 0.0 or unit(stream) < np.exp(gain)


@inlined
def _deal_like(lists, deal, free, stream):
    """A deal by its mass among those that are as `deal` for the ships that are not `free`."""
    n_ships = lists.classes.shape[0]
    total = 0.0
    result = deal
    for other in range(lists.deals.shape[0]):
        alike = True
        for ship in range(n_ships):
            changed = lists.deals[other, ship] != lists.deals[deal, ship]
            if changed and not free[lists.classes[ship]]:
                alike = False
                break
        if alike:
            mass = deal_mass(lists, other)
            total += mass
            if unit(stream) * total < mass:
                result = other
    return result


@cached
def run_chains(
    lists, log_room, price, starting, thinning, per_chain, key, deals, placements, log_weights
):
    """Fill `placements` (chains × per_chain, n_ships) with states of independent chains.

    A fleet's log weight is that of its placements, less `price` for each pair that
    touches, plus `log_room` of the number of squares that it leaves to the mines. Each
    chain starts anywhere, with the price rising from 0 over `starting` moves. After that,
    of the states whose ships do not touch every `thinning`-th is kept, with the log
    weight that takes `log_room` out again. Rows that a chain leaves empty have −inf.

    A move draws one ship anew from its list, or a new deal for some of the classes and
    the ships whose lists it changes. Both draw by weight, so that the weights cancel. It
    has to pass for the ships it touches and then for the room of the mines, so that most
    moves are over before the room is counted. Returns the number of moves.
    """
    n_ships = placements.shape[1]
    fleet = np.empty(n_ships, np.int64)
    before = np.empty(n_ships, np.int64)
    free = np.empty(lists.classes[n_ships - 1] + 1, np.bool_)
    stream = np.empty(2, np.uint64)
    log_weights[:] = -np.inf
    moves = 0
    for chain in range(placements.shape[0] // per_chain):
        open_stream(stream, key, np.uint64(chain))
        deal = draw_deal(lists, stream)
        for ship in range(n_ships):
            fleet[ship] = draw_member(lists, lists.deals[deal, ship], stream)
        pairs, room = _touching_pairs(lists, fleet), _room(lists, fleet)
        row, seen = chain * per_chain, 0
        for move in range(starting + _PATIENCE * thinning * per_chain):
            moves += 1
            paid = price * min(1.0, (move + 1.0) / (starting + 1.0))
            # By how much the touching pairs may grow: the acceptance of Metropolis.
            slack = np.int64(min(-np.log(1.0 - unit(stream)) / paid, 1000.0))
            if lists.deals.shape[0] > 1 and below(stream, _DEAL_EVERY) == 0:
                for k in range(free.shape[0]):
                    free[k] = below(stream, 2) == 0
                trial_deal = _deal_like(lists, deal, free, stream)
                before[:] = fleet
                for ship in range(n_ships):
                    which = lists.deals[trial_deal, ship]
                    if which != lists.deals[deal, ship]:
                        fleet[ship] = draw_member(lists, which, stream)
                trial_pairs = _touching_pairs(lists, fleet)
                trial_room = _room(lists, fleet)
                if trial_pairs <= pairs + slack and _passes(log_room, room, trial_room, stream):
                    deal, pairs, room = trial_deal, trial_pairs, trial_room
                else:
                    fleet[:] = before
            else:
                ship = below(stream, n_ships)
                old = fleet[ship]
                p = draw_member(lists, lists.deals[deal, ship], stream)
                touched = 0 if pairs == 0 else _touching(lists, fleet, ship, old, n_ships)
                touches = _touching(lists, fleet, ship, p, touched + slack)
                if touches <= touched + slack:
                    fleet[ship] = p
                    trial_room = _room(lists, fleet)
                    if _passes(log_room, room, trial_room, stream):
                        pairs += touches - touched
                        room = trial_room
                    else:
                        fleet[ship] = old
            if move >= starting and pairs == 0:
                seen += 1
                if seen % thinning == 0:
                    placements[row] = fleet
                    deals[row] = deal
                    log_weights[row] = -log_room[room]
                    row += 1
                    if row == (chain + 1) * per_chain:
                        break
    return moves
