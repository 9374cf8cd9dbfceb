"""Programs: they play whole games, and what they do wrong costs them that game and no more."""

import contextlib
import json
import os
import pickle
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from battleship_ai import Board, Layout, Record, Rules, Target, place, play_solo
from battleship_ai.errors import IllegalMove, LayoutError, ProgramError, RecordError
from battleship_ai.game import shot_limit
from battleship_ai.programs import Program

TESTS = Path(__file__).parent
EXAMPLES = TESTS.parent / "examples"
PARITY = [sys.executable, str(EXAMPLES / "parity_bot.py")]
HUNT = ["perl", str(EXAMPLES / "hunt_bot.pl")]
BOTS = [
    PARITY,
    pytest.param(HUNT, marks=pytest.mark.skipif(not shutil.which("perl"), reason="no perl")),
]
SMALL = Rules((4, 4), (3, 2))
CORNER = Layout.parse(SMALL, "a0-a2, d0-d1")
BY_ROWS = 14  # shots that a program playing row by row needs for it


def play(program, layout, seed):
    """A game as tournaments play it; the shots."""
    target = Target(layout)
    game = program.new_game(layout.rules, seed)
    try:
        while not target.all_sunk:
            assert len(target.record) < shot_limit(layout.rules)
            target.shoot(game.choose(target.record, np.random.default_rng(seed)))
    finally:
        game.close()
    return [shot.square for shot in target.record]


