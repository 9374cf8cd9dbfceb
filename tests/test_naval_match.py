"""Matches of two captains, the solo form, and the registry."""

import numpy as np
import pytest

from battleship_ai import IllegalMove, LayoutError, UnknownName
from battleship_ai.naval import (
    CAPTAINS,
    Match,
    NavalLayout,
    NavalRules,
    RandomSalvo,
    make_captain,
    place_naval,
    play_match,
    play_solo_match,
)
from naval_fixture import fixture, small_rules

SMALL = "Sp A1-A3; Bt C1-C2 C4-D5 F1-F2; ordinary A7; high-explosive F4 F7"


def small_match(starter=0, max_rounds=1000):
    rules = small_rules(max_rounds=max_rounds)
    layout = NavalLayout.parse(rules, SMALL)
    return Match(rules, (layout, layout), starter=starter)


def play(match, *salvos):
    for squares in salvos:
        match.salvo(squares.split())
    return match


class Recites:
    """Fires its salvos in order, and keeps the states it saw."""

    def __init__(self, *salvos):
        self.salvos = [salvo.split() for salvo in salvos]
        self.states = []

    def choose(self, state, rng):
        self.states.append((state.round, state.guns, state.enemy_guns, state.enemy_skips))
        return self.salvos.pop(0)


def test_players_fire_in_turn_in_numbered_rounds():
    match, seen = small_match(starter=1), []
    for _ in range(4):
        seen.append((match.round, match.to_move))
        match.salvo([])
    assert seen == [(1, 1), (1, 0), (2, 1), (2, 0)]


def test_a_seeded_coin_decides_who_starts():
    rules = small_rules()
    layouts = place_naval(rules, 2)
    starters = [Match(rules, (layouts[0], layouts[1]), seed=seed).starter for seed in range(200)]
    assert 70 < sum(starters) < 130
    assert starters[7] == Match(rules, (layouts[0], layouts[1]), seed=7).starter


def test_a_player_may_fire_as_many_shots_as_it_has_guns_left():
    match = play(small_match(), "A1 A2 C1", "")
    assert match.record(0).guns_left == 6  # the sloop lost a gun, the boat one of its two
    assert match.state().enemy_guns == 6
    match.salvo([])
    assert match.state().guns == 6
    assert match.salvo(["B1"] * 7) is None
    assert match.reason == "player 1 loses: illegal salvo: it has 7 squares, the player 6 guns"
    assert match.winner == 0


def test_fire_power_is_counted_before_the_owners_next_salvo_in_the_same_round():
    match = play(small_match(), "A1 A2")
    assert (match.round, match.to_move, match.state().guns) == (1, 1, 7)


def test_a_square_off_the_board_loses_whatever_the_salvo_hits_first():
    match = play(small_match(), "A1 H1")
    assert match.winner == 1
    assert "'H1' is off the board" in match.reason
    assert len(match.record(0)) == 0


def test_a_skipped_salvo_leaves_a_gap_in_its_players_numbers():
    match = play(small_match(), "F4", "B1", "B2", "B1", "B2")
    assert [salvo.round for salvo in match.record(0)] == [1, 3]
    assert [salvo.round for salvo in match.record(1)] == [1, 2, 3]


def test_both_players_may_be_skipping_at_once():
    match = play(small_match(starter=1), "F4", "B1 F7")
    assert (match.round, match.to_move) == (3, 1)


@pytest.mark.parametrize("first", [0, 1])
def test_the_state_tells_whether_the_enemy_skips_its_next_salvo(first):
    second, seen = 1 - first, []
    match = small_match(starter=first)
    for squares in (["F4"], [], ["F4"], ["F7"], []):
        seen.append((match.round, match.to_move, match.state().enemy_skips))
        match.salvo(squares)
    assert seen == [
        (1, first, False),
        (1, second, True),
        (2, second, False),  # the first player has just missed this round
        (3, first, True),
        (4, second, False),
    ]


