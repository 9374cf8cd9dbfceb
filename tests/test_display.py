"""What notebooks show: boards as pictures that can be read without colour."""

import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest

from battleship_ai import Board, Layout, Record, Rules, place
from battleship_ai.errors import DataError
from battleship_ai.plotting import show_probabilities

SVG = "{http://www.w3.org/2000/svg}"
RULES = Rules(board=(4, 5), fleet=(3, 2))


def squares_of(svg):
    """By square name: the kind, what the pointer is told, and the text shown or None."""
    return {
        group.findtext(f"{SVG}title").split(":")[0]: (
            group.get("class"),
            group.findtext(f"{SVG}title").partition(": ")[2],
            group.findtext(f"{SVG}text"),
        )
        for group in ET.fromstring(svg).iter(f"{SVG}g")
    }


def names_of(svg):
    return [text.text for text in ET.fromstring(svg).findall(f"{SVG}text")]


def test_a_layout_shows_the_letter_of_each_ship_on_its_squares():
    layout = Layout.parse(RULES, "a0-a2, c4-d4")
    assert squares_of(layout._repr_svg_()) == {
        "a0": ("ship", "ship A", "A"),
        "a1": ("ship", "ship A", "A"),
        "a2": ("ship", "ship A", "A"),
        "c4": ("ship", "ship B", "B"),
        "d4": ("ship", "ship B", "B"),
    }


def test_every_ship_square_of_a_large_fleet_is_there_once():
    (layout,) = place(Rules.preset("ship-bombing-any"), seed=5)
    drawn = squares_of(layout._repr_svg_())
    assert sorted(map(layout.rules.board.square, drawn)) == sorted(layout.squares)


def test_rows_and_columns_have_the_names_of_the_notation():
    (layout,) = place(RULES, seed=1)
    assert names_of(layout._repr_svg_()) == ["0", "1", "2", "3", "4", "a", "b", "c", "d"]
    record = Record(Rules(board=Board(2, 3, "A1"), fleet=(1,)))
    assert names_of(record._repr_svg_()) == ["1", "2", "3", "A", "B"]


def test_squares_lie_in_their_row_and_column():
    record = Record.parse(RULES, "b3:miss")
    picture = ET.fromstring(record._repr_svg_())
    x, y = picture.find(f"{SVG}g").get("transform")[len("translate(") : -1].split(",")
    at = {t.text: (float(t.get("x")), float(t.get("y"))) for t in picture.findall(f"{SVG}text")}
    assert float(x) == at["3"][0]
    assert float(y) == pytest.approx(at["b"][1], abs=5)


def test_a_record_marks_each_answer_by_its_latest():
    record = Record.parse(Rules.preset("hasbro"), "a0:miss b2:hit c2:sunk:2 b2:hit d4:miss")
    drawn = squares_of(record._repr_svg_())
    assert drawn["c2"] == ("sunk", "sunk:2", None)
    assert Counter(kind for kind, _, _ in drawn.values()) == {"miss": 2, "hit": 1, "sunk": 1}


def test_answers_differ_in_shape_or_ground_and_not_in_colour_alone():
    record = Record.parse(RULES, "a0:miss b2:hit c2:sunk")
    shapes = {
        group.get("class"): {child.tag.removeprefix(SVG) for child in group}
        for group in ET.fromstring(record._repr_svg_()).iter(f"{SVG}g")
    }
    assert "circle" in shapes["miss"]
    assert "path" in shapes["hit"]
    assert "path" in shapes["sunk"]
    brightness = {
        group.get("class"): sum(bytes.fromhex(group.find(f"{SVG}rect").get("fill")[1:]))
        for group in ET.fromstring(record._repr_svg_()).iter(f"{SVG}g")
    }
    assert brightness["sunk"] < 0.5 * brightness["hit"]


def test_names_of_ships_are_escaped():
    rules = Rules(board=(4, 5), fleet=(2,), names=("Fish&<Chips>",), announce="hit-name")
    record = Record(rules, [("a0", "hit:Fish&<Chips>")])
    assert squares_of(record._repr_svg_())["a0"][1] == "hit:Fish&<Chips>"


def test_probabilities_are_written_on_the_squares_not_asked():
    record = Record.parse(RULES, "a0:miss b2:hit")
    probabilities = np.linspace(0, 1, 20).reshape(4, 5)
    drawn = squares_of(show_probabilities(probabilities, record=record)._repr_svg_())
    assert drawn["a0"] == ("miss", "miss", None)
    assert drawn["b2"] == ("hit", "hit", None)
    assert drawn["a1"] == ("probability", "0.0526", "0.05")
    assert drawn["d4"] == ("probability", "1.0000", "1")
    assert len(drawn) == 20


def test_likelier_squares_are_darker():
    picture = ET.fromstring(show_probabilities([[0.0, 0.1, 0.3]], board=Board(1, 3)).svg)
    fills = [group.find(f"{SVG}rect").get("fill") for group in picture.iter(f"{SVG}g")]
    brightness = [sum(bytes.fromhex(fill[1:])) for fill in fills]
    assert brightness[0] == 3 * 255
    assert brightness == sorted(brightness, reverse=True)
    assert len(set(brightness)) == 3


def test_probabilities_of_another_board_are_one_error():
    record = Record(RULES)
    with pytest.raises(DataError, match=r"shape \(2, 2\); the board is 4x5"):
        show_probabilities(np.zeros((2, 2)), record=record)
