"""Numbers of layouts."""

import numpy as np
import pytest

import naive
from battleship_ai import Rules, RulesError, count_layouts
from battleship_ai.inference._counting import enumerate_fleets
from battleship_ai.inference.tables import tables

# Each with how it was first checked: enumeration, a frontier method, or both.
COUNTS = [
    ((4, 4), (3, 2), "straight", "none", 104, "enumeration"),
    ((4, 4), (3, 2), "straight", "allowed", 264, "enumeration"),
    ((5, 5), (3, 2, 2), "straight", "allowed", 12798, "enumeration"),
    ((5, 5), (3, 2, 1), "straight", "none", 3944, "enumeration"),
    ((6, 6), (3, 2, 2, 1), "straight", "none", 176984, "enumeration"),
    ((7, 7), (4, 3, 2, 2, 1), "straight", "none", 8086080, "both"),
    ((6, 6), (5, 4, 3, 3, 2), "straight", "allowed", 3343568, "published"),
    ((5, 5), (2, 1), "tetris", "none", 636, "both"),
    ((6, 6), (3, 2, 1), "tetris", "none", 81584, "frontier"),
    ((5, 5), (2, 1), "any", "none", 1080, "both"),
    ((6, 6), (3, 2, 1), "any", "none", 314364, "frontier"),
    ((10, 10), (5, 4, 3, 2), "straight", "none", 80194520, "frontier"),
    ((10, 10), (5, 4, 3, 2), "straight", "allowed", 269056552, "enumeration"),
    ((10, 10), (5, 4, 3, 3, 2), "straight", "none", 1925751392, "both"),
    ((10, 10), (4, 3, 3, 2, 2, 2, 1, 1, 1, 1), "straight", "none", 1855545978831780, "both"),
    ((7, 7), (5, 4, 3, 3, 2), "straight", "allowed", 62378548, "both"),
    ((8, 8), (5, 4, 3, 3, 2), "straight", "allowed", 571126760, "both"),
    ((7, 7), (5, 4, 3, 3, 2), "straight", "allowed", 62378548, "both"),
    ((8, 8), (4, 3, 2, 2, 1, 1), "straight", "none", 1134200400, "both"),
    ((10, 10), (5, 4, 4, 3, 3, 3, 2, 2, 2, 2), "straight", "none", 26509655816984, "published"),
    ((10, 10), (5, 4, 3, 3, 2), "straight", "allowed", 15046987768, "both"),
    ((12, 10), (5, 4, 3, 3, 2), "straight", "allowed", 50916393352, "both"),
    ((8, 8), (4, 3, 3, 2, 2, 2), "tetris", "none", 17369813484, "frontier"),
    ((8, 8), (4, 3, 3, 2, 2, 2), "any", "none", 660575172204, "frontier"),
    ((10, 10), (4, 3, 3, 2, 2, 2, 1, 1, 1, 1), "tetris", "none", 135907989469736000, "both"),
    ((10, 10), (4, 3, 3, 2, 2, 2, 1, 1, 1, 1), "any", "none", 7511434144712554880, "both"),
]


@pytest.mark.parametrize(("board", "fleet", "shape", "contact", "number", "checked"), COUNTS)
def test_known_numbers_of_layouts(board, fleet, shape, contact, number, checked):
    rules = Rules(board=board, fleet=fleet, shape=shape, contact=contact)
    assert count_layouts(rules) == number


@pytest.mark.parametrize("shape", ["straight", "tetris", "any"])
@pytest.mark.parametrize("contact", ["none", "corners", "allowed"])
def test_counts_agree_with_the_slow_enumeration(shape, contact):
    for board, fleet in [((4, 3), (3, 2)), ((3, 4), (2, 2, 1)), ((1, 6), (2, 1, 1))]:
        rules = Rules(board=board, fleet=fleet, shape=shape, contact=contact)
        assert count_layouts(rules) == len(naive.all_layouts(rules))


def test_ships_of_one_size_are_not_told_apart_whatever_is_announced():
    rules = Rules(board=(4, 4), fleet=(2, 2), announce="hit-name")
    assert count_layouts(rules) == count_layouts(Rules(board=(4, 4), fleet=(2, 2)))


def test_counting_one_by_one_agrees_with_the_graph():
    for contact in ("none", "corners", "allowed"):
        rules = Rules(board=(6, 5), fleet=(3, 2, 2), contact=contact)
        assert enumerate_fleets(
            tables(rules), np.empty((0, len(rules.fleet)), np.int64)
        ) == count_layouts(rules)


def test_a_fleet_too_large_to_count_says_so():
    with pytest.raises(RulesError, match=r"more than the 5e\+09 that can be gone through"):
        count_layouts(Rules.preset("ship-bombing-any", contact="corners"))
