"""Placement lists: what fits a record is what replaying every layout leaves."""

from functools import cache

import numpy as np
import pytest

from battleship_ai.errors import RecordError
from battleship_ai.naval import (
    NavalClass,
    NavalLayout,
    NavalRecord,
    NavalRules,
    NavalState,
    NavalTarget,
    RandomSalvo,
    place_naval,
)
from battleship_ai.naval.inference.candidates import Candidates, pruned
from battleship_ai.naval.inference.histories import class_histories
from battleship_ai.naval.tables import naval_tables
from naval_fixture import fixture, small_rules
from naval_lists_naive import (
    all_layouts,
    fits,
    gives,
    naive_pruned,
    placements_with,
)

MODES = ("tracks", "literal")


def boats(count, name="Boat", short="Bt"):
    return NavalClass(name, 2, count, short, (2,))


def cutters(count):
    return NavalClass("Cutter", 3, count, "Ct", (3,))


FLEETS = {
    "three boats and a mine": ("3x6", [boats(3)], 1, 0),
    "two cutters and a mine": ("3x7", [cutters(2)], 0, 1),
    "boats and cutters": ("3x7", [boats(2), cutters(2)], 0, 0),
    "two classes of one size": ("4x4", [boats(2), boats(1, "Raft", "Rf")], 1, 0),
}


def rules_of(fleet, identify):
    return NavalRules(*FLEETS[fleet], identify)


@cache
def random_records(fleet, identify, count):
    """Records of one to six salvos of one to five random squares, some of them called before."""
    rng = np.random.default_rng(len(fleet))
    layouts = all_layouts(rules_of(fleet, identify))
    records = []
    for _ in range(count):
        target = NavalTarget(layouts[rng.integers(len(layouts))], seed=rng)
        for _ in range(rng.integers(1, 7)):
            n = rng.integers(1, min(6, target.layout.rules.guns + 1))
            if not target.all_sunk:
                target.fire(rng.integers(target.layout.rules.board.n_squares, size=n).tolist())
        records.append(target.record)
    return records


def lists(candidates):
    """Every list with its class, in all histories."""
    return [ships for group in candidates.classes for history in group for ships in history]


@pytest.mark.parametrize("identify", MODES)
@pytest.mark.parametrize("fleet", FLEETS)
def test_a_layout_fits_the_lists_if_and_only_if_it_gives_the_record(fleet, identify):
    several = 0
    for record in random_records(fleet, identify, 15):
        candidates = Candidates(record)
        several += len(candidates.choices) > 1
        layouts = all_layouts(record.rules)
        assert [fits(layout, candidates) for layout in layouts] == [
            gives(layout, record) for layout in layouts
        ]
    if identify == "tracks":
        assert several == 0
    elif "cutters" in fleet:
        assert several > 0


@pytest.mark.parametrize("identify", MODES)
@pytest.mark.parametrize("fleet", FLEETS)
def test_pruned_lists_keep_every_placement_of_a_layout_that_gives_the_record(fleet, identify):
    for record in random_records(fleet, identify, 8):
        candidates = pruned(Candidates(record))
        for layout in all_layouts(record.rules):
            if gives(layout, record):
                assert fits(layout, candidates)


@pytest.mark.parametrize("identify", MODES)
@pytest.mark.parametrize("fleet", FLEETS)
def test_pruning_is_arc_consistency_by_its_definition(fleet, identify):
    for record in random_records(fleet, identify, 25):
        candidates = Candidates(record)
        expected = naive_pruned(candidates)
        result = pruned(candidates)
        first_mine = placement_of_first_mine(record.rules)
        found = [
            [[(s.count, set(s.placements.tolist())) for s in history] for history in group]
            for group in result.classes
        ]
        if result.mines_left:
            mines = {first_mine + s for s in result.mine_squares.tolist()}
            found.append([[(result.mines_left, mines)]])
        if identify == "tracks" or len(candidates.choices) == 1:
            assert found == expected


def placement_of_first_mine(rules):
    return int(naval_tables(rules).groups[-1, 1])


def played(identify, seed, salvos):
    """A layout of the preset and its record after random salvos."""
    (layout,) = place_naval(NavalRules(identify=identify), seed=seed)
    target, rng = NavalTarget(layout, seed=seed), np.random.default_rng(seed)
    for _ in range(salvos):
        state = NavalState(target.record.next_round, target.record)
        target.fire(RandomSalvo().choose(state, rng))
    return layout, target.record


