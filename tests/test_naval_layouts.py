"""Naval placements and layouts, against the rules spelled out square by square."""

from itertools import combinations, pairwise

import pytest

from battleship_ai import Board, LayoutError, SquareError
from battleship_ai.bitboard import unpack
from battleship_ai.naval import (
    NavalClass,
    NavalLayout,
    NavalRules,
    naval_placements,
    place_naval,
)
from naval_fixture import FIXTURE, fixture

BOAT = NavalClass("Boat", 2, 2, "Bt", (1, 2))


def distance(board, a, b):
    return max(abs(a // board.cols - b // board.cols), abs(a % board.cols - b % board.cols))


def is_ship(board, squares):
    """Whether consecutive squares are king steps in one direction."""
    points = [divmod(s, board.cols) for s in sorted(squares)]
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)}
    return len(steps) <= 1 and steps <= {(0, 1), (1, 0), (1, 1), (1, -1)}


def is_legal(board, ships, mines):
    objects = [*ships, *((m,) for m in mines)]
    return all(is_ship(board, ship) for ship in ships) and all(
        distance(board, a, b) >= 2 for x, y in combinations(objects, 2) for a in x for b in y
    )


def accepts(rules, ships, mines=()):
    try:
        NavalLayout(rules, {rules.classes[0].short: ships}, {"ordinary": mines})
    except LayoutError:
        return False
    return True


@pytest.mark.parametrize("board", [Board(4, 5), Board(5, 4), Board(1, 6), Board(6, 1)], ids=str)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_placements_are_all_straight_runs_and_their_halos_the_squares_around(board, size):
    squares = range(board.n_squares)
    table = naval_placements(board, size)
    assert [tuple(row) for row in table.squares.tolist()] == [
        ship for ship in combinations(squares, size) if is_ship(board, ship)
    ]
    for ship, mask, halo in zip(table.squares.tolist(), table.masks, table.halos, strict=True):
        assert list(unpack(mask)) == ship
        assert list(unpack(halo)) == [
            s for s in squares if min(distance(board, s, t) for t in ship) == 1
        ]


def test_a_ship_longer_than_the_board_has_no_placement():
    assert len(naval_placements(Board(3, 4), 5)) == 0


@pytest.mark.parametrize("size", [2, 3])
def test_exactly_the_straight_ships_apart_from_the_mine_are_legal(size):
    rules = NavalRules((3, 5), [NavalClass("Ship", size, 1, "S", (size,))], 1, 0)
    for ship in combinations(range(15), size):
        for mine in range(15):
            assert accepts(rules, [ship], [mine]) == is_legal(rules.board, [ship], [mine])


def test_exactly_the_ships_apart_from_each_other_are_legal():
    rules = NavalRules((3, 5), [BOAT], 0, 0)
    boats = list(combinations(range(15), 2))
    for pair in combinations(boats, 2):
        assert accepts(rules, pair) == is_legal(rules.board, pair, [])


def test_two_diagonal_ships_cannot_cross():
    rules = NavalRules((3, 3), [BOAT], 0, 0)
    with pytest.raises(LayoutError, match="Bt A1-B2 and Bt A2-B1 touch at A1 and A2"):
        NavalLayout.parse(rules, "Bt A1-B2 A2-B1")


def test_the_fixture_has_73_occupied_323_used_and_8_x_squares():
    layout = fixture()
    assert len(layout.squares) == 73
    assert len(layout.used_squares) == 323
    assert len(layout.x_squares) == 8


def test_used_squares_have_an_occupied_neighbour_and_x_squares_are_too_cramped_for_a_ship():
    for layout in place_naval(NavalRules(), 5, seed=3):
        board, occupied = layout.rules.board, list(layout.squares)
        used = {
            s for s in range(400) if min(distance(board, s, occupant) for occupant in occupied) < 2
        }
        unused = set(range(400)) - used
        roomy = set()
        for s in unused:
            for step in (1, 19, 20, 21):
                run = {s, s + step, s + 2 * step}
                if run <= unused and distance(board, s, s + 2 * step) == 2:
                    roomy |= run
        assert set(layout.used_squares) == used
        assert set(layout.x_squares) == unused - roomy
        assert layout.x_squares.bits  # or the test would say little


def test_where_no_ship_fits_all_unused_squares_are_x():
    rules = NavalRules((1, 6), [NavalClass("Ship", 3, 1, "S", (3,))], 0, 0)
    assert NavalLayout.parse(rules, "S A1-A3").x_squares == rules.board.squares(["A5", "A6"])


