"""What a tournament prints, and what a notebook shows of it."""

import csv
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from battleship_ai import Rules
from battleship_ai.tournament import Failure, SoloResult
from battleship_ai.tournament.tally import SoloTally


def result_of(shots, luck=None, failures=None):
    tally = SoloTally(list(shots), 200)
    tally.add({name: np.array(values) for name, values in shots.items()}, luck)
    return SoloResult(
        rules_name="hasbro", rules=Rules.preset("hasbro"), placer="uniform", seed=3, tally=tally,
        seconds={name: 0.001 * (i == 0) for i, name in enumerate(shots)},
        failures=failures or {}, lost={name: len(lost) for name, lost in (failures or {}).items()},
    )  # fmt: skip


RESULT = result_of(
    {"first": [40, 44, 48], "second": [41, 200, 200]},
    failures={"second": [Failure(1, "Oops: <b>"), Failure(2, "Oops")]},
)


def test_a_tournament_prints_its_tables():
    assert str(RESULT) == (
        "10x10 board, fleet 5,4,3,3,2, straight, contact allowed, announce sunk-size\n"
        "3 games each on the same layouts, placer uniform, seed 3; means with 95% intervals\n"
        "\n"
        "strategy         mean shots     sd    median    p95    min    max    games/s    lost\n"
        "----------  ---------------  -----  --------  -----  -----  -----  ---------  ------\n"
        "first          44.00 ± 9.94   4.00        44   47.6     40     48      3,000       0\n"
        "second      147.00 ± 228.04  91.80       200    200     41    200          -       2\n"
        "\n"
        "paired difference          mean shots    effect size  p (Holm)\n"
        "-------------------  ----------------  -------------  ----------\n"
        "first - second       -103.00 ± 219.49          -1.17  0.181\n"
        "second lost game 1: Oops: <b>\n"
        "second lost game 2: Oops"
    )


def test_a_notebook_shows_the_same():
    html = ET.fromstring(f"<div>{RESULT._repr_html_()}</div>")
    assert [child.tag for child in html] == ["p", "table", "table", "p"]
    assert html[0].text.startswith("10x10 board, fleet 5,4,3,3,2")
    assert html[3].text == "second lost game 1: Oops: <b>\nsecond lost game 2: Oops"
    difference = RESULT.comparisons()[0].difference
    assert html[2][1][0][1].text.strip() == f"{difference.mean:+.2f} ± {difference.half_width:.2f}"


def test_the_tables_have_the_figures():
    tables = RESULT.tables()
    figures = list(csv.DictReader(tables["strategies"].csv().splitlines()))
    differences = list(csv.DictReader(tables["differences"].csv().splitlines()))
    row, summary = figures[0], RESULT.summaries()[0]
    assert row["strategy"] == "first"
    assert [float(row[f"mean shots{end}"]) for end in ("", " low", " high")] == [*summary.mean]
    assert float(row["sd"]) == summary.sd == 4.0
    assert (row["median"], row["p95"]) == ("44.0", str(summary.p95))
    assert (row["min"], row["max"], row["lost"]) == ("40", "48", "0")
    assert float(row["games/s"]) == pytest.approx(3000)
    assert (figures[1]["games/s"], figures[1]["lost"]) == ("", "2")
    assert differences[0]["paired difference"] == "first - second"


def test_one_strategy_alone_has_no_differences():
    alone = result_of({"a": [9]})
    assert list(alone.tables()) == ["strategies"]
    assert "9.00 ± ∞" in str(alone)


def test_shots_less_luck_stand_beside_the_raw():
    shots = {"a": [40, 50, 60, 41], "b": [45, 49, 58, 50]}
    luck = {"a": np.array([-6.0, 4.0, 12.5, -5.5]), "b": np.array([-4.0, 1.0, 8.0, 0.5])}
    result = result_of(shots, luck)
    a, b = result.summaries()
    assert a.mean.mean == 47.75
    assert (a.adjusted.mean, b.adjusted.mean) == (46.5, 49.125)
    assert a.adjusted_sd == pytest.approx(np.std([46, 46, 47.5, 46.5], ddof=1))
    (raw,), (less,) = result.comparisons(), result.adjusted_comparisons()
    assert (raw.difference.mean, less.difference.mean) == (-2.75, -2.625)
    assert less.difference.half_width < raw.difference.half_width
    assert list(result.tables()["strategies"].header)[:4] == [
        "strategy", "mean shots", "less luck", "sd less luck",
    ]  # fmt: skip
    assert result.to_dict()["strategies"][0]["luck_adjusted"]["mean"] == 46.5
    assert result.mean("a").mean == 46.5


def test_tallies_of_parts_add_up():
    whole, parts = SoloTally(["a", "b"], 50), SoloTally(["a", "b"], 50)
    shots = {name: np.random.default_rng(i).integers(10, 50, 90) for i, name in enumerate("ab")}
    luck = {name: np.random.default_rng(i).normal(size=90) for i, name in enumerate("ab")}
    whole.add(shots, luck)
    for part in (slice(0, 7), slice(7, 60), slice(60, 90)):
        parts.add({k: v[part] for k, v in shots.items()}, {k: v[part] for k, v in luck.items()})
    for name in "ab":
        assert (whole.counts[name] == parts.counts[name]).all()
        assert (whole.counts[name] == np.bincount(shots[name], minlength=51)).all()
        assert whole.adjusted[name].sd == pytest.approx(parts.adjusted[name].sd)
    assert whole.raw_paired() == parts.raw_paired()
    assert whole.raw_paired()["a", "b"].mean == pytest.approx((shots["a"] - shots["b"]).mean())
    assert whole.paired()["a", "b"].mean == pytest.approx(
        (shots["a"] - luck["a"] - shots["b"] + luck["b"]).mean()
    )
