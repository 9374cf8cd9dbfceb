"""Reports: a run's tables and figures, for the terminal and for papers."""

import csv
import json

import numpy as np
import pytest

from battleship_ai import Design, Rules, TournamentError, run_design, run_tournament
from battleship_ai.cli import main
from battleship_ai.statistics import Moments, independent_difference, mean_interval
from battleship_ai.tournament import Report
from battleship_ai.tournament.archive import Archive
from battleship_ai.tournament.run import Run

SMALL = Rules(board=(5, 5), fleet=(3, 2))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    design = Design(
        {"small": SMALL, "pomcp": "pomcp"}, ["random", "density"], games=40, seed=2,
        placers=["uniform", "edge"],
    )  # fmt: skip
    return run_design(design, tmp_path_factory.mktemp("report") / "run")


@pytest.fixture(scope="module")
def duels(tmp_path_factory):
    design = Design(
        {"small": SMALL, "pomcp": "pomcp"}, ["random", "hunt-target", "density"], mode="duel",
        games=40, seed=2,
    )  # fmt: skip
    return run_design(design, tmp_path_factory.mktemp("report") / "run")


def shots(run, rules, placer, strategy):
    frame = run.to_pandas()
    chosen = (frame.rules == rules) & (frame.placer == placer) & (frame.strategy == strategy)
    return frame[chosen].shots.to_numpy()


def test_the_means_are_those_of_the_rows(run):
    table = Report(run).tables()["means"]
    pools = ["small, uniform", "small, edge", "pomcp, uniform", "pomcp, edge"]
    assert list(table.header) == ["mean shots", *pools]
    for row in table.rows:
        for pool, interval in zip(pools, row[1:], strict=True):
            expected = mean_interval(shots(run, *pool.split(", "), row[0]))
            assert interval == pytest.approx(expected)


def test_what_a_placer_does_is_a_difference_of_independent_games(run):
    table = Report(run).tables()["placers"]
    assert list(table.header) == ["rules", "strategy", "edge - uniform"]
    assert [row[:2] for row in table.rows] == [
        ["small", "random"], ["small", "density"], ["pomcp", "random"], ["pomcp", "density"],
    ]  # fmt: skip
    for rules, strategy, difference in table.rows:
        edge, uniform = (shots(run, rules, placer, strategy) for placer in ("edge", "uniform"))
        expected = independent_difference(Moments.of(edge), Moments.of(uniform))
        assert difference == pytest.approx(expected)


def test_each_pool_has_its_two_tables(run):
    tables = Report(run).tables()
    assert {
        "small--edge-strategies",
        "small--edge-differences",
        "pomcp--uniform-strategies",
    } <= set(tables)
    assert tables["small--edge-strategies"].rows[1][0] == "density"


def test_every_table_and_figure_is_written(run, tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    written = Report(run).write(tmp_path)
    names = {path.name for path in written}
    assert all(path.stat().st_size > 0 for path in written)
    for table in ("means", "placers", "small--edge-differences"):
        assert {f"{table}.md", f"{table}.tex", f"{table}.csv"} <= names
    for figure in ("means", "small--edge-ecdf", "small--edge-distribution", "small--edge-hits",
                   "pomcp--uniform-differences"):  # fmt: skip
        assert {f"{figure}.png", f"{figure}.pdf"} <= names
    with (tmp_path / "means.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["small, uniform"]) == pytest.approx(
        shots(run, "small", "uniform", "random").mean()
    )


def test_the_hits_of_a_figure_are_those_of_the_games(run):
    hits = run.hits(0)
    played = run_tournament(SMALL, ["random", "density"], games=40, seed=2)
    for label in ("random", "density"):
        assert (hits[label] == played.hits[label]).all()


def test_duels_are_reported_by_wins_and_ranking(duels):
    report = Report(duels)
    tables = report.tables()
    frame = duels.to_pandas()
    rows = frame[(frame.rules == "small") & (frame["first"] == "random")]
    rows = rows[rows.second == "density"]
    wins = tables["small--uniform-wins"].rows
    assert wins[0][3].mean == pytest.approx(100 * (rows.winner == 0).mean())
    assert wins[2][1].mean == pytest.approx(100 * (rows.winner == 1).mean())
    assert wins[1][2] is None
    assert "% won against" in str(report)
    assert list(tables["rankings"].header) == ["Elo", "small", "pomcp"]
    assert not list(report.figures())


def test_a_league_in_which_one_loses_every_duel_has_no_elo_but_a_report(tmp_path):
    design = Design("hasbro", ["random", "density"], mode="duel", games=20)
    report = Report(run_design(design, tmp_path / "run"))
    assert "ranking" not in " ".join(report.tables())
    assert report.to_dict()["results"][0]["ranking"] == []


def test_nothing_played_is_nothing_to_report(tmp_path):
    Archive(tmp_path / "run", Design(SMALL, ["random"]))
    with pytest.raises(TournamentError, match="no game yet"):
        Report(Run(tmp_path / "run"))


@pytest.fixture
def design_file(tmp_path):
    path = tmp_path / "design.toml"
    path.write_text('rules = ["pomcp"]\nstrategies = ["random", "density"]\ngames = 30\nseed = 4\n')
    return path


def test_run_and_report_say_the_same(design_file, tmp_path, capsys):
    out = str(tmp_path / "out")
    assert main(["run", str(design_file), "--out", out]) == 0
    said = capsys.readouterr().out
    assert main(["report", out]) == 0
    assert capsys.readouterr().out == said
    assert "30 games each on the same layouts, placer uniform, seed 4" in said


def test_json_has_the_figures_of_every_pool(design_file, tmp_path, capsys):
    out = str(tmp_path / "out")
    assert main(["run", str(design_file), "--out", out, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["finished"] is True
    assert document["design"]["seed"] == 4
    (result,) = document["results"]
    played = run_tournament("pomcp", ["random", "density"], games=30, seed=4)
    assert result["strategies"][1]["mean"] == pytest.approx(np.mean(played.shots["density"]))


def test_export_writes_beside_the_games(design_file, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["run", str(design_file), "--out", str(out), "--export"]) == 0
    assert (out / "report" / "pomcp--uniform-strategies.tex").read_text().startswith(r"\begin{tab")
    assert "files in" in capsys.readouterr().err


def test_a_tournament_keeps_its_games_where_it_is_told(tmp_path, capsys):
    arguments = ["tournament", "--rules", "pomcp", "--strategies", "density", "--games", "12"]
    assert main([*arguments, "--out", str(tmp_path / "out"), "--json"]) == 0
    kept = json.loads(capsys.readouterr().out)
    assert main([*arguments, "--json"]) == 0
    played = json.loads(capsys.readouterr().out)
    assert kept["strategies"][0]["mean"] == played["strategies"][0]["mean"]
    assert Run(tmp_path / "out").to_pandas().shots.mean() == played["strategies"][0]["mean"]
    assert main([*arguments, "--seed", "9", "--out", str(tmp_path / "out")]) == 2
    assert "belongs to another design: its seed is 0, not 9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "none.toml", "--out", "out"], "'none.toml' does not exist"),
        (["run", "{design}"], "Missing option '--out'"),
        (["report", "none"], "'none' does not exist"),
        (["report", "."], "holds no games"),
    ],
)
def test_bad_input_is_one_line(design_file, tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert main([argument.format(design=design_file) for argument in arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert len(said.err.splitlines()) == 1
