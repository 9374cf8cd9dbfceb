"""The placements that fit the reports, and those that leave room for the other ships."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from battleship_ai._jit import cached, inlined, kernel
from battleship_ai.bitboard import intersects
from battleship_ai.naval.tables import FIRST, SIZE, STOP


@inlined
def _hits_in_order(tables, called_in, p, size, hits):
    """Write the salvos that called the placement's squares into `hits`, then zeros."""
    n = 0
    for k in range(size):
        number = called_in[tables.squares[p, k]]
        if number > 0:
            at = n
            while at > 0 and hits[at - 1] > number:
                hits[at] = hits[at - 1]
                at -= 1
            hits[at] = number
            n += 1
    for k in range(n, size):
        hits[k] = 0


@inlined
def _row_of(hits, tracks, first, stop, size):
    """The row of `tracks` from `first` to `stop` that is `hits`; −1 if there is none."""
    for t in range(first, stop):
        k = 0
        while k < size and hits[k] == tracks[t, k]:
            k += 1
        if k == size:
            return t
    return -1


@inlined
def _is_open(tables, closed, p, size):
    """Whether none of the placement's squares is closed."""
    for k in range(size):
        if closed[tables.squares[p, k]]:
            return False
    return True


@kernel
def _find_tracks(tables, called_in, closed, tracks, bounds, hits, track_of):
    """Write the row of each placement's track into `track_of`; −1 for those that do not fit."""
    for g in range(bounds.shape[0] - 1):
        size = tables.groups[g, SIZE]
        damaged = bounds[g]
        if damaged < bounds[g + 1] and tracks[damaged, 0] == 0:
            damaged += 1
        for p in range(tables.groups[g, FIRST], tables.groups[g, STOP]):
            t = np.int64(-1)
            if _is_open(tables, closed, p, size):
                _hits_in_order(tables, called_in, p, size, hits)
                if hits[0] > 0:
                    t = _row_of(hits, tracks, damaged, bounds[g + 1], size)
                elif damaged > bounds[g]:
                    t = bounds[g]
            track_of[p] = t


@cached
def list_placements(tables, called_in, closed, tracks, bounds):
    """The placements that have each track.

    `called_in` has the number of the salvo that called each square first, 0 for the others;
    `closed` tells on which no ship may lie; `tracks` (T, longest) has different rows padded with
    zeros, those of class g from ``bounds[g]`` to ``bounds[g + 1]``; of these the first alone may
    be empty.

    Returns the placements, track after track, and where each track's begin.
    """
    track_of = np.full(tables.squares.shape[0], -1, np.int64)
    hits = np.empty(tracks.shape[1], np.int64)
    _find_tracks(tables, called_in, closed, tracks, bounds, hits, track_of)
    starts = np.zeros(tracks.shape[0] + 1, np.int64)
    for t in track_of:
        if t >= 0:
            starts[t + 1] += 1
    for t in range(tracks.shape[0]):
        starts[t + 1] += starts[t]
    placements = np.empty(starts[-1], np.int32)
    end = starts[:-1].copy()
    for p, t in enumerate(track_of):
        if t >= 0:
            placements[end[t]] = p
            end[t] += 1
    return placements, starts


class Lists(NamedTuple):
    """Lists of placements for each object in each history of each group.

    A group is a class of ships, or the mines. Group g has the histories ``groups[g]`` to
    ``groups[g + 1]``, history h the lists ``histories[h]`` to ``histories[h + 1]``, and list i,
    for ``counts[i]`` objects, the `placements` from ``starts[i]`` to ``stops[i]``.

    Attributes
    ----------
    groups, histories, starts, stops, counts : int64
    placements : int32
    alive : bool
        Which histories are left.
    compact : bool
        Which lists some placement might touch all of.
    """

    groups: npt.NDArray[np.int64]
    histories: npt.NDArray[np.int64]
    placements: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    stops: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    alive: npt.NDArray[np.bool_]
    compact: npt.NDArray[np.bool_]


@inlined
def _is_compact(tables, cols, lists, i):
    """Whether a placement of the longest size might touch the first and the last of list i."""
    first, last = lists.placements[lists.starts[i]], lists.placements[lists.stops[i] - 1]
    row = np.int64(0)
    for k in range(tables.squares.shape[1]):
        if tables.squares[first, k] < tables.n_squares:
            row = tables.squares[first, k] // cols
    rows_between = tables.squares[last, 0] // cols - row - 1
    return rows_between <= tables.squares.shape[1]


@inlined
def _touches_all(tables, lists, p, i):
    """Whether no object of list i has room beside placement p."""
    if not lists.compact[i]:
        return False
    for k in range(lists.starts[i], lists.stops[i]):
        if not intersects(tables.masks, p, tables.reach, lists.placements[k]):
            return False
    return True


@inlined
def _leaves_room(tables, lists, p, own, first, stop):
    """Whether the histories from `first` to `stop` include one that has room beside p.

    The object at p is one of list `own`.
    """
    for h in range(first, stop):
        room = lists.alive[h]
        for i in range(lists.histories[h], lists.histories[h + 1]):
            # Another object of the own list needs room as well.
            if room and not (i == own and lists.counts[i] == 1):
                room = not _touches_all(tables, lists, p, i)
        if room:
            return True
    return False


@inlined
def _fits_in(tables, lists, p, own, group, history, cut):
    """Whether the cut groups all have room beside p, an object of a history of `group`."""
    for g in range(lists.groups.shape[0] - 1):
        if cut[g]:
            first, stop = lists.groups[g], lists.groups[g + 1]
            if g == group:
                first, stop = history, history + 1
            if not _leaves_room(tables, lists, p, own, first, stop):
                return False
    return True


@kernel
def _cut(tables, cols, lists, i, group, history, cut):
    """Drop what does not fit from list i; whether anything was."""
    end = lists.starts[i]
    for k in range(lists.starts[i], lists.stops[i]):
        p = lists.placements[k]
        if _fits_in(tables, lists, p, i, group, history, cut):
            lists.placements[end] = p
            end += 1
    dropped = end < lists.stops[i]
    lists.stops[i] = end
    if dropped and end > lists.starts[i]:
        lists.compact[i] = _is_compact(tables, cols, lists, i)
    if end - lists.starts[i] < lists.counts[i]:
        lists.alive[history] = False
    return dropped


@cached
def prune_lists(tables, cols, lists):
    """Drop placements beside which some other object has no room, until none is left to drop.

    Those that stay in a list are moved to its front. A history is dropped with the first list
    that becomes too short.
    """
    n_groups = lists.groups.shape[0] - 1
    for i in range(lists.starts.shape[0]):
        lists.compact[i] = _is_compact(tables, cols, lists, i)
    # A pass compares with the groups that were cut in it, or since the last one began.
    cut = np.ones(n_groups, np.bool_)
    cut_now = np.zeros(n_groups, np.bool_)
    while cut.any():
        for g in range(n_groups):
            for h in range(lists.groups[g], lists.groups[g + 1]):
                for i in range(lists.histories[h], lists.histories[h + 1]):
                    if lists.alive[h] and _cut(tables, cols, lists, i, g, h, cut):
                        cut[g] = True
                        cut_now[g] = True
        cut[:] = cut_now
        cut_now[:] = False