@pytest.mark.parametrize("identify", MODES)
def test_on_the_large_board_lists_are_what_trying_every_placement_leaves(identify):
    for seed in range(2):
        _, record = played(identify, seed, 3 + 6 * seed)
        for ships in lists(Candidates(record)):
            expected = placements_with(record, ships.ship_class, ships.track)
            assert ships.placements.tolist() == expected


def the_truth_stays(identify, seed):
    (layout,) = place_naval(NavalRules(identify=identify), seed=seed)
    target, rng = NavalTarget(layout, seed=seed), np.random.default_rng(seed)
    while not target.all_sunk:
        state = NavalState(target.record.next_round, target.record)
        squares = RandomSalvo().choose(state, rng)
        # Some ships are sunk early, so that lists become short while others are long.
        target.fire([*layout.ships[rng.integers(13)][:4], *squares[:20]])
        candidates = Candidates(target.record)
        assert fits(layout, candidates)
        assert fits(layout, pruned(candidates))


@pytest.mark.parametrize("identify", MODES)
def test_the_true_layout_is_never_dropped(identify):
    for seed in range(2):
        the_truth_stays(identify, seed)


@pytest.mark.slow
@pytest.mark.parametrize("identify", MODES)
def test_the_true_layout_is_never_dropped_in_many_games(identify):
    for seed in range(100, 140):
        the_truth_stays(identify, seed)


def after(*salvos, identify="tracks"):
    """The candidates after salvos at the fixture, each a text of squares."""
    target = NavalTarget(fixture(identify))
    for salvo in salvos:
        target.fire(salvo.split())
    return Candidates(target.record)


def tracks(candidates, ship_class):
    """For each history of a class the tracks, with the number of ships that have them."""
    k = [c.short for c in candidates.rules.classes].index(ship_class)
    return [[(s.track, s.count) for s in history] for history in candidates.classes[k]]


def test_damaged_ships_are_listed_one_by_one_and_the_undamaged_together():
    assert tracks(after("B6 L2", "C5"), "Dy") in (
        [[((1, 2), 1), ((1,), 1), ((), 1)]],
        [[((1,), 1), ((1, 2), 1), ((), 1)]],
    )
    assert tracks(after("B6 L2 R15"), "Dy") == [[((1,), 1), ((1,), 1), ((1,), 1)]]
    assert tracks(after(), "FS") == [[((), 1)]]


def test_literal_ships_with_one_track_share_a_list():
    assert tracks(after("B6 L2", identify="literal"), "Dy") == [[((1,), 2), ((), 1)]]


def test_an_unnamed_entry_may_be_of_the_damaged_ship_or_of_another():
    """A second hit on one corvette and a first on another cost no gun and are told alike."""
    assert tracks(after("S5", "S6", identify="literal"), "Cv") == [
        [((1,), 1), ((2,), 1), ((), 2)],
        [((1, 2), 1), ((), 3)],
    ]


def test_the_guns_left_tell_histories_apart():
    """Two hits on one destroyer cost a gun."""
    assert tracks(after("B6", "C5", identify="literal"), "Dy") == [[((1, 2), 1), ((), 2)]]
    assert tracks(after("B6", "L2", identify="literal"), "Dy") == [[((1,), 1), ((2,), 1), ((), 1)]]


def test_the_guns_left_couple_the_classes():
    """One gun was lost, by a destroyer or by a corvette, which might both have been hit twice."""
    candidates = after("B6 S5 S6", "C5 O18", identify="literal")
    assert len(tracks(candidates, "Dy")) == len(tracks(candidates, "Cv")) == 1
    rules = NavalRules("4x9", [boats(2), boats(2, "Raft", "Rf")], 0, 0, "literal")
    layout = NavalLayout.parse(rules, "Bt A1-A2 A4-A5; Rf C1-C2 C4-C5")
    target = NavalTarget(layout)
    target.fire(["A1", "C1"])
    target.fire(["A2", "C4"])
    candidates = Candidates(target.record)
    assert tracks(candidates, "Bt") == tracks(candidates, "Rf")
    assert len(tracks(candidates, "Bt")) == 2
    assert candidates.choices == ((0, 1), (1, 0))


def test_when_two_ships_are_damaged_the_next_report_names_them():
    """So an entry without a name says that its ship is the only damaged one."""
    assert len(tracks(after("S5", "S6", identify="literal"), "Cv")) == 2
    assert tracks(after("S5", "S6", "S7", identify="literal"), "Cv") == [[((1, 2, 3), 1), ((), 3)]]
    assert tracks(after("S5", "O18", "S6", identify="literal"), "Cv") == [
        [((1, 3), 1), ((2,), 1), ((), 2)]
    ]


