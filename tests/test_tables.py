"""Tables: the same figures in every form, none of them lost or broken by its syntax."""

import csv
import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from battleship_ai.errors import DataError
from battleship_ai.rules import Rules
from battleship_ai.statistics import Interval
from battleship_ai.tables import Table
from battleship_ai.tournament import Failure, TournamentResult

DENSITY = Interval(44.38, 44.26, 44.5)
LOPSIDED = Interval(0.5, 0.25, 0.625)
TABLE = Table(
    ["strategy", "mean shots", "games"],
    [["density", DENSITY, 20000], ["a_b & c|d", LOPSIDED, None]],
    caption="Hasbro, 5% of games",
    formats={"games": ",d"},
)


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def test_text_aligns_words_left_and_numbers_right():
    assert TABLE.text() == (
        "Hasbro, 5% of games\n"
        "\n"
        "strategy             mean shots    games\n"
        "----------  -------------------  -------\n"
        "density            44.38 ± 0.12   20,000\n"
        "a_b & c|d   0.50 (0.25 to 0.62)        -"
    )


def test_markdown_keeps_a_pipe_in_its_cell():
    assert TABLE.markdown() == (
        "Hasbro, 5% of games\n"
        "\n"
        "| strategy   |          mean shots |   games |\n"
        "|:-----------|--------------------:|--------:|\n"
        "| density    |        44.38 ± 0.12 |  20,000 |\n"
        "| a_b & c\\|d | 0.50 (0.25 to 0.62) |       - |"
    )


def test_latex_sets_numbers_as_math_and_escapes_words():
    assert [" ".join(line.split()) for line in TABLE.latex().splitlines()] == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Hasbro, 5\% of games}",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"strategy & mean shots & games \\",
        r"\midrule",
        r"density & $44.38 \pm 0.12$ & $20{,}000$ \\",
        r"a\_b \& c|d & $0.50 (0.25$ to $0.62)$ & - \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_latex_without_a_caption_is_a_bare_tabular():
    latex = Table(["a"], [[1]]).latex()
    assert latex.startswith(r"\begin{tabular}{r}")
    assert latex.endswith(r"\end{tabular}")


def test_latex_escapes_every_special_character():
    row = Table(["a"], [[r"\ { } $ & # ^ _ ~ %"]]).latex().splitlines()[4]
    assert row.split(r" \\")[0].split() == [
        r"\textbackslash{}", r"\{", r"\}", r"\$", r"\&", r"\#", r"\^{}", r"\_",
        r"\textasciitilde{}", r"\%",
    ]  # fmt: skip


def test_csv_keeps_every_digit_and_both_ends_of_an_interval():
    third = Interval(1 / 3, -0.1, 2 / 3)
    table = Table(["name", "mean", "n"], [['say "x, y"', third, 7], ["b", None, np.float64(0.1)]])
    header, first, second = rows_of(table.csv())
    assert header == ["name", "mean", "mean low", "mean high", "n"]
    assert first[0] == 'say "x, y"'
    assert Interval(*map(float, first[1:4])) == third
    assert first[4] == "7"
    assert second == ["b", "", "", "", "0.1"]


def test_csv_has_as_many_cells_in_a_row_without_an_interval():
    assert rows_of(Table(["m"], [[DENSITY], [1.5]]).csv())[2] == ["1.5", "", ""]


def test_html_has_each_cell_escaped():
    html = Table(["<a>"], [["<b> & c"], [DENSITY]], caption="x < y").html()
    table = ET.fromstring(html)
    assert table.findtext("caption") == "x < y"
    assert [cell.text.strip() for cell in table.iter("th")] == ["<a>"]
    assert [cell.text.strip() for cell in table.iter("td")] == ["<b> & c", "44.38 ± 0.12"]
    assert ET.fromstring(Table(["a"], [["b"]])._repr_html_()).find("caption") is None


def test_an_interval_without_bounds_says_so():
    assert "3.00 ± ∞" in Table(["m"], [[Interval(3, -np.inf, np.inf)]]).text()
    assert r"$3.00 \pm \infty$" in Table(["m"], [[Interval(3, -np.inf, np.inf)]]).latex()


def test_a_format_holds_for_the_numbers_of_its_column_only():
    table = Table(["d", "e"], [[Interval(0.5, 0.25, 0.75), 0.5]], formats={"d": "+.1f"})
    assert table.text().splitlines()[-1].split("  ") == ["+0.5 ± 0.2", "0.50"]


def test_an_empty_table_keeps_its_header():
    table = Table(["a", "b"], [])
    assert rows_of(table.csv()) == [["a", "b"]]
    assert table.markdown().startswith("| a")


def test_a_row_of_the_wrong_length_is_one_error():
    with pytest.raises(DataError, match="row 2 has 1 cells; the header has 2"):
        Table(["a", "b"], [[1, 2], [3]])


RESULT = TournamentResult(
    Rules.preset("hasbro"),
    "uniform",
    3,
    {"first": np.array([40, 44, 48]), "second": np.array([41, 200, 200])},
    {"first": 0.001, "second": 0.0},
    0.0,
    {"second": [Failure(1, "Oops: <b>"), Failure(2, "Oops")]},
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
        "paired difference          mean shots\n"
        "-------------------  ----------------\n"
        "first - second       -103.00 ± 219.49\n"
        "\n"
        "second lost game 1: Oops: <b>\n"
        "second lost game 2: Oops"
    )


def test_a_tournament_shows_the_same_in_a_notebook():
    html = ET.fromstring(f"<div>{RESULT._repr_html_()}</div>")
    assert [child.tag for child in html] == ["p", "table", "table", "p"]
    assert html[0].text.startswith("10x10 board, fleet 5,4,3,3,2")
    assert html[3].text == "second lost game 1: Oops: <b>\nsecond lost game 2: Oops"
    difference = RESULT.comparisons()[0].difference
    assert html[2][1][0][1].text.strip() == f"{difference.mean:+.2f} ± {difference.half_width:.2f}"


def test_the_tables_of_a_tournament_have_its_figures():
    figures, differences = (rows_of(table.csv()) for table in RESULT.tables())
    summary = RESULT.summaries()[0]
    row = dict(zip(figures[0], figures[1], strict=True))
    assert row["strategy"] == "first"
    assert [float(row[f"mean shots{end}"]) for end in ("", " low", " high")] == [*summary.interval]
    assert float(row["sd"]) == summary.sd
    assert (row["median"], row["p95"]) == (str(summary.median), str(summary.p95))
    assert (row["min"], row["max"], row["lost"]) == ("40", "48", "0")
    assert float(row["games/s"]) == pytest.approx(3000)
    assert figures[2][-2:] == ["", "2"]
    assert differences[1][0] == "first - second"


def test_one_strategy_alone_has_no_differences():
    alone = TournamentResult(Rules(), "uniform", 0, {"a": np.array([9])}, {"a": 1.0}, 0.0)
    assert len(alone.tables()) == 1
    assert "9.00 ± ∞" in str(alone)
