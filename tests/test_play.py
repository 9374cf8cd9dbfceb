"""A person at the terminal against a strategy or captain."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import naval_fixture
from battleship_ai import Board, ExactPosterior, Layout, Record, Rules, place
from battleship_ai.cli import main
from battleship_ai.errors import BattleshipError, IllegalMove, RecordError
from battleship_ai.inference import known
from battleship_ai.naval import NavalLayout, NavalPosterior, NavalRecord, NavalRules, place_naval
from battleship_ai.play import hints
from battleship_ai.play.bombing import BombingSession
from battleship_ai.play.games import parts_of
from battleship_ai.play.hiding import BombingForm, NavalForm
from battleship_ai.play.hints import bombing_hint, naval_hint
from battleship_ai.play.loop import Sitting
from battleship_ai.play.naval import NavalSession
from battleship_ai.play.pictures import HIT, Mark, Picture
from battleship_ai.play.saving import load_game, save_game
from battleship_ai.play.screen import Screen
from battleship_ai.play.setup import OPPONENT, YOU, Setup
from battleship_ai.tournament.games import all_games

SMALL = ("--board", "4x4", "--fleet", "3,1", "--seed", "5")
RULES = Rules(board=(4, 4), fleet=(3, 1))
HIDDEN = Layout.parse(RULES, "a0-a2, d3")
YOURS = Layout.parse(RULES, "d0-d2, a3")


class Waverer:
    """Shoots at random; what it does depends on its random numbers and on its memory."""

    def __init__(self):
        self.asked = []

    def choose(self, record, rng):
        free = [square for square in record.unasked if square not in self.asked]
        self.asked.append(free[int(rng.integers(len(free)))])
        return self.asked[-1]


class Quitter:
    """Fails at its second shot."""

    def choose(self, record, rng):
        if len(record):
            raise RuntimeError("no more")
        return 0


class Offside:
    """Shoots off the board at its second shot."""

    def choose(self, record, rng):
        return "z9" if len(record) else 0


class Stubborn:
    """Always shoots at the same square, which it may hit again and again."""

    def choose(self, record, rng):
        return "d0"


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run `play` with lines typed by somebody who is at no terminal, in an empty directory."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments, typed=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        status = main(["play", *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def duel(*, opponent="random", **more):
    return Setup(RULES, HIDDEN, "uniform", 1, opponent, YOURS, **more)


def session(setup):
    return parts_of(setup.rules).session(setup)


def test_a_solo_game_hides_what_the_first_game_of_a_tournament_does():
    assert [Setup.new(RULES, opponent=None, seed=7).hidden] == place(RULES, seed=7)
    rules = naval_fixture.small_rules()
    hidden = Setup.new(rules, opponent=None, placer="sequential", seed=7).hidden
    assert [hidden] == place_naval(rules, placer="sequential", seed=7)


def test_the_same_seed_gives_the_same_game_and_others_do_not():
    setups = [Setup.new(RULES, opponent="random", seed=seed) for seed in (1, 1, *range(2, 30))]
    assert setups[0] == setups[1]
    assert {setup.starter for setup in setups} == {YOU, OPPONENT}
    assert len({setup.hidden for setup in setups}) > 10
    assert any(setup.hidden != setup.yours for setup in setups)
    assert Setup.new(RULES, opponent="random", seed=1, starter=YOU).starter == YOU
    assert Setup.new(RULES, opponent="random", seed=1, starter=OPPONENT).starter == OPPONENT


def test_turns_alternate_whatever_is_answered():
    game = session(duel())
    assert game.play(game.read("a0")).outcome.kind == "hit"
    assert not game.your_turn
    with pytest.raises(IllegalMove, match="not your turn"):
        game.play([1])
    game.reply()
    assert game.your_turn
    with pytest.raises(IllegalMove, match="not the opponent's turn"):
        game.reply()


def test_a_hit_gives_another_shot_where_the_rules_say_so():
    setup = duel()
    setup = replace(
        setup,
        rules=replace(RULES, turn="again-on-hit"),
        hidden=Layout(replace(RULES, turn="again-on-hit"), HIDDEN.ships),
    )
    game = session(setup)
    game.play(game.read("a0"))
    assert game.your_turn
    game.play(game.read("b0"))
    assert not game.your_turn


def test_whoever_sinks_the_last_ship_wins_at_once():
    game = session(Setup(RULES, HIDDEN, "uniform", 1))
    for square in ("a0", "a1", "d3"):
        game.play(game.read(square))
        assert not game.over
    game.play(game.read("a2"))
    assert game.won
    assert game.revealed == HIDDEN


def test_a_square_called_before_must_be_meant():
    game = session(Setup(RULES, HIDDEN, "uniform", 1))
    game.play(game.read("a0"))
    with pytest.raises(IllegalMove, match="a0 was called before; type a0! to call it once more"):
        game.read("a0")
    assert game.play(game.read("a0!")).outcome.kind == "hit"
    assert len(game.record_of(YOU)) == 2


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "not one square"),
        ("a0 a1", "not one square"),
        ("7", "not a row letter and a column number"),
        ("a4", "off the board, whose squares are a0 to d3"),
    ],
)
def test_what_is_no_square_is_no_shot(typed, said):
    game = session(Setup(RULES, HIDDEN, "uniform", 1))
    with pytest.raises(BattleshipError, match=said):
        game.read(typed)


@pytest.mark.parametrize(
    ("typed", "squares"),
    [
        ("A1", "A1"),
        ("a1, b3 C5", "A1 B3 C5"),
        ("A1-A4", "A1 A2 A3 A4"),
        ("D1-A4", "D1 C2 B3 A4"),
        ("C2-A2 F7", "C2 B2 A2 F7"),
    ],
)
def test_a_salvo_is_squares_and_straight_runs_in_order(typed, squares):
    game = session(Setup.new(naval_fixture.small_rules(), opponent=None, placer="sequential"))
    assert " ".join(map(game.board.name, game.read(typed))) == squares


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (" ", "no squares"),
        ("A1-B3", "not a straight run"),
        ("A1 A1", "A1 is there twice"),
        ("A1-A7 B1-B7", "14 squares are more than your 8 guns"),
        ("G1", "off the board, whose squares are A1 to F7"),
        ("A1-", "not a row letter and a column number"),
        ("F7", "F7 was called before; type F7!"),
    ],
)
def test_what_is_no_salvo_is_not_fired(typed, said):
    game = session(Setup.new(naval_fixture.small_rules(), opponent=None, placer="sequential"))
    game.play(game.read("F7"))
    with pytest.raises(BattleshipError, match=said):
        game.read(typed)


def test_a_high_explosive_mine_costs_the_next_salvo():
    rules = naval_fixture.small_rules()
    setup = Setup.new(rules, opponent="random-salvo", placer="sequential", seed=5, starter=YOU)
    mine = setup.hidden.mines[rules.mines.index("high-explosive")]
    game = session(setup)
    told = parts_of(rules).view(game).told(game.play([mine]))
    assert told[1].endswith("which ended it, and it costs salvo 2.")
    rounds = []
    while not game.your_turn:
        rounds.append(game.reply().outcome.round)
    assert rounds == [1, 2]
    assert game.round == 3


def test_the_hidden_fleet_is_no_ones_before_the_end():
    game = session(duel())
    with pytest.raises(IllegalMove, match="hidden until the game is over"):
        _ = game.revealed
    game.give_up()
    assert game.lost
    assert game.revealed == HIDDEN


def screens(setup, typed, monkeypatch, capsys, show_hints):
    """What is printed before the end of the input."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    Sitting(session(setup), Screen(), hints=show_hints).play()
    return capsys.readouterr().out