def test_the_match_ends_at_once_in_mid_salvo_with_no_equaliser():
    match = play(small_match(), "A1 A2 A3 C1 C2 C4", "", "D5 F1 F2 F4")
    assert (match.winner, match.reason) == (0, "all ships of player 1 are sunk")
    assert match.record(0).mines == ()
    with pytest.raises(IllegalMove, match="the match is over: all ships of player 1"):
        match.salvo([])


def test_mines_never_count_towards_victory():
    match = play(small_match(), "A7", "", "F4", "", "", "F7")
    assert len(match.record(0).mines) == 3
    assert not match.over


def test_a_match_without_a_winner_ends_after_the_last_round_allowed():
    match = play(small_match(max_rounds=2), "", "", "", "")
    assert (match.over, match.void, match.winner) == (True, True, None)
    assert match.reason == "no winner in 2 rounds"


def test_an_illegal_layout_loses_and_two_are_void():
    rules = small_rules()
    good = NavalLayout.parse(rules, SMALL)
    bad = good.to_dict() | {"mines": {}}
    assert Match(rules, (good, bad)).winner == 0
    assert Match(rules, (bad, good)).winner == 1
    both = Match(rules, (bad, {"ships": 3}))
    assert (both.void, both.winner) == (True, None)
    with pytest.raises(LayoutError, match="no salvo was fired: both layouts are illegal"):
        both.record(0)


def test_a_layout_is_judged_by_the_rules_of_the_match():
    other = small_rules(board="20x20")
    (layout,) = place_naval(NavalRules())
    assert Match(other, (layout, layout)).void


def test_a_starter_that_is_no_player_is_an_error():
    with pytest.raises(IllegalMove, match="starter 2"):
        small_match(starter=2)


def test_a_captain_that_raises_loses():
    class Mutiny:
        def choose(self, state, rng):
            raise RuntimeError("no")

    layouts = place_naval(NavalRules(), 2)
    match = play_match(NavalRules(), (RandomSalvo(), Mutiny()), (layouts[0], layouts[1]))
    assert (match.winner, match.reason) == (0, "player 1 loses: RuntimeError: no")


def test_a_captain_that_returns_no_list_loses():
    class Silent:
        def choose(self, state, rng):
            return None

    layouts = place_naval(NavalRules(), 2)
    assert play_match(NavalRules(), (Silent(), RandomSalvo()), (layouts[0], layouts[1])).winner == 1


def test_a_whole_match_is_replayed_from_its_seed():
    def whole(seed):
        layouts = place_naval(NavalRules(), 2, seed=seed)
        captains = (RandomSalvo(), RandomSalvo())
        return play_match(NavalRules(), captains, (layouts[0], layouts[1]), seed=seed)

    one, again, other = whole(3), whole(3), whole(4)
    assert one.over
    assert not one.void
    for player in (0, 1):
        assert one.record(player) == again.record(player)
        assert one.record(player) != other.record(player)
    assert (one.winner, one.starter) == (again.winner, again.starter)


SCRIPT = (
    ("E10 F11 G12 B6 L2", "A10 A11"),  # a flagship's gun; two destroyers
    ("C5 D4 B18 H13", "F5 K10 L11"),  # a high-explosive mine: H13 is not called
    (None, "G5 M12 H5 B1 A13"),  # player 0 skips; an ordinary mine: A13 is not called
    ("H13 I14 J15 B18 R15", "O8"),  # another gun; a spent mine; a third destroyer
    ("S5 T2", None),
)

LITERAL_REPORTS = (
    """\
1: E10 F11 G12 B6 L2 -> FS: 3, Dy: 1, Dy: 1; 23 guns left
2: C5 D4 B18 -> Dy (1): 2; high-explosive mine at B18; 22 guns left
4: H13 I14 J15 B18 R15 -> FS: 3, Dy (new): 1; 21 guns left
5: S5 T2 -> Cv: 1; 21 guns left""",
    """\
1: A10 A11 -> no hits; 24 guns left
2: F5 K10 L11 -> HC: 1, HC: 2; 24 guns left
3: G5 M12 H5 B1 -> HC (2): 2, HC (2 2): 1; ordinary mine at B1; 22 guns left
4: O8 -> no hits; high-explosive mine at O8; 22 guns left""",
)


