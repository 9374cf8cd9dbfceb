"""Layouts that no transcript tells from one another, where straight ships may touch.

Two layouts A and B have the same transcript in some order of shots if and only if they have the
same squares and their ships can be paired, equal size with equal size, so that the two of a pair
share a square: the one that is hit last and sinks both. (All other squares may be hit before
those, in any order.) Ships that are the same in both can be left out, and so can all but one
cluster of pairs whose A-ships and B-ships have the same squares: the ambiguity is that of a
cluster. For instance, of ships of 4, 3, 3 and 2 squares::

    2 2 . .        2 4 . .
    4 4 4 4        2 4 3 3
    . 3 3 3        . 4 3 3
    . 3 3 3        . 4 3 3

A cluster grows from its largest pair: as long as B has a square that A lacks, some pair must
have it as part of its A-ship. Hasbro's fleet has no clusters but this one and its mirror images.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import prod

from battleship_ai.errors import RulesError
from battleship_ai.placements import placements
from battleship_ai.rules import Rules

__all__ = ["MOST_SQUARES", "ambiguous_layouts", "clusters"]

MOST_SQUARES = 20
"""Of a fleet whose clusters can be found."""

# The plane as bits of one number: wider than any cluster about its centre.
_ROW = 2 * MOST_SQUARES
_CENTRE = MOST_SQUARES * (_ROW + 1)


def ambiguous_layouts(rules: Rules) -> int:
    """No more layouts than this share a transcript with another one.

    Ships of one size are not told apart, whatever their names.

    Parameters
    ----------
    rules : Rules
        Of straight ships, whose sinkings tell sizes.

    Examples
    --------
    >>> ambiguous_layouts(Rules(board=(3, 3), fleet=(2, 2), contact="allowed",
    ...                         announce="sunk-size"))
    8
    """
    total, board = 0, rules.board
    for fleet, shapes in clusters(rules.fleet).items():
        others = list(rules.fleet)
        for size in fleet:
            others.remove(size)
        # The others anywhere, over the cluster too: a bound.
        tables = (placements(board, size, rules.shape, rules.contact) for size in others)
        rest = prod(len(table.squares) for table in tables)
        total += rest * sum(
            max(0, board.rows - height + 1) * max(0, board.cols - width + 1)
            for height, width in shapes
        )
    return total


@cache
def clusters(fleet: tuple[int, ...]) -> dict[tuple[int, ...], list[tuple[int, int]]]:
    """The clusters that ships of a fleet can form, by their ships: height and width of each.

    Raises
    ------
    RulesError
        If the fleet has more than `MOST_SQUARES` squares.

    Examples
    --------
    >>> clusters((5, 4, 3, 2))
    {}
    >>> clusters((2, 2))
    {(2, 2): [(2, 2), (2, 2)]}
    """
    if sum(fleet) > MOST_SQUARES:
        raise RulesError(
            f"clusters are found in fleets of up to {MOST_SQUARES} squares, not of {sum(fleet)}"
        )
    found = {}
    parts = {part for n in range(2, len(fleet) + 1) for part in combinations(fleet, n)}
    for part in sorted(parts, key=lambda part: (len(part), part)):
        # The largest ship lies across; transposed it lies down.
        ship = _line(_CENTRE, part[0], 1)
        across = {
            _moved_to_corner(side)
            for b in _crossing(ship, part[0])
            for side in _grown(part[1:], ship, b, (ship,))
        }
        both_ways = across | {_transposed(side) for side in across}
        if both_ways:
            found[part] = sorted(map(_extent, both_ways))
    return found


def _grown(
    left: tuple[int, ...], a_squares: int, b_squares: int, side: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """The A-ships of every cluster that more pairs complete."""
    lacking = b_squares & ~a_squares
    if not lacking:
        if not left:  # else it is a cluster of fewer ships
            yield side
        return
    square = lacking.bit_length() - 1
    for size in set(left):
        rest = list(left)
        rest.remove(size)
        # An A-ship shares a square with the B-ship of its pair, one that nothing lacked before.
        room = sum(rest) - len(rest)
        for a in _covering(square, size):
            if not a & a_squares and a & b_squares != a and (lacking & ~a).bit_count() <= room:
                for b in _crossing(a, size):
                    if not b & b_squares:
                        yield from _grown(tuple(rest), a_squares | a, b_squares | b, (*side, a))


def _line(first: int, size: int, step: int) -> int:
    return sum(1 << (first + i * step) for i in range(size))


@cache
def _covering(square: int, size: int) -> list[int]:
    """Every ship of a size over a square."""
    return [_line(square - i * step, size, step) for step in (1, _ROW) for i in range(size)]


@cache
def _crossing(ship: int, size: int) -> list[int]:
    """Every other ship of a size that shares a square with a ship."""
    return list({other for square in _bits(ship) for other in _covering(square, size)} - {ship})


def _bits(squares: int) -> list[int]:
    return [i for i in range(squares.bit_length()) if squares >> i & 1]


def _places(side: frozenset[int]) -> list[tuple[int, int]]:
    return [divmod(square, _ROW) for ship in side for square in _bits(ship)]


def _moved_to_corner(side: tuple[int, ...]) -> frozenset[int]:
    rows, cols = zip(*_places(frozenset(side)), strict=True)
    return frozenset(ship >> (min(rows) * _ROW + min(cols)) for ship in side)


def _transposed(side: frozenset[int]) -> frozenset[int]:
    return frozenset(
        sum(1 << (col * _ROW + row) for row, col in _places(frozenset([ship]))) for ship in side
    )


def _extent(side: frozenset[int]) -> tuple[int, int]:
    rows, cols = zip(*_places(side), strict=True)
    return max(rows) + 1, max(cols) + 1
