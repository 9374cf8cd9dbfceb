"""Whole games at a terminal, played by a script through a pseudo-terminal."""

import importlib.util
import io
import os
import re
import sys
from pathlib import Path

import pexpect
import pytest

from battleship_ai import Rules
from battleship_ai.naval import NavalLayout, NavalRecord, NavalRules
from battleship_ai.play.saving import load_game
from battleship_ai.play.setup import Setup

SCRIPT = Path(__file__).resolve().parent.parent / "examples" / "play_by_script.py"
SMALL = ["--board", "6x6", "--fleet", "3,2,2", "--seed", "1"]


@pytest.fixture
def script():
    spec = importlib.util.spec_from_file_location("play_by_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def empty_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def played(script, arguments):
    transcript = io.StringIO()
    assert script.play(arguments, transcript) == 0
    text = transcript.getvalue().replace("\r\n", "\n")
    assert "\x1b" not in text
    assert "try again" not in text
    return text


def test_a_whole_game_of_ship_bombing_goes_as_the_rules_say(script):
    """The answers are those of the fleets that the seed hides, in turn, to the last ship."""
    text = played(script, [*SMALL, "--opponent", "density", "--first", "opponent"])
    shots = re.findall(r"^(You|density) shoots? at (\w\d): (miss|hit|sunk)\.$", text, re.MULTILINE)
    assert [who for who, _, _ in shots] == ["density", "You"] * (len(shots) // 2) + ["density"] * (
        len(shots) % 2
    )
    rules = Rules(board=(6, 6), fleet=(3, 2, 2))
    setup = Setup.new(rules, opponent="density", seed=1)
    for who, layout in (("You", setup.hidden), ("density", setup.yours)):
        left = [set(ship) for ship in layout.ships]
        for shooter, name, answer in shots:
            if shooter != who:
                continue
            square = rules.board.square(name)
            at = [ship for ship in left if square in ship]
            for ship in at:
                ship.discard(square)
            assert answer == ("miss" if not at else "hit" if at[0] else "sunk")
        winner = "You win." if who == "You" else "density wins."
        assert any(left) != (winner in text)
    assert text.count("The hidden fleet") == 1
    assert "shoots at" not in text[text.index("The hidden fleet") :]


def test_a_whole_match_of_naval_bombardment_goes_as_the_rules_say(script):
    """Its log, taken up from the file, is a record that the fleets hidden give."""
    arguments = ["naval-bombardment", "--opponent", "random-salvo", "--placer", "sequential",
                 "--seed", "1", "--save", "match.json"]  # fmt: skip
    text = played(script, arguments)
    game = load_game(Path("match.json"))
    assert game.over
    assert ("You win." in text) == game.won
    for player, whose in enumerate(("Your", "random-salvo's")):
        record = game.record_of(player)
        told = re.findall(rf"^{whose} salvo (\d+),", text, re.MULTILINE)
        assert [int(number) for number in told] == [salvo.round for salvo in record]
        assert NavalRecord.parse(NavalRules(), str(record)) == record
    mines = sum(len(game.record_of(player).mines) for player in (0, 1))
    assert len(re.findall(r"It struck the (?:ordinary|high-explosive) mine at", text)) == mines
    layouts = (game.setup.hidden, game.setup.yours)
    assert all(isinstance(layout, NavalLayout) for layout in layouts)
    for player in (0, 1):
        if game.won == (player == 0):
            squares = {square for ship in layouts[player].ships for square in ship}
            assert squares <= set(game.record_of(player).called)


def test_ctrl_c_leaves_cleanly_and_the_game_goes_on(script):
    transcript = io.StringIO()
    child = script.start([*SMALL, "--first", "you"], transcript)
    child.expect(script.PROMPT)
    child.sendline("a0")
    child.expect(script.PROMPT)
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus, child.signalstatus) == (0, None)
    assert "Traceback" not in transcript.getvalue()
    command = re.search(r"battleship-ai play (--resume \S+)", transcript.getvalue())[1]
    child = script.start(command.split(), transcript)
    child.expect("Shot 2")
    child.expect(script.PROMPT)
    child.sendeof()
    child.expect("the game is kept in battleship-game.json")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_ctrl_c_while_the_fleet_is_being_hidden_leaves_cleanly(script):
    child = script.start([*SMALL, "--hide", "hand"], io.StringIO())
    child.expect("Place a ship of 3 squares: ")
    child.sendline("a0-a2")
    child.expect("a # # #")
    child.expect("Place a ship of 2 squares: ")
    child.sendintr()
    child.expect("You have left before the game began.")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert not list(Path().iterdir())


@pytest.mark.parametrize(("more", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_terminals_that_want_them(more, coloured):
    terminal = {**os.environ, "TERM": "xterm-256color"}
    terminal.pop("NO_COLOR", None)
    child = pexpect.spawn(
        sys.executable,
        ["-m", "battleship_ai.cli", "play", *SMALL, "--solo", "--hints"],
        encoding="utf-8",
        env=terminal | more,
        timeout=120,
    )
    child.expect("Likeliest")
    board = child.before[child.before.index("Your shots") :]
    assert bool(re.search(r"\x1b\[[\d;]*48;", board)) == coloured
    assert "17" in board
    child.expect("Your shot: ")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
