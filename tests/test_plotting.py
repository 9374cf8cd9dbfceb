"""Figures: what is drawn is what was given."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt

from battleship_ai import Board, Record, Rules, make_strategy, place, play_solo
from battleship_ai import plotting as p
from battleship_ai.errors import BattleshipError, DataError
from battleship_ai.statistics import Interval

SHOTS = {"fast": [4, 5, 5, 6], "slow": [6, 9, 9, 9]}
INTERVALS = {"a - b": Interval(1.5, 1.0, 2.5), "a - c": Interval(-0.5, -1.0, 0.0)}
HITS = [[1, 3], [2, 0], [3, 4], [1, 2]]
SQUARES = [[0, 1, -1], [0, 3, 0], [1, 0, -1]]
PROBABILITIES = np.array([[0.0, 0.25, 0.5], [0.125, 1.0, 0.375]])
MEANS = {"hasbro": {"x": Interval(44, 43, 45)}, "any": {"y": Interval(60, 59, 61)}}

EVERY = [
    pytest.param(lambda **ax: p.plot_distribution(SHOTS, **ax), id="distribution"),
    pytest.param(lambda **ax: p.plot_ecdf(SHOTS, **ax), id="ecdf"),
    pytest.param(lambda **ax: p.plot_differences(INTERVALS, **ax), id="differences"),
    pytest.param(lambda **ax: p.plot_hit_progress({"x": HITS}, **ax), id="hit_progress"),
    pytest.param(lambda **ax: p.plot_probabilities(PROBABILITIES, **ax), id="probabilities"),
    pytest.param(lambda **ax: p.plot_shot_map(SQUARES, board=Board(2, 2), **ax), id="shot_map"),
    pytest.param(lambda **ax: p.plot_means(MEANS, **ax), id="means"),
]


@pytest.fixture(autouse=True)
def _figures_closed():
    yield
    plt.close("all")


def text_of(labels):
    return [label.get_text() for label in labels]


@pytest.mark.parametrize("plot", EVERY)
def test_the_axes_given_are_the_axes_used(plot):
    _, (left, right) = plt.subplots(ncols=2)
    assert plot(ax=right) is right
    assert plt.get_fignums() == [1]
    assert not left.has_data()
    assert right.has_data()


@pytest.mark.parametrize("plot", EVERY)
def test_without_axes_one_figure_is_made_and_all_in_it_is_on_the_page(plot, tmp_path):
    ax = plot()
    assert plt.get_fignums() == [ax.figure.number]
    ax.figure.savefig(tmp_path / "figure.png")
    page, drawn = ax.figure.bbox, ax.figure.get_tightbbox().transformed(ax.figure.dpi_scale_trans)
    assert (drawn.min >= page.min).all()
    assert (drawn.max <= page.max).all()


@pytest.mark.parametrize("plot", EVERY)
def test_axes_are_labelled(plot):
    ax = plot()
    assert ax.get_xlabel()
    assert ax.get_ylabel() or text_of(ax.get_yticklabels()) == list(INTERVALS)


def test_the_distribution_of_few_shots_has_a_share_for_each_number():
    games = {"x": ([40, 41, 43], [1000, 2000, 1000])}
    (steps,) = p.plot_distribution(games).patches
    shares, edges, _ = steps.get_data()
    assert edges.tolist() == [39.5, 40.5, 41.5, 42.5, 43.5]
    assert shares.tolist() == [25, 50, 0, 25]


def test_the_distribution_of_wide_data_keeps_the_area_of_its_games():
    shots = np.random.default_rng(1).integers(20, 101, size=150)
    (steps,) = p.plot_distribution({"x": shots}).patches
    shares, edges, _ = steps.get_data()
    assert np.diff(edges).min() > 5
    assert shares @ np.diff(edges) == pytest.approx(100)
    assert edges[-1] == shots.max() + 0.5
    last = (shots > edges[-2]).mean() * 100
    assert shares[-1] * (edges[-1] - edges[-2]) == pytest.approx(last)


def test_the_ecdf_counts_the_games_won_so_far():
    fast, slow = p.plot_ecdf(SHOTS).get_lines()
    assert fast.get_xdata().tolist() == [3, 4, 5, 6, 7, 8, 9]
    assert fast.get_ydata().tolist() == [0, 25, 75, 100, 100, 100, 100]
    assert slow.get_ydata().tolist() == [0, 0, 0, 25, 25, 25, 100]
    assert fast.get_drawstyle() == slow.get_drawstyle() == "steps-post"


@pytest.mark.parametrize("plot", [p.plot_distribution, p.plot_ecdf])
def test_counts_draw_the_same_as_the_shots_they_count(plot):
    _, axes = plt.subplots(ncols=2)
    plot({"x": [6, 9, 9, 9]}, ax=axes[0])
    plot({"x": ([9, 6], [3, 1])}, ax=axes[1])
    drawn = [
        [patch.get_data()[:2] for patch in ax.patches]
        + [line.get_data() for line in ax.get_lines()]
        for ax in axes
    ]
    for (x, y), (x_of_counts, y_of_counts) in zip(*drawn, strict=True):
        np.testing.assert_array_equal(x, x_of_counts)
        np.testing.assert_array_equal(y, y_of_counts)


def test_strategies_differ_by_line_style_and_colour_and_stand_in_the_legend():
    ax = p.plot_ecdf({f"s{i}": [i + 1] for i in range(12)})
    lines = ax.get_lines()
    assert len({(line.get_color(), str(line._dash_pattern)) for line in lines}) == 12
    assert len({(line.get_marker(), str(line._dash_pattern)) for line in lines}) == 12
    assert text_of(ax.get_legend().get_texts()) == [f"s{i}" for i in range(12)]


def test_the_legend_lies_outside_the_data():
    ax = p.plot_ecdf(SHOTS)
    ax.figure.canvas.draw()
    assert ax.get_legend().get_window_extent().x0 >= ax.get_window_extent().x1


def test_differences_stand_at_their_means_between_their_ends():
    ax = p.plot_differences(INTERVALS)
    (points,) = [line for line in ax.get_lines() if line.get_marker() == "o"]
    assert points.get_xdata().tolist() == [1.5, -0.5]
    (bars,) = [c for c in ax.collections if len(c.get_segments()) == 2]
    assert [segment[:, 0].tolist() for segment in bars.get_segments()] == [[1, 2.5], [-1, 0]]
    assert text_of(ax.get_yticklabels()) == ["a - b", "a - c"]
    assert ax.yaxis_inverted()
    assert any(set(line.get_xdata()) == {0} for line in ax.get_lines())


def test_hits_are_averaged_and_a_hit_never_made_does_not_count():
    ax = p.plot_hit_progress({"x": HITS})
    (mean,) = ax.get_lines()
    assert mean.get_xdata().tolist() == [0, 1, 2, 3, 4]
    assert mean.get_ydata().tolist() == [0, 0.5, 1.0, 1.5, 1.75]


def test_the_band_has_a_tenth_of_the_games_on_each_side():
    hits = np.arange(1, 12).reshape(11, 1)
    (band,) = p.plot_hit_progress({"x": hits}).collections
    assert band.get_paths()[0].get_extents().bounds == (0, 0, 11, 1)
    # One of the eleven games has hit by shot 1, two by shot 2: the 90th percentile jumps there.
    x, y = band.get_paths()[0].vertices.T
    assert x[y == 1].min() == 2
    assert x[y == 0].max() == 10


def test_hit_progress_ends_with_the_whole_fleet_in_won_games():
    rules = Rules.preset("hasbro")
    strategy = make_strategy("hunt-target")
    layouts = place(rules, 4, seed=2)
    hits = []
    for layout in layouts:
        record = play_solo(strategy, layout, seed=1).record
        hits.append([n for n, (_, a) in enumerate(record, start=1) if a.kind != "miss"])
    (line,) = p.plot_hit_progress({"hunt": hits}).get_lines()
    assert line.get_ydata()[-1] == 17


def test_the_map_has_the_probabilities_given_and_the_names_of_the_board():
    ax = p.plot_probabilities(PROBABILITIES, board=Board(2, 3, "A1"))
    (image,) = ax.images
    np.testing.assert_array_equal(image.get_array(), PROBABILITIES)
    assert text_of(ax.get_xticklabels()) == ["1", "2", "3"]
    assert text_of(ax.get_yticklabels()) == ["A", "B"]
    assert image.get_clim() == (0, 1)
    assert image.colorbar.ax.get_ylabel() == "probability of a ship"


def test_a_record_is_marked_on_the_map_and_colours_range_over_the_rest():
    rules = Rules(board=(2, 3), fleet=(2,))
    record = Record.parse(rules, "a0:miss b0:miss b1:hit")
    ax = p.plot_probabilities(PROBABILITIES, record=record)
    marks = {line.get_label(): line for line in ax.get_lines()}
    assert {kind: line.get_marker() for kind, line in marks.items()} == {"miss": "o", "hit": "x"}
    assert np.transpose(marks["miss"].get_data()).tolist() == [[0, 0], [0, 1]]
    assert np.transpose(marks["hit"].get_data()).tolist() == [[1, 1]]
    assert ax.images[0].get_clim() == (0, 0.5)
    assert text_of(ax.get_legend().get_texts()) == ["miss", "hit"]
    assert ax.get_xlim() == (-0.5, 2.5)


def test_a_map_on_which_nothing_is_possible_has_a_scale():
    assert p.plot_probabilities(np.zeros((2, 2))).images[0].get_clim() == (0, 1)


def test_the_shot_map_counts_each_game_once_for_each_square():
    (image,) = p.plot_shot_map(SQUARES, board=Board(2, 2)).images
    np.testing.assert_allclose(image.get_array(), [[100, 200 / 3], [0, 100 / 3]])


def test_the_shot_map_averages_the_first_shot_at_each_square():
    (image,) = p.plot_shot_map(SQUARES, board=Board(2, 2), by="shot").images
    mean = image.get_array()
    assert mean.mask.tolist() == [[False, False], [True, False]]
    np.testing.assert_allclose(mean.compressed(), [4 / 3, 1.5, 2])


def test_means_stand_in_the_cell_of_their_strategy_and_rules():
    ax = p.plot_means(MEANS)
    assert text_of(ax.get_xticklabels()) == ["hasbro", "any"]
    assert text_of(ax.get_yticklabels()) == ["x", "y"]
    assert {text.get_position(): text.get_text() for text in ax.texts} == {
        (0, 0): "44.00\n± 1.00",
        (1, 1): "60.00\n± 1.00",
    }
    array = ax.images[0].get_array()
    assert array.compressed().tolist() == [44, 60]
    assert array.mask.tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: p.plot_ecdf({}), "nothing to draw"),
        (lambda: p.plot_ecdf({"x": []}), r"shots of 'x' have shape \(0,\); it should be \(games\)"),
        (lambda: p.plot_ecdf({"x": [[1], [2]]}), r"shots of 'x' have shape \(2, 1\)"),
        (lambda: p.plot_ecdf({"x": [3, 2.5]}), "shots of 'x' have 2.5; each should be a whole"),
        (lambda: p.plot_ecdf({"x": [3, 0]}), "shots of 'x' have 0; .* whole number from 1"),
        (lambda: p.plot_ecdf({"x": [3, np.nan]}), "shots of 'x' have nan"),
        (lambda: p.plot_ecdf({"x": "many"}), "shots of 'x' are not an array of numbers: 'many'"),
        (lambda: p.plot_ecdf({"x": [[1], [2, 3]]}), "shots of 'x' are not an array of numbers"),
        (lambda: p.plot_ecdf({"x": ([3], [1], [1])}), "a tuple of 3"),
        (lambda: p.plot_ecdf({"x": ([3, 4], [1])}), "shots of 'x': 2 numbers with games"),
        (lambda: p.plot_ecdf({"x": ([3, 4], [0, 0])}), "shots of 'x': 2 numbers with games"),
        (lambda: p.plot_distribution({"x": ([3], [-1])}), "games of 'x' have -1"),
        (lambda: p.plot_differences({}), "nothing to draw"),
        (lambda: p.plot_differences({"x": Interval(1, -np.inf, np.inf)}), "'x' has no finite"),
        (lambda: p.plot_hit_progress({}), "nothing to draw"),
        (lambda: p.plot_hit_progress({"x": [1, 2]}), r"\(2,\); it should be \(games, ship squ"),
        (lambda: p.plot_hit_progress({"x": [[1, -1]]}), "hits of 'x' have -1"),
        (lambda: p.plot_probabilities([0.5]), r"shape \(1,\); it should be \(rows, cols\)"),
        (lambda: p.plot_probabilities([[0.5, 1.5]]), "range from 0.5 to 1.5, not from 0 to 1"),
        (lambda: p.plot_probabilities([[np.nan]]), "range from nan"),
        (lambda: p.plot_probabilities([[0.5]], board=Board(2, 2)), "the board is 2x2"),
        (lambda: p.plot_shot_map([[4]], board=Board(2, 2)), "square 4 is off the 2x2 board"),
        (lambda: p.plot_shot_map([[-2]], board=Board(2, 2)), "squares have -2"),
        (lambda: p.plot_shot_map([[], []], board=Board(2, 2)), r"squares have shape \(2, 0\)"),
        (lambda: p.plot_shot_map([[1]], board=Board(2, 2), by="luck"), "by 'luck'"),
        (lambda: p.plot_means({}), "nothing to draw"),
        (lambda: p.plot_means({"r": {}}), "nothing to draw"),
        (lambda: p.plot_means({"r": {"s": Interval(1, -np.inf, 1)}}), "'s on r' has no finite"),
    ],
)
def test_bad_data_are_one_error_and_leave_no_figure(draw, message):
    with pytest.raises(DataError, match=message):
        draw()
    assert plt.get_fignums() == []
    assert issubclass(DataError, BattleshipError)
