"""The conformance check passes what can play, and says what is wrong with what cannot."""

import itertools
import os
import random
import re
import shutil
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from battleship_ai import STRATEGIES, Density, Record, Rules, RulesError, place
from battleship_ai.conformance import CHECKED_RULES, check_strategy
from battleship_ai.errors import StrategyError
from battleship_ai.programs import Program

SMALL = Rules((4, 4), (3, 2))
EXAMPLES = Path(__file__).parent.parent / "examples"


class RowByRow:
    def choose(self, record, rng):
        return record.unasked[0]


class Guesser:
    """Draws from the generator it is given, answers by pairs, and remembers within a game."""

    def __init__(self):
        self.free = None

    def choose(self, record, rng):
        if self.free is None:
            self.free = list(record.unasked)
        return divmod(self.free.pop(rng.integers(len(self.free))), record.rules.board.cols)


class NewGames:
    """Makes a player of each game, which hides too."""

    def __init__(self):
        self.lock = None

    def new_game(self, rules, seed):
        return Guesser()

    def hide(self, rules, seed):
        return place(rules, seed=seed)[0]


class Returns(RowByRow):
    def __init__(self, square):
        self.square = square

    def choose(self, record, rng):
        return self.square


class Raises(RowByRow):
    def choose(self, record, rng):
        raise KeyError("plan")


class Leaves(RowByRow):
    def choose(self, record, rng):
        sys.exit()


class WithoutGenerator(RowByRow):
    def choose(self, record):
        return record.unasked[0]


class BelievesInSinking(RowByRow):
    def choose(self, record, rng):
        if record.rules.announce == "hit-only":
            raise ValueError("is it sunk?")
        return record.unasked[0]


class SquareBoardsOnly(RowByRow):
    def choose(self, record, rng):
        side = record.rules.board.rows
        return divmod(len(record), side)


class Stubborn(RowByRow):
    def choose(self, record, rng):
        return "a0"


class Wasteful(RowByRow):
    def choose(self, record, rng):
        return len(record) // 2 if len(record) % 4 else 0


class OwnGenerator(RowByRow):
    def choose(self, record, rng):
        return int(np.random.default_rng().choice(record.unasked))


class ByTheOrderOfASet(RowByRow):
    def choose(self, record, rng):
        return next(iter({record.rules.board.name(s) for s in record.unasked}))


class NumpyGlobal(RowByRow):
    def choose(self, record, rng):
        return int(np.random.choice(record.unasked))  # noqa: NPY002


class SeedsNumpyGlobal(RowByRow):
    def choose(self, record, rng):
        np.random.seed(3)  # noqa: NPY002
        return record.unasked[0]


class RandomGlobal(RowByRow):
    def choose(self, record, rng):
        return random.choice(record.unasked)


class Leaking(RowByRow):
    """Begins where the game before ended: the class is shared by all copies."""

    shots = itertools.count()

    def choose(self, record, rng):
        return record.unasked[next(self.shots) % len(record.unasked)]


class LeakingMaker:
    """Gives the same player to every game."""

    def __init__(self):
        self.player = Leaking()

    def new_game(self, rules, seed):
        return self.player


class AddsToTheRecord(RowByRow):
    def choose(self, record, rng):
        record.add(record.unasked[0], "miss")
        return record.unasked[0]


class Hangs(RowByRow):
    def choose(self, record, rng):
        time.sleep(30)


class HangsLater(RowByRow):
    def choose(self, record, rng):
        if record.rules.board.rows == 5:
            time.sleep(30)
        return record.unasked[0]


class Locked(RowByRow):
    def __init__(self):
        self.lock = threading.Lock()


class LockedMaker(NewGames):
    def __init__(self):
        self.lock = threading.Lock()


class AtHomeOnly(RowByRow):
    """Unpickled anywhere but here, it is not what it was."""

    def __init__(self):
        self.home = os.getpid()

    def choose(self, record, rng):
        if os.getpid() != self.home:
            raise RuntimeError("far from home")
        return record.unasked[0]


class HidesNothing(NewGames):
    def hide(self, rules, seed):
        return [["a0", "a1"]]


class HidesBadly(NewGames):
    def hide(self, rules, seed):
        raise LookupError("no room")


class HidesAnyhow(NewGames):
    def hide(self, rules, seed):
        return place(rules, seed=random.SystemRandom().getrandbits(30))[0]


class CannotClose(NewGames):
    def new_game(self, rules, seed):
        player = Guesser()
        player.close = lambda: 1 / 0
        return player


class NeedsArguments(RowByRow):
    def __init__(self, depth):
        self.depth = depth


class NotAStrategy:
    pass


@pytest.mark.parametrize("strategy", [RowByRow, RowByRow(), Guesser(), NewGames, Density()])
def test_good_strategies_pass_without_a_warning(strategy):
    with warnings.catch_warnings(action="error"):
        check_strategy(strategy)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_of_the_package_passes(name):
    check_strategy("monte-carlo:draws=20" if name == "monte-carlo" else name, CHECKED_RULES[:-2])


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_of_the_package_passes_on_large_boards(name):
    check_strategy("monte-carlo:draws=20" if name == "monte-carlo" else name, CHECKED_RULES[-2:])


@pytest.mark.parametrize("bot", ["python3 parity_bot.py", "perl hunt_bot.pl"])
def test_the_example_programs_pass(bot):
    language, file = bot.split()
    if shutil.which(language) is None:
        pytest.skip(f"no {language}")
    program = Program([language, str(EXAMPLES / file)])
    # Only one of them hides.
    strategy = program if file == "parity_bot.py" else WithoutHiding(program)
    with warnings.catch_warnings(action="error"):
        check_strategy(strategy)