def test_a_spent_mine_keeps_ships_and_mines_from_its_neighbours():
    candidates = after("A10 B1")
    board = candidates.rules.board
    near = {board.square(s) for s in ["A1", "A2", "B1", "B2", "C1", "C2"]}
    assert not near & set(candidates.mine_squares.tolist())
    assert board.square("D1") in candidates.mine_squares
    assert (candidates.mines_left, len(candidates.mine_squares)) == (11, 400 - 6 - 1)


def test_a_square_that_a_mine_kept_from_being_called_may_hold_anything():
    with_mine, without = after("A10 B1 K2"), after("A10 B1")
    assert with_mine.mine_squares.tolist() == without.mine_squares.tolist()
    for one, other in zip(lists(with_mine), lists(without), strict=True):
        assert one.placements.tolist() == other.placements.tolist()


def test_a_square_called_again_tells_nothing_new():
    once, twice = after("E10 A10", "A11"), after("E10 A10", "E10 A10 A11")
    for one, other in zip(lists(once), lists(twice), strict=True):
        assert one.placements.tolist() == other.placements.tolist()


def test_no_square_may_hide_a_mine_when_all_are_spent():
    rules = NavalRules("3x7", [boats(1)], 1, 0)
    target = NavalTarget(NavalLayout.parse(rules, "Bt A1-A2; ordinary C7"))
    target.fire(["C7"])
    for candidates in (Candidates(target.record), pruned(Candidates(target.record))):
        assert (candidates.mines_left, candidates.mine_squares.tolist()) == (0, [])


def test_a_sunk_ship_leaves_no_room_in_its_halo():
    candidates = pruned(after("B6 C5 D4 E3"))
    board = candidates.rules.board
    ship = board.squares(map(board.square, ["B6", "C5", "D4", "E3"]))
    near = set(ship.dilate(diagonal=True))
    assert not near & set(candidates.mine_squares.tolist())
    table = naval_tables(candidates.rules).squares
    for ships in lists(candidates):
        if ships.track == ():
            assert not near & set(table[ships.placements].ravel().tolist())


def test_candidates_keep_the_record_that_they_were_made_from():
    target = NavalTarget(fixture())
    target.fire(["B6"])
    candidates = Candidates(target.record)
    target.fire(["C5"])
    assert len(candidates.record) == 1
    assert Candidates(target.record).record == target.record


@pytest.mark.parametrize("identify", MODES)
def test_a_report_that_no_layout_gives_is_named(identify):
    """Three hits by squares that are no three of one ship, in the second of three salvos."""
    track = " A" if identify == "tracks" else ""
    lines = [
        "1: A1 -> no hits; 24 guns left",
        f"2: K7 K9 T20 -> FS{track}: 3; 23 guns left",
        "3: A3 -> no hits; 23 guns left",
    ]
    record = NavalRecord.parse(NavalRules(identify=identify), "\n".join(lines))
    with pytest.raises(RecordError, match="salvo 2: no layout gives this report"):
        Candidates(record)


def test_a_literal_report_that_names_no_damaged_ship_is_a_contradiction():
    lines = ["1: K7 -> Dy: 1; 24 guns left", "2: K9 -> Dy (1): 1; 23 guns left"]
    record = NavalRecord.parse(NavalRules(identify="literal"), "\n".join(lines))
    assert class_histories(record)[4] == []
    with pytest.raises(RecordError, match="salvo 2: no layout gives this report"):
        Candidates(record)


def test_literal_guns_that_no_history_loses_are_a_contradiction():
    record = NavalRecord.parse(NavalRules(identify="literal"), "1: K7 -> Dy: 1; 23 guns left")
    with pytest.raises(RecordError, match="salvo 1: no layout gives this report"):
        Candidates(record)


def test_too_few_squares_for_the_mines_are_a_contradiction():
    rules = small_rules()
    fired = list(range(42))
    shots = " ".join(map(rules.board.name, fired[:-2]))
    record = NavalRecord.parse(rules, f"1: {shots} -> no hits; 8 guns left")
    with pytest.raises(RecordError, match="salvo 1"):
        Candidates(record)


def test_ships_that_leave_no_room_for_each_other_are_a_contradiction():
    rules = NavalRules("3x5", [boats(2)], 0, 0)
    lines = ["1: A1 A2 B2 C2 C1 -> no hits; 2 guns left", "2: A5 B5 C5 A4 -> no hits; 2 guns left"]
    record = NavalRecord.parse(rules, "\n".join(lines))
    assert len(Candidates(record).classes[0][0][0].placements) > 1
    with pytest.raises(RecordError, match="some ship or mine has no room beside the others"):
        pruned(Candidates(record))
