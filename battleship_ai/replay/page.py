"""A story as one HTML file that loads nothing else."""

import html
import json
import re
from importlib import resources

from battleship_ai.errors import DataError
from battleship_ai.replay.story import Story

__all__ = ["page"]

_MOST_BYTES = 1_000_000
_PLACE = re.compile(r"<!--(title|story)-->")


def page(story: Story) -> str:
    """The page of a story: plain ASCII, so that any encoding saves it.

    Raises
    ------
    DataError
        If it would have a megabyte or more.

    Examples
    --------
    >>> from battleship_ai import Board
    >>> text = page(Story("One < two", "", "shot", Board(2, 2), {}, []))
    >>> text.isascii(), "<title>One &lt; two</title>" in text
    (True, True)
    """
    template = resources.files(__package__).joinpath("page.html").read_text(encoding="ascii")
    # The text of a script ends at the first "</", whatever is around it.
    data = json.dumps(story.to_dict(), separators=(",", ":")).replace("<", r"\u003c")
    title = html.escape(story.title).encode("ascii", "xmlcharrefreplace").decode()
    parts = {"title": title, "story": data}
    text = _PLACE.sub(lambda place: parts[place[1]], template)
    if len(text) >= _MOST_BYTES:
        raise DataError(
            f"the page of {len(story.steps)} steps would have {len(text):,} bytes, and not less "
            f"than {_MOST_BYTES:,}; leave out its maps"
        )
    return text
