"""What a shell offers for the value of an option, where it is set up to ask."""

from collections.abc import Callable, Iterable
from typing import Any

from battleship_ai.tournament.games import all_games

__all__ = ["of_games", "offering"]

Completion = Callable[[Any, Any, str], list[str]]


def offering(names: Iterable[str]) -> Completion:
    """Offer names; after a comma, one more of them.

    Examples
    --------
    >>> complete = offering(["random", "density"])
    >>> complete(None, None, "d"), complete(None, None, "density,r")
    (['density'], ['density,random'])
    """
    return _among(lambda: names)


def of_games(attribute: str) -> Completion:
    """Offer what every game has of a kind: ``presets``, ``placers`` or ``players``.

    Examples
    --------
    >>> of_games("presets")(None, None, "hasbro-")
    ['hasbro-official', 'hasbro-no-touch']
    """
    return _among(
        lambda: dict.fromkeys(n for game in all_games() for n in getattr(game, attribute))
    )


def _among(names: Callable[[], Iterable[str]]) -> Completion:
    def complete(context: Any, option: Any, unfinished: str) -> list[str]:
        before, comma, begun = unfinished.rpartition(",")
        return [before + comma + name for name in names() if name.startswith(begun)]

    return complete