@pytest.mark.parametrize("show_hints", [False, True])
def test_nothing_tells_two_layouts_apart_that_answer_alike(
    show_hints, monkeypatch, capsys, tmp_path
):
    monkeypatch.chdir(tmp_path)
    typed = ("a0", "b2", "board", "hint", "log", "zz")
    seen = []
    for text in ("a0-a2, d3", "a0-a2, c0", "a0-c0, d3"):
        setup = replace(duel(), hidden=Layout.parse(RULES, text))
        seen.append(screens(setup, typed, monkeypatch, capsys, show_hints))
        Path("battleship-game.json").unlink()
    assert "Your shots" in seen[0]
    assert seen[0] == seen[1] == seen[2]


def test_nothing_tells_two_naval_layouts_apart_that_answer_alike(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    rules = naval_fixture.small_rules()
    layouts = place_naval(rules, 40, placer="sequential", seed=2)
    water = [layout for layout in layouts if not {0, 1} & {*layout.squares}]
    assert len(water) > 2
    seen = set()
    for hidden in water:
        setup = Setup(rules, hidden, "sequential", 1, "random-salvo", layouts[0])
        seen.add(screens(setup, ("A1 A2", "log", "hint"), monkeypatch, capsys, False))
        Path("battleship-game.json").unlink()
    assert len(seen) == 1


@pytest.mark.parametrize("preset", [name for game in all_games() for name in game.presets])
def test_every_preset_can_be_played(preset, run):
    opponent = "random-salvo" if preset.startswith("naval") else "random"
    more = ("--opponent", opponent, "--placer", "sequential", "--seed", "1", "--first", "you")
    status, out, err = run(preset, *more, typed=["a1", "give up"])
    assert (status, err) == (0, "")
    assert "Your fleet" in out
    assert out.count("You shoot at a1:") + out.count("Your salvo 1, 1 square:") == 1
    assert "The hidden fleet" in out
    assert "You have given up. You fired 1 shot" in out
    _, out, _ = run("--rules", preset, "--solo", "--placer", "sequential", typed=["give up"])
    assert "Your fleet" not in out


def test_a_game_is_played_to_its_end_and_says_so(run):
    (hidden,) = place(RULES, seed=5)
    typed = [RULES.board.name(square) for square in hidden.squares]
    status, out, err = run(*SMALL, "--solo", typed=typed)
    assert (status, err) == (0, "")
    assert out.endswith("You win. You fired 4 shots. The seed was 5.\n")
    assert not list(Path().iterdir())
    assert "\x1b" not in out


def test_the_fleet_of_a_winner_is_shown_with_the_squares_that_were_left(run):
    hidden = Setup.new(RULES, opponent="exact", seed=5).hidden
    water = [s for s in range(16) if s not in hidden.squares]
    typed = map(RULES.board.name, [*water, *hidden.squares])
    status, out, _ = run(*SMALL, "--opponent", "exact", "--first", "opponent", typed=typed)
    assert status == 0
    assert re.search(r"exact wins\. You fired \d+ shots, exact \d+\. The seed was 5\.\n$", out)
    shown = out[out.rindex("The hidden fleet") :].splitlines()[2:6]
    assert sum(row.count(mark) for row in shown for mark in "#xX") == len(hidden.squares)
    assert "#" in "".join(shown)


def test_a_mistyped_square_is_asked_again_and_costs_nothing(run):
    _, out, _ = run(*SMALL, "--solo", typed=["k1", "a", "a0", "a0", "log"])
    assert "square 'k1' is off the board, whose squares are a0 to d3. Please try again." in out
    assert "square 'a' is not a row letter and a column number, such as c0." in out
    assert "a0 was called before" in out
    assert re.search(r"You: a0:(miss|hit)\n", out)


def test_the_end_of_the_input_keeps_the_game_and_says_how_to_go_on(run):
    status, out, err = run(*SMALL, "--hints", typed=["a0"])
    assert (status, err) == (0, "")
    assert out.endswith(
        "You have left; the game is kept in battleship-game.json. To go on:\n"
        "  battleship-ai play --resume battleship-game.json --hints\n"
    )
    _, out, _ = run(*SMALL, typed=["quit"])
    assert "kept in battleship-game-2.json" in out
    status, out, _ = run("--resume", "battleship-game.json", typed=["log"])
    assert status == 0
    assert out.startswith("4x4 board, fleet 3,1")
    assert re.search(r"You: a0:\w+\n", out)


def test_what_is_left_before_it_began_leaves_nothing(run):
    status, out, _ = run(*SMALL, "--hide", "hand", typed=["a0-a2"])
    assert status == 0
    assert out.endswith("You have left before the game began.\n")
    assert not list(Path().iterdir())


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        (("--opponent", "test_play:Waverer", *SMALL), "a0 b1 c2 d3 a3 d0"),
        (("--opponent", "monte-carlo", *SMALL), "a0 b1 c2 d3 a3 d0"),
        (("russian", "--board", "6x6", "--fleet", "3,2", "--seed", "3"), "a0 b1 c2 d3 e4 f5"),
        (("naval-bombardment", "--opponent", "random-salvo", "--seed", "4", "--placer", "edge"),
         "A1-A20 C2 E4-E9 D8 T20-T10 R5"),
        (("naval-bombardment", "--opponent", "list-info", "--seed", "4", "--placer", "edge"),
         "A1-A20 C2 E4-E9 D8"),
    ],
)  # fmt: skip
def test_a_game_taken_up_goes_on_as_if_it_had_not_been_left(arguments, typed, run):
    typed = typed.split()
    half = len(typed) // 2
    run(*arguments, "--save", "whole.json", typed=typed)
    run(*arguments, "--save", "parts.json", typed=typed[:half])
    assert Path("parts.json").read_text() != Path("whole.json").read_text()
    run("--resume", "parts.json", typed=typed[half:])
    assert Path("parts.json").read_text() == Path("whole.json").read_text()


