"""Tables: the same figures in every form, none of them lost or broken by its syntax."""

import csv
import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from battleship_ai.errors import DataError
from battleship_ai.statistics import Interval
from battleship_ai.tables import Table

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