def alive(pid):
    """Whether a process runs, or has ended and this one has not waited for it."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with contextlib.suppress(OSError):  # where there is no /proc
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[:2]
        return state != "Z" or int(parent) == os.getpid()
    return True


def await_end(pids, seconds=10.0):
    deadline = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return [pid for pid in pids if alive(pid)]


@pytest.fixture
def faulty(tmp_path):
    """Makes programs of tests/bots/faulty.py; `faulty.pids()` are all that were started."""
    pids = tmp_path / "pids"

    def make(fault, **limits):
        return Program([sys.executable, str(TESTS / "bots/faulty.py"), fault, str(pids)], **limits)

    make.pids = lambda: [int(line) for line in pids.read_text().split()]
    return make


@pytest.mark.parametrize("command", BOTS)
@pytest.mark.parametrize(
    "rules",
    [
        Rules.preset("ship-bombing"),
        Rules.preset("hasbro-official"),
        Rules((12, 7), (4, 3, 2), contact="allowed", announce="hit-only"),
        Rules((1, 5), (2,)),
        Rules(Board(5, 6, "A1"), (3, 2)),
    ],
    ids=lambda rules: str(rules.board),
)
def test_an_example_wins_without_wasting_a_shot_and_plays_a_seed_the_same(command, rules):
    program, layout = Program(command), place(rules, seed=1)[0]
    one, other, again = (play(program, layout, seed) for seed in (3, 4, 3))
    assert len(set(one)) == len(one)
    assert set(layout.squares) <= set(one)
    assert one == again
    assert one != other or len(one) < 6


def test_the_parity_example_is_a_fair_player():
    rules, program = Rules.preset("ship-bombing"), Program(PARITY)
    layouts = place(rules, 30, seed=2)
    shots = [len(play(program, layout, seed)) for seed, layout in enumerate(layouts)]
    assert 50 < np.mean(shots) < 75  # the package's own parity-hunt takes 59, random shots 96


@pytest.mark.parametrize("preset", ["ship-bombing", "hasbro-official", "polish-bent"])
def test_the_parity_example_hides_legal_layouts_that_its_seed_decides(preset):
    rules, program = Rules.preset(preset), Program(PARITY)
    layouts = [program.hide(rules, seed) for seed in (1, 2, 1)]
    assert layouts[0] == layouts[2] != layouts[1]


def test_a_program_can_be_asked_about_any_position():
    record = Record.parse(Rules.preset("hasbro"), "c2:hit c3:miss b2:miss d2:miss")
    squares = [Program(PARITY).choose(record, np.random.default_rng(seed)) for seed in range(3)]
    assert {record.rules.board.name(s) for s in squares} <= {"c1", "b1", "b3", "d1", "d3"}
    assert play_solo(Program(PARITY), CORNER).won


def test_a_program_goes_to_workers_and_has_the_name_it_is_made_from():
    program = Program("perl -e 'print 1'" if shutil.which("perl") else "sh -c 'echo 1'")
    assert pickle.loads(pickle.dumps(program)) == program
    assert program.name.split(":", 1)[0] == "program"
    assert Program(program.name.split(":", 1)[1]) == program


def test_one_process_plays_game_after_game(faulty):
    program = faulty("none")
    assert [len(play(program, CORNER, seed)) for seed in range(5)] == [BY_ROWS] * 5
    assert len(faulty.pids()) == 1


def test_two_games_at_once_have_a_process_each(faulty):
    program = faulty("none")
    games = [program.new_game(SMALL, seed) for seed in (0, 2)]
    records = [Record(SMALL), Record(SMALL)]
    for _ in range(3):
        for game, record in zip(games, records, strict=True):
            record.add(game.choose(record, None), "miss")
    for game in games:
        game.close()
    assert records[0] == records[1] == Record.parse(SMALL, "a0:miss a1:miss a2:miss")
    assert len(faulty.pids()) == 2


FAULTS = {
    "crash": "ended with exit status 1; its last words: RuntimeError: lost the plot",
    "exit": "ended with exit status 3$",
    "kill": "ended by signal 9",
    "close": "closed its standard output",
    "silence": "silent: no answer to 'shoot' within 1 s",
    "silence-of-a-child": "silent: no answer to 'shoot' within 1 s",
    "complaint-flood": "silent: no answer to 'shoot' within 1 s",
    "garbage": "what\\?' is not a row letter and a column number",
    "empty": "square '' is not a row letter and a column number",
    "binary": "is not a row letter and a column number",
    "flood": "wrote more than 4096 bytes without ending the line",
    "line-flood": "wrote more than the one line it was asked for: 'a0'",
    "two-lines": "wrote more than the one line it was asked for: 'a1'",
    "off-board": "illegal shot: square 'z9' is off the board",
    "not-ready": "wrote 'steady' instead of 'ready'",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_loses_its_game_with_the_reason_and_the_next_is_played(faulty, fault):
    program = faulty(fault, move_seconds=1.0)
    assert len(play(program, CORNER, seed=0)) == BY_ROWS
    with pytest.raises((ProgramError, IllegalMove), match=FAULTS[fault]) as caught:
        play(program, CORNER, seed=1)
    assert len(str(caught.value)) < 250
    assert await_end(faulty.pids()) == []
    assert len(play(program, CORNER, seed=2)) == BY_ROWS
    assert len(set(faulty.pids())) >= 2


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("crash-at-start", "exit status 1; its last words: RuntimeError: no licence"),
        ("slow-start", "starts too slowly: no 'battleship_ai 1' within 1 s"),
        ("flood-at-start", "more than 4096 bytes without ending the line"),
        ("version", "wrote 'battleship_ai 2' instead of 'battleship_ai 1'"),
    ],
)
def test_a_program_that_does_not_start_says_why_and_is_not_left_behind(faulty, fault, message):
    program = faulty(fault, start_seconds=1.0 if fault == "slow-start" else 20.0)
    for seed in range(2):
        with pytest.raises(ProgramError, match=message):
            program.new_game(SMALL, seed)
    assert await_end(faulty.pids()) == []


def test_a_line_that_comes_late_is_not_taken_for_the_next_answer(faulty):
    record = Record(SMALL)
    with contextlib.closing(faulty("afterthought").new_game(SMALL, 1)) as game:
        for _ in range(3):
            record.add(game.choose(record, None), "miss")
        time.sleep(0.5)
        with pytest.raises(ProgramError, match="more than the one line it was asked for: 'or a3'"):
            game.choose(record, None)


@pytest.mark.parametrize("fault", ["exit-after-game", "chat-after-game"])
def test_what_a_program_does_after_a_game_costs_it_none(faulty, fault):
    program = faulty(fault)
    assert [len(play(program, CORNER, seed)) for seed in range(3)] == [BY_ROWS] * 3
    assert len(set(faulty.pids())) == 3


def test_the_time_of_a_game_is_limited(faulty):
    program = faulty("slow", game_seconds=1.0)
    with pytest.raises(ProgramError, match="too slow: its 1 s a game are over"):
        play(program, CORNER, seed=0)


def test_an_illegal_layout_is_an_error_and_the_program_may_go_on(faulty):
    program = faulty("none")
    assert program.hide(SMALL, 0) == Layout.parse(SMALL, "a0-a2, c0-c1")
    with pytest.raises(LayoutError, match="ships a0-a2 and b0-b1 touch"):
        program.hide(SMALL, 1)
    assert len(play(program, CORNER, seed=2)) == BY_ROWS
    assert len(faulty.pids()) == 1


def test_floods_do_not_fill_memory(faulty):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for fault in ("flood", "line-flood", "complaint-flood"):
        program = faulty(fault, move_seconds=2.0)
        with pytest.raises(ProgramError):
            play(program, CORNER, seed=1)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # of 1 KB


@pytest.fixture
def _interrupt_after_a_second():
    def interrupt(signum, frame):
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, previous)


@pytest.mark.usefixtures("_interrupt_after_a_second")
def test_an_interrupted_game_does_not_disturb_the_next(faulty):
    program = faulty("silence")
    game = program.new_game(SMALL, 1)
    record = Record.parse(SMALL, "a0:miss")
    for square in ("a1", "a2"):
        game.choose(record, None)
        record.add(square, "miss")
    with pytest.raises(KeyboardInterrupt):
        game.choose(record, None)
    with pytest.raises(ProgramError, match="the game is closed"):
        game.choose(record, None)
    game.close()
    assert len(play(program, CORNER, seed=0)) == BY_ROWS


def test_a_game_is_asked_about_one_record(faulty):
    game = faulty("none").new_game(SMALL, 0)
    with contextlib.closing(game):
        game.choose(Record.parse(SMALL, "a0:miss"), None)
        with pytest.raises(RecordError, match="'b0:miss' does not go on from the 1 shots before"):
            game.choose(Record.parse(SMALL, "b0:miss"), None)


def test_a_game_that_is_dropped_unclosed_leaves_no_process(faulty):
    program = faulty("none")
    program.new_game(SMALL, 0).choose(Record(SMALL), None)
    assert await_end(faulty.pids()) == []


PARENT = """
import os, signal, sys, multiprocessing
from battleship_ai.programs import Program
from battleship_ai.rules import Rules

