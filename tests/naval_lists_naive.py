"""What a record of Naval Bombardment leaves, found by trying everything on small boards."""

from collections import Counter
from functools import cache
from itertools import combinations

from battleship_ai.naval import NavalLayout, NavalTarget, naval_placements
from battleship_ai.naval.tables import naval_tables


@cache
def all_layouts(rules):
    """Every legal layout, ships and mines of one class or kind in one order only."""
    board = rules.board
    spans = {
        ship.size: [tuple(map(int, row)) for row in naval_placements(board, ship.size).squares]
        for ship in rules.classes
    }
    fleets = [[]]
    for ship in rules.classes:
        fleets = [
            [*fleet, *group]
            for fleet in fleets
            for group in combinations(spans[ship.size], ship.count)
            if apart(board, [*fleet, *group])
        ]
    layouts = []
    for ships in fleets:
        layouts += with_mines(rules, ships)
    return layouts


def with_mines(rules, ships):
    board = rules.board
    water = [s for s in range(board.n_squares) if apart(board, [*ships, (s,)])]
    ordinary, explosive = rules.ordinary_mines, rules.high_explosive_mines
    return [
        NavalLayout.from_array(rules, [*(s for ship in ships for s in ship), *first, *second])
        for first in combinations(water, ordinary)
        for second in combinations([s for s in water if s not in first], explosive)
        if apart(board, [(s,) for s in first + second])
    ]


def apart(board, objects):
    """Whether no two objects touch."""
    used = frozenset()
    for squares in objects:
        if used & set(squares):
            return False
        used |= with_halo(board, tuple(squares))
    return True


@cache
def with_halo(board, squares):
    return frozenset(board.squares(squares).dilate(diagonal=True))


def told(record):
    """What a record tells, without the letters: each ship by the salvos that hit it before."""
    lines = []
    tracks = {ship.short: {} for ship in record.rules.classes}
    for salvo in record:
        entries = []
        for entry in salvo.report:
            earlier = entry.earlier
            if entry.track is not None:
                earlier = tracks[entry.ship_class].get(entry.track, ())
                tracks[entry.ship_class][entry.track] = earlier + (salvo.round,) * entry.hits
            entries.append((entry.ship_class, entry.hits, earlier))
        lines.append((salvo.round, salvo.fired, salvo.mine, salvo.guns_left, Counter(entries)))
    return lines


def gives(layout, record):
    """Whether a layout gives a record, played through the referee."""
    target = NavalTarget(layout)
    expected = told(record)
    for i, salvo in enumerate(record):
        target.fire(salvo.fired)
        if told(target.record)[i] != expected[i]:
            return False
    return True


def fits(layout, candidates):
    """Whether a layout is on the lists of one choice of histories."""
    rules, record = layout.rules, candidates.record
    struck = {mine.square: mine.kind for mine in record.mines}
    mines = dict(zip(layout.mines, rules.mines, strict=True))
    unspent = mines.keys() - struck.keys()
    return (
        all(mines.get(square) == kind for square, kind in struck.items())
        and unspent <= set(candidates.mine_squares.tolist())
        and len(unspent) == candidates.mines_left
        and any(
            all(
                ships_fit(layout, ship_class, candidates.classes[k][i])
                for k, (ship_class, i) in enumerate(zip(rules.classes, choice, strict=True))
            )
            for choice in candidates.choices
        )
    )


def ships_fit(layout, ship_class, history):
    """Whether the ships of a class fill the places that a history has for each track."""
    places = Counter()
    for ships in history:
        places[ships.track] += ships.count
    number = numbers(layout)
    track_of = {p: ships.track for ships in history for p in ships.placements.tolist()}
    own = [n for n, c in zip(number, layout.rules.ships, strict=True) if c == ship_class]
    return Counter(track_of.get(p) for p in own) == places


def numbers(layout):
    """The numbers of the ships' placements in the tables."""
    index = placement_numbers(layout.rules)
    kinds = layout.rules.ships
    return [index[c.short, ship] for c, ship in zip(kinds, layout.ships, strict=True)]


@cache
def placement_numbers(rules):
    tables = naval_tables(rules)
    return {
        (ship_class.short, tuple(tables.squares[p, : ship_class.size].tolist())): p
        for ship_class, (_, first, stop) in zip(rules.classes, tables.groups.tolist(), strict=False)
        for p in range(first, stop)
    }


def placements_with(record, ship_class, track):
    """The placements of a class that were hit by these salvos and touch no spent mine."""
    first_called = {}
    for salvo in record:
        for square in salvo.fired:
            first_called.setdefault(square, salvo.round)
    board = record.rules.board
    spent = set(board.squares(m.square for m in record.mines).dilate(diagonal=True))
    return [
        p
        for (short, squares), p in placement_numbers(record.rules).items()
        if short == ship_class
        and not spent & set(squares)
        and sorted(first_called[s] for s in squares if s in first_called) == list(track)
    ]


def naive_pruned(candidates):
    """Arc consistency by its definition: lists as sets of sets of squares, and mines too."""
    board = candidates.rules.board
    tables = naval_tables(candidates.rules)
    squares = [frozenset(row[row < board.n_squares].tolist()) for row in tables.squares]
    reach = [with_halo(board, tuple(s)) for s in squares]
    groups = [
        [[(s.count, set(s.placements.tolist())) for s in history] for history in group]
        for group in candidates.classes
    ]
    first_mine = int(tables.groups[-1, 1])
    if candidates.mines_left:
        mines = {first_mine + s for s in candidates.mine_squares.tolist()}
        groups.append([[(candidates.mines_left, mines)]])

    def has_room(p, group, history, own):
        """Whether each group has, in one of its histories, room beside p for each list."""
        for other in groups:
            histories = [history] if other is group else other
            if not any(
                all(
                    any(not squares[p] & reach[q] for q in placed)
                    for count, placed in lists
                    if placed is not own or count > 1
                )
                for lists in histories
            ):
                return False
        return True

    while True:
        dropped = False
        for group in groups:
            for history in group:
                for _, own in history:
                    for p in sorted(own):
                        if not has_room(p, group, history, own):
                            own.remove(p)
                            dropped = True
            short = [h for h in group if any(len(placed) < count for count, placed in h)]
            for history in short:
                group.remove(history)
                dropped = True
        if not dropped:
            return groups
