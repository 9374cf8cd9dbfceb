"""Words: the answers to the hits of a game, in order."""

from collections.abc import Iterable
from functools import cache

from battleship_ai.rules import Rules

__all__ = ["count_words", "ship_labels"]

Left = tuple[int, ...]


def ship_labels(rules: Rules) -> list[tuple[int, int]]:
    """What the answer to a hit tells of each ship, and that to its sinking.

    Equal numbers where answers do not tell ships apart. Where no sinking is announced the two
    are the same letter; `count_words` is for rules that announce it.

    Examples
    --------
    >>> ship_labels(Rules(fleet=(3, 2, 2), announce="sunk-size"))
    [(0, 0), (0, 1), (0, 1)]
    """
    classes = [k for k, c in enumerate(rules.classes) for _ in range(c.count)]
    at_hits = rules.announce == "hit-name"
    return [(k if at_hits else 0, k if rules.tells_class else 0) for k in classes]


def count_words(left: Iterable[int], labels: Iterable[tuple[int, int]]) -> int:
    """In how many ways the answers to the hits that are left may follow each other.

    Parameters
    ----------
    left : iterable of int
        The squares left of each ship.
    labels : iterable of (int, int)
        What a hit on each ship tells, and its sinking.

    Examples
    --------
    With ships of 3 and 2 squares and sizes told, either ship sinks last: the 2 after two to four
    hits, or the 3 after three or four.

    >>> count_words((3, 2), [(0, 0), (0, 1)]), count_words((3, 2), [(0, 0), (0, 0)])
    (5, 3)
    """
    ships = tuple(sorted(zip(left, labels, strict=True)))
    return _count(frozenset({tuple(ship for ship in ships if ship[0])}))


@cache
def _count(possible: frozenset[tuple[tuple[int, tuple[int, int]], ...]]) -> int:
    """Words from states of the ships, any of which may be the true one.

    One word may come about in several ways, so all states that it may lead to are kept together.
    """
    following: dict[tuple[bool, int], set[tuple[tuple[int, tuple[int, int]], ...]]] = {}
    for ships in possible:
        for ship in set(ships):
            squares, (hit, sunk) = ship
            rest = list(ships)
            rest.remove(ship)
            if squares > 1:
                rest.append((squares - 1, (hit, sunk)))
            letter = (squares == 1, sunk if squares == 1 else hit)
            following.setdefault(letter, set()).add(tuple(sorted(rest)))
    if not following:
        return 1
    return sum(_count(frozenset(states)) for states in following.values())
