"""Whoever plays them, the games are the same: threads, processes, Dask, also when one dies."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from test_archive import SMALL, Slow, rows_digest

from battleship_ai import Design, Run, TournamentError, run_design, run_tournament
from battleship_ai.cli import main

DESIGN = Design(
    {"small": SMALL}, {"slow": Slow(), "density": "density", "exact": "exact"}, games=300, seed=5
)


class Hangs:
    def choose(self, record, rng):
        while True:
            time.sleep(0.01)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    directory = tmp_path_factory.mktemp("alone") / "run"
    run_design(DESIGN, directory)
    return rows_digest(directory)


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    from distributed import Client

    with Client(cluster) as client:
        yield client


def test_any_executor_plays_the_same_games(tmp_path, alone):
    with ThreadPoolExecutor(3) as threads:
        run_design(DESIGN, tmp_path / "run", executor=threads)
    assert rows_digest(tmp_path / "run") == alone


def test_a_strategy_that_hangs_in_a_thread_loses_too():
    with ThreadPoolExecutor(2) as threads:
        result = run_tournament(
            SMALL, {"hangs": Hangs(), "random": "random"}, games=2, executor=threads,
            game_seconds=0.2,
        )  # fmt: skip
    assert [f.message for f in result.failures["hangs"]] == [
        "TimeoutError: not done after 0.2 seconds"
    ] * 2


def test_a_time_limit_leaves_nothing_behind_in_its_thread():
    with ThreadPoolExecutor(1) as threads:
        run_tournament(SMALL, {"slow": Slow()}, games=20, executor=threads, game_seconds=5)
        before = threading.active_count()
        assert threads.submit(lambda: sum(range(10**6))).result() == 499999500000
        assert threading.active_count() == before


class PlaysAlone:
    """Raises if another game of this process is played at the same time."""

    playing = 0

    def choose(self, record, rng):
        PlaysAlone.playing += 1
        time.sleep(0.001)
        assert PlaysAlone.playing == 1
        PlaysAlone.playing -= 1
        return record.unasked[0]


def test_threads_play_in_turn_since_beliefs_share_their_arrays():
    with ThreadPoolExecutor(3) as threads:
        result = run_tournament(SMALL, {"alone": PlaysAlone()}, games=30, executor=threads)
    assert not result.failures


def test_dask_plays_the_same_games(tmp_path, alone, client):
    run_design(DESIGN, tmp_path / "run", executor=client)
    assert rows_digest(tmp_path / "run") == alone


def test_dask_plays_on_when_a_worker_is_killed(tmp_path, alone, client):
    victim = next(iter(client.run(os.getpid).values()))
    killer = threading.Timer(0.3, os.kill, (victim, signal.SIGKILL))
    killer.start()
    run_design(DESIGN, tmp_path / "run", executor=client)
    killer.join()
    assert rows_digest(tmp_path / "run") == alone
    assert victim not in client.run(os.getpid).values()


def test_the_command_line_finds_a_cluster(tmp_path, cluster, capsys):
    design = tmp_path / "design.toml"
    design.write_text('rules = [{label = "s", board = "4x4", fleet = [3, 2]}]\ngames = 20\n')
    arguments = ["run", str(design), "--out"]
    assert main([*arguments, str(tmp_path / "a"), "--dask", cluster.scheduler_address]) == 0
    assert main([*arguments, str(tmp_path / "b")]) == 0
    assert rows_digest(tmp_path / "a") == rows_digest(tmp_path / "b")
    assert main([*arguments, str(tmp_path / "c"), "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "no Dask scheduler at 'tcp://127.0.0.1:1'" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()


class EndsTheProcessOnce:
    """Ends its process in one game of some thousands: with seed 3 in the 2407th."""

    def choose(self, record, rng):
        if rng.random() < 0.00003:
            os._exit(3)
        return record.unasked[0]


def test_what_was_played_before_a_worker_died_is_kept(tmp_path):
    design = Design({"small": SMALL}, {"ends": EndsTheProcessOnce()}, games=4000, seed=3)
    with pytest.raises(TournamentError, match="a worker process died"):
        run_design(design, tmp_path / "run", workers=2)
    (result,) = Run(tmp_path / "run").results()
    assert 0 < result.games < 4000


@pytest.mark.parametrize("workers", [0, -1, 1.5, True])
def test_workers_are_a_positive_number(tmp_path, workers):
    with pytest.raises(TournamentError, match=f"workers {workers} is not an integer of at least"):
        run_design(DESIGN, tmp_path / "run", workers=workers)
    assert not (tmp_path / "run").exists()