def start():
    for _ in range(2):
        games.append(Program(sys.argv[2:]).new_game(Rules((4, 4), (3, 2)), 1))
    games.pop().close()

games = []
if __name__ == "__main__":
    if sys.argv[1] == "worker":
        worker = multiprocessing.get_context("fork").Process(target=start)
        worker.start()
        worker.join()
    else:
        start()
    if sys.argv[1] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("end", ["exit", "worker", "killed"])
def test_programs_end_with_the_process_that_started_them(faulty, tmp_path, end):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    command = faulty("stay").command
    subprocess.run([sys.executable, str(script), end, *command], check=False, timeout=60)
    assert len(faulty.pids()) == 2
    assert await_end(faulty.pids()) == []


def test_a_program_has_none_of_the_standard_streams(tmp_path):
    script = "import os; print([os.fstat(i).st_mode >> 12 for i in range(3)], flush=True)"
    with pytest.raises(ProgramError, match=r"wrote '\[1, 1, 1\]' instead"):  # pipes
        Program([sys.executable, "-c", script]).new_game(SMALL, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"command": ""}, "command '' is not a program's name"),
        ({"command": "perl 'x"}, "cannot be split into words: No closing quotation"),
        ({"command": [1, 2]}, r"command \[1, 2\] is not"),
        ({"command": "no-such-program x"}, "program 'no-such-program' is not there"),
        ({"command": "sh", "move_seconds": 0}, "move_seconds 0 is not a positive number"),
        ({"command": "sh", "game_seconds": "x"}, "game_seconds 'x'"),
        ({"command": "sh", "start_seconds": -1}, "start_seconds -1"),
    ],
)
def test_a_malformed_program_is_one_error(arguments, message):
    with pytest.raises(ProgramError, match=message):
        Program(**arguments)


def test_a_file_that_cannot_run_is_reported(tmp_path):
    path = tmp_path / "bot"
    path.write_bytes(b"\x7fELF nonsense")
    path.chmod(0o755)
    with pytest.raises(ProgramError, match=r"does not start: .*Exec format error"):
        Program([str(path)]).new_game(SMALL, 0)


def test_rules_and_seed_reach_the_program_as_documented():
    bot = "read a; echo battleship_ai 1; read line; echo ready; echo $line >&2; read c; exit 1"
    game = Program(["sh", "-c", bot]).new_game(Rules(Board(2, 2, "A1"), (1,)), 2**32 + 5)
    with pytest.raises(ProgramError) as caught:
        game.choose(Record(Rules((2, 2), (1,))), None)
    assert "its last words: game 5 {" in str(caught.value)
    line = str(caught.value).split("game 5 ", 1)[1]
    assert line.startswith(json.dumps({"board": [2, 2]})[:-1])
