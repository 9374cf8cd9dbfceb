"""Figures of games and of posteriors, drawn with Matplotlib (the extra ``plots``).

Each `plot_` function draws on `ax`, or on a new figure, and returns the Axes. Colours are those
that Okabe and Ito chose to be told apart by every kind of colour vision [1]_; line styles and
markers tell the same in black and white.

References
----------
.. [1] M. Okabe and K. Ito, "Color Universal Design: how to make figures and presentations that
   are friendly to colorblind people", 2008.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from battleship_ai._display import BoardPicture, Cell, board_svg
from battleship_ai._plot_data import (
    Shots,
    bin_width,
    check_finite,
    check_some,
    games_by_shots,
    on_board,
    whole_numbers,
)
from battleship_ai.board import Board
from battleship_ai.errors import DataError
from battleship_ai.record import Record
from battleship_ai.statistics import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "plot_differences",
    "plot_distribution",
    "plot_ecdf",
    "plot_hit_progress",
    "plot_means",
    "plot_probabilities",
    "plot_shot_map",
    "show_probabilities",
]

# Without yellow, which is too light for lines on white.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_DASHES = ("-", (0, (5, 2)), (0, (1, 1)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (9, 4)))
_MARKERS = "osD^vPX*<>"
_SHADES = "Blues"
_ROOM_FOR_NAME = 14  # letters above a column of means
_DARK = 0.55  # of the range of shades: from here on, text is white


def plot_distribution(shots: Mapping[str, Shots], *, ax: "Axes | None" = None) -> "Axes":
    """The distribution of shots to win by strategy, as histograms drawn as steps.

    Bins have the width of Freedman and Diaconis's rule [1]_ in whole shots, by strategy; heights
    are shares of games per shot, and so the areas are equal.

    Parameters
    ----------
    shots : mapping of str to array_like of int, shape (games,), or to a tuple of two
        By strategy, such as `TournamentResult.shots`. A tuple holds the different numbers of
        shots and in how many games each was met.
    ax : matplotlib.axes.Axes, optional

    Raises
    ------
    DataError
        If `shots` is empty or not of that form.

    References
    ----------
    .. [1] D. Freedman and P. Diaconis, "On the histogram as a density estimator: L2 theory",
       Zeitschrift für Wahrscheinlichkeitstheorie und verwandte Gebiete 57, 1981.

    Examples
    --------
    >>> ax = plot_distribution({"exact": [40, 42, 42, 45], "density": ([41, 44], [900, 100])})
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('shots to win', 'games (% per shot)')
    """
    games = games_by_shots(shots)
    ax = _axes(ax)
    for i, (name, n) in enumerate(games.items()):
        width = bin_width(n)
        # Back from the greatest number: many games end with the last square.
        edges = np.arange(len(n), np.flatnonzero(n)[0] - width, -width)[::-1]
        heights, _ = np.histogram(np.arange(len(n)), edges, weights=n)
        # Half a shot to the left, so that a bin's whole numbers lie about its middle.
        ax.stairs(
            100 * heights / n.sum() / width, edges - 0.5, label=name, linewidth=1.5, **_style(i)
        )
    ax.set(xlabel="shots to win", ylabel="games (% per shot)", ylim=(0, None))
    _legend(ax)
    return ax


def plot_ecdf(shots: Mapping[str, Shots], *, ax: "Axes | None" = None) -> "Axes":
    """The share of games that each strategy has won within so many shots.

    Parameters
    ----------
    shots : mapping of str to array_like of int, shape (games,), or to a tuple of two
        As in `plot_distribution`. A lost game counts as won at the shot limit that stands for it.
    ax : matplotlib.axes.Axes, optional

    Raises
    ------
    DataError
        If `shots` is empty or not of that form.

    Examples
    --------
    >>> ax = plot_ecdf({"exact": [40, 42, 42, 45]})
    >>> ax.get_lines()[0].get_ydata().round(2)[-6:].tolist()
    [25.0, 25.0, 75.0, 75.0, 75.0, 100.0]
    """
    games = games_by_shots(shots)
    first = min(int(np.flatnonzero(n)[0]) for n in games.values()) - 1
    last = max(map(len, games.values()))
    ax = _axes(ax)
    for i, (name, n) in enumerate(games.items()):
        won = 100 * np.cumsum(np.pad(n, (0, last - len(n)))) / n.sum()
        line = {"drawstyle": "steps-post", **_style(i), **_marker(i)}
        ax.plot(np.arange(first, last), won[first:], label=name, **line)
    ax.set(xlabel="shots", ylabel="games won (%)", ylim=(0, 102))
    _legend(ax)
    return ax


def plot_differences(comparisons: Mapping[str, Interval], *, ax: "Axes | None" = None) -> "Axes":
    """Paired differences with their intervals, one below the other, and a line at zero.

    Parameters
    ----------
    comparisons : mapping of str to Interval
        By what is compared, in shots, such as ``{"density - exact": paired_interval(a, b)}``.
    ax : matplotlib.axes.Axes, optional

    Raises
    ------
    DataError
        If there is none, or one has no finite interval.

    Examples
    --------
    >>> ax = plot_differences({"density - exact": Interval(0.17, -0.33, 0.67)})
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['density - exact']
    """
    check_some(comparisons)
    for name, interval in comparisons.items():
        check_finite(name, interval)
    means, lows, highs = np.array(list(comparisons.values()), dtype=np.float64).T
    places = np.arange(len(comparisons))
    ax = _axes(ax, (6.4, 1.2 + 0.35 * len(comparisons)))
    ax.axvline(0, color="0.5", linestyle="--", linewidth=1)
    ax.errorbar(
        means, places, xerr=(means - lows, highs - means), fmt="o", color=_COLOURS[0], capsize=3
    )
    ax.set_yticks(places, list(comparisons))
    ax.set(xlabel="mean paired difference (shots)", ylim=(len(comparisons) - 0.5, -0.5))
    return ax


def plot_hit_progress(hits: Mapping[str, npt.ArrayLike], *, ax: "Axes | None" = None) -> "Axes":
    """Hits so far by shot: the mean over games, in a band from the 10th to the 90th percentile.

    Parameters
    ----------
    hits : mapping of str to array_like of int, shape (games, ship squares)
        By strategy, such as `battleship_ai.strategies.Games.hits`: the number, from 1, of the
        shot that made each hit; 0 for one never made. A game that is over keeps its hits.
    ax : matplotlib.axes.Axes, optional

    Raises
    ------
    DataError
        If `hits` is empty or not of that form.

    Examples
    --------
    >>> ax = plot_hit_progress({"one": [[1, 3]], "two": [[2, 3]]})
    >>> [line.get_ydata().tolist() for line in ax.get_lines()]
    [[0.0, 1.0, 1.0, 2.0], [0.0, 0.0, 1.0, 2.0]]
    """
    check_some(hits)
    checked = {
        name: whole_numbers(f"hits of {name!r}", made, ("games", "ship squares"))
        for name, made in hits.items()
    }
    shots = np.arange(max(int(made.max()) for made in checked.values()) + 1)
    ax = _axes(ax)
    for i, (name, made) in enumerate(checked.items()):
        new = np.zeros((len(made), len(shots)))
        np.add.at(new, (np.arange(len(made))[:, None], made), 1)
        new[:, 0] = 0
        so_far = new.cumsum(axis=1)
        low, high = np.quantile(so_far, (0.1, 0.9), axis=0)
        ax.fill_between(shots, low, high, color=_colour(i), alpha=0.15, linewidth=0, step="post")
        ax.plot(shots, so_far.mean(axis=0), label=name, **_style(i), **_marker(i))
    ax.set(xlabel="shots", ylabel="hits so far", xlim=(0, None), ylim=(0, None))
    ax.locator_params(axis="y", integer=True)
    _legend(ax)
    return ax


def plot_probabilities(
    probabilities: npt.ArrayLike,
    *,
    board: Board | None = None,
    record: Record | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """A heat map of the probability that each square is occupied.

    Parameters
    ----------
    probabilities : array_like, shape (rows, cols)
        From 0 to 1, such as `ExactPosterior.probabilities` gives.
    board : Board, optional
        Names the rows and columns; without, one of that shape.
    record : Record, optional
        Brings its board, and marks the squares asked. The colours range over the others.
    ax : matplotlib.axes.Axes, optional

    Raises
    ------
    DataError
        If `probabilities` is no such array, or not of the board's shape.

    Examples
    --------
    >>> ax = plot_probabilities([[0.2, 0.8], [0.5, 0.5]])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b']
    """
    board, array = on_board(probabilities, board, record)
    ax = _axes(ax, _size(board))
    top = _largest_unasked(array, record)
    over = "max" if array.max() > top else "neither"
    _draw_board(ax, board, array, "probability of a ship", over, cmap=_SHADES, vmin=0, vmax=top)
    if record is not None:
        _mark_answers(ax, record)
    return ax


def show_probabilities(
    probabilities: npt.ArrayLike, *, board: Board | None = None, record: Record | None = None
) -> BoardPicture:
    """The probability that each square is occupied as a picture that a notebook shows.

    It needs no Matplotlib.

    Parameters
    ----------
    probabilities, board, record
        As in `plot_probabilities`.

    Returns
    -------
    BoardPicture
        Its `svg` is the picture as text.

    Raises
    ------
    DataError
        If `probabilities` is no such array, or not of the board's shape.

    Examples
    --------
    >>> picture = show_probabilities([[0.2, 0.8], [0.5, 0.5]])
    >>> "a1: 0.8000" in picture.svg
    True
    """
    board, array = on_board(probabilities, board, record)
    top = _largest_unasked(array, record)
    cells = {square: _probability_cell(p, top) for square, p in enumerate(array.ravel().tolist())}
    if record is not None:
        cells |= {square: Cell(answer.kind, str(answer)) for square, answer in record}
    return BoardPicture(board_svg(board, cells))


def plot_shot_map(
    squares: npt.ArrayLike,
    *,
    board: Board,
    by: Literal["share", "shot"] = "share",
    ax: "Axes | None" = None,
) -> "Axes":
    """A heat map of how often, or how early, each square was shot at over several games.

    Parameters
    ----------
    squares : array_like of int, shape (games, shot limit)
        The squares in order, -1 after the last, such as `battleship_ai.strategies.Games.squares`.
    board : Board
    by : {"share", "shot"}
        The games in which a square was shot at, in percent; or the number, from 1, of the
        first shot at it, averaged over those games (hatched where there are none).
    ax : matplotlib.axes.Axes, optional

    Raises
    ------
    DataError
        If `squares` is not of that form, or names a square off the board.

    Examples
    --------
    >>> ax = plot_shot_map([[0, 1, -1], [0, 3, 1]], board=Board(2, 2))
    >>> ax.images[0].get_array().tolist()
    [[100.0, 100.0], [0.0, 50.0]]
    """
    if by not in ("share", "shot"):
        raise DataError(f"by {by!r} is not share or shot")
    shot_at = whole_numbers("squares", squares, ("games", "shot limit"), least=-1)
    if shot_at.max() >= board.n_squares:
        raise DataError(f"square {shot_at.max()} is off the {board} board")
    firsts = np.full((len(shot_at), board.n_squares), np.inf)
    game, turn = np.nonzero(shot_at >= 0)
    np.minimum.at(firsts, (game, shot_at[game, turn]), turn + 1)
    shot = np.isfinite(firsts)
    ax = _axes(ax, _size(board))
    shape = board.rows, board.cols
    if by == "share":
        share = 100 * shot.mean(axis=0).reshape(shape)
        _draw_board(ax, board, share, "games that shot there (%)", cmap=_SHADES, vmin=0, vmax=100)
    else:
        games = np.ma.masked_equal(shot.sum(axis=0), 0)
        mean = (np.where(shot, firsts, 0).sum(axis=0) / games).reshape(shape)
        _draw_board(ax, board, mean, "mean number of the first shot there", cmap=f"{_SHADES}_r")
    return ax


def plot_means(means: Mapping[str, Mapping[str, Interval]], *, ax: "Axes | None" = None) -> "Axes":
    """Mean shots to win as a table of strategies by rules, shaded, with their intervals.

    Parameters
    ----------
    means : mapping of str to mapping of str to Interval
        By rule set, then by strategy. A strategy that a rule set lacks is hatched there.
    ax : matplotlib.axes.Axes, optional

    Raises
    ------
    DataError
        If there is none, or one has no finite interval.

    Examples
    --------
    >>> ax = plot_means({"hasbro": {"density": Interval(44.38, 44.26, 44.5)}})
    >>> ax.texts[0].get_text().splitlines()
    ['44.38', '± 0.12']
    """
    check_some(means)
    strategies = list(dict.fromkeys(name for column in means.values() for name in column))
    check_some(strategies)
    table = np.full((len(strategies), len(means)), np.nan)
    texts = {}
    for col, (rules, column) in enumerate(means.items()):
        for name, interval in column.items():
            check_finite(f"{name} on {rules}", interval)
            cell = strategies.index(name), col
            table[cell] = interval.mean
            texts[cell] = f"{interval.mean:.2f}\n± {interval.half_width:.2f}"
    ax = _axes(ax, (2.5 + 1.5 * len(means), 1 + 0.55 * len(strategies)))
    _draw_map(ax, table, "mean shots to win", cmap=_SHADES)
    dark = np.nanmin(table) + _DARK * (np.nanmax(table) - np.nanmin(table))
    for (row, col), text in texts.items():
        colour = "white" if table[row, col] > dark else "black"
        ax.text(col, row, text, ha="center", va="center", color=colour)
    ax.set_xticks(range(len(means)), list(means))
    if max(map(len, means)) > _ROOM_FOR_NAME:
        ax.tick_params("x", rotation=30)
        for label in ax.get_xticklabels():
            label.set(ha="left", rotation_mode="anchor")
    ax.set_yticks(range(len(strategies)), strategies)
    ax.set(xlabel="rules", ylabel="strategy")
    return ax


def _axes(ax: "Axes | None", size: tuple[float, float] | None = None) -> "Axes":
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]


def _size(board: Board) -> tuple[float, float]:
    """Inches for a board whose longer side has five, its names and its scale."""
    side = 5 / max(board.rows, board.cols)
    return side * board.cols + 1.6, side * board.rows + 1


def _colour(i: int) -> str:
    return _COLOURS[i % len(_COLOURS)]


def _style(i: int) -> dict[str, Any]:
    return {"color": _colour(i), "linestyle": _DASHES[i % len(_DASHES)]}


def _marker(i: int) -> dict[str, Any]:
    return {"marker": _MARKERS[i % len(_MARKERS)], "markevery": 0.12, "markersize": 5}


def _legend(ax: "Axes") -> None:
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), handlelength=3.5, frameon=False)


def _draw_map(
    ax: "Axes", values: npt.NDArray[np.float64], label: str, extend: str = "neither", **colours: Any
) -> None:
    # Squares without a value are left out, and show the hatched ground.
    ax.patch.set(hatch="////", edgecolor="0.6")
    image = ax.imshow(values, aspect="auto", **colours)
    ax.figure.colorbar(image, ax=ax, label=label, extend=extend)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0)


def _draw_board(
    ax: "Axes",
    board: Board,
    values: npt.NDArray[np.float64],
    label: str,
    extend: str = "neither",
    **colours: Any,
) -> None:
    _draw_map(ax, values, label, extend, **colours)
    ax.set_aspect("equal")
    size = 10 if max(board.rows, board.cols) <= 14 else 7
    ax.tick_params(labelsize=size)
    ax.set_xticks(range(board.cols), [str(c + board.first_column) for c in range(board.cols)])
    ax.set_yticks(range(board.rows), [board.name(r * board.cols)[0] for r in range(board.rows)])
    ax.set(xlabel="column", ylabel="row")


def _mark_answers(ax: "Axes", record: Record) -> None:
    from matplotlib.patheffects import withStroke

    kinds = {square: answer.kind for square, answer in record}
    # A light rim shows a mark on dark squares too.
    rim = [withStroke(linewidth=4, foreground="white")]
    for kind, marker, fill in (("miss", "o", "none"), ("hit", "x", "full"), ("sunk", "X", "full")):
        squares = [square for square, k in kinds.items() if k == kind]
        if squares:
            row, col = np.divmod(squares, record.rules.board.cols)
            ax.plot(
                col, row, label=kind, color="black", linestyle="none", marker=marker,
                fillstyle=fill, markersize=9, markeredgewidth=1.5, path_effects=rim,
            )  # fmt: skip
    if kinds:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=3, frameon=False)


def _probability_cell(p: float, top: float) -> Cell:
    shade = min(p / top, 1)
    fill = "#" + "".join(f"{round(255 + shade * (end - 255)):02x}" for end in (0x00, 0x52, 0x9A))
    text = f"{p:.2f}" if 0 < p < 1 else f"{p:.0f}"
    return Cell("probability", f"{p:.4f}", text, fill, "#fff" if shade > _DARK else "#000")


def _largest_unasked(array: npt.NDArray[np.float64], record: Record | None) -> float:
    unasked = array.ravel() if record is None else array.ravel()[record.unasked]
    return float(unasked.max(initial=0)) or 1.0
