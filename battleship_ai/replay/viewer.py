"""A game that a notebook steps through, and its page."""

import html
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Union

from battleship_ai._files import replacing
from battleship_ai.errors import LayoutError, RecordError
from battleship_ai.layouts import Layout
from battleship_ai.record import Record
from battleship_ai.replay.bombing import bombing_story
from battleship_ai.replay.page import page
from battleship_ai.replay.story import Story

if TYPE_CHECKING:
    from battleship_ai.naval.layouts import NavalLayout
    from battleship_ai.naval.record import NavalRecord

__all__ = ["Replay"]

_FRAME_HEIGHT = 800


class Replay:
    """A game of either kind, to be stepped through shot by shot or salvo by salvo.

    Each step shows the board, the record and a map of what is not known yet: the exact
    posterior where `ExactPosterior` covers the rules, else an estimate of it by weighted draws,
    else the placement density; in Naval Bombardment the posteriors of ships and mines. The page
    says which. In a notebook the object itself is shown so.

    Parameters
    ----------
    record : Record or NavalRecord
    layout : Layout or NavalLayout, optional
        What was shot at; the page uncovers it on demand.
    title : str, optional
        By default the name of the game.
    maps : bool
        Whether to show maps. On a large board each takes up to a second.
    progress : bool
        Whether to show a progress bar while they are made.

    Attributes
    ----------
    html : str
        One HTML document in ASCII, below a megabyte. It loads nothing else.

    Raises
    ------
    RecordError
        If `record` is no record.
    LayoutError
        If the layout does not give the record.
    DataError
        If the page would not be below a megabyte, with thousands of steps on the largest boards.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> record = Record.parse(Rules(board=(4, 4), fleet=(3, 2)), "a0:hit a1:miss b0:hit")
    >>> replay = Replay(record, title="A good start")
    >>> "Shot 3 of 3: b0, hit. A ship there had probability 1.000." in replay.html
    True
    """

    def __init__(
        self,
        record: Union[Record, "NavalRecord"],
        layout: Union[Layout, "NavalLayout", None] = None,
        *,
        title: str | None = None,
        maps: bool = True,
        progress: bool = False,
    ) -> None:
        self.html = page(_story(record, layout, title, maps, progress))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file."""
        with replacing(Path(path)) as unfinished:
            unfinished.write_text(self.html, encoding="ascii")

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts" '
            f'title="Replay" style="width:100%;height:{_FRAME_HEIGHT}px;border:0"></iframe>'
        )


def _story(
    record: Union[Record, "NavalRecord"],
    layout: Union[Layout, "NavalLayout", None],
    title: str | None,
    maps: bool,
    progress: bool,
) -> Story:
    if isinstance(record, Record):
        if not isinstance(layout, Layout | None):
            raise LayoutError(f"layout {layout!r} is no Layout, as a Record asks for")
        title = "Ship bombing" if title is None else title
        return bombing_story(record, layout, title, maps=maps, progress=progress)
    # Not loaded for those who play the other game only.
    from battleship_ai.naval.layouts import NavalLayout
    from battleship_ai.naval.record import NavalRecord
    from battleship_ai.replay.naval import naval_story

    if not isinstance(record, NavalRecord):
        raise RecordError(f"{record!r} is no Record and no NavalRecord")
    if not isinstance(layout, NavalLayout | None):
        raise LayoutError(f"layout {layout!r} is no NavalLayout, as a NavalRecord asks for")
    title = "Naval Bombardment" if title is None else title
    return naval_story(record, layout, title, maps=maps, progress=progress)
