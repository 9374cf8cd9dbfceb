"""Ship bombing told shot by shot."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import LayoutError, RecordError
from battleship_ai.game import Target
from battleship_ai.inference.known import DRAWS, best_known
from battleship_ai.layouts import Layout
from battleship_ai.record import Answer, Record
from battleship_ai.replay.story import Hidden, Map, Step, Story, maps_along

__all__ = ["bombing_story"]

_LEGEND = {"miss": "miss", "hit": "hit", "sunk": "sunk"}

_EVENT = "a ship on each square, all legal layouts being equally likely at the start"


def bombing_story(
    record: Record, layout: Layout | None, title: str, *, maps: bool, progress: bool
) -> Story:
    """The shots of a record, with the probability of each square before each of them.

    Raises
    ------
    LayoutError
        If the layout does not give the record.
    """
    if layout is not None:
        _check_gives(layout, record)
    shown = maps_along(_growing(record), len(record), _map_of, progress) if maps else []
    return Story(
        title=title,
        rules=record.rules.describe(),
        unit="shot",
        board=record.rules.board,
        legend=_LEGEND,
        steps=list(_steps(record, shown)),
        layers=("ships",) if maps else (),
        maps=shown,
        hidden={} if layout is None else _hidden(layout),
    )


def _map_of(record: Record) -> Map | None:
    """What is known of the squares not asked yet; None if no layout fits the record."""
    try:
        known = best_known(record)
    except RecordError:
        return None
    source = {
        "exact": f"Exact posterior of {_EVENT}.",
        "draws": f"Posterior, estimated from {DRAWS:,} weighted draws, of {_EVENT}.",
        "density": f"Placement density, in percent of the densest square: none of {DRAWS:,} draws "
        f"fits the record.",
    }[known.by]
    return Map((_unasked(record, known.numbers),), source, known.by != "density")


def _unasked(record: Record, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What a map shows: the answers are known elsewhere."""
    shown = np.full(record.rules.board.n_squares, np.nan)
    shown[record.unasked] = numbers[record.unasked]
    return shown


def _growing(record: Record) -> Iterator[Record]:
    """The same record before each shot and after the last."""
    so_far = Record(record.rules)
    yield so_far
    for square, answer in record:
        so_far.add(square, answer)
        yield so_far


def _steps(record: Record, maps: list[Map | None]) -> Iterator[Step]:
    board = record.rules.board
    growing = _growing(record)
    before = next(growing).asked
    for number, (square, answer) in enumerate(record, 1):
        so_far = next(growing)
        name = board.name(square)
        told = f"Shot {number} of {len(record)}: {name}, {_said(answer)}."
        if square in before:
            told += " It was asked before."
        elif maps:
            told += _chance(maps[number - 1], square)
        if len(so_far.hits) == record.rules.ship_squares:
            told += " All ships are sunk."
        marks = dict.fromkeys(_answered(so_far, square, answer), answer.kind)
        yield Step(f"{number}. {name} {answer}", told, (square,), marks)
        before = so_far.asked


def _said(answer: Answer) -> str:
    return answer.kind if answer.ship is None else f"{answer.kind} ({answer.ship})"


def _chance(known: Map | None, square: int) -> str:
    if known is None or not known.are_probabilities:
        return ""
    return f" A ship there had probability {known.layers[0][square]:.3f}."


def _answered(record: Record, square: int, answer: Answer) -> list[int]:
    """The squares that the last answer of a record is about: the whole ship, if that is plain."""
    if answer.kind == "sunk" and record.rules.contact == "none":
        return list(record.hits.component(square, diagonal=True))
    if answer.kind == "sunk" and record.rules.announce == "hit-name":
        return sorted({at for at, told in record if told.ship == answer.ship})
    return [square]


def _hidden(layout: Layout) -> dict[int, Hidden]:
    names = layout.rules.names
    return {
        square: Hidden(str(len(ship)), f"ship {name}")
        for name, ship in zip(names, layout.ships, strict=True)
        for square in ship
    }


def _check_gives(layout: Layout, record: Record) -> None:
    if layout.rules != record.rules:
        raise LayoutError("the layout is of other rules than the record")
    target = Target(layout)
    name = record.rules.board.name
    for square, answer in record:
        if (given := target.shoot(square)) != answer:
            raise LayoutError(
                f"the layout does not give the record: it answers {given} at {name(square)}, "
                f"not {answer}"
            )