def scripted(identify):
    layout = fixture(identify)
    mine, theirs = (Recites(*filter(None, side)) for side in zip(*SCRIPT, strict=True))
    mine.salvos.append(["U1"])
    match = play_match(layout.rules, (mine, theirs), (layout, layout), starter=0, seed=1)
    return match, mine, theirs


def test_a_scripted_match_has_the_literal_reports_worked_out_by_hand():
    match, mine, theirs = scripted("literal")
    for player in (0, 1):
        assert str(match.record(player)) == LITERAL_REPORTS[player]
    # Round, own guns, enemy guns, whether the enemy's next salvo is lost.
    assert mine.states == [
        (1, 24, 24, False),
        (2, 24, 23, False),
        (4, 22, 22, False),
        (5, 22, 21, True),
        (6, 22, 21, False),
    ]
    assert theirs.states == [
        (1, 23, 24, False),
        (2, 22, 24, True),
        (3, 22, 24, False),
        (4, 21, 22, False),
    ]
    assert match.winner == 1  # U1 is off the board


def test_a_scripted_match_has_the_tracks_worked_out_by_hand():
    match, _, _ = scripted("tracks")
    mine, theirs = match.record(0), match.record(1)
    assert mine.tracks["FS"] == ((1, 1, 1, 4, 4, 4),)
    assert sorted(mine.tracks["Dy"][:2]) == [(1,), (1, 2, 2)]
    assert mine.tracks["Dy"][2] == (4,)
    assert mine.tracks["Cv"] == ((5,),)
    assert mine.tracks["BS"] == mine.tracks["HC"] == mine.tracks["LC"] == ()
    assert sorted(theirs.tracks["HC"]) == [(2, 2, 3), (2, 3, 3)]
    assert [salvo.guns_left for salvo in mine] == [23, 22, 21, 21]
    assert [salvo.guns_left for salvo in theirs] == [24, 24, 22, 22]


def test_in_the_solo_form_nobody_shoots_back():
    captain = Recites("F4 A1", "A1 A2 A3 C1 C2", "C4 D5 F1 F2")
    game = play_solo_match(captain, NavalLayout.parse(small_rules(), SMALL))
    assert game.won
    assert [(number, guns, skips) for number, guns, _, skips in captain.states] == [
        (1, 8, False),
        (3, 8, False),
        (4, 8, False),
    ]
    assert (game.rounds, game.shots) == (4, 10)


def test_a_solo_match_that_is_not_won_stops_after_the_last_round_allowed():
    class Idle:
        def choose(self, state, rng):
            return ["A1"]

    game = play_solo_match(Idle(), NavalLayout.parse(small_rules(max_rounds=9), SMALL))
    assert (game.won, game.rounds, game.shots) == (False, 9, 9)


def test_an_illegal_salvo_of_a_solo_match_is_an_error():
    with pytest.raises(IllegalMove, match="9 squares, the player 8 guns"):
        play_solo_match(Recites("A1 " * 9), NavalLayout.parse(small_rules(), SMALL))


def test_random_salvo_calls_no_square_twice_and_fires_all_guns():
    (layout,) = place_naval(NavalRules(), seed=4)
    game = play_solo_match(RandomSalvo(), layout, seed=4)
    called = [square for salvo in game.record for square in salvo.fired]
    assert len(called) == len(set(called))
    for salvo in game.record.salvos[:-1]:
        assert salvo.mine is not None or len(salvo.fired) == 24


def test_random_salvo_takes_as_many_shots_as_the_draw_of_all_ship_squares():
    """The mean of the largest of 61 draws from 1 … 400 without replacement is 61·401/62."""
    layouts = place_naval(NavalRules(), 60, seed=6)
    games = [play_solo_match(RandomSalvo(), a, seed=i) for i, a in enumerate(layouts)]
    assert abs(np.mean([game.shots for game in games]) - 61 * 401 / 62) < 4  # 5 errors


def test_captains_are_made_by_name():
    assert isinstance(make_captain("random-salvo"), RandomSalvo)
    assert all(make_captain(name).name == name for name in CAPTAINS)
    with pytest.raises(UnknownName, match="unknown captain 'random'; did you mean 'random-salvo'"):
        make_captain("random")
