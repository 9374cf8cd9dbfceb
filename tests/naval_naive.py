"""Layouts of Naval Bombardment once more, slow and obvious: what the fast code is tested against.

Squares are (row, col); a ship is a frozenset of squares; a layout is a tuple of its ships, in the
order of the rules, and one of its mines. Ships of one class and mines of one kind are sorted, so
that each layout has one form. Nothing here uses the library's code except its rules and layouts.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise

from battleship_ai.naval import NavalLayout, NavalRules

Square = tuple[int, int]
Ship = frozenset[Square]
Objects = tuple[Ship, ...]
NaiveLayout = tuple[Objects, tuple[Square, ...]]
Choice = Callable[[NavalRules, Objects, list[Ship]], list[Ship]]


def squares_of(rules: NavalRules) -> list[Square]:
    return [(r, c) for r in range(rules.board.rows) for c in range(rules.board.cols)]


def all_ships(rules: NavalRules, size: int) -> list[Ship]:
    """Every placement of a ship, by trying every set of squares."""
    return [frozenset(s) for s in combinations(squares_of(rules), size) if is_run(s)]


def is_run(squares: tuple[Square, ...]) -> bool:
    """Whether squares in increasing order follow each other across, down or diagonally."""
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(squares)}
    return len(steps) <= 1 and steps <= {(0, 1), (1, 0), (1, 1), (1, -1)}


def distance(a: Square, b: Square) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def touch(a: Ship, b: Ship) -> bool:
    return any(distance(s, t) <= 1 for s in a for t in b)


def in_one_form(rules: NavalRules, objects: Objects) -> NaiveLayout:
    """The layout of ships and then mines, all in the order of the rules."""
    names = [*(ship.short for ship in rules.ships), *rules.mines]
    order = sorted(range(len(names)), key=lambda i: (names.index(names[i]), sorted(objects[i])))
    first_mine = len(rules.ships)
    return (
        tuple(objects[i] for i in order[:first_mine]),
        tuple(min(objects[i]) for i in order[first_mine:]),
    )


def naive_form(layout: NavalLayout) -> NaiveLayout:
    cols = layout.rules.board.cols
    objects = [*layout.ships, *((mine,) for mine in layout.mines)]
    return in_one_form(
        layout.rules, tuple(frozenset(divmod(s, cols) for s in squares) for squares in objects)
    )


def all_naval_layouts(rules: NavalRules) -> list[NaiveLayout]:
    """Every legal layout, once."""
    return list(layout_probabilities(rules, any_legal))


def layout_probabilities(rules: NavalRules, choice: Choice) -> dict[NaiveLayout, float]:
    """How likely each layout is if objects are placed in order, anew when one finds no place.

    Each is uniform among those of its legal placements that the choice leaves.
    """
    chances: dict[NaiveLayout, float] = {}
    for objects, chance in _ways_to_place(rules, choice):
        layout = in_one_form(rules, objects)
        chances[layout] = chances.get(layout, 0.0) + chance
    total = sum(chances.values())
    return {layout: chance / total for layout, chance in chances.items()}


def _ways_to_place(rules: NavalRules, choice: Choice) -> Iterator[tuple[Objects, float]]:
    sizes = [*(ship.size for ship in rules.ships), *(1 for _ in rules.mines)]
    table = {size: all_ships(rules, size) for size in set(sizes)}

    def extend(objects: Objects, chance: float) -> Iterator[tuple[Objects, float]]:
        if len(objects) == len(sizes):
            yield objects, chance
            return
        ships = table[sizes[len(objects)]]
        legal = [ship for ship in ships if not any(touch(ship, other) for other in objects)]
        left = choice(rules, objects, legal)
        for ship in left:
            yield from extend((*objects, ship), chance / len(left))

    return extend((), 1.0)


def any_legal(rules: NavalRules, objects: Objects, legal: list[Ship]) -> list[Ship]:
    return legal


def ships_near_border(rules: NavalRules, objects: Objects, legal: list[Ship]) -> list[Ship]:
    """The squares just off the board are the border."""
    rows, cols = rules.board.rows, rules.board.cols
    border = {(r, c) for r in range(-1, rows + 1) for c in range(-1, cols + 1)}
    is_ship = len(objects) < len(rules.ships)
    return nearest(legal, frozenset(border - set(squares_of(rules)))) if is_ship else legal


def far_from_all(rules: NavalRules, objects: Objects, legal: list[Ship]) -> list[Ship]:
    if not objects or not legal:
        return legal
    others = frozenset().union(*objects)
    gap = {ship: min(distance(s, t) for s in ship for t in others) for ship in legal}
    return [ship for ship in legal if gap[ship] == max(gap.values())]


def mines_near_the_two_largest(
    rules: NavalRules, objects: Objects, legal: list[Ship]
) -> list[Ship]:
    ships = objects[: len(rules.ships)]
    is_ship = len(objects) < len(rules.ships)
    return legal if is_ship else nearest(legal, frozenset().union(*ships[:2]))


def nearest(legal: list[Ship], target: Ship) -> list[Ship]:
    """The ships whose farthest square is nearest to the target."""
    way = {ship: max(min(distance(s, t) for t in target) for s in ship) for ship in legal}
    return [ship for ship in legal if way[ship] == min(way.values())]


CHOICES: dict[str, Choice] = {
    "sequential": any_legal,
    "edge": ships_near_border,
    "spread": far_from_all,
    "guards": mines_near_the_two_largest,
}
"""For each placer that goes from object to object, what it chooses from, all alike."""
