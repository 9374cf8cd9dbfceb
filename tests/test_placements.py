"""Placements: known counts, and the slow enumeration on small boards."""

import numpy as np
import pytest

import naive
from battleship_ai import Board, Rules, RulesError, forms, placements
from battleship_ai.bitboard import unpack

# Checked by an exact frontier method and by enumeration.
ON_10X10 = {
    "straight": {1: 100, 2: 180, 3: 160, 4: 140, 5: 120},
    "tetris": {1: 100, 2: 180, 3: 484, 4: 1373, 5: 4096},
    "any": {1: 100, 2: 342, 3: 1476, 4: 7043, 5: 35452},
}
# OEIS A001168 and A006770.
FIXED_FORMS = {
    "tetris": [1, 2, 6, 19, 63, 216, 760, 2725],
    "any": [1, 4, 20, 110, 638, 3832, 23592],
}


@pytest.mark.parametrize("shape", ON_10X10)
def test_number_of_placements_on_10x10(shape):
    for size, number in ON_10X10[shape].items():
        assert len(placements(Board(10, 10), size, shape)) == number


@pytest.mark.parametrize("shape", FIXED_FORMS)
def test_number_of_forms(shape):
    counted = [sum(1 for _ in forms(n, shape)) for n in range(1, len(FIXED_FORMS[shape]) + 1)]
    assert counted == FIXED_FORMS[shape]


@pytest.mark.parametrize(("size", "shape"), [(10, "tetris"), (7, "any")])
@pytest.mark.slow
def test_the_largest_promised_ships_are_enumerated(size, shape):
    table = placements(Board(10, 10), size, shape)
    assert len(np.unique(table.masks, axis=0)) == len(table)


@pytest.mark.parametrize("shape", ["straight", "tetris", "any"])
@pytest.mark.parametrize("contact", ["none", "corners", "allowed"])
@pytest.mark.parametrize("board", [(4, 3), (1, 6), (3, 4)])
def test_placements_and_halos_are_those_of_the_definition(shape, contact, board):
    rules = Rules(board=board, fleet=(1,), shape=shape, contact=contact)
    cols = rules.board.cols
    for size in range(1, 6):
        table = placements(rules.board, size, shape, contact)
        expected = naive.all_ships(rules, size)
        found = [frozenset(divmod(int(s), cols) for s in row) for row in table.squares]
        assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
        for ship, mask, halo in zip(found, table.masks, table.halos, strict=True):
            assert {divmod(s, cols) for s in unpack(mask)} == ship
            closed = {
                s for s in naive.squares_of(rules)
                if s not in ship and not naive.compatible(ship, frozenset({s}), contact)
            }  # fmt: skip
            assert {divmod(s, cols) for s in unpack(halo)} == closed


def test_too_many_placements_are_refused():
    with pytest.raises(RulesError, match="more than fit in 1024 MiB"):
        placements(Board(26, 26), 8, "any")


def test_a_ship_that_does_not_fit_has_no_placement():
    assert len(placements(Board(2, 2), 3, "straight")) == 0
