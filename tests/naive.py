"""The rules of ship bombing once more, slow and obvious: what the fast code is tested against.

Squares are (row, col); a ship is a frozenset of squares; a layout is a tuple of
ships in fleet order. Nothing here uses the library's code except `Rules`.
"""

from itertools import combinations, permutations

from battleship_ai import Rules

Square = tuple[int, int]
Ship = frozenset[Square]
NaiveLayout = tuple[Ship, ...]


def squares_of(rules: Rules) -> list[Square]:
    return [(r, c) for r in range(rules.board.rows) for c in range(rules.board.cols)]


def king_step(a: Square, b: Square) -> bool:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


def rook_step(a: Square, b: Square) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def connected(ship: Ship, step) -> bool:
    reached = {min(ship)}
    while True:
        more = {s for s in ship - reached if any(step(s, t) for t in reached)}
        if not more:
            return reached == ship
        reached |= more


def is_ship(ship: Ship, shape: str) -> bool:
    if shape == "any":
        return connected(ship, king_step)
    if not connected(ship, rook_step):
        return False
    one_row = len({r for r, _ in ship}) == 1
    one_col = len({c for _, c in ship}) == 1
    return shape == "tetris" or one_row or one_col


def compatible(a: Ship, b: Ship, contact: str) -> bool:
    if a & b:
        return False
    if contact == "none":
        return not any(king_step(s, t) for s in a for t in b)
    if contact == "corners":
        return not any(rook_step(s, t) for s in a for t in b)
    return True


def all_ships(rules: Rules, size: int) -> list[Ship]:
    """Every placement of a ship, by trying every set of squares."""
    sets = combinations(squares_of(rules), size)
    return [frozenset(s) for s in sets if is_ship(frozenset(s), rules.shape)]


def all_layouts(rules: Rules) -> list[NaiveLayout]:
    """Every legal layout; ships of one size are told apart only where answers name them."""
    table = {size: all_ships(rules, size) for size in set(rules.fleet)}

    def extend(layout: NaiveLayout) -> list[NaiveLayout]:
        if len(layout) == len(rules.fleet):
            return [layout]
        size = rules.fleet[len(layout)]
        found = []
        for ship in table[size]:
            ordered = rules.names_ships or not layout or len(layout[-1]) != size
            if not ordered and sorted(ship) < sorted(layout[-1]):
                continue
            if all(compatible(ship, other, rules.contact) for other in layout):
                found += extend((*layout, ship))
        return found

    return extend(())


def answers(rules: Rules, layout: NaiveLayout, shots: list[Square]) -> list[str]:
    """What the owner of a layout says to each of several shots."""
    said = []
    asked: set[Square] = set()
    for shot in shots:
        asked.add(shot)
        word = "miss"
        for i, ship in enumerate(layout):
            if shot in ship:
                sunk = ship <= asked and rules.announce != "hit-only"
                word = "sunk" if sunk else "hit"
                if rules.announce == "hit-name" or (sunk and rules.announce == "sunk-name"):
                    word += f":{rules.names[i]}"
                elif sunk and rules.announce == "sunk-size":
                    word += f":{len(ship)}"
        said.append(word)
    return said


def consistent(
    rules: Rules, layouts: list[NaiveLayout], shots: list[Square], said: list[str]
) -> list[NaiveLayout]:
    """The layouts that would have given the same answers to the same shots in this order."""
    return [layout for layout in layouts if answers(rules, layout, shots) == said]


def occupied(layout: NaiveLayout) -> frozenset[Square]:
    return frozenset().union(*layout)


def probabilities(rules: Rules, layouts: list[NaiveLayout]) -> list[list[float]]:
    """How often each square is occupied."""
    return [
        [sum((r, c) in occupied(x) for x in layouts) / len(layouts)
         for c in range(rules.board.cols)]
        for r in range(rules.board.rows)
    ]  # fmt: skip


def relabelled(rules: Rules, layout: NaiveLayout) -> set[NaiveLayout]:
    """A layout under every exchange of ships of one size."""
    return {
        order for order in permutations(layout)
        if [len(s) for s in order] == list(rules.fleet)
    }  # fmt: skip


def shots_of_greedy(
    rules: Rules, layouts: list[NaiveLayout], asked: list[Square], first: Square
) -> int:
    """The shots that it takes in all, after `asked`, to sink each of the layouts: `first`, then
    always the lowest of the squares that the most of those hold that are still possible."""
    if not layouts:
        return 0
    shots = [*asked, first]
    by_answer: dict[str, list[NaiveLayout]] = {}
    for layout in layouts:
        by_answer.setdefault(answers(rules, layout, shots)[-1], []).append(layout)
    total = len(layouts)
    for alike in by_answer.values():
        left = [layout for layout in alike if not occupied(layout) <= set(shots)]
        unasked = [square for square in squares_of(rules) if square not in shots]
        if left:
            best = max(unasked, key=lambda s: sum(s in occupied(layout) for layout in left))
            total += shots_of_greedy(rules, left, shots, best)
    return total
