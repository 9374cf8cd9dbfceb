"""A whole record taken into the placement belief, and draws from it, for Python."""

import numpy as np

from battleship_ai._jit import cached
from battleship_ai.inference._sampler import draw_layouts
from battleship_ai.inference._tracker import reset_tracker, track
from battleship_ai.rng import LAYOUT_STREAM, open_stream


@cached
def observe_record(tracker, tables, squares, kinds, classes):
    """Bring a tracker from the start to the end of a record."""
    reset_tracker(tracker, tables)
    for t in range(squares.shape[0]):
        track(tracker, tables, squares[t], kinds[t], classes[t])


@cached
def draw_from(sampler, tracker, tables, key):
    """Make the draws of a sampler from a stream of its own; returns the ships in each."""
    stream = np.empty(2, np.uint64)
    open_stream(stream, key, LAYOUT_STREAM)
    return draw_layouts(sampler, tracker, tables, stream)
