"""The rules of Naval Bombardment: fleet, guns, mines, other fleets, bad values."""

import pytest

from battleship_ai import Board, RulesError, UnknownName
from battleship_ai.naval import NAVAL_PRESETS, NavalClass, NavalRules

# Guns left of a ship after 0, 1, 2, … hits.
GUNS = {
    "FS": [3, 3, 3, 2, 2, 2, 1, 1, 0],
    "BS": [3, 3, 3, 2, 2, 1, 1, 0],
    "HC": [2, 2, 2, 1, 1, 1, 0],
    "LC": [2, 2, 2, 1, 1, 0],
    "Dy": [2, 2, 1, 1, 0],
    "Cv": [1, 1, 1, 0],
}
BOAT = {"name": "Boat", "size": 2, "count": 1, "short": "Bt", "gun_losses": [1, 2]}


def test_the_preset_has_thirteen_ships_with_24_guns_and_twelve_mines():
    rules = NavalRules.preset("naval-bombardment")
    assert rules == NavalRules()
    assert [(c.name, c.count, c.size, c.guns) for c in rules.classes] == [
        ("Flagship", 1, 8, 3),
        ("Battleship", 1, 7, 3),
        ("Heavy Cruiser", 2, 6, 2),
        ("Light Cruiser", 2, 5, 2),
        ("Destroyer", 3, 4, 2),
        ("Corvette", 4, 3, 1),
    ]
    assert (len(rules.ships), rules.ship_squares, rules.guns) == (13, 61, 24)
    assert sorted(rules.mines) == ["high-explosive"] * 4 + ["ordinary"] * 8
    assert rules.identify == "tracks"
    assert (rules.board.name(0), rules.board.name(399)) == ("A1", "T20")


@pytest.mark.parametrize("short", GUNS)
def test_hits_destroy_the_guns_of_each_class_as_the_table_says(short):
    ship_class = NavalRules().ship_class(short)
    assert [ship_class.guns_left(n) for n in range(ship_class.size + 1)] == GUNS[short]


def test_the_firepower_of_a_fleet_is_the_sum_of_its_ships():
    rules = NavalRules()
    assert rules.firepower([0] * 13) == 24
    assert rules.firepower([ship.size for ship in rules.ships]) == 0
    assert rules.firepower([3, 4, 2, 6, 0, 3, 1, 2, 3, 2, 3, 0, 0]) == 24 - 1 - 1 - 2 - 1 - 2 - 1


@pytest.mark.parametrize(
    ("hits", "message"),
    [([0] * 12, "12 numbers for a fleet of 13"), ([9] + [0] * 12, "9 for a ship of class FS")],
)
def test_hits_that_no_fleet_has_are_an_error(hits, message):
    with pytest.raises(RulesError, match=message):
        NavalRules().firepower(hits)


def test_other_fleets_boards_and_mines_are_possible_and_survive_a_plain_dict():
    raft = NavalClass("Raft", 1, 2, "R", (1,))
    rules = NavalRules("8x9", [raft, BOAT], 1, 0, identify="literal", max_rounds=50)
    assert [ship.short for ship in rules.ships] == ["Bt", "R", "R"]
    assert rules.mines == ("ordinary",)
    again = NavalRules.from_dict(rules.to_dict())
    assert (again, hash(again)) == (rules, hash(rules))
    assert NavalRules.from_dict({}) == NavalRules()


def test_squares_are_named_from_a1_whatever_board_is_given():
    for board in (Board(20, 20), (20, 20), "20x20"):
        assert NavalRules(board) == NavalRules()


def test_a_preset_takes_other_settings():
    assert NavalRules.preset("naval-bombardment", ordinary_mines=0).ordinary_mines == 0
    assert set(NAVAL_PRESETS) == {"naval-bombardment"}
    with pytest.raises(UnknownName, match="unknown preset 'naval-battle'; did you mean"):
        NavalRules.preset("naval-battle")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"board": "20"}, "board '20' is not of the form"),
        ({"board": (0, 20)}, "board has 0 rows"),
        ({"board": "7x7"}, "size 8 of class FS is longer than the 7x7 board"),
        ({"board": "10x10"}, "need 196 vertices of the board, the 10x10 board has 121"),
        ({"classes": []}, "classes is empty"),
        ({"classes": 3}, "classes 3 is not a list"),
        ({"classes": ["FS"]}, "'FS' is not a mapping"),
        ({"classes": [BOAT, BOAT]}, "'Bt' 2 times"),
        ({"classes": [{**BOAT, "gun": 1}]}, "unknown ship class key 'gun'"),
        ({"classes": [{"size": 2}]}, "has no name"),
        ({"classes": [7]}, "ship class 7 is not a mapping"),
        ({"classes": [{**BOAT, "name": ""}]}, "name '' of a ship class is not a text"),
        ({"classes": [{**BOAT, "short": "bt"}]}, "short 'bt' of class 'Boat' is not a word"),
        ({"classes": [{**BOAT, "short": 1}]}, "short 1 of class 'Boat' is not a word"),
        ({"classes": [{**BOAT, "size": 0}]}, "size of class Bt 0 is not"),
        ({"classes": [{**BOAT, "size": 2.0}]}, "size of class Bt 2.0 is not"),
        ({"classes": [{**BOAT, "count": 27}]}, "count of class Bt 27 is not an integer from 1 to"),
        ({"classes": [{**BOAT, "gun_losses": 2}]}, "gun_losses of class Bt 2 is not a list"),
        ({"classes": [{**BOAT, "gun_losses": []}]}, r"gun_losses of class Bt \(\) do not rise"),
        ({"classes": [{**BOAT, "gun_losses": [1]}]}, "do not rise to the ship's size, 2"),
        ({"classes": [{**BOAT, "gun_losses": [2, 1, 2]}]}, "do not rise"),
        ({"classes": [{**BOAT, "gun_losses": [3]}]}, "gun_losses of class Bt 3 is not"),
        ({"ordinary_mines": -1}, "ordinary_mines -1 is not an integer of at least 0"),
        ({"high_explosive_mines": True}, "high_explosive_mines True is not"),
        ({"identify": "track"}, "identify 'track' is not one of tracks, literal"),
        ({"max_rounds": 0}, "max_rounds 0 is not an integer of at least 1"),
        ({"mines": 3}, "unknown rules key 'mines'"),
    ],
)
def test_a_wrong_value_is_one_clear_error(settings, message):
    with pytest.raises(RulesError, match=message):
        NavalRules.from_dict(settings)
