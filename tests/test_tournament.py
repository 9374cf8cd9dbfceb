"""Tournaments: reproducible, fair, and not to be stopped by a bad strategy."""

import io
import json
import os
import sys
import time

import numpy as np
import pytest

from battleship_ai import (
    Density,
    Design,
    Layout,
    Rules,
    StoppingRule,
    TournamentError,
    UnknownName,
    place,
    play_solo,
    run_design,
    run_tournament,
)
from battleship_ai.luck import luck
from battleship_ai.placers import place_arrays
from battleship_ai.rng import game_keys, key_of
from battleship_ai.statistics import mean_interval, paired_interval

SMALL = Rules(board=(4, 4), fleet=(3, 2))


class RowByRow:
    """Shoots the first free square."""

    def choose(self, record, rng):
        return record.unasked[0]


class Guesser:
    """Shoots any free square, by the generator it is given."""

    def choose(self, record, rng):
        return int(rng.choice(record.unasked))


class Counting:
    """Breaks if it is used for a second game: each game needs a copy of its own."""

    def __init__(self):
        self.calls = 0

    def choose(self, record, rng):
        assert self.calls == len(record)
        self.calls += 1
        return record.unasked[0]


class RaisesAfterFive:
    def choose(self, record, rng):
        if len(record) == 5:
            raise RuntimeError("lost the plot")
        return record.unasked[0]


class OffTheBoard:
    def choose(self, record, rng):
        return "z9"


class Repeats:
    def choose(self, record, rng):
        return 0


class Hangs:
    def choose(self, record, rng):
        while True:
            time.sleep(0.01)


class Dawdles:
    """Quick enough at each shot, but not over a game."""

    def choose(self, record, rng):
        time.sleep(0.03)
        return record.unasked[0]


class EndsTheProcess:
    def choose(self, record, rng):
        os._exit(3)


STRATEGIES = {
    "density": "density",
    "hunt-target": "hunt-target",
    "monte-carlo": "monte-carlo:draws=20",
    "exact": "exact",
    "own": Guesser(),
}


@pytest.mark.parametrize("workers", [2, 3])
def test_results_do_not_depend_on_the_number_of_workers(workers):
    rules = Rules.preset("hasbro", fleet=(4, 3))
    alone = run_tournament(rules, STRATEGIES, games=30, seed=4)
    shared = run_tournament(rules, STRATEGIES, games=30, seed=4, workers=workers)
    for name in STRATEGIES:
        assert alone.shots[name].tolist() == shared.shots[name].tolist()


def test_results_do_not_depend_on_the_other_strategies_or_on_the_number_of_games():
    one = run_tournament("ship-bombing", ["hunt-target"], games=10, seed=4)
    two = run_tournament("ship-bombing", ["random", "hunt-target"], games=25, seed=4)
    assert one.shots["hunt-target"].tolist() == two.shots["hunt-target"][:10].tolist()


def test_another_seed_gives_other_games():
    one = run_tournament("hasbro", ["density"], games=20, seed=4)
    two = run_tournament("hasbro", ["density"], games=20, seed=5)
    assert one.shots["density"].tolist() != two.shots["density"].tolist()


def test_the_layouts_are_those_of_the_placer_with_the_same_seed():
    result = run_tournament(SMALL, {"rows": RowByRow()}, games=20, seed=9)
    for layout, shots in zip(place(SMALL, 20, seed=9), result.shots["rows"], strict=True):
        assert shots == max(layout.squares) + 1


def test_a_strategy_of_ones_own_plays_in_the_same_tournament():
    result = run_tournament(SMALL, [RowByRow(), "random"], games=50, seed=1)
    assert list(result.shots) == ["RowByRow", "random"]
    assert not any(result.failures.values())


def test_each_game_gets_a_fresh_copy_of_the_strategy():
    assert not any(run_tournament(SMALL, [Counting()], games=5).failures.values())


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (RaisesAfterFive(), "RuntimeError: lost the plot"),
        (OffTheBoard(), "IllegalMove: illegal shot: square 'z9' is off the board"),
        (Repeats(), "not won after 32 shots"),
        (Hangs(), "TimeoutError: not done after 0.2 seconds"),
        (Dawdles(), "TimeoutError: not done after 0.2 seconds"),
    ],
)
def test_a_bad_strategy_loses_its_games_and_stops_nobody(strategy, message, workers):
    result = run_tournament(
        SMALL, {"bad": strategy, "good": "density"}, games=4, seed=2, workers=workers,
        game_seconds=0.2,
    )  # fmt: skip
    lost = result.failures["bad"]
    assert [failure.game for failure in lost] == [0, 1, 2, 3][: len(lost)]
    assert message in lost[0].message
    assert all(result.shots["bad"][failure.game] == 32 for failure in lost)
    assert result.shots["good"].max() <= 16
    assert f"bad lost game 0: {message}" in str(result)


def test_a_worker_that_dies_is_one_clear_error():
    with pytest.raises(TournamentError, match="a worker process died"):
        run_tournament(SMALL, {"end": EndsTheProcess()}, games=4, workers=2)


