"""Rules, presets, boards and their notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battleship_ai import (
    PRESETS,
    Board,
    Rules,
    RulesError,
    SquareError,
    UnknownName,
    place,
)
from battleship_ai.layouts import check_feasible

TEN = (4, 3, 3, 2, 2, 2, 1, 1, 1, 1)
HASBRO = (5, 4, 3, 3, 2)

# The presets as the page of rules states them: fleet, shape, contact, announce, turn.
STATED = {
    "ship-bombing": (TEN, "straight", "none", "sunk", "single"),
    "ship-bombing-tetris": (TEN, "tetris", "none", "sunk", "single"),
    "ship-bombing-any": (TEN, "any", "none", "sunk", "single"),
    "russian": (TEN, "straight", "none", "sunk", "again-on-hit"),
    "hasbro": (HASBRO, "straight", "allowed", "sunk-size", "single"),
    "hasbro-official": (HASBRO, "straight", "allowed", "hit-name", "single"),
    "hasbro-no-touch": (HASBRO, "straight", "none", "sunk-size", "single"),
    "german": ((5, 4, 4, 3, 3, 3, 2, 2, 2, 2), "straight", "none", "sunk", "single"),
    "polish-bent": ((5, 4, 3, 3, 2, 2, 1, 1), "tetris", "none", "sunk", "single"),
    "pomcp": ((5, 4, 3, 2), "straight", "none", "hit-only", "single"),
    "openspiel": (HASBRO, "straight", "allowed", "sunk", "single"),
}


def test_every_stated_preset_is_there_and_no_other():
    assert set(PRESETS) == set(STATED)


@pytest.mark.parametrize("name", STATED)
def test_preset_has_the_stated_settings(name):
    rules = Rules.preset(name)
    settings = (rules.fleet, rules.shape, rules.contact, rules.announce, rules.turn)
    assert settings == STATED[name]
    assert str(rules.board) == "10x10"


@pytest.mark.parametrize("name", STATED)
def test_rules_survive_the_way_through_a_plain_dict(name):
    rules = Rules.preset(name)
    assert Rules.from_dict(rules.to_dict()) == rules


def test_fleet_order_is_irrelevant():
    assert Rules(fleet=(1, 3, 2)) == Rules(fleet=(3, 2, 1))
    assert hash(Rules(fleet=(1, 3, 2))) == hash(Rules(fleet=(3, 2, 1)))


def test_names_follow_their_ships_when_the_fleet_is_sorted():
    rules = Rules(fleet=(2, 4), contact="allowed", announce="hit-name", names=("tug", "tanker"))
    assert dict(zip(rules.names, rules.fleet, strict=True)) == {"tug": 2, "tanker": 4}


def test_estonian_shape_words_are_accepted():
    assert Rules(shape="sirge").shape == "straight"
    assert Rules(shape="tetris").shape == "tetris"
    assert Rules(shape="suva").shape == "any"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"fleet": ()}, "fleet is empty"),
        ({"fleet": (3, 0)}, "ship of size 0"),
        ({"fleet": (3, -1)}, "ship of size -1"),
        ({"fleet": (3, 2.5)}, "ship of size 2.5"),
        ({"fleet": 3}, "3 is not a list"),
        ({"fleet": (11,)}, "11 squares is longer than the 10x10 board"),
        ({"fleet": (1,) * 37}, "need 148 vertices"),
        ({"board": (3, 3), "fleet": (5, 5), "shape": "any", "contact": "allowed"}, "10 squares"),
        ({"board": (0, 5)}, "board has 0 rows"),
        ({"board": (5, 27)}, "board has 27 columns"),
        ({"board": (5, 5.5)}, "5.5"),
        ({"board": "ten"}, "'ten' is not of the form"),
        ({"board": (1, 2, 3)}, "not a pair"),
        ({"shape": "round"}, "shape 'round' is not one of straight, tetris, any"),
        ({"contact": "some"}, "contact 'some'"),
        ({"announce": "all"}, "announce 'all'"),
        ({"turn": "double"}, "turn 'double'"),
        ({"names": ("a",)}, "1 names for a fleet of 10"),
        ({"fleet": (2, 2), "names": ("a", "a")}, "'a' twice"),
        ({"fleet": (2, 2), "names": ("a b", "c")}, "'a b'"),
    ],
)
def test_a_bad_setting_is_one_error_that_names_it(settings, message):
    with pytest.raises(RulesError, match=message) as caught:
        Rules(**settings)
    assert "\n" not in str(caught.value)


def test_unknown_names_suggest_the_close_one():
    with pytest.raises(UnknownName, match="did you mean 'hasbro'"):
        Rules.preset("hasbr")
    with pytest.raises(RulesError, match="did you mean 'shape'"):
        Rules.from_dict({"shap": "any"})


@pytest.mark.parametrize(
    "rules",
    [
        Rules(board=(3, 3), fleet=(2, 2, 1)),
        Rules(board=(2, 2), fleet=(3, 1), shape="tetris", contact="corners"),
        Rules(board=(2, 3), fleet=(3, 1), shape="tetris"),
        Rules(board=(3, 3), fleet=(4, 2), shape="any"),
    ],
)
def test_a_fleet_with_no_layout_is_found_not_sought_for_ever(rules):
    with pytest.raises(RulesError, match="no legal layout"):
        check_feasible(rules)
    with pytest.raises(RulesError, match="no legal layout"):
        place(rules, 1)


@given(st.integers(1, 26), st.integers(1, 26), st.sampled_from(["a0", "A1"]), st.data())
def test_every_square_has_a_name_that_leads_back_to_it(rows, cols, notation, data):
    board = Board(rows, cols, notation)
    square = data.draw(st.integers(0, board.n_squares - 1))
    assert board.square(board.name(square)) == square
    assert board.index(divmod(square, cols)) == square


def test_the_notations_of_the_two_games():
    assert Board(10, 10).square("a0") == 0
    assert Board(10, 10).square("j9") == 99
    assert Board(20, 20, "A1").square("K7") == 10 * 20 + 6
    assert Board(20, 20, "A1").name(399) == "T20"


@pytest.mark.parametrize("name", ["k0", "a10", "7a", "", "a", "aa1", "a-1", "a1.5", "a٣"])
def test_a_bad_square_is_an_error(name):
    with pytest.raises(SquareError):
        Board(10, 10).square(name)


def test_squares_off_the_board_are_errors():
    board = Board(10, 10)
    for square in (100, -1, (10, 0), (0, -1), 3.5, None, True):
        with pytest.raises(SquareError):
            board.index(square)
