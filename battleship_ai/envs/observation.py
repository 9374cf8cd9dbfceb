"""What a shooter knows, as an array: the observation of the environments.

A policy learnt in an environment plays anywhere else through these two functions: a
strategy's ``choose(record, rng)`` receives the record, and `observe` and `unasked` make
of it what the policy was trained on.
"""

import numpy as np
import numpy.typing as npt
from scipy.ndimage import label

from battleship_ai.record import KINDS, Record, RecordArrays
from battleship_ai.rules import Rules

__all__ = ["observe", "plane_names", "unasked"]

_NOT_ASKED = -1
_MISS, _HIT, _SUNK = range(len(KINDS))
_KING_MOVES = np.ones((3, 3))


def plane_names(rules: Rules) -> tuple[str, ...]:
    """What each plane of `observe` shows.

    Parameters
    ----------
    rules : Rules

    Returns
    -------
    tuple of str
        First the answers, one of which is 1 at each square: ``unasked``, ``miss``, ``hit``
        and ``sunk``, the latest one there. Under rules whose answers tell a ship's class,
        ``told`` and the class: 1 where an answer told it. Last ``afloat`` and the class:
        the share of its ships not known to be sunk, the same on every square. Where
        sinkings are announced bare and ships may touch, the sunk ship's class need not be
        known, and ``afloat`` is one plane for the whole fleet; under ``hit-only`` there
        is none.

    Examples
    --------
    >>> plane_names(Rules.preset("pomcp"))
    ('unasked', 'miss', 'hit', 'sunk')
    >>> plane_names(Rules.preset("openspiel"))[4:]
    ('afloat',)
    >>> plane_names(Rules(board=(4, 4), fleet=(3, 2, 2), announce="sunk-size"))[4:]
    ('told 3', 'told 2', 'afloat 3', 'afloat 2')
    """
    classes = [ship_class.name for ship_class in rules.classes]
    told = [f"told {name}" for name in classes] if rules.tells_class else []
    return ("unasked", *KINDS, *told, *_afloat_names(rules))


def _afloat_names(rules: Rules) -> list[str]:
    if rules.announce == "hit-only":
        return []
    if _knows_sunk_class(rules):
        return [f"afloat {ship_class.name}" for ship_class in rules.classes]
    return ["afloat"]


def _knows_sunk_class(rules: Rules) -> bool:
    return rules.tells_class or rules.contact == "none"


def observe(record: Record) -> npt.NDArray[np.float32]:
    """All that a record tells but the order of its shots, as planes over the board.

    Parameters
    ----------
    record : Record

    Returns
    -------
    ndarray of float32 in [0, 1], shape (planes, rows, cols)
        One plane for each of `plane_names`.

    Examples
    --------
    >>> record = Record.parse(Rules(board=(2, 3), fleet=(2, 1)), "a0:miss b1:hit b2:sunk")
    >>> planes = dict(zip(plane_names(record.rules), observe(record), strict=True))
    >>> planes["hit"].tolist(), planes["sunk"].tolist()
    ([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    >>> float(planes["afloat 2"][0, 0]), float(planes["afloat 1"][0, 0])
    (0.0, 1.0)
    """
    rules, board = record.rules, record.rules.board
    shots = record.arrays()
    answered = np.full((2, board.n_squares), _NOT_ASKED)
    # Assigned in order: a later answer at a square replaces an earlier one.
    answered[:, shots.squares] = shots.kinds, shots.classes
    latest, told = answered
    named = range(len(rules.classes)) if rules.tells_class else ()
    planes = np.array(
        [latest == kind for kind in (_NOT_ASKED, _MISS, _HIT, _SUNK)]
        + [told == number for number in named]
        + [np.full(board.n_squares, share) for share in _afloat(rules, shots)],
        dtype=np.float32,
    )
    return planes.reshape(-1, board.rows, board.cols)


def _afloat(rules: Rules, shots: RecordArrays) -> list[float]:
    """The share of ships not known to be sunk, by class where their classes are known."""
    if rules.announce == "hit-only":
        return []
    squares, kinds, told = shots
    _, first = np.unique(squares, return_index=True)  # to ask a square again sinks nothing
    sinkings = first[kinds[first] == _SUNK]
    if not _knows_sunk_class(rules):
        return [1.0 - len(sinkings) / len(rules.fleet)]
    classes = rules.classes
    if rules.tells_class:
        sunk = np.bincount(told[sinkings], minlength=len(classes)).tolist()
    else:
        hit = np.zeros(rules.board.n_squares, dtype=np.int64)
        hit[squares[kinds != _MISS]] = 1
        ships = label(hit.reshape(rules.board.rows, -1), structure=_KING_MOVES)[0].ravel()
        sizes = np.bincount(ships)[ships[squares[sinkings]]].tolist()
        sunk = [sizes.count(c.size) for c in classes]
    return [1.0 - n / c.count for n, c in zip(sunk, classes, strict=True)]


def unasked(record: Record) -> npt.NDArray[np.int8]:
    """The action mask: 1 at each square that was not asked yet, shape (n_squares,).

    To ask a square again is legal and costs a shot, but hardly ever tells anything.

    Examples
    --------
    >>> unasked(Record.parse(Rules(board=(1, 3), fleet=(2,)), "a1:hit")).tolist()
    [1, 0, 1]
    """
    mask = np.zeros(record.rules.board.n_squares, dtype=np.int8)
    mask[record.unasked] = 1
    return mask
