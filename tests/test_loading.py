"""Strategies by text: from the registry, a module, an installed package or a program."""

import subprocess
import sys

import pytest

from battleship_ai import STRATEGIES, MonteCarlo, Record, Rules, UnknownName, make_strategy
from battleship_ai.errors import ProgramError, StrategyError
from battleship_ai.programs import Program
from battleship_ai.strategies import installed_strategies

MODULE = """
class RowByRow:
    def choose(self, record, rng):
        return record.unasked[0]

class Skipping(RowByRow):
    def __init__(self, step):
        self.step = step

class Games:
    def new_game(self, rules, seed):
        return RowByRow()

class Holder:
    inner = RowByRow

ready = Skipping(2)
number = 7
"""

ENTRY_POINTS = """
[battleship_ai.strategies]
rows = outside_bots:RowByRow
stepping = outside_bots:ready
gone = outside_bots:Nobody
away = no_such_module:Bot
density = outside_bots:RowByRow
"""


@pytest.fixture(autouse=True)
def _outside_modules(tmp_path, monkeypatch):
    (tmp_path / "outside_bots.py").write_text(MODULE)
    (tmp_path / "failing_bots.py").write_text("1 / 0")
    (tmp_path / "leaving_bots.py").write_text("raise SystemExit(2)")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in ("outside_bots", "failing_bots", "leaving_bots"):
        sys.modules.pop(name, None)


def install(directory, name, entry_points):
    information = directory / f"{name}-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(entry_points)


@pytest.fixture
def installed(tmp_path):
    install(tmp_path, "outside_bots", ENTRY_POINTS)


def first_square(strategy):
    return strategy.choose(Record(Rules((3, 3), (2,))), None)


def test_a_registered_name_takes_parameters():
    assert make_strategy(" monte-carlo:draws=7:tie_errors=1.5 ") == MonteCarlo(7, 1.5)


@pytest.mark.parametrize("path", ["outside_bots:RowByRow", "outside_bots:ready",
                                  "outside_bots:Holder.inner"])  # fmt: skip
def test_a_path_gives_an_object_or_makes_one_of_a_class(path):
    assert first_square(make_strategy(path)) == 0


def test_a_path_may_give_what_makes_players():
    assert first_square(make_strategy("outside_bots:Games").new_game(None, 0)) == 0


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("no_such_module:Bot", "'no_such_module:Bot' cannot be loaded: ModuleNotFoundError: No "
                               "module named 'no_such_module'"),
        ("outside_bots:Nobody", "module 'outside_bots' has no attribute 'Nobody'"),
        ("failing_bots:Bot", "ZeroDivisionError: division by zero"),
        ("leaving_bots:Bot", "SystemExit: 2"),
        ("outside_bots:Skipping", r"Skipping\(\) raises TypeError: .* 'step'; a class must need"),
        ("outside_bots:number", r"7 has no method choose\(record, rng\)"),
    ],
)  # fmt: skip
def test_a_path_that_gives_no_strategy_says_why(path, message):
    with pytest.raises(StrategyError, match=message):
        make_strategy(path)


def test_the_current_directory_is_searched_if_python_searches_it(tmp_path):
    script = "from battleship_ai import make_strategy; make_strategy('outside_bots:RowByRow')"
    for options, status in (([], 0), (["-P"], 1)):
        command = [sys.executable, *options, "-c", script]
        assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == status


def test_a_program_is_given_by_its_command_line():
    assert make_strategy("program:sh -c 'echo a:b'") == Program(["sh", "-c", "echo a:b"])
    with pytest.raises(ProgramError, match="'no-such-program' is not there"):
        make_strategy("program:no-such-program")


@pytest.mark.usefixtures("installed")
def test_an_installed_name_is_loaded_on_request_only():
    assert "outside_bots" not in sys.modules
    make_strategy("density")
    assert "outside_bots" not in sys.modules
    assert first_square(make_strategy("rows")) == 0
    assert make_strategy("stepping").step == 2


@pytest.mark.usefixtures("installed")
def test_a_registered_name_cannot_be_taken_over():
    assert isinstance(make_strategy("density"), STRATEGIES["density"])


@pytest.mark.usefixtures("installed")
def test_the_list_of_installed_strategies_has_an_error_for_each_broken_one():
    listed = installed_strategies()
    assert list(listed) == ["away", "density", "gone", "rows", "stepping"]
    assert first_square(listed["rows"]) == 0
    for name, message in (("gone", "no attribute 'Nobody'"), ("away", "No module named")):
        assert isinstance(listed[name], StrategyError)
        assert f"installed strategy '{name}' cannot be loaded: " in str(listed[name])
        assert message in str(listed[name])
        with pytest.raises(StrategyError, match=message):
            make_strategy(name)


@pytest.mark.usefixtures("installed")
def test_a_name_that_two_packages_give_is_not_guessed(tmp_path):
    install(tmp_path, "other", "[battleship_ai.strategies]\nrows = outside_bots:ready\n")
    with pytest.raises(StrategyError, match="twice, as outside_bots:RowByRow and outside_bots:re"):
        make_strategy("rows")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rowz", "unknown strategy 'rowz'; did you mean 'rows'"),
        ("densty", "did you mean 'density'"),
        ("perfect", "there are: random, .*exact, lookahead, away, density, gone, rows, stepping"),
        ("monte-carl:draws=5", "did you mean 'monte-carlo'"),
        ("monte-carlo:5", "'5' of strategy 'monte-carlo' is not of the form PARAMETER=NUMBER"),
        ("random:draws=5", "strategy 'random' has no parameter draws"),
        ("rows:draws=5", "installed strategy 'rows' has no parameters; 'rows:draws=5' sets some"),
        ("", "unknown strategy ''"),
    ],
)
def test_an_unknown_name_is_one_error_with_the_nearest(text, message):
    with pytest.raises(UnknownName, match=message):
        make_strategy(text)
