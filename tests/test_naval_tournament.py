"""Naval Bombardment in tournaments: the matches are those of the referee, whoever plays them."""

import hashlib
import json
import time
from dataclasses import dataclass

import numpy as np
import pytest

from battleship_ai import (
    BattleshipError,
    Design,
    Report,
    Rules,
    Run,
    StoppingRule,
    run_design,
    run_duels,
    run_tournament,
    warmup,
)
from battleship_ai.cli import main
from battleship_ai.naval import (
    CAPTAINS,
    NAVAL_PLACERS,
    NavalLayout,
    NavalRecord,
    NavalRules,
    RandomSalvo,
    make_captain,
    place_naval,
    play_match,
    play_solo_match,
)
from battleship_ai.naval.captains import with_parameters
from battleship_ai.naval.placers import place_naval_arrays
from battleship_ai.rng import game_keys, key_of
from battleship_ai.statistics import mean_interval
from battleship_ai.tournament.archive import Archive
from battleship_ai.tournament.batches import NO_WINNER, Batch
from battleship_ai.tournament.naval import GAME
from battleship_ai.tournament.playing import play_batch, replay
from naval_fixture import small_rules

SMALL = small_rules()
LITERAL = small_rules("literal", "8x8")


class InOrder:
    """Fires all guns at the first squares that were not called."""

    def choose(self, state, rng):
        return state.record.uncalled[: state.guns]


