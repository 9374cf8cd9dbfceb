"""Salvos and their reports: each ruling, and random play against a slow referee."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battleship_ai import IllegalMove, RecordError, SquareError
from battleship_ai.naval import (
    MineStrike,
    NavalRecord,
    NavalRules,
    NavalTarget,
    Salvo,
    ShipHits,
    place_naval,
)
from naval_fixture import fixture, small_rules


def fire(*salvos, identify="tracks", seed=0):
    """The target after salvos at the fixture, each a text of squares."""
    target = NavalTarget(fixture(identify), seed=seed)
    for salvo in salvos:
        target.fire(salvo.split())
    return target


def reports(*salvos, identify="tracks"):
    record = fire(*salvos, identify=identify).record
    return [", ".join(map(str, salvo.report)) for salvo in record]


def numbers(*salvos):
    return [salvo.round for salvo in fire(*salvos).record]


def test_a_report_tells_the_class_and_the_number_of_squares_of_each_ship_hit():
    assert reports("E10 A10 F11 C14 A12") == ["FS A: 2, BS A: 1"]
    assert reports("A10 A11") == [""]


def test_two_ships_of_a_class_hit_in_one_salvo_are_itemised_separately():
    for identify in ("tracks", "literal"):
        (salvo,) = fire("B6 L2 M2", identify=identify).record
        assert sorted((entry.ship_class, entry.hits) for entry in salvo.report) == [
            ("Dy", 1),
            ("Dy", 2),
        ]


def test_a_square_called_before_is_inert_and_uses_up_a_shot():
    assert reports("E10 E10 A10", "E10 A10 F11") == ["FS A: 1", "FS A: 1"]
    assert fire("E10 E10 A10", "E10 A10 F11").record.shots == 6
    with pytest.raises(IllegalMove, match="it has 3 squares, the player 2 guns"):
        fire("E10").fire(["E10"] * 3, 2)


def test_fewer_shots_than_guns_are_allowed_even_none():
    assert numbers("A10", "", "A11") == [1, 2, 3]


@pytest.mark.parametrize(
    ("squares", "message"),
    [
        (list(range(25)), "it has 25 squares, the player 24 guns"),
        (["E10", "U1"], "square 'U1' is off the board"),
        (["A21"], "square 'A21' is off the board"),
        ([400], "square 400 is off the board"),
        ([None], "None is not an index or a name"),
        (None, "None is not a list of squares"),
    ],
)
def test_an_illegal_salvo_is_refused_as_a_whole(squares, message):
    target = NavalTarget(fixture())
    with pytest.raises(IllegalMove, match=message):
        target.fire(squares)
    assert len(target.record) == 0
    target.fire(["E10"])
    assert str(target.record.salvos[0].report[0]) == "FS A: 1"


@pytest.mark.parametrize(("mine", "kind"), [("B1", "ordinary"), ("B18", "high-explosive")])
def test_a_mine_ends_the_salvo_and_the_shots_before_it_count(mine, kind):
    target = fire(f"E10 {mine} F11")
    (salvo,) = target.record
    board = target.layout.rules.board
    assert salvo.mine == MineStrike(board.square(mine), kind)
    assert [board.name(s) for s in salvo.fired] == ["E10", mine]
    assert str(salvo.report[0]) == "FS A: 1"


def test_a_square_after_the_mine_was_never_called():
    target = fire("B1 F11")
    assert "F11" not in target.record.called
    assert fire("B1 F11", "F11").record.tracks["FS"] == ((2,),)


def test_a_spent_mine_is_inert():
    assert reports("B1", "B1 E10") == ["", "FS A: 1"]
    target = fire("B18", "B18 E10")
    assert [salvo.mine is None for salvo in target.record] == [False, True]
    assert [mine.kind for mine in target.record.mines] == ["high-explosive"]


def test_a_high_explosive_mine_costs_the_next_salvo_even_as_the_last_shot():
    assert numbers("A10", "A11 B18", "A12", "A13") == [1, 2, 4, 5]
    assert numbers("A10", "B18", "A12") == [1, 2, 4]


def test_an_ordinary_mine_costs_no_salvo():
    assert numbers("A10", "A11 B1", "A12") == [1, 2, 3]


def test_lost_salvos_do_not_stack():
    assert numbers("B18 O8", "O8 C12", "C12", "A10") == [1, 3, 5, 7]


def test_tracks_are_lettered_in_the_order_of_first_damage():
    target = fire("R15", "B6 L2", "R16 C5")
    tracks = target.record.tracks["Dy"]
    assert tracks[0] == (1, 3)
    assert sorted(tracks[1:]) == [(2,), (2, 3)]


def test_a_track_counts_each_hit_with_the_number_of_its_salvo():
    assert fire("B6 C5 A10", "A11", "D4").record.tracks["Dy"] == ((1, 1, 3),)
    assert fire("B18 B6", "B6").record.tracks["Dy"] == ((3,),)


def test_ships_first_hit_together_are_lettered_by_lot_whatever_their_places():
    """Of two destroyers the one hit twice is A for about half of the seeds."""
    first = Counter(fire("B6 L2 M2", seed=seed).record.tracks["Dy"][0] for seed in range(400))
    assert set(first) == {(1,), (1, 1)}
    assert 150 < first[(1,)] < 250


def test_a_lettering_is_reproduced_by_its_seed():
    assert fire("B6 L2 M2 R15", seed=4).record == fire("B6 L2 M2 R15", seed=4).record


def test_literal_reports_tell_the_class_until_two_ships_were_damaged_before_the_salvo():
    assert reports("B6", "C5", "L2", "M2", "D4", "R15", "E3 R16 N2", identify="literal") == [
        "Dy: 1",
        "Dy: 1",
        "Dy: 1",
        "Dy (3): 1",
        "Dy (1 2): 1",
        "Dy (new): 1",
        "Dy (1 2 5): 1, Dy (3 4): 1, Dy (6): 1",
    ]


def test_literal_reports_do_not_identify_in_the_salvo_that_damages_the_second_ship():
    assert reports("B6 L2", "C5", identify="literal") == ["Dy: 1, Dy: 1", "Dy (1): 1"]
    assert reports("B6", "C5 L2 M2", identify="literal") == ["Dy: 1", "Dy: 1, Dy: 2"]


def test_damage_to_one_class_identifies_no_ship_of_another():
    assert reports("B6 L2", "S5", identify="literal")[1] == "Cv: 1"


def test_the_order_of_literal_entries_tells_no_place():
    """They are sorted by what they say: the ship hit once stands first, wherever it lies."""
    for salvo in ("B6 L2 M2", "L2 B6 C5", "B6 C5 L2", "L2 M2 B6"):
        assert reports(salvo, identify="literal") == ["Dy: 1, Dy: 2"]


def test_literal_records_have_no_public_tracks():
    with pytest.raises(RecordError, match="tracks are not public where identify is literal"):
        _ = fire("B6", identify="literal").record.tracks


def test_sinking_is_not_announced_but_follows_from_the_track():
    sunk, damaged = fire("B6 C5 D4 E3"), fire("B6 C5 D4 A10")
    assert str(sunk.record.salvos[0].report[0]) == "Dy A: 4"
    assert sunk.record.tracks["Dy"] == ((1, 1, 1, 1),)
    assert damaged.record.tracks["Dy"] == ((1, 1, 1),)


def test_guns_are_lost_at_the_hits_of_the_table_and_public_after_each_report():
    flagship = ["E10", "F11", "G12", "H13", "I14", "J15", "K16", "L17"]
    guns = [salvo.guns_left for salvo in fire(*flagship).record]
    assert guns == [24, 24, 23, 23, 23, 22, 22, 21]


def test_all_guns_are_gone_with_the_last_ship_square_whatever_mines_are_left():
    target = NavalTarget(fixture())
    *salvos, last = [ship[:n] for ship in target.layout.ships for n in (-1, None)]
    for salvo in salvos:
        target.fire(salvo)
        assert target.guns_left > 0
        assert not target.all_sunk
    target.fire(last)
    assert (target.guns_left, target.all_sunk, target.record.mines) == (0, True, ())


def test_the_last_ship_square_ends_the_salvo():
    target = NavalTarget(fixture())
    for ship in target.layout.ships[:-1]:
        target.fire(ship)
    *rest, last = target.layout.ships[-1]
    target.fire(rest)
    salvo = target.fire([last, "B18", "A10"])
    assert salvo.fired == (last,)
    assert salvo.mine is None


def naive_referee(layout, salvos):
    """What the rules say of salvos, found by counting anew from all squares called.

    For each salvo its round, the squares called, the mine's kind, the guns left and the
    entries: (class, hits, salvos of the earlier hits or None where they are not told).
    """
    rules = layout.rules
    ships = list(zip(rules.ships, map(set, layout.ships), strict=True))
    mines = dict(zip(layout.mines, rules.mines, strict=True))
    called: list[tuple[int, int]] = []  # (square, number of its salvo), the first time only
    number, lines = 1, []

    def history(squares):
        return tuple(n for square, n in called if square in squares)

    def unhit():
        return {s for _, squares in ships for s in squares} - {s for s, _ in called}

    for salvo in salvos:
        before = [history(squares) for _, squares in ships]
        kind, used = None, 0
        for square in salvo:
            used += 1
            if square not in [s for s, _ in called]:
                called.append((square, number))
                kind = mines.get(square)
            if kind is not None or not unhit():
                break
        entries = []
        for (ship, squares), old in zip(ships, before, strict=True):
            new = history(squares)
            if new != old:
                mates = [i for i, (other, _) in enumerate(ships) if other == ship]
                told = rules.identify == "tracks" or sum(bool(before[i]) for i in mates) >= 2
                entries.append((ship.short, len(new) - len(old), old if told else None))
        guns = 0
        for ship, squares in ships:
            guns += len([loss for loss in ship.gun_losses if loss > len(history(squares))])
        lines.append((number, tuple(salvo[:used]), kind, guns, Counter(entries)))
        if not unhit():
            break
        number += 2 if kind == "high-explosive" else 1
    return lines


def told(record):
    """A record in the form of `naive_referee`."""
    lines = []
    for i, salvo in enumerate(record):
        before = NavalRecord(record.rules, record.salvos[:i])
        entries = []
        for entry in salvo.report:
            earlier = entry.earlier
            if record.rules.identify == "tracks":
                known = before.tracks[entry.ship_class]
                earlier = known[entry.track] if entry.track < len(known) else ()
            entries.append((entry.ship_class, entry.hits, earlier))
        kind = salvo.mine.kind if salvo.mine else None
        lines.append((salvo.round, salvo.fired, kind, salvo.guns_left, Counter(entries)))
    return lines


WITH_REPEATS = st.lists(st.lists(st.integers(0, 41), max_size=8), max_size=12)
UNTIL_WON = st.permutations(range(42)).map(lambda s: [s[i : i + 5] for i in range(0, 42, 5)] * 2)


@settings(max_examples=120)
@given(
    st.sampled_from(["tracks", "literal"]), st.integers(0, 1000), st.one_of(WITH_REPEATS, UNTIL_WON)
)
def test_random_salvos_are_reported_as_the_slow_referee_does(identify, seed, salvos):
    rules = small_rules(identify)
    (layout,) = place_naval(rules, seed=seed)
    target = NavalTarget(layout, seed=seed)
    for salvo in salvos:
        if not target.all_sunk:
            target.fire(salvo)
    expected = naive_referee(layout, salvos)
    assert told(target.record) == expected
    assert NavalRecord.parse(rules, str(target.record)) == target.record
    assert target.guns_left == (expected[-1][3] if expected else rules.guns)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("K7 -> no hits; 24 guns left", RecordError, "not of the form '1: K7 K8"),
        ("1: K7 -> no hits", RecordError, "not of the form '1: K7 K8"),
        ("1: K7 -> Dy 1; 24 guns left", RecordError, "entry ' Dy 1' is not of the form 'Dy A: 2'"),
        ("1: U7 -> no hits; 24 guns left", SquareError, "'U7' is off the board"),
        ("1: K7 -> no hits; big mine at K7; 24 guns left", RecordError, "unknown mine kind 'big'"),
    ],
)
def test_malformed_text_of_a_record_is_one_clear_error(text, error, message):
    with pytest.raises(error, match=message):
        NavalRecord.parse(NavalRules(), text)


def test_a_square_off_the_board_is_an_error_in_a_record():
    with pytest.raises(SquareError, match="square 400 is off the board"):
        NavalRecord(NavalRules(), [Salvo(1, (400,), (), 24)])


def test_a_record_names_its_salvos_in_text():
    assert str(fire("B6 L2 L2", "A10 B18", "").record).splitlines()[1:] == [
        "2: A10 B18 -> no hits; high-explosive mine at B18; 24 guns left",
        "4: -> no hits; 24 guns left",
    ]


def salvo(number=1, fired="B6", report=(), guns=24, mine=None):
    square = NavalRules().board.square
    strike = None if mine is None else MineStrike(square(mine[0]), mine[1])
    return Salvo(number, tuple(map(square, fired.split())), report, guns, strike)


def hit(ship_class="Dy", hits=1, track=0, earlier=None):
    return ShipHits(ship_class, hits, track, earlier)


@pytest.mark.parametrize(
    ("salvos", "message"),
    [
        ([salvo(2)], "salvo 2: the next salvo has the number 1"),
        ([salvo(mine=("B6", "high-explosive")), salvo(2)], "has the number 3"),
        ([salvo(mine=("B7", "ordinary"))], "mine at B7 is not its last square only"),
        ([salvo(fired="B6 B6", mine=("B6", "ordinary"))], "last square only"),
        ([salvo(), salvo(2, mine=("B6", "ordinary"))], "B6 was called before"),
        ([salvo(mine=("B6", "big"))], "unknown mine kind 'big'"),
        ([salvo(report=(hit(hits=2),))], "2 hits by 1 new squares"),
        ([salvo(mine=("B6", "ordinary"), report=(hit(),))], "1 hits by 0 new squares"),
        ([salvo(report=(hit("Sub"),))], "unknown ship class 'Sub'"),
        ([salvo(report=(hit(hits=0),))], "0 is not a number of hits from 1 to 4"),
        ([salvo(report=(hit(track=None),))], "track None is not one of 0 to 0"),
        ([salvo(report=(hit(track=1),))], "track 1 is not one of 0 to 0"),
        ([salvo(report=(hit(earlier=(1,)),))], "tells the track and not the earlier"),
        ([salvo(fired="A1 A2", report=(hit(), hit()))], "two entries in one report"),
        ([salvo(guns=25)], "guns_left 25 is not from 0 to 24"),
        ([salvo(guns=23)], "guns_left is 23; the reports make it 24"),
        ([salvo(fired="A1 A2", report=(hit(hits=2),))], "is 24; the reports make it 23"),
        (
            [
                salvo(fired="A1 A2 A3", report=(hit("Cv", 3),), guns=23),
                salvo(2, report=(hit("Cv"),), guns=23),
            ],
            "makes 4 hits on a ship of 3 squares",
        ),
    ],
)
def test_a_record_that_contradicts_the_rules_is_one_clear_error(salvos, message):
    with pytest.raises(RecordError, match=message):
        NavalRecord(NavalRules(), salvos)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (hit(), "tells the earlier and not the track"),
        (hit(track=None, earlier=(1,)), "salvo 1 hit no ship of class Dy"),
        (hit(track=None, earlier=(1, 1, 1, 1)), "5 hits on a ship of 4 squares"),
    ],
)
def test_a_literal_report_that_contradicts_the_rules_is_one_clear_error(entry, message):
    with pytest.raises(RecordError, match=message):
        NavalRecord(NavalRules(identify="literal"), [salvo(report=(entry,))])


def test_more_mines_than_the_rules_have_are_an_error():
    rules = small_rules()
    strikes = [Salvo(n, (n,), (), 8, MineStrike(n, "ordinary")) for n in (1, 2)]
    with pytest.raises(RecordError, match="salvo 2: there are only 1 ordinary mines"):
        NavalRecord(rules, strikes)


def test_a_contradictory_salvo_leaves_the_record_as_it_was():
    record = NavalRecord(NavalRules(), [salvo(report=(hit(),))])
    before = NavalRecord(NavalRules(), record)
    with pytest.raises(RecordError):
        record.add(salvo(2, "A1 A2", (hit(), hit(track=2))))
    assert record == before
    assert record.tracks == before.tracks
