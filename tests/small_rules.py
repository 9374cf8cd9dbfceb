"""Small games of every shape, contact rule and announcement, all of whose layouts can be listed."""

from functools import cache
from itertools import product

import naive
from battleship_ai import Rules

ANNOUNCEMENTS = ("sunk", "sunk-size", "sunk-name", "hit-name", "hit-only")

_BOARDS = (
    ((3, 4), (3, 2)),
    ((4, 3), (2, 2)),
    ((3, 3), (2, 1)),
    ((2, 5), (3, 1, 1)),
    ((1, 7), (2, 2, 1)),
    ((3, 4), (4, 1)),
)


@cache
def layouts_of(rules: Rules) -> list[naive.NaiveLayout]:
    return naive.all_layouts(rules)


SMALL_RULES = [
    rules
    for (board, fleet), shape, contact, announce in product(
        _BOARDS, ("straight", "tetris", "any"), ("none", "corners", "allowed"), ANNOUNCEMENTS
    )
    if layouts_of(rules := Rules(board, fleet, shape, contact, announce))
]


def describe(rules: Rules) -> str:
    fleet = ",".join(map(str, rules.fleet))
    return f"{rules.board}-{fleet}-{rules.shape}-{rules.contact}-{rules.announce}"
