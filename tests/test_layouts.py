"""Which layouts are legal, and how they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from battleship_ai import Layout, LayoutError, Rules, place

SHAPES = ("straight", "tetris", "any")
CONTACTS = ("none", "corners", "allowed")


def random_ships(data, rules):
    """Ships grown square by square, often illegal in one way or another."""
    squares = naive.squares_of(rules)
    ships = []
    for size in rules.fleet:
        ship = {data.draw(st.sampled_from(squares))}
        while len(ship) < size:
            near = [
                s for s in squares if s not in ship and any(naive.king_step(s, t) for t in ship)
            ]
            ship.add(data.draw(st.sampled_from(near)))
        ships.append(ship)
    return ships


@given(st.sampled_from(SHAPES), st.sampled_from(CONTACTS), st.data())
def test_a_layout_is_accepted_exactly_if_the_definition_accepts_it(shape, contact, data):
    rules = Rules(board=(4, 4), fleet=(3, 2), shape=shape, contact=contact)
    a, b = (frozenset(ship) for ship in random_ships(data, rules))
    legal = naive.is_ship(a, shape) and naive.is_ship(b, shape) and naive.compatible(a, b, contact)
    try:
        Layout(rules, [sorted(a), sorted(b)])
        accepted = True
    except LayoutError:
        accepted = False
    assert accepted == legal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a0-a2, c0-c1, e0", "sizes 3, 2, 1; the fleet is 3, 2"),
        ("a0-a2", "sizes 3; the fleet is 3, 2"),
        ("a0 a1 b1, d0-d1", "ship a0 a1 b1 is not straight"),
        ("a0-a2, a2-a3", "overlap at a2"),
        ("a0-a2, b0-c0", "touch at a0 and b0"),
        ("a0-a2, b3-c3", "touch at a2 and b3"),
        ("a0-b1, d0-d1", "run 'a0-b1' is not in one row or one column"),
        ("a0 a0 a1, d0-d1", "square a0 twice"),
    ],
)
def test_an_illegal_layout_is_an_error_that_names_the_broken_rule(text, message):
    with pytest.raises(LayoutError, match=message):
        Layout.parse(Rules(board=(5, 5), fleet=(3, 2)), text)


def test_a_run_across_the_board_edge_is_not_a_ship():
    with pytest.raises(LayoutError, match="not straight"):
        Layout.parse(Rules(board=(5, 5), fleet=(2,)), "a4 b0")


def test_bent_ships_need_the_moves_of_their_shape():
    bent = "a0 a1 b1"
    diagonal = "a0 b1 c2"
    assert Layout.parse(Rules(board=(3, 3), fleet=(3,), shape="tetris"), bent)
    assert Layout.parse(Rules(board=(3, 3), fleet=(3,), shape="any"), diagonal)
    with pytest.raises(LayoutError, match="not connected by rook moves"):
        Layout.parse(Rules(board=(3, 3), fleet=(3,), shape="tetris"), diagonal)


def test_a_ship_may_lie_in_anothers_hole():
    ring = [(r, c) for r in range(5) for c in range(5) if r in (0, 4) or c in (0, 4)]
    rules = Rules(board=(5, 5), fleet=(16, 1), shape="tetris")
    layout = Layout(rules, [ring, [(2, 2)]])
    assert Layout.from_squares(rules, [*ring, (2, 2)]) == layout


def test_two_squares_of_a_tetris_ship_may_meet_at_a_corner():
    assert Layout.parse(Rules(board=(3, 3), fleet=(5,), shape="tetris"), "a0 a1 b1 c1 c0")


@pytest.mark.parametrize("preset", ["ship-bombing", "ship-bombing-any", "hasbro", "polish-bent"])
def test_layouts_survive_printing_and_parsing(preset):
    rules = Rules.preset(preset)
    for layout in place(rules, 20, seed=3):
        assert Layout.parse(rules, str(layout)) == layout
        listed = ", ".join(" ".join(ship) for ship in layout.names())
        assert Layout.parse(rules, listed) == layout
        assert Layout.from_array(rules, layout.to_array()) == layout


def test_bare_squares_describe_a_layout_where_ships_may_not_touch():
    rules = Rules.preset("ship-bombing-any")
    for layout in place(rules, 20, seed=4):
        assert Layout.from_squares(rules, layout.squares) == layout
        assert Layout.parse(rules, str(layout.squares)) == layout
    with pytest.raises(LayoutError, match="does not tell the ships apart"):
        Layout.from_squares(Rules.preset("hasbro"), range(17))


def test_a_picture_of_the_wrong_size_is_an_error():
    with pytest.raises(LayoutError, match="not 3 rows of 3 cells"):
        Layout.parse(Rules(board=(3, 3), fleet=(2,)), ". # #\n. . .")
