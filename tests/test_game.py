"""The referee: answers, the end of a game, duels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from battleship_ai import (
    Answer,
    Density,
    Duel,
    IllegalMove,
    Layout,
    Random,
    Record,
    RecordError,
    Rules,
    Target,
    UnknownName,
    place,
    play_duel,
    play_solo,
)
from small_rules import SMALL_RULES, layouts_of


@given(st.sampled_from(SMALL_RULES), st.data())
def test_answers_are_those_of_the_definition_repeated_questions_included(rules, data):
    layout = data.draw(st.sampled_from(layouts_of(rules)))
    shots = data.draw(st.lists(st.sampled_from(naive.squares_of(rules)), max_size=20))
    target = Target(Layout(rules, layout))
    assert [str(target.shoot(shot)) for shot in shots] == naive.answers(rules, layout, shots)
    assert target.all_sunk == (naive.occupied(layout) <= set(shots))
    assert Record.parse(rules, str(target.record)) == target.record


def test_a_square_answered_hit_is_answered_sunk_after_its_ship_went_down():
    target = Target(Layout.parse(Rules(board=(3, 3), fleet=(2,)), "a0-a1"))
    assert [target.shoot(s).kind for s in ("a0", "a0", "a1", "a0")] == [
        "hit", "hit", "sunk", "sunk",
    ]  # fmt: skip


def test_a_ship_of_one_square_is_sunk_by_its_first_hit():
    target = Target(Layout.parse(Rules(board=(3, 3), fleet=(1,)), "b1"))
    assert target.shoot("b1") == Answer("sunk")
    assert target.all_sunk


def test_a_shot_off_the_board_is_illegal():
    target = Target(Layout.parse(Rules(board=(3, 3), fleet=(1,)), "b1"))
    for square in ("d0", 9, -1, None, "x"):
        with pytest.raises(IllegalMove):
            target.shoot(square)
    assert len(target.record) == 0


def test_a_solo_game_counts_the_shots_to_win():
    (layout,) = place(Rules.preset("hasbro"), 1, seed=8)
    game = play_solo(Density(), layout)
    assert game.won
    assert 17 <= game.shots <= 100
    assert game.record.hits == layout.squares


def test_a_solo_game_of_a_player_that_never_wins_is_stopped():
    class Stubborn:
        def choose(self, record, rng):
            return 0

    (layout,) = place(Rules(board=(3, 3), fleet=(2,)), 1)
    game = play_solo(Stubborn(), layout)
    assert (game.won, game.shots) == (False, 18)


def duel(turn="single", starter=0):
    rules = Rules(board=(2, 3), fleet=(2,), turn=turn)
    top, bottom = Layout.parse(rules, "a0-a1"), Layout.parse(rules, "b0-b1")
    return Duel(rules, (top, bottom), starter=starter)


def test_players_shoot_in_turn_and_a_hit_gives_no_extra_turn():
    game = duel()
    moves = []
    for square in ("b0", "a2", "b1"):
        moves.append(game.to_move)
        game.shoot(square)
    assert moves == [0, 1, 0]
    assert game.winner == 0
    assert game.reason == "all ships of player 1 are sunk"


def test_a_hit_gives_another_shot_where_the_rules_say_so():
    game = duel(turn="again-on-hit", starter=1)
    game.shoot("a0")
    assert game.to_move == 1
    game.shoot("b2")
    assert game.to_move == 0


def test_the_game_ends_at_once_with_no_equalising_turn():
    game = duel()
    for square in ("b0", "a0", "b1"):
        game.shoot(square)
    assert game.over
    with pytest.raises(IllegalMove, match="the game is over"):
        game.shoot("a1")


def test_an_illegal_shot_loses_the_game():
    game = duel()
    assert game.shoot("z9") is None
    assert game.winner == 1


def test_an_illegal_layout_loses_and_two_are_void():
    rules = Rules(board=(3, 3), fleet=(2, 1))
    good, bad = [["a0", "a1"], ["c2"]], [["a0", "a1"], ["b1"]]
    assert Duel(rules, (good, bad)).winner == 0
    assert Duel(rules, (bad, good)).winner == 1
    both = Duel(rules, (bad, bad))
    assert both.void
    assert both.winner is None
    assert both.over


def test_each_player_sees_only_its_own_shots():
    game = duel()
    game.shoot("b0")
    game.shoot("a2")
    assert str(game.record(0)) == "b0:hit"
    assert str(game.record(1)) == "a2:miss"


def test_the_better_strategy_wins_nearly_every_duel():
    rules = Rules.preset("hasbro")
    layouts = place(rules, 20, seed=2)
    wins = sum(
        play_duel(rules, (Density(), Random()), (a, b), starter=1, seed=i).winner == 0
        for i, (a, b) in enumerate(zip(layouts[::2], layouts[1::2], strict=True))
    )
    assert wins >= 9


def test_a_strategy_that_raises_loses_its_duel():
    class Broken:
        def choose(self, record, rng):
            raise RuntimeError("no idea")

    rules = Rules(board=(3, 3), fleet=(2,))
    a, b = place(rules, 2)
    game = play_duel(rules, (Broken(), Random()), (a, b))
    assert game.winner == 1
    assert "RuntimeError: no idea" in game.reason


@pytest.mark.parametrize(
    ("preset", "text", "error", "message"),
    [
        ("ship-bombing", "b2:boom", RecordError, "'boom' is not miss, hit or sunk"),
        ("ship-bombing", "b2", RecordError, "not of the form square:answer"),
        ("ship-bombing", "b2:hit:3", RecordError, "tells a ship"),
        ("hasbro", "b2:sunk", RecordError, "names no ship"),
        ("hasbro", "b2:sunk:", RecordError, "names no ship after its colon"),
        ("hasbro", "b2:sunk:7", RecordError, "unknown ship '7'"),
        ("pomcp", "b2:sunk", RecordError, "not announced under hit-only"),
        ("hasbro-official", "b2:hit:tug", RecordError, "unknown ship 'tug'"),
        ("ship-bombing", "b2:miss b2:hit", RecordError, "answered miss before"),
        ("ship-bombing", "b2:sunk b2:hit", RecordError, "answered sunk before"),
    ],
)
def test_an_answer_that_the_rules_do_not_know_is_an_error(preset, text, error, message):
    with pytest.raises(error, match=message):
        Record.parse(Rules.preset(preset), text)


def test_a_size_that_follows_from_the_hits_may_be_told_and_is_checked():
    rules = Rules.preset("ship-bombing")
    assert str(Record.parse(rules, "b2:hit c2:sunk:2 d4:miss")) == "b2:hit c2:sunk d4:miss"
    with pytest.raises(RecordError, match="make a ship of size 2"):
        Record.parse(rules, "b2:hit c2:sunk:3")


def test_estonian_answers_are_understood():
    record = Record.parse(Rules(), "a0:möödas c3:pihtas c4:põhjas")
    assert str(record) == "a0:miss c3:hit c4:sunk"


def test_the_unknown_preset_error_is_a_value_error():
    with pytest.raises(ValueError, match="unknown preset"):
        Rules.preset("chess")
    assert issubclass(UnknownName, ValueError)
