"""When to stop playing: as soon as every interval is narrow enough."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from battleship_ai.errors import BattleshipError
from battleship_ai.statistics._checks import check_positive
from battleship_ai.statistics.intervals import Interval

__all__ = ["StoppingRule"]


@dataclass(frozen=True)
class StoppingRule:
    half_width: float
    at_most: int
    first: int = 500
    growth: float = 1.25

    def __post_init__(self) -> None:
        check_positive("half_width", self.half_width)
        for what, games in (("at_most", self.at_most), ("first", self.first)):
            if not isinstance(games, int) or games < 2:
                raise BattleshipError(f"{what} {games!r} is not an integer of at least 2")
        if not 1 < self.growth < math.inf:
            raise BattleshipError(f"growth {self.growth!r} is not a number above 1")

    def looks(self) -> Iterator[int]:
        """The numbers of games after which to look, the last being `at_most`."""
        games = self.first
        while games < self.at_most:
            yield games
            games = math.ceil(games * self.growth)
        yield self.at_most

    def is_met(self, intervals: Iterable[Interval]) -> bool:
        """Whether every interval is as narrow as asked."""
        widths = [interval.half_width for interval in intervals]
        if not widths:
            raise BattleshipError("there is no interval; a stopping rule needs at least one")
        return max(widths) <= self.half_width
