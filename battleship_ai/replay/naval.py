"""Naval Bombardment told salvo by salvo."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from battleship_ai.board import Board
from battleship_ai.errors import LayoutError, RecordError
from battleship_ai.naval.inference.posterior import NavalPosterior
from battleship_ai.naval.layouts import MINE_MARKS, NavalLayout
from battleship_ai.naval.record import NavalRecord
from battleship_ai.naval.salvos import MineStrike, Salvo
from battleship_ai.replay.story import Hidden, Map, Step, Story, maps_along

__all__ = ["naval_story"]

_LEGEND = {
    "called": "called; reports do not tell what is there",
    "ordinary": "ordinary mine",
    "high-explosive": "high-explosive mine",
}


def naval_story(
    record: NavalRecord, layout: NavalLayout | None, title: str, *, maps: bool, progress: bool
) -> Story:
    """The salvos of a record, with the probabilities of ships and mines before each of them.

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
        unit="salvo",
        board=record.rules.board,
        legend=_LEGEND,
        steps=list(_steps(record)),
        layers=("ships", "mines") if maps else (),
        maps=shown,
        hidden={} if layout is None else _hidden(layout),
    )


def _map_of(record: NavalRecord) -> Map | None:
    """The probability of a ship and of an unspent mine on each square; None if nothing fits.

    Called squares keep theirs, since reports name no squares; only spent mines are known.
    """
    try:
        posterior = NavalPosterior(record)
    except RecordError:
        return None
    found = posterior.diagnostics
    how = "Exact posterior"
    if not found.exact:
        how = (
            f"Posterior, estimated from {found.draws:,} layouts ({found.regime}) worth "
            f"{found.effective_draws:,.0f} independent ones,"
        )
    source = (
        f"{how} of a ship or a mine on each square, all legal layouts being equally likely at "
        f"the start."
    )
    layers = posterior.square_probabilities.copy(), posterior.mine_probabilities.copy()
    for layer in layers:
        layer[[mine.square for mine in record.mines]] = np.nan
    return Map(layers, source)


def _growing(record: NavalRecord) -> Iterator[NavalRecord]:
    """The same record before each salvo and after the last."""
    so_far = NavalRecord(record.rules)
    yield so_far
    for salvo in record:
        so_far.add(salvo)
        yield so_far


def _steps(record: NavalRecord) -> Iterator[Step]:
    board = record.rules.board
    left = record.rules.ship_squares
    called: set[int] = set()
    for salvo in record:
        left -= sum(entry.hits for entry in salvo.report)
        marks = dict.fromkeys(sorted(set(salvo.fired) - called), "called")
        if salvo.mine is not None:
            marks[salvo.mine.square] = salvo.mine.kind
        told = _told(salvo, board) + (" All ships are sunk." if left == 0 else "")
        yield Step(salvo.text(board), told, salvo.fired, marks)
        called.update(salvo.fired)


def _told(salvo: Salvo, board: Board) -> str:
    squares = f"{len(salvo.fired)} square{'s' if len(salvo.fired) != 1 else ''}"
    hits = f"hits on {', '.join(map(str, salvo.report))}" if salvo.report else "no hits"
    told = f"Salvo {salvo.round}: {squares} called, {hits}"
    if salvo.mine is not None:
        told += f", {salvo.mine.kind} mine at {board.name(salvo.mine.square)}"
    return f"{told}; {salvo.guns_left} guns left."


def _hidden(layout: NavalLayout) -> dict[int, Hidden]:
    ships = {
        square: Hidden(ship_class.short, ship_class.name)
        for ship_class, ship in zip(layout.rules.ships, layout.ships, strict=True)
        for square in ship
    }
    kinds = zip(layout.mines, layout.rules.mines, strict=True)
    return ships | {square: Hidden(MINE_MARKS[kind], f"{kind} mine") for square, kind in kinds}


def _check_gives(layout: NavalLayout, record: NavalRecord) -> None:
    """Raise unless the layout has the mines and gives the hits; ships of a class are not told."""
    if layout.rules != record.rules:
        raise LayoutError("the layout is of other rules than the record")
    ships = zip(layout.rules.ships, layout.ships, strict=True)
    class_at = {square: ship_class.short for ship_class, ship in ships for square in ship}
    mine_at = dict(zip(layout.mines, layout.rules.mines, strict=True))
    called: set[int] = set()
    for salvo in record:
        new = set(salvo.fired) - called
        called |= new
        mines = [MineStrike(square, mine_at[square]) for square in sorted(new & mine_at.keys())]
        hits = Counter(class_at[square] for square in new & class_at.keys())
        told: Counter[str] = Counter()
        for entry in salvo.report:
            told[entry.ship_class] += entry.hits
        if hits != told or mines != [m for m in [salvo.mine] if m is not None]:
            raise LayoutError(
                f"the layout does not give the record: salvo {salvo.round} hits other ships or "
                f"mines there"
            )