def test_a_layout_survives_text_pictures_arrays_and_dicts():
    layout = fixture()
    rules = layout.rules
    assert NavalLayout.parse(rules, str(layout)) == layout
    assert NavalLayout.parse(rules, layout.picture()) == layout
    assert NavalLayout.from_array(rules, layout.to_array()) == layout
    assert NavalLayout.from_dict(rules, layout.to_dict()) == layout
    assert layout.to_dict()["ships"]["Dy"] == ["B6-E3", "L2-O2", "R15-R18"]
    assert layout.to_dict()["mines"]["high-explosive"] == ["B18", "C12", "O8", "T20"]


def test_the_picture_shows_ships_mines_used_and_x_squares():
    rules = NavalRules((4, 7), [NavalClass("Ship", 3, 1, "S", (3,))], 1, 1)
    layout = NavalLayout.parse(rules, "S A1-A3; ordinary A6; high-explosive D3")
    assert layout.picture() == (
        "  1 2 3 4 5 6 7\nA S S S : : o :\nB : : : : : : :\nC x : : : . . .\nD x : * : . . ."
    )
    assert "<title>D3: high-explosive mine</title>" in layout._repr_svg_()


def test_the_order_in_which_ships_are_given_is_irrelevant():
    rules = NavalRules((3, 5), [BOAT], 0, 0)
    assert NavalLayout.parse(rules, "Bt A4-B5 A1-A2") == NavalLayout(
        rules, {"Bt": [["A2", "A1"], ["B5", "A4"]]}
    )


@pytest.mark.parametrize(
    ("old", "new", "error", "message"),
    [
        ("FS E10-L17", "", LayoutError, "the layout has 0 FS; the rules ask for 1"),
        ("L2-O2", "", LayoutError, "the layout has 2 Dy; the rules ask for 3"),
        (" T20", "", LayoutError, "has 3 high-explosive mines; the rules ask for 4"),
        ("E10-L17", "E10-K16", LayoutError, "FS E10-K16 has 7 squares; a ship of class FS has 8"),
        ("B6-E3", "B6-E4", LayoutError, "run 'B6-E4' is not across, down or diagonal"),
        ("B6-E3", "B6-U3", SquareError, "'U3' is off the board"),
        ("E10-L17", "E10-L17-", SquareError, "'L17-' is not a row letter"),
        ("O8", "O9", LayoutError, "Cv N10-P10 and high-explosive mine O9 touch at N10 and O9"),
        ("O8", "K10", LayoutError, "HC K10-P15 and high-explosive mine K10 overlap at K10"),
        ("H3", "B18", LayoutError, "ordinary mine B18 and high-explosive mine B18 overlap"),
        ("Cv", "Cw", LayoutError, "unknown ship class 'Cw'; there are: FS, BS"),
        ("Cv", "Dy", LayoutError, "'Dy' is listed twice"),
    ],
)
def test_a_layout_that_breaks_a_rule_says_which(old, new, error, message):
    text = FIXTURE.replace(old, new, 1)
    assert text != FIXTURE
    with pytest.raises(error, match=message):
        NavalLayout.parse(NavalRules(), text)


@pytest.mark.parametrize(
    ("ships", "mines", "message"),
    [
        ({"Bt": [["A1", "A3"], "C1-C2"]}, {}, "Bt A1 A3 is not a straight run"),
        ({"Bt": [["A1", "A1"], "C1-C2"]}, {}, "Bt A1 A1 is not a straight run"),
        ({"Bt": [[], "C1-C2"]}, {}, "has 0 squares"),
        ({"Bt": "A1-A2"}, {}, "Bt: 'A1-A2' is not a list"),
        ({"Bt": [5, "C1-C2"]}, {}, "ship: 5 is not a list"),
        ([["A1", "A2"]], {}, "is not a mapping by ship class"),
        ({}, {"atomic": ["A1"]}, "unknown mine kind 'atomic'"),
    ],
)
def test_malformed_ships_and_mines_are_one_clear_error(ships, mines, message):
    with pytest.raises(LayoutError, match=message):
        NavalLayout(NavalRules((3, 5), [BOAT], 0, 0), ships, mines)


def test_malformed_pictures_arrays_and_dicts_are_one_clear_error():
    with pytest.raises(LayoutError, match="not 20 named rows of 20 cells"):
        NavalLayout.parse(NavalRules(), "  1 2\nA . .")
    with pytest.raises(LayoutError, match="an array of 3 squares is not a layout of 61 ship sq"):
        NavalLayout.from_array(NavalRules(), [1, 2, 3])
    with pytest.raises(LayoutError, match="unknown layout key 'boats'"):
        NavalLayout.from_dict(NavalRules(), {"boats": {}})