def test_a_game_is_kept_after_every_move(run, monkeypatch):
    kept = []
    monkeypatch.setattr(
        "battleship_ai.play.loop.save_game", lambda path, game: kept.append(len(game.moves))
    )
    run(*SMALL, "--first", "you", "--save", "game.json", typed=["a0"])
    assert kept == [0, 1, 2, 2]


def test_a_game_over_stays_over_when_taken_up(run):
    run(*SMALL, "--save", "game.json", typed=["a0", "give up"])
    status, out, _ = run("--resume", "game.json")
    assert status == 0
    assert "The hidden fleet" in out
    assert "You have given up." in out


def test_a_saved_game_does_not_show_the_hidden_fleet(run):
    run(*SMALL, "--solo", "--save", "game.json", typed=["quit"])
    document = json.loads(Path("game.json").read_text())
    names = {name for ship in place(RULES, seed=5)[0].names() for name in ship}
    assert not [name for name in names if name in json.dumps(document["hidden"])]
    assert document["yours"] is None


def damaged(document, **changes):
    """With a right checksum, as somebody might write it who has read the code."""
    from battleship_ai.play import saving

    document = {**document, **changes}
    document.pop("checksum")
    document["checksum"] = saving._checksum(document)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[: len(text) // 2], "is no saved game, or is damaged"),
        (lambda text: "", "is no saved game, or is damaged"),
        (lambda text: "[1, 2]", "is no saved game, or is damaged"),
        (lambda text: '{"format": "something else"}', "is no saved game, or is damaged"),
        (lambda text: text.replace('"seed": 5', '"seed": 6'), "its checksum is wrong"),
        (lambda text: text.replace('"version": 1', '"version": 9'), "a game of version 9"),
        (lambda text: damaged(json.loads(text), hidden="eJw="), "its hidden fleet is damaged"),
        (lambda text: damaged(json.loads(text), moves=[["k9"]]), "k9"),
        (lambda text: damaged(json.loads(text), moves=[["a0", "a1"]]), "is not a game that can be"),
        (lambda text: damaged(json.loads(text), yours=[["a0"]]), "sizes 1"),
        (lambda text: damaged(json.loads(text), game="chess"), "unknown game 'chess'"),
        (lambda text: damaged(json.loads(text), opponent="nobody"), "unknown strategy 'nobody'"),
    ],
)  # fmt: skip
def test_a_damaged_or_foreign_file_is_one_clear_line(change, said, run):
    run(*SMALL, "--save", "game.json", typed=["a0"])
    path = Path("game.json")
    text = change(path.read_text())
    path.write_text(text)
    status, out, err = run("--resume", "game.json", typed=["a1"])
    assert status == 2
    assert out == ""
    assert re.fullmatch(rf"battleship-ai: .*({said}).*\n", err)
    assert path.read_text() == text