class Repeats:
    """Calls each square twice: the second shot is inert."""

    def choose(self, state, rng):
        return [s for s in state.record.uncalled[: state.guns // 2] for _ in range(2)]


class Sniper:
    """Fires one shot a salvo, anywhere, by the generator it is given."""

    def choose(self, state, rng):
        yield int(rng.choice(state.record.uncalled))


class Counting:
    """Breaks if it is used for a second game: each needs a copy of its own."""

    def __init__(self):
        self.calls = 0

    def choose(self, state, rng):
        assert self.calls == len(state.record)
        self.calls += 1
        return state.record.uncalled[: state.guns]


class GivesUp:
    def choose(self, state, rng):
        if state.round > 2:
            raise RuntimeError("lost the plot")
        return state.record.uncalled[:1]


class FiresTooMuch:
    def choose(self, state, rng):
        return [*range(state.guns), 0]


class Idles:
    def choose(self, state, rng):
        return []


class Hangs:
    def choose(self, state, rng):
        while True:
            time.sleep(0.01)


class Stalls:
    """Hangs where its squares are taken, not where it is asked."""

    def choose(self, state, rng):
        while True:
            time.sleep(0.01)
        yield 0


CREW = {"random": "random-salvo", "in order": InOrder(), "sniper": Sniper()}
FAULTY = {"gives up": GivesUp(), "too much": FiresTooMuch(), "sniper": Sniper()}


def rows_digest(directory):
    files = sorted((directory / "games").iterdir())
    assert files
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def solo_by_hand(rules, captain, games, seed):
    keys = game_keys(key_of(seed), 0, games)
    layouts = place_naval(rules, games, placer="sequential", seed=seed)
    return [
        play_solo_match(captain, layout, seed=int(key))
        for layout, key in zip(layouts, keys, strict=True)
    ]


@pytest.mark.parametrize("captain", [RandomSalvo(), Repeats(), Sniper()])
@pytest.mark.parametrize("rules", [SMALL, LITERAL])
def test_solo_games_are_those_of_a_loop_by_hand(rules, captain):
    result = run_tournament(rules, {"captain": captain}, games=12, seed=5, placer="sequential")
    by_hand = solo_by_hand(rules, captain, 12, 5)
    assert result.shots["captain"].tolist() == [match.shots for match in by_hand]
    assert result.measures["rounds"]["captain"].tolist() == [match.rounds for match in by_hand]
    assert result.measures["mines"]["captain"].tolist() == [len(m.record.mines) for m in by_hand]
    for hits, match in zip(result.hits["captain"], by_hand, strict=True):
        fired = [square for salvo in match.record for square in salvo.fired]
        ships = [square for ship in match.layout.ships for square in ship]
        assert hits.tolist() == sorted(fired.index(square) + 1 for square in ships)


def test_all_captains_meet_the_same_layouts_however_many_there_are():
    one = run_tournament(SMALL, ["random-salvo"], games=5, seed=4, placer="sequential")
    many = run_tournament(SMALL, CREW, games=9, seed=4, placer="sequential")
    assert one.shots["random-salvo"].tolist() == many.shots["random"][:5].tolist()
    shots = many.shots["in order"]
    for layout, count in zip(
        place_naval(SMALL, 9, placer="sequential", seed=4), shots, strict=True
    ):
        assert count == max(square for ship in layout.ships for square in ship) + 1


def test_duels_are_those_of_a_loop_by_hand():
    design = Design(SMALL, CREW, mode="duel", games=9, seed=7, placers="sequential")
    played = play_batch(design, Batch(0, 3, 6))
    keys = game_keys(key_of(7), 0, 18)
    rows = place_naval_arrays(SMALL, keys, "sequential")
    layouts = [NavalLayout.from_array(SMALL, row) for row in rows]
    captains = {**CREW, "random": RandomSalvo()}
    assert list(played.winner) == [
        ("random", "in order"), ("random", "sniper"), ("in order", "sniper"),
    ]  # fmt: skip
    for a, b in played.winner:
        for i, game in enumerate(range(3, 9)):
            match = play_match(
                SMALL, (captains[a], captains[b]), (layouts[2 * game + 1], layouts[2 * game]),
                starter=game % 2, seed=int(keys[2 * game]),
            )  # fmt: skip
            assert played.winner[a, b][i] == match.winner
            assert played.shots[a, b][i].tolist() == [match.record(p).shots for p in (0, 1)]
            measures = {name: values[i] for name, values in played.measures[a, b].items()}
            assert measures == {
                "rounds": match.round,
                "mines_first": len(match.record(0).mines),
                "mines_second": len(match.record(1).mines),
            }
    assert not any(played.failures.values())


@pytest.mark.parametrize("workers", [2])
def test_figures_do_not_depend_on_the_number_of_workers(workers):
    alone = run_tournament(SMALL, CREW, games=20, seed=4)
    shared = run_tournament(SMALL, CREW, games=20, seed=4, workers=workers)
    for name in CREW:
        assert alone.shots[name].tolist() == shared.shots[name].tolist()
        for measure in ("rounds", "mines"):
            assert (alone.measures[measure][name] == shared.measures[measure][name]).all()
    duels = [run_duels(SMALL, CREW, games=20, seed=4, workers=n) for n in (1, workers)]
    assert duels[0].to_dict() == duels[1].to_dict()


def test_each_game_gets_a_fresh_copy_of_the_captain():
    assert not run_tournament(SMALL, [Counting()], games=4).lost
    assert not run_duels(SMALL, {"a": Counting(), "b": Counting()}, games=4).lost


@pytest.mark.parametrize(
    ("captain", "message", "illegal"),
    [
        (GivesUp(), "RuntimeError: lost the plot", False),
        (FiresTooMuch(), "illegal salvo: it has 9 squares, the player 8 guns", True),
        (Hangs(), "TimeoutError: not done after 0.5 seconds", False),
        (Stalls(), "TimeoutError: not done after 0.5 seconds", False),
        (Idles(), "not won after 40 rounds", False),
    ],
)
def test_a_captain_at_fault_loses_its_solo_games_and_stops_nobody(captain, message, illegal):
    rules = small_rules(max_rounds=40)
    result = run_tournament(
        rules, {"bad": captain, "good": "random-salvo"}, games=3, seed=2, game_seconds=0.5
    )
    assert [(f.game, f.illegal) for f in result.failures["bad"]] == [(i, illegal) for i in range(3)]
    assert message in result.failures["bad"][0].message
    assert result.shots["bad"].tolist() == [40 * 8] * 3
    assert result.measures["rounds"]["bad"].tolist() == [40] * 3
    assert "good" not in result.lost
    assert result.shots["good"].max() <= 42
    assert "bad lost game 0: " in str(result)


@pytest.mark.parametrize(
    ("captain", "message", "illegal"),
    [
        (GivesUp(), "bad: RuntimeError: lost the plot", False),
        (FiresTooMuch(), "bad: illegal salvo: it has 9 squares, the player 8 guns", True),
        (Hangs(), "bad: TimeoutError: not done after 0.5 seconds", False),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_who_is_at_fault_loses_the_duel_and_is_named(captain, message, illegal, first):
    crew = {"bad": captain, "good": Sniper()}
    crew = crew if first else dict(reversed(crew.items()))
    design = Design(SMALL, crew, mode="duel", games=2, game_seconds=0.5)
    played = play_batch(design, Batch(0, 0, 2))
    pair = tuple(crew)
    assert played.winner[pair].tolist() == [1 if first else 0] * 2
    assert [f[0] for f in played.failures[pair]] == [0, 1]
    for failure in played.failures[pair]:
        assert failure.message == message
        assert failure.illegal == illegal


def test_the_last_round_allowed_is_played():
    design = Design(small_rules(max_rounds=3), {"idles": Idles()}, games=1)
    match = replay(design, 0, 0, "idles")
    assert (match.rounds, len(match.record), match.won) == (3, 3, False)


def test_a_duel_that_nobody_wins_is_void(tmp_path):
    design = Design(
        {"short": small_rules(max_rounds=3)}, {"a": Idles(), "b": Idles()}, mode="duel", games=2
    )
    played = play_batch(design, Batch(0, 0, 2))
    assert played.winner["a", "b"].tolist() == [NO_WINNER] * 2
    assert played.measures["a", "b"]["rounds"].tolist() == [3, 3]
    frame = run_design(design, tmp_path / "run").to_pandas()
    assert frame.outcome.tolist() == ["void"] * 2
    assert frame.message.tolist() == ["no winner in 3 rounds"] * 2


def test_the_figures_are_those_of_the_games():
    result = run_tournament(SMALL, CREW, games=30, seed=3)
    for row in json.loads(json.dumps(result.to_dict()))["strategies"]:
        for key, values in [
            ("salvos", result.measures["rounds"]), ("mines", result.measures["mines"]),
        ]:  # fmt: skip
            mean, low, high = mean_interval(values[row["name"]])
            assert row[f"mean_{key}"] == pytest.approx(mean)
            assert row[f"mean_{key}_ci95"] == pytest.approx([low, high])
        assert row["mean"] == pytest.approx(result.shots[row["name"]].mean())
    head = str(result).splitlines()[0]
    assert head == (
        "6x7 board, fleet 1 Sp, 3 Bt with 8 guns, 1 ordinary and 2 high-explosive mines, "
        "identify tracks"
    )
    assert "max    mean salvos    mean mines    games/s" in str(result)


def test_salvos_count_the_rounds_that_were_skipped():
    result = run_tournament(SMALL, {"in order": InOrder()}, games=20, seed=1, placer="sequential")
    struck = [match.record for match in solo_by_hand(SMALL, InOrder(), 20, 1)]
    skipped = [record.salvos[-1].round - len(record) for record in struck]
    assert max(skipped) > 0
    rounds = result.measures["rounds"]["in order"]
    assert rounds.tolist() == [n + len(r) for n, r in zip(skipped, struck, strict=True)]


def test_the_starters_advantage_is_that_of_the_matches():
    result = run_duels(SMALL, {"a": "random-salvo", "b": "random-salvo"}, games=40, seed=2)
    design = Design(SMALL, {"a": RandomSalvo(), "b": RandomSalvo()}, mode="duel", games=40, seed=2)
    won = [replay(design, 0, game, "a", "b") for game in range(40)]
    assert result.win_shares()["a", "b"].mean == np.mean([match.winner == 0 for match in won])
    starters = np.mean([match.winner == match.starter for match in won])
    assert result.starter_advantage().mean == pytest.approx(starters - 0.5)


# Results on disk.


@pytest.fixture
def design():
    return Design(
        {"small": SMALL, "literal": LITERAL}, {**CREW, "gives up": GivesUp()}, games=20, seed=3,
        keep_shots=True,
    )  # fmt: skip


def test_the_rows_are_the_games_and_any_can_be_replayed(tmp_path, design):
    run = run_design(design, tmp_path / "run")
    frame = run.to_pandas()
    assert list(frame.columns) == [
        "rules", "placer", "strategy", "game", "shots", "rounds", "mines", "outcome", "message",
        "hits", "record",
    ]  # fmt: skip
    assert len(frame) == 2 * 4 * 20
    for row in frame.itertuples():
        match = run.replay(row.game, row.strategy, rules=row.rules, design=design)
        assert row.record == str(match.record)
        assert NavalRecord.parse(design.rules[row.rules], row.record) == match.record
        assert row.mines == len(match.record.mines)
        assert (row.outcome == "won") == match.won
        if match.won:
            assert (row.shots, row.rounds) == (match.shots, match.rounds)
        else:
            assert row.strategy == "gives up"
            assert "lost the plot" in row.message
    for rules in design.rules:
        played = run_tournament(design.rules[rules], design.strategies, games=20, seed=3)
        for label in design.strategies:
            rows = frame[(frame.rules == rules) & (frame.strategy == label)]
            assert rows.shots.tolist() == played.shots[label].tolist()
            for hits, expected in zip(rows.hits, played.hits[label], strict=True):
                assert hits.tolist() == expected[expected > 0].tolist()
    (small, literal) = run.results()
    assert small.summaries()[0].measures["salvos"] == pytest.approx(
        mean_interval(frame[(frame.rules == "small") & (frame.strategy == "random")].rounds)
    )
    assert literal.games == 20


def test_duels_are_rows_with_rounds_and_mines(tmp_path):
    crew = {**CREW, "gives up": GivesUp()}
    design = Design({"small": SMALL}, crew, mode="duel", games=10, seed=3)
    run = run_design(design, tmp_path / "run")
    frame = run.to_pandas()
    assert len(frame) == 6 * 10
    for row in frame[::3].itertuples():
        match = run.replay(row.game, row.first, row.second, design=design)
        assert (match.winner, match.starter) == (row.winner, row.starter)
        assert match.round == row.rounds
        records = match.record(0), match.record(1)
        assert [r.shots for r in records] == [row.shots_first, row.shots_second]
        assert [len(r.mines) for r in records] == [row.mines_first, row.mines_second]
    (result,) = run.results()
    assert result.win_shares() == run_duels(SMALL, crew, games=10, seed=3).win_shares()


@pytest.mark.parametrize("mode", ["solo", "duel"])
def test_the_files_are_the_same_whoever_plays_and_however_often_it_is_stopped(tmp_path, mode):
    design = Design({"small": SMALL}, {**CREW, "gives up": GivesUp()}, games=20, seed=3, mode=mode)
    run_design(design, tmp_path / "alone")
    run_design(design, tmp_path / "shared", workers=2)
    archive = Archive(tmp_path / "stopped", design)
    for first, games in [(4, 3), (0, 2), (11, 5)]:
        archive.add(play_batch(design, Batch(0, first, games)))
    assert not Run(tmp_path / "stopped").is_finished
    run_design(design, tmp_path / "stopped")
    digests = [rows_digest(tmp_path / name) for name in ("alone", "shared", "stopped")]
    assert digests[0] == digests[1] == digests[2]


DESIGN = """
placers = ["sequential"]
strategies = ["random-salvo", {label = "sniper", strategy = "test_naval_tournament:Sniper"}]
games = 6
seed = 9

[[rules]]
label = "tracks"
preset = "naval-bombardment"
board = "8x8"
ordinary_mines = 2
classes = [{name = "Boat", size = 2, count = 2, short = "Bt", gun_losses = [1, 2]}]

[[rules]]
label = "literal"
preset = "naval-bombardment"
board = "8x8"
identify = "literal"
ordinary_mines = 1
high_explosive_mines = 0
classes = [{name = "Boat", size = 2, count = 2, short = "Bt", gun_losses = [1, 2]}]
"""


def test_a_design_file_is_run_and_reported(tmp_path, capsys):
    path = tmp_path / "design.toml"
    path.write_text(DESIGN)
    assert main(["run", str(path), "--out", str(tmp_path / "run"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    tracks, literal = (result["rules"] for result in document["results"])
    assert (tracks["ordinary_mines"], tracks["high_explosive_mines"]) == (2, 4)
    assert (literal["ordinary_mines"], literal["high_explosive_mines"]) == (1, 0)
    assert (tracks["identify"], literal["identify"]) == ("tracks", "literal")
    assert [row["name"] for row in document["results"][0]["strategies"]] == [
        "random-salvo", "sniper",
    ]  # fmt: skip
    assert main(["report", str(tmp_path / "run")]) == 0
    assert "identify literal" in capsys.readouterr().out
    design = Design.read(path)
    again = Design.from_dict(json.loads(json.dumps(design.to_dict())))
    assert (again.rules, again.digest) == (design.rules, design.digest)
    run = Run(tmp_path / "run")
    assert run.design.rules == design.rules
    assert run.replay(3, "sniper", rules="literal").won
    assert {"means", "tracks--sequential-strategies"} <= set(Report(run).tables())
    written = {path.name for path in Report(run).write(tmp_path / "report")}
    assert "tracks--sequential-hits.png" in written


def test_it_plays_until_intervals_are_narrow_enough():
    stop = StoppingRule(2.5, 400, first=20)
    result = run_tournament(SMALL, ["random-salvo"], stop=stop, seed=1)
    assert result.games in list(stop.looks())
    assert result.mean("random-salvo").half_width <= 2.5


# Names.


@dataclass(frozen=True)
class Tuned:
    """A captain with parameters."""

    weight: float = 1.0
    placer: str = "sequential"


def test_a_captains_parameters_are_numbers_or_words():
    made = with_parameters("captain", "tuned", Tuned, ["weight=0.5", "placer=edge"])
    assert made == Tuned(0.5, "edge")
    for setting in ("weight=much", "placer=", "weight"):
        with pytest.raises(BattleshipError, match="not of the form PARAMETER=NUMBER"):
            with_parameters("captain", "tuned", Tuned, [setting])


def test_every_registered_captain_plays_by_its_name():
    for name in CAPTAINS:
        assert make_captain(name).name == name
    assert isinstance(make_captain("test_naval_tournament:Sniper"), Sniper)
    assert warmup(SMALL) > 0


def test_warming_up_plays_on_a_small_board_and_fires_one_salvo_under_the_rules(monkeypatch):
    choose, boards = RandomSalvo.choose, []

    def noted(self, state, rng):
        boards.append(state.rules.board.n_squares)
        return choose(self, state, rng)

    monkeypatch.setattr(RandomSalvo, "choose", noted)
    layouts = place_naval_arrays(NavalRules(), game_keys(1, 0, 2), "sequential")
    GAME.warm(NavalRules(), [RandomSalvo(), InOrder()], layouts, 1)
    assert boards[-1] == 400
    assert set(boards[:-1]) == {64}


def test_the_placer_is_uniform_where_there_is_one(monkeypatch):
    if "uniform" not in NAVAL_PLACERS:
        assert Design(SMALL).placers == ("sequential",)
    monkeypatch.setitem(NAVAL_PLACERS, "uniform", NAVAL_PLACERS["sequential"])
    assert Design(SMALL).placers == ("uniform",)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"strategies": ["density-of-nothing"]}, "unknown captain 'density-of-nothing'"),
        ({"strategies": ["hunt-target"]}, "unknown captain 'hunt-target'"),
        ({"strategies": ["random-salvo:power=3"]}, "captain 'random-salvo' has no parameter power"),
        ({"strategies": ["program:perl bot.pl"]}, "programs play ship bombing only"),
        ({"strategies": ["no_such_module:Me"]}, "captain 'no_such_module:Me' cannot be loaded"),
        ({"strategies": ["battleship_ai.naval:CAPTAINS"]}, "has no method choose\\(state, rng\\)"),
        ({"strategies": [42]}, "an object with a method choose\\(state, rng\\)"),
        ({"placers": "edge-of-nothing"}, "unknown placer 'edge-of-nothing'"),
        ({"luck_adjusted": True}, "luck_adjusted is for ship bombing"),
        ({"rules": {"a": SMALL, "b": Rules()}}, "'a' of Naval Bombardment and 'b' of ship bombing"),
        ({"rules": ["hasbro", "naval-bombardment"]}, "a tournament is of one game"),
        ({"rules": 42}, "rules has 42, which is no preset and no rule set"),
        ({"mode": "duel"}, "a duel needs two"),
    ],
)
def test_a_malformed_design_is_one_error(settings, message):
    with pytest.raises(BattleshipError, match=message):
        Design(**{"rules": SMALL, "strategies": ["random-salvo"], **settings})


def test_a_captain_does_not_play_ship_bombing():
    with pytest.raises(BattleshipError, match="unknown strategy 'random-salvo'"):
        Design("hasbro", ["random-salvo"])


@pytest.mark.parametrize("key", ["fleet", "shape", "identfy"])
def test_a_key_that_is_no_setting_of_the_game_is_one_error(tmp_path, key):
    path = tmp_path / "design.toml"
    path.write_text(f'rules = [{{label = "a", preset = "naval-bombardment", {key} = "any"}}]')
    with pytest.raises(BattleshipError, match=f"rules key '{key}'"):
        Design.read(path)


# The command line.


def test_the_command_line_prints_one_document(capsys):
    arguments = ["tournament", "--rules", "naval-bombardment", "--strategies", "random-salvo"]
    status = main([*arguments, "--games", "4", "--seed", "5", "--identify", "literal", "--json"])
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    document = json.loads(out)
    rules = NavalRules(identify="literal")
    assert document["rules"] == rules.to_dict()
    assert (document["games"], document["seed"]) == (4, 5)
    (row,) = document["strategies"]
    assert {"name", "games", "mean", "ci95", "sd", "median", "p95", "min", "max", "seconds",
            "games_per_second", "mean_salvos", "mean_salvos_ci95", "mean_mines",
            "mean_mines_ci95"} <= set(row)  # fmt: skip
    layouts = place_naval(rules, 4, placer=document["placer"], seed=5)
    keys = game_keys(key_of(5), 0, 4).tolist()
    matches = [
        play_solo_match(RandomSalvo(), layout, seed=key)
        for layout, key in zip(layouts, keys, strict=True)
    ]
    assert row["mean"] == np.mean([match.shots for match in matches])
    assert row["mean_salvos"] == np.mean([match.rounds for match in matches])
    assert row["mean_mines"] == np.mean([len(match.record.mines) for match in matches])


@pytest.mark.parametrize("rules", ["naval-bombardment", "pomcp"])
def test_the_command_line_prints_duels(capsys, tmp_path, rules):
    strategies = {"naval-bombardment": "random-salvo,battleship_ai.naval:RandomSalvo",
                  "pomcp": "random,density"}[rules]  # fmt: skip
    arguments = ["tournament", "--rules", rules, "--strategies", strategies, "--games", "4",
                 "--duel"]  # fmt: skip
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (pair,) = document["duels"]
    assert {"a", "b", "win_share", "ci95"} == set(pair)
    assert set(document["starter_advantage"]) == {"mean", "ci95"}
    assert main([*arguments, "--out", str(tmp_path / "run"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == document
    assert main(arguments) == 0
    assert "starter's advantage" in capsys.readouterr().out


def test_samples_are_layouts(capsys):
    arguments = ["sample", "--rules", "naval-bombardment", "--count", "2", "--seed", "3",
                 "--placer", "sequential"]  # fmt: skip
    assert main([*arguments, "--json"]) == 0
    rules = NavalRules()
    expected = place_naval(rules, 2, placer="sequential", seed=3)
    listed = json.loads(capsys.readouterr().out)
    assert [NavalLayout.from_dict(rules, layout) for layout in listed] == expected
    assert main(arguments) == 0
    pictures = capsys.readouterr().out.split("\n\n")
    assert [NavalLayout.parse(rules, picture) for picture in pictures] == expected


NAVAL = ["--rules", "naval-bombardment"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["count", *NAVAL], "`battleship-ai sample` draws layouts"),
        (["posterior", *NAVAL], "battleship_ai.naval.inference"),
        (["sample", *NAVAL, "--shape", "any"], "--shape is no setting of Naval Bombardment"),
        (["tournament", *NAVAL, "--fleet", "3,2"], "there are: --board, --identify"),
        (["tournament", *NAVAL, "--identify", "never"], "identify 'never' is not one of tracks"),
        (["tournament", "--identify", "tracks"], "--identify is no setting of ship bombing"),
        (["tournament", *NAVAL, "--luck-adjusted"], "luck_adjusted is for ship bombing"),
        (["tournament", "--duel", "--luck-adjusted"], "is for solo games"),
        (["tournament", *NAVAL, "--strategies", "program:perl"], "programs play ship bombing only"),
        (["tournament", *NAVAL, "--strategies", "desnity"], "unknown captain 'desnity'"),
        (["tournament", *NAVAL, "--placer", "nobody"], "unknown placer 'nobody'"),
        (["sample", *NAVAL, "--placer", "nobody"], "unknown placer 'nobody'"),
        (["sample", "--rules", "naval-bombing"], "did you mean 'naval-bombardment'?"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, arguments, message):
    status = main(arguments)
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err