class WithoutHiding:
    def __init__(self, program):
        self.new_game = program.new_game


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (Returns(None), "choose returns None; square None is not an index or a name .*: return an"),
        (Returns(2.0), "choose returns 2.0; square 2.0 is not an index or a name"),
        (Returns(("a", 0)), r"choose returns \('a', 0\); "),
        (Returns("z9"), "choose returns 'z9'; square 'z9' is off the board, .*: return an index"),
        (Returns(16), "choose returns 16; square 16 is off the board"),
        (Returns("c"), "square 'c' is not a row letter and a column number"),
        (Raises(), "choose at shot 1 raises KeyError: 'plan' .*: it must play under all rules"),
        (Leaves(), "choose at shot 1 raises SystemExit"),
        (WithoutGenerator(), "raises TypeError: .* takes 2 positional arguments but 3 were given"),
        (Stubborn(), "has not won after 32 shots .*: shoot at every square sooner or later"),
        (OwnGenerator(), "differently under the same seed: draw from the rng"),
        (ByTheOrderOfASet(), "differently under the same seed: .*the order of a set"),
        (HidesAnyhow(), "differently under the same seed"),
        (NumpyGlobal(), "uses the global generator of numpy.random .*: draw from the rng"),
        (SeedsNumpyGlobal(), "uses the global generator of numpy.random"),
        (RandomGlobal(), r"uses the global generator of random \("),
        (Leaking(), "differently after others: keep what it learns in self"),
        (LeakingMaker(), "differently after others"),
        (AddsToTheRecord(), "choose changes the record .*: let it work on Record"),
        (Locked(), "copy.deepcopy of it raises TypeError: cannot pickle .* keep what cannot be"),
        (LockedMaker(), "cloudpickle of it, .* raises TypeError: cannot pickle .* keep what"),
        (AtHomeOnly(), "fails in a new process: .*far from home"),
        (HidesNothing(), r"hide returns \[\['a0', 'a1'\]\] .*: return a Layout"),
        (HidesBadly(), "hide raises LookupError: no room"),
        (CannotClose(), "close raises ZeroDivisionError"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_each_fault_is_named_with_its_remedy(strategy, message):
    with pytest.raises(StrategyError, match=message) as caught:
        check_strategy(strategy, SMALL)
    assert f"strategy {type(strategy).__name__} has 1 fault:\n- " in str(caught.value)


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (NotAStrategy, r"has no method choose\(record, rng\); add one"),
        (42, "42 has no method choose"),
        (NeedsArguments, r"NeedsArguments\(\) raises TypeError: .*'depth'; a class must need no"),
        ("test_conformance:Nobody", "has no attribute 'Nobody'"),
    ],
)
def test_what_is_no_strategy_is_not_played(strategy, message):
    with pytest.raises(StrategyError, match=message):
        check_strategy(strategy, SMALL)


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (BelievesInSinking, r"ValueError: is it sunk\? \(4x4, fleet 2,2,1, .* hit-only\)"),
        (SquareBoardsOnly, r"choose returns \(1, 0\); .* \(1x5, fleet 2, "),
    ],
)
def test_unusual_rules_are_played_too(strategy, message):
    with pytest.raises(StrategyError, match=message):
        check_strategy(strategy)


def test_every_kind_of_fault_has_a_line_and_the_first_exception_is_the_cause():
    class Twofold(RowByRow):
        def choose(self, record, rng):
            if record.rules.board.rows == 4:
                raise KeyError("four")
            return None

    with pytest.raises(StrategyError, match="strategy Twofold has 2 faults:") as caught:
        check_strategy(Twofold, [Rules((3, 3), (2,)), SMALL, Rules((4, 3), (2,))])
    lines = str(caught.value).splitlines()
    assert [re.search(r"\((\dx\d)", line)[1] for line in lines[1:]] == ["3x3", "4x4"]
    assert repr(caught.value.__cause__) == "KeyError('four')"


def test_a_shot_at_an_asked_square_is_warned_of_only():
    with pytest.warns(UserWarning, match=r"Wasteful shoots at a0 again by shot \d .*: legal"):
        check_strategy(Wasteful, SMALL)


def test_a_game_that_takes_too_long_ends_the_check():
    begun = time.monotonic()
    with pytest.raises(StrategyError, match=r"not won after 0.5 s .*: it must be faster, or"):
        check_strategy(Hangs, first_game_seconds=0.5)
    with pytest.raises(StrategyError, match=r"not won after 0.5 s \(5x5, "):
        check_strategy(HangsLater, ["hasbro", Rules((5, 5), (2,))], game_seconds=0.5)
    assert time.monotonic() - begun < 20


def test_the_first_game_may_take_longer():
    class Compiling(RowByRow):
        ready = False

        def choose(self, record, rng):
            if not Compiling.ready:
                time.sleep(1.0)
                Compiling.ready = True
            return record.unasked[0]

    check_strategy(Compiling, SMALL, game_seconds=0.9)


def test_rules_may_be_one_or_several_or_names():
    for rules in (SMALL, "hasbro", [SMALL, "hasbro"]):
        check_strategy(RowByRow, rules)
    with pytest.raises(StrategyError, match="rules is empty; name at least one"):
        check_strategy(RowByRow, [])
    with pytest.raises(RulesError, match="no legal layout"):
        check_strategy(RowByRow, Rules((3, 3), (2, 2, 1)))


def test_the_record_a_strategy_may_work_on_is_a_copy():
    record = Record.parse(SMALL, "a0:miss")
    copied = Record(record.rules, record)
    copied.add("a1", "hit")
    assert str(record) == "a0:miss"
