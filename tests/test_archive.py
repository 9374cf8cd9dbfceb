"""Results on disk: safe against being killed, the same whoever plays, never mixed up."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from battleship_ai import (
    Design,
    Rules,
    Run,
    StoppingRule,
    TournamentError,
    run_design,
    run_tournament,
)
from battleship_ai.tournament.archive import Archive
from battleship_ai.tournament.batches import Batch
from battleship_ai.tournament.playing import play_batch

SMALL = Rules(board=(4, 4), fleet=(3, 2))


class Slow:
    """Takes its time, so that a run can be caught in the middle."""

    def choose(self, record, rng):
        time.sleep(0.0005)
        return record.unasked[0]


class GivesUp:
    def choose(self, record, rng):
        if record.misses and len(record) > 3:
            raise RuntimeError("lost the plot")
        return record.unasked[0]


def rows_digest(directory):
    files = sorted((Path(directory) / "games").iterdir())
    assert files
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture
def design():
    return Design(
        {"small": SMALL, "hasbro": Rules.preset("hasbro", fleet=(4, 3))},
        {"random": "random", "density": "density", "gives up": GivesUp()},
        placers=["uniform", "edge"], games=60, seed=3, keep_shots=True,
    )  # fmt: skip


def test_the_rows_are_the_games(tmp_path, design):
    run = run_design(design, tmp_path / "run")
    frame = run.to_pandas()
    assert len(frame) == 2 * 2 * 3 * 60
    for rules in design.rules:
        for placer in design.placers:
            played = run_tournament(
                design.rules[rules], design.strategies, games=60, seed=3, placer=placer
            )
            for label in design.strategies:
                rows = frame[
                    (frame.rules == rules) & (frame.placer == placer) & (frame.strategy == label)
                ]
                assert rows.game.tolist() == list(range(60))
                assert rows.shots.tolist() == played.shots[label].tolist()
                lost = {failure.game: failure.message for failure in played.failures.get(label, [])}
                assert dict(rows.message.dropna().reset_index(drop=True).items()) == dict(
                    enumerate(lost.values())
                )
                assert set(rows.game[rows.outcome == "failed"]) == set(lost)
                for hits, expected in zip(rows.hits, played.hits[label], strict=True):
                    assert hits.tolist() == expected[expected > 0].tolist()


def test_pandas_and_polars_read_the_same(tmp_path, design):
    run = run_design(design, tmp_path / "run")
    pandas, polars = run.to_pandas(), run.to_polars()
    assert polars["shots"].to_list() == pandas["shots"].tolist()
    assert polars["strategy"].cast(str).to_list() == pandas["strategy"].tolist()
    assert [list(h) for h in polars["hits"]] == [list(h) for h in pandas["hits"]]


def test_any_game_can_be_replayed(tmp_path, design):
    run = run_design(design, tmp_path / "run")
    frame = run.to_pandas()
    for row in frame.sample(25, random_state=1).itertuples():
        game = run.replay(row.game, row.strategy, rules=row.rules, placer=row.placer, design=design)
        assert game.won == (row.outcome == "won")
        assert [shot.square for shot in game.record] == list(row.squares)
        if game.won:
            assert game.shots == row.shots


def test_what_cannot_be_replayed(tmp_path, design):
    run = run_design(design, tmp_path / "run")
    with pytest.raises(TournamentError, match="'gives up' was an object test_archive:GivesUp"):
        Run(tmp_path / "run").replay(0, "density", rules="small", placer="edge")
    with pytest.raises(TournamentError, match="game 60 is not one of the 60"):
        run.replay(60, "density", rules="small", placer="edge", design=design)
    with pytest.raises(TournamentError, match="do not name one of: small--uniform, small--edge"):
        run.replay(0, "density", rules="small", design=design)
    with pytest.raises(ValueError, match="unknown strategy 'dense'"):
        run.replay(0, "dense", rules="small", placer="edge", design=design)


@pytest.mark.parametrize("workers", [2, 3])
def test_the_files_do_not_depend_on_the_number_of_workers(tmp_path, design, workers):
    run_design(design, tmp_path / "alone")
    run_design(design, tmp_path / "shared", workers=workers)
    assert rows_digest(tmp_path / "alone") == rows_digest(tmp_path / "shared")


def test_a_finished_run_is_not_played_again(tmp_path, design):
    run_design(design, tmp_path / "run")
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "games").iterdir()}
    run_design(design, tmp_path / "run")
    assert files == {path: path.stat().st_mtime_ns for path in files}
    assert not list((tmp_path / "run" / "parts").iterdir())


PLAY = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from battleship_ai import Design, run_design
from test_archive import SMALL, Slow
design = Design({{"small": SMALL}}, {{"slow": Slow(), "random": "random"}}, games=400, seed=5)
run_design(design, sys.argv[1], workers=int(sys.argv[2]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_killed_goes_on_to_the_same_rows(tmp_path, workers):
    def start(directory):
        return subprocess.Popen(
            [sys.executable, "-c", PLAY, str(directory), str(workers)], start_new_session=True
        )

    assert start(tmp_path / "whole").wait(timeout=120) == 0
    chance = random.Random(workers)
    kills, caught = 0, 0
    while kills < 10:
        process = start(tmp_path / "killed")
        parts = tmp_path / "killed" / "parts"
        before = len(list(parts.glob("*.parquet"))) if parts.exists() else 0
        until = time.monotonic() + chance.uniform(0.0, 1.0)
        while process.poll() is None and (
            time.monotonic() < until or not (parts.exists() and len(list(parts.iterdir())) > before)
        ):
            time.sleep(0.01)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            caught += 1
        process.wait()
        kills += 1
    assert caught >= 3, "the run was over too soon to be killed"
    assert start(tmp_path / "killed").wait(timeout=120) == 0
    assert rows_digest(tmp_path / "killed") == rows_digest(tmp_path / "whole")


def test_a_file_that_was_not_finished_counts_for_nothing(tmp_path, design):
    run_design(design, tmp_path / "run")
    whole = rows_digest(tmp_path / "run")
    victim = tmp_path / "run" / "games" / "small--edge.parquet"
    victim.rename(victim.with_suffix(".unfinished"))
    (tmp_path / "run" / "parts" / "001-000000000000-000000000004.unfinished").write_bytes(b"PAR1")
    run_design(design, tmp_path / "run")
    victim.with_suffix(".unfinished").unlink(missing_ok=True)
    assert rows_digest(tmp_path / "run") == whole


def test_a_run_that_was_killed_before_it_had_a_manifest_begins_anew(tmp_path, design):
    run_design(design, tmp_path / "whole")
    (tmp_path / "run" / "games").mkdir(parents=True)
    (tmp_path / "run" / "manifest.unfinished").write_text('{"format"')
    run_design(design, tmp_path / "run")
    assert rows_digest(tmp_path / "run") == rows_digest(tmp_path / "whole")


@pytest.mark.parametrize(
    ("change", "message"),
    [({"seed": 4}, "its seed is 3, not 4"), ({"games": 61}, "its games is 60, not 61"),
     ({"strategies": ["random"]}, "its strategies is")],
)  # fmt: skip
def test_a_directory_of_another_design_is_refused(tmp_path, design, change, message):
    run_design(design, tmp_path / "run")
    before = rows_digest(tmp_path / "run")
    settings = {
        "rules": design.rules, "strategies": design.strategies, "placers": design.placers,
        "games": 60, "seed": 3, "keep_shots": True,
    }  # fmt: skip
    with pytest.raises(TournamentError, match=f"belongs to another design: {message}"):
        run_design(Design(**{**settings, **change}), tmp_path / "run")
    assert rows_digest(tmp_path / "run") == before


def test_a_directory_of_other_code_is_refused(tmp_path, design):
    run_design(design, tmp_path / "run")
    path = tmp_path / "run" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "code": "0123"}))
    with pytest.raises(TournamentError, match="begun with other code"):
        run_design(design, tmp_path / "run")
    assert Run(tmp_path / "run").is_finished, "to read it is no harm"


def test_directories_that_are_none_of_a_run(tmp_path, design):
    with pytest.raises(TournamentError, match="holds no games"):
        Run(tmp_path)
    (tmp_path / "thesis.tex").write_text("dear")
    with pytest.raises(TournamentError, match="is not the directory of a run"):
        run_design(design, tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(TournamentError, match="damaged"):
        Run(tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "dear"


def test_two_processes_do_not_play_into_one_directory(tmp_path, design):
    archive = Archive(tmp_path / "run", design)
    with archive.locked(), pytest.raises(TournamentError, match="another process is playing"):
        run_design(design, tmp_path / "run")


def test_a_run_that_is_not_finished_can_be_reported(tmp_path, design):
    archive = Archive(tmp_path / "run", design)
    for first, games in [(0, 5), (9, 3), (5, 2)]:
        archive.add(play_batch(design, Batch(0, first, games)))
    run = Run(tmp_path / "run")
    assert not run.is_finished
    (result,) = run.results()
    assert result.games == 7, "those without a gap"
    run_design(design, tmp_path / "run")
    run_design(design, tmp_path / "whole")
    assert rows_digest(tmp_path / "run") == rows_digest(tmp_path / "whole")


def test_duels_are_rows_too(tmp_path):
    design = Design(
        SMALL, {"random": "random", "density": "density", "gives up": GivesUp()}, mode="duel",
        games=40, seed=2,
    )  # fmt: skip
    run = run_design(design, tmp_path / "run")
    run_design(design, tmp_path / "shared", workers=2)
    assert rows_digest(tmp_path / "run") == rows_digest(tmp_path / "shared")
    frame = run.to_pandas()
    assert len(frame) == 3 * 40
    (result,) = run.results()
    for (a, b), wins in result.tally.wins.items():
        rows = frame[(frame["first"] == a) & (frame["second"] == b)]
        assert wins == (rows.winner == 0).sum()
        assert rows.starter.tolist() == [0, 1] * 20
        for row in rows[::9].itertuples():
            duel = run.replay(row.game, a, b, design=design)
            assert duel.winner == row.winner
            assert [len(duel.record(p)) for p in (0, 1)] == [row.shots_first, row.shots_second]


def test_the_seconds_spent_are_kept_apart_from_the_rows(tmp_path, design):
    run = run_design(design, tmp_path / "run")
    for result in run.results():
        assert set(result.seconds) == set(design.strategies)
        assert all(seconds > 0 for seconds in result.seconds.values())
    assert not {"seconds", "time"} & set(run.table().schema.names)


def test_many_games_do_not_stay_in_memory(tmp_path):
    """What is held of a run that grows is the games in flight, not those that were played."""
    design = Design({"tiny": Rules(board=(2, 2), fleet=(1,))}, ["random"], games=400_000)
    archive = Archive(tmp_path / "run", design)
    for first in range(0, 400_000, 100_000):
        archive.add(play_batch(design, Batch(0, first, 100_000)))
    sizes = [table.num_rows for table in archive.chunks(0)]
    assert sum(sizes) == 400_000
    assert max(sizes) <= 2**17
    archive.finish(0, 400_000)
    games = np.concatenate([table["game"].to_numpy() for table in archive.chunks(0)])
    assert (games == np.arange(400_000)).all()


def test_luck_is_a_column_and_the_report_stands_on_it(tmp_path):
    design = Design(
        {"small": SMALL}, ["density", "hunt-target"], seed=4, luck_adjusted=True,
        stop=StoppingRule(0.15, 2000, first=40),
    )  # fmt: skip
    run = run_design(design, tmp_path / "run")
    run_design(design, tmp_path / "shared", workers=2)
    assert rows_digest(tmp_path / "run") == rows_digest(tmp_path / "shared")
    (result,) = run.results()
    played = run_tournament(
        SMALL, ["density", "hunt-target"], games=result.games, seed=4, luck_adjusted=True
    )
    frame = run.to_pandas()
    for name in ("density", "hunt-target"):
        assert frame.luck[frame.strategy == name].tolist() == played.luck[name].tolist()
    (pair,) = result.adjusted_comparisons()
    assert pair.difference.half_width <= 0.15
    assert pair.difference == pytest.approx(played.adjusted_comparisons()[0].difference)