def test_a_file_that_cannot_be_read_or_written_is_one_clear_line(run):
    status, _, err = run("--resume", "nowhere.json")
    assert (status, err) == (
        2, "battleship-ai: no game can be read from 'nowhere.json': No such file or directory\n"
    )  # fmt: skip
    status, _, err = run(*SMALL, "--save", "nowhere/game.json")
    assert (status, "is not in a directory that exists" in err) == (2, True)
    Path("game.json").write_text("mine")
    status, _, err = run(*SMALL, "--save", "game.json")
    assert (status, "is there already" in err) == (2, True)
    _, out, _ = run(*SMALL, typed=["save game.json", "save other.json"])
    assert "game.json is there already" in out
    assert "The game is kept in other.json." in out
    assert Path("game.json").read_text() == "mine"
    assert load_game(Path("other.json")).moves is not None


def test_a_save_that_fails_does_not_end_the_game(run, monkeypatch):
    def full(*arguments):
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr("battleship_ai.play.saving.replacing", full)
        status, out, err = run(*SMALL, "--save", "game.json", "--solo", typed=["a0", "a1"])
    assert out.count("You shoot at") == 2
    assert "cannot be saved to 'game.json': disk full" in out
    assert status == 2
    assert err.count("\n") == 1
    assert not list(Path().iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--resume", "game.json", "--seed", "3"), "--resume takes all but --hints from its file; "
         "leave out --seed"),
        (("--resume", "game.json", "hasbro"), "leave out RULES"),
        (("--solo", "--opponent", "exact"), "with --solo nobody shoots back; leave out --opponent"),
        (("--solo", "--first", "you"), "leave out --first"),
        (("hasbro", "--rules", "hasbro"), "leave out --rules"),
        (("nonsense",), "unknown preset 'nonsense'"),
        (("--opponent", "nobody"), "unknown strategy 'nobody'"),
        (("naval-bombardment", "--opponent", "exact"), "unknown captain 'exact'"),
        (("--placer", "nobody"), "unknown placer 'nobody'"),
        (("--hide", "nowhere.txt"), "neither random nor hand nor a file of text"),
        (("--shape", "any", "--contact", "allowed", "--opponent", "exact", *SMALL),
         "exact inference is there for"),
        (("--opponent", "test_play:Quitter.choose", *SMALL), "no method choose"),
        (("--first", "me"), "'me' is not one of"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_one_clear_line(arguments, said, run):
    status, _, err = run(*arguments, typed=["a0"])
    assert status == 2
    assert said in err
    assert err.count("\n") == 1


def test_a_fault_of_the_opponent_is_your_win(run):
    for bot, why in (("Quitter", "RuntimeError: no more"), ("Offside", "illegal shot")):
        opponent = ("--opponent", f"test_play:{bot}", "--first", "opponent")
        _, out, _ = run(*SMALL, *opponent, typed=["a0", "a1", "a2"])
        assert re.search(rf"You win: test_play:{bot} has lost by a fault: {why}", out)
        assert "The hidden fleet" in out


def test_an_opponent_that_never_misses_and_never_wins_loses():
    rules = replace(RULES, turn="again-on-hit")
    setup = Setup(
        rules, Layout(rules, HIDDEN.ships), "uniform", 1, "test_play:Stubborn",
        Layout(rules, YOURS.ships), OPPONENT,
    )  # fmt: skip
    game = session(setup)
    while not game.over:
        game.reply()
    assert game.won
    assert "not won after 32 shots" in game.fault


def test_hints_are_the_exact_posterior_where_there_is_one():
    record = Record.parse(RULES, "a0:hit b2:miss")
    hint = bombing_hint(record)
    assert np.array_equal(hint.ships, ExactPosterior(RULES).probabilities(record).ravel())
    assert hint.source.startswith("exact")


def test_hints_are_drawn_where_there_is_no_exact_posterior():
    rules = Rules(board=(4, 4), fleet=(3, 1), shape="any", contact="allowed")
    hint = bombing_hint(Record.parse(rules, "a0:hit"))
    assert hint.ships[0] == pytest.approx(1.0)
    assert hint.ships.sum() == pytest.approx(4.0)
    assert hint.source.startswith("estimated")


def test_hints_are_the_density_where_no_draw_is_a_layout(monkeypatch):
    def none(*arguments):
        raise RecordError("none of the draws fits")

    monkeypatch.setattr(known, "sample_posterior", none)
    rules = Rules(board=(4, 4), fleet=(3, 1), shape="any", contact="allowed")
    hint = bombing_hint(Record.parse(rules, "a0:hit"))
    assert hint.ships.max() == 1.0
    assert hint.ships[0] == 0.0
    assert "number of placements" in hint.source


def test_naval_hints_are_the_joint_posterior_and_by_the_placer():
    rules = naval_fixture.small_rules()
    game = session(Setup.new(rules, opponent=None, placer="sequential", seed=1))
    game.play(game.read("A1-A7"))
    record = game.record_of(YOU)
    hint = naval_hint(record, "edge")
    posterior = NavalPosterior(record, "edge", draws=400)
    assert np.array_equal(hint.ships, posterior.square_probabilities)
    assert np.array_equal(hint.mines, posterior.mine_probabilities)
    assert not np.array_equal(hint.ships, naval_hint(record, "uniform").ships)


def test_naval_hints_take_ships_by_themselves_where_no_layout_is_found(monkeypatch):
    def none(*arguments, **more):
        raise RecordError("no layout that gives the record was found")

    monkeypatch.setattr(hints, "NavalPosterior", none)
    rules = naval_fixture.small_rules()
    hint = naval_hint(NavalRecord(rules), "uniform")
    assert hint.ships.sum() == pytest.approx(rules.ship_squares)
    assert hint.mines.sum() == pytest.approx(len(rules.mines))
    assert "each ship by itself" in hint.source


def test_hints_are_shown_on_the_free_squares_in_percent(run):
    (hidden,) = place(RULES, seed=5)
    hit = hidden.ships[0][0]
    _, out, _ = run(*SMALL, "--solo", "--hints", typed=[RULES.board.name(hit)])
    first = ExactPosterior(RULES).probabilities()
    rows = out[out.index("Your shots") :].splitlines()[2:6]
    shown = [[int(word) for word in row.split()[1:]] for row in rows]
    assert shown == np.round(100 * first).astype(int).tolist()
    after = out[out.rindex("Your shots") :].splitlines()[2 + hit // 4].split()
    assert after[1 + hit % 4] == "x"
    assert re.search(r"Likeliest: [a-d]\d \d+%, .* \(exact, all layouts taken as", out)


def test_a_hint_can_be_had_for_the_asking(run):
    _, out, _ = run(*SMALL, "--solo", typed=["hint"])
    assert out.count("Likeliest") == 1


def test_a_fleet_is_hidden_by_hand_and_mistakes_are_asked_again(run):
    typed = ["a0-a1", "a0-b1", "x", "a0-a2", "b1", "undo", "d0-d2", "", "a3", "quit"]
    status, out, _ = run(*SMALL, "--hide", "hand", "--save", "game.json", typed=typed)
    assert status == 0
    assert "'a0-a1' has 2 squares; this ship has 3. Please try again." in out
    assert "run 'a0-b1' is not in one row or one column" in out
    assert "ships a0-a2 and b1 touch at a0 and b1" in out
    assert load_game(Path("game.json")).setup.yours == YOURS


def test_named_ships_are_hidden_by_name():
    form = BombingForm(Rules(board=(5, 5), fleet=(3, 3), announce="hit-name", names=("sub", "cat")))
    assert form.due.label == "the sub, 3 squares"
    form.put("e0-e2, a0-a2")
    assert [form.rules.board.name(ship[0]) for ship in form.layout.ships] == ["e0", "a0"]
    assert form.layout == Layout(form.rules, form.layout.ships)


def test_a_naval_fleet_is_hidden_by_hand():
    layout = naval_fixture.fixture()
    form = NavalForm(layout.rules)
    listed = layout.to_dict()
    for group in (*listed["ships"].values(), *listed["mines"].values()):
        form.put(" ".join(group))
    assert form.due is None
    assert form.layout == layout
    with pytest.raises(BattleshipError, match="one too many"):
        form.put("A1")
    last = layout.mines[-1]
    form.undo()
    assert form.due.label == "a high-explosive mine"
    assert last not in form.picture().marks
    assert len(form.picture().marks) == len(layout.squares) - 1
    form = NavalForm(layout.rules)
    with pytest.raises(BattleshipError, match="FS A1-A7 has 7 squares"):
        form.put("A1-A7")


def test_a_fleet_is_hidden_by_a_file_in_either_form(run):
    for text in ("d0-d2, a3\n", f"{YOURS}\n"):
        Path("fleet.txt").write_text(text)
        Path("game.json").unlink(missing_ok=True)
        run(*SMALL, "--hide", "fleet.txt", "--save", "game.json")
        assert load_game(Path("game.json")).setup.yours == YOURS
    Path("fleet.txt").write_text("a0-a2, b0")
    status, _, err = run(*SMALL, "--hide", "fleet.txt")
    assert (status, "--hide 'fleet.txt': ships a0-a2 and b0 touch" in err) == (2, True)


def test_a_naval_game_tells_reports_tracks_and_guns():
    layout = naval_fixture.fixture()
    game = session(Setup(layout.rules, layout, "uniform", 1))
    view = parts_of(layout.rules).view(game)
    told = view.told(game.play(game.read("B6-E3 L2 A20")))
    assert told == ["Your salvo 1, 6 squares: Dy A: 4, Dy B: 1; 22 guns left there."] or told == [
        "Your salvo 1, 6 squares: Dy A: 1, Dy B: 4; 22 guns left there."
    ]
    assert re.fullmatch(r"Hit so far: Dy . (sunk|1/4), Dy . (sunk|1/4)\.", view.status()[1])
    marks = view.boards()[0].marks
    assert {marks[s].text for s in game.moves[0].squares} == {"1"}
    game.play(game.read("A1 A2"))
    assert view.boards()[0].marks[0].text == "-"
    game.play(game.read("L2! M2 A1!"))
    named = {layout.rules.board.name(s): mark.text for s, mark in view.boards()[0].marks.items()}
    assert (named["L2"], named["M2"], named["A1"]) == ("1", "3", "-")


def test_under_literal_reports_hits_are_counted_by_class():
    layout = naval_fixture.fixture("literal")
    game = session(Setup(layout.rules, layout, "uniform", 1))
    game.play(game.read("B6-E3 L2 A20"))
    assert parts_of(layout.rules).view(game).status()[1] == "Hit so far: Dy 5/12."


def test_ships_sunk_are_told_as_far_as_they_are_known():
    told = {}
    for announce, contact in (("sunk", "none"), ("sunk", "allowed"), ("sunk-size", "allowed"),
                              ("hit-only", "none")):  # fmt: skip
        rules = replace(RULES, announce=announce, contact=contact)
        game = session(Setup(rules, Layout(rules, HIDDEN.ships), "uniform", 1))
        for square in ("a0", "a1", "a2", "a2!"):
            game.play(game.read(square))
        told[announce, contact] = parts_of(rules).view(game).status()[0]
    assert told["sunk", "none"] == "Shot 5. You have sunk 1 of 2 ships (3)."
    assert told["sunk", "allowed"] == "Shot 5. You have sunk 1 of 2 ships."
    assert told["sunk-size", "allowed"] == "Shot 5. You have sunk 1 of 2 ships (3)."
    assert told["hit-only", "none"] == "Shot 5. You have hit 3 of 4 squares."


def test_a_saved_naval_game_keeps_salvos_that_a_mine_cut_short(tmp_path):
    layout = naval_fixture.fixture()
    game = session(Setup(layout.rules, layout, "uniform", 1))
    game.play(game.read("B17 B18 B20"))
    assert game.record_of(YOU).salvos[0].mine is not None
    save_game(tmp_path / "game.json", game)
    again = load_game(tmp_path / "game.json")
    assert isinstance(again, NavalSession)
    assert again.record_of(YOU) == game.record_of(YOU)
    assert isinstance(again.revealed if again.over else layout, NavalLayout)


def test_colour_falls_on_the_mark_and_nothing_else():
    out = io.StringIO()
    board = Board(2, 12)
    Screen(Console(file=out, force_terminal=True, color_system="standard")).boards(
        [Picture("", board, {1: HIT, 23: Mark("##", HIT.style)})]
    )
    coloured = re.findall(r"\x1b\[1;31m(.*?)\x1b\[0m", out.getvalue())
    assert coloured == [" x", "##"]


def test_boards_are_below_each_other_where_there_is_no_room():
    board = Board(2, 3)
    pictures = [Picture("One", board, {}), Picture("Two", board, {})]
    for width, lines in ((18, 4), (17, 8)):
        out = io.StringIO()
        Screen(Console(file=out, width=width)).boards(pictures)
        assert len(out.getvalue().splitlines()) == lines


def test_the_command_says_how_to_use_it(capsys):
    assert main(["play", "--help"]) == 0
    out = capsys.readouterr().out
    for example in re.findall(r"^    battleship-ai (play .*)$", out, re.MULTILINE):
        assert not re.search(r"\s-\w", example)
    assert "battleship-ai play hasbro --opponent exact --hide hand" in out


def test_sessions_are_of_their_game():
    assert isinstance(session(duel()), BombingSession)
    assert parts_of(NavalRules()).session is NavalSession