def test_a_lost_game_is_reported_with_its_number():
    result = run_tournament(SMALL, {"bad": RaisesAfterFive()}, games=40, seed=2)
    won = [i for i, shots in enumerate(result.shots["bad"]) if shots < 32]
    lost = [failure.game for failure in result.failures.get("bad", [])]
    assert sorted(won + lost) == list(range(40))
    assert lost


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"games": 0}, TournamentError, "games 0 is not an integer of at least 1"),
        ({"workers": 0}, TournamentError, "workers 0"),
        ({"seed": -1}, TournamentError, "seed -1"),
        ({"games": 1.5}, TournamentError, "games 1.5"),
        ({"strategies": []}, TournamentError, "no strategy"),
        ({"strategies": ["random", "random"]}, TournamentError, "'random' is there twice"),
        ({"strategies": ["perfect"]}, UnknownName, "unknown strategy 'perfect'"),
        ({"strategies": [42]}, TournamentError, "neither a name nor an object"),
        ({"strategies": [RowByRow]}, TournamentError, "neither a name nor an object"),
        ({"placer": "nobody"}, UnknownName, "unknown placer 'nobody'"),
    ],
)
def test_a_malformed_design_is_one_error(arguments, error, message):
    with pytest.raises(error, match=message):
        run_tournament(SMALL, **{"strategies": ["random"], "games": 2, **arguments})


def test_the_figures_are_those_of_the_shots():
    result = run_tournament("hasbro", ["random", "density"], games=200, seed=3)
    document = json.loads(json.dumps(result.to_dict()))
    shots = result.shots["density"].astype(float)
    row = document["strategies"][1]
    assert row["mean"] == pytest.approx(shots.mean())
    assert row["sd"] == pytest.approx(shots.std(ddof=1))
    assert row["ci95"] == pytest.approx(list(mean_interval(shots)[1:]))
    assert row["median"] == np.median(shots)
    assert (row["min"], row["max"]) == (shots.min(), shots.max())
    assert row["games"] == 200
    (pair,) = document["comparisons"]
    assert (pair["a"], pair["b"]) == ("random", "density")
    difference = paired_interval(result.shots["random"], result.shots["density"])
    assert pair["mean_difference"] == pytest.approx(difference.mean)
    assert pair["ci95"] == pytest.approx([difference.low, difference.high])


def test_one_game_has_no_interval():
    result = run_tournament(SMALL, ["density"], games=1)
    assert result.to_dict()["strategies"][0]["ci95"] == [None, None]
    assert "-" in str(result)


def test_a_game_can_be_played_again_alone():
    result = run_tournament(SMALL, {"own": Guesser()}, games=12, seed=6)
    layout: Layout = place(SMALL, 12, seed=6)[7]
    key = int(game_keys(key_of(6), 7, 1)[0])
    assert play_solo(Guesser(), layout, seed=key).shots == result.shots["own"][7]


@pytest.mark.parametrize("workers", [1, 2])
def test_luck_is_subtracted_game_by_game(workers):
    strategies = {"density": "density", "own": Guesser(), "lost": RaisesAfterFive()}
    result = run_tournament(
        SMALL, strategies, games=25, seed=8, luck_adjusted=True, workers=workers
    )
    keys = game_keys(key_of(8), 0, 25)
    layouts = place_arrays(SMALL, keys)
    games = Density().play(SMALL, layouts, keys, keep_squares=True)
    assert result.luck["density"].tolist() == luck(SMALL, layouts, games).tolist()
    for summary in result.summaries():
        adjusted = result.shots[summary.name] - result.luck[summary.name]
        assert summary.adjusted == pytest.approx(mean_interval(adjusted))
    density = result.summaries()[0]
    assert density.adjusted_sd < density.sd / 2
    (pair, *_) = result.adjusted_comparisons()
    a, b = (result.shots[name] - result.luck[name] for name in ("density", "own"))
    assert pair.difference == pytest.approx(paired_interval(a, b))


def test_luck_is_known_for_uniform_layouts_only():
    with pytest.raises(TournamentError, match="luck is known for placer 'uniform' only"):
        run_tournament(SMALL, ["density"], games=2, luck_adjusted=True, placer="edge")
    with pytest.raises(TournamentError, match="luck is not known under these rules"):
        run_tournament(
            Rules(board=(4, 4), fleet=(3,), shape="any", contact="corners"), ["random"], games=2,
            luck_adjusted=True,
        )  # fmt: skip


def test_a_tournament_stops_when_every_interval_is_narrow_enough():
    stop = StoppingRule(0.5, 5000, first=50, growth=1.5)
    result = run_tournament("pomcp", ["random", "density", "hunt-target"], stop=stop, seed=1)
    looks = list(stop.looks())
    assert result.games in looks[1:-1]
    assert all(c.difference.half_width <= 0.5 for c in result.comparisons())
    earlier = looks[looks.index(result.games) - 1]
    before = run_tournament("pomcp", ["random", "density", "hunt-target"], games=earlier, seed=1)
    assert any(c.difference.half_width > 0.5 for c in before.comparisons())
    assert run_tournament("pomcp", ["random"], stop=StoppingRule(0.01, 300), seed=1).games == 300


def test_where_it_stops_does_not_depend_on_the_number_of_workers():
    stop = StoppingRule(0.6, 4000, first=50)
    strategies = ["random", "density"]
    alone = run_tournament("pomcp", strategies, stop=stop, seed=1)
    shared = run_tournament("pomcp", strategies, stop=stop, seed=1, workers=2)
    assert alone.games == shared.games
    assert alone.shots["density"].tolist() == shared.shots["density"].tolist()


class Terminal(io.StringIO):
    """Keeps what is written to a terminal."""

    def isatty(self):
        return True


def test_the_bar_tells_of_kernels_until_games_come_in(monkeypatch, tmp_path):
    design = Design("pomcp", ["random"], games=30)
    for play in (
        lambda: run_tournament("pomcp", ["random"], games=30, progress=True),
        lambda: run_design(design, tmp_path / "run", progress=True),
        lambda: run_design(design, tmp_path / "run", progress=True),  # all is there
    ):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        play()
        states = terminal.getvalue().rstrip("\r\n").split("\r")
        assert states[1].startswith("loading kernels")
        assert states[-1].startswith("100%")
        assert "30/30" in states[-1]
