"""What a tournament leaves: shots by strategy and game, and the tables made of them."""

import html
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from battleship_ai.rules import Rules
from battleship_ai.statistics import Interval, mean_interval, paired_interval
from battleship_ai.tables import Cell, Table

__all__ = ["Comparison", "Failure", "StrategySummary", "TournamentResult"]

_SHOWN_FAILURES = 5


@dataclass(frozen=True)
class Failure:
    """A game that a strategy lost by its own fault."""

    game: int
    message: str


@dataclass(frozen=True)
class StrategySummary:
    """The figures of one strategy over all games."""

    name: str
    games: int
    interval: Interval
    sd: float
    median: float
    p95: float
    min: int
    max: int
    seconds: float
    failures: tuple[Failure, ...]

    def to_dict(self) -> dict[str, Any]:
        """The figures as the command line prints them."""
        return {
            "name": self.name,
            "games": self.games,
            "mean": self.interval.mean,
            "ci95": _bounds(self.interval),
            "sd": self.sd,
            "median": self.median,
            "p95": self.p95,
            "min": self.min,
            "max": self.max,
            "seconds": self.seconds,
            "games_per_second": self.games / self.seconds if self.seconds > 0 else None,
            "failures": [{"game": f.game, "message": f.message} for f in self.failures],
        }


@dataclass(frozen=True)
class Comparison:
    """The mean over common games of one strategy's shots less another's."""

    a: str
    b: str
    difference: Interval

    def to_dict(self) -> dict[str, Any]:
        """The comparison as the command line prints it."""
        return {
            "a": self.a,
            "b": self.b,
            "mean_difference": self.difference.mean,
            "ci95": _bounds(self.difference),
        }


def _bounds(interval: Interval) -> list[float | None]:
    return [float(x) if np.isfinite(x) else None for x in (interval.low, interval.high)]


@dataclass(frozen=True)
class TournamentResult:
    """Shots to win of several strategies against the same hidden layouts.

    Attributes
    ----------
    rules : Rules
    placer : str
    seed : int
    shots : dict of str to ndarray of int32, shape (games,)
        By strategy, in game order. A game that a strategy lost by its own fault
        counts as the shot limit, twice the squares of the board.
    seconds : dict of str to float
        Time spent playing, summed over workers.
    compile_seconds : float
        Time spent compiling or loading the kernels, in the first process.
    failures : dict of str to list of Failure
    """

    rules: Rules
    placer: str
    seed: int
    shots: dict[str, npt.NDArray[np.int32]]
    seconds: dict[str, float]
    compile_seconds: float
    failures: dict[str, list[Failure]] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """Games of each strategy."""
        return len(next(iter(self.shots.values())))

    def summaries(self) -> list[StrategySummary]:
        """One row a strategy, in the order they were given."""
        return [
            StrategySummary(
                name=name,
                games=len(shots),
                interval=mean_interval(shots),
                sd=float(shots.std(ddof=1)) if len(shots) > 1 else 0.0,
                median=float(np.median(shots)),
                p95=float(np.quantile(shots, 0.95)),
                min=int(shots.min()),
                max=int(shots.max()),
                seconds=self.seconds[name],
                failures=tuple(self.failures.get(name, ())),
            )
            for name, shots in self.shots.items()
        ]

    def comparisons(self) -> list[Comparison]:
        """Every pair of strategies on the common layouts."""
        return [
            Comparison(a, b, paired_interval(self.shots[a], self.shots[b]))
            for a, b in combinations(self.shots, 2)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The result as the command line prints it with ``--json``."""
        return {
            "rules": self.rules.to_dict(),
            "placer": self.placer,
            "games": self.games,
            "seed": self.seed,
            "compile_seconds": self.compile_seconds,
            "strategies": [summary.to_dict() for summary in self.summaries()],
            "comparisons": [comparison.to_dict() for comparison in self.comparisons()],
        }

    def tables(self) -> list[Table]:
        """The figures by strategy, then the paired differences if there are any.

        Examples
        --------
        >>> shots = {"a": np.array([7, 9, 8]), "b": np.array([9, 10, 9])}
        >>> result = TournamentResult(Rules(), "uniform", 0, shots, {"a": 0.5, "b": 0.5}, 0.0)
        >>> print(result.tables()[1].text())
        paired difference      mean shots
        -------------------  ------------
        a - b                -1.33 ± 1.43
        """
        header = ["strategy", "mean shots", "sd", "median", "p95", "min", "max", "games/s", "lost"]
        formats = {"median": "g", "p95": "g", "games/s": ",.0f"}
        tables = [Table(header, [_figures(s) for s in self.summaries()], formats=formats)]
        differences: list[list[Cell]] = [
            [f"{c.a} - {c.b}", c.difference] for c in self.comparisons()
        ]
        if differences:
            header = ["paired difference", "mean shots"]
            tables.append(Table(header, differences, formats={"mean shots": "+.2f"}))
        return tables

    def __str__(self) -> str:
        """The tables in plain text: figures by strategy, then paired differences."""
        parts = self._parts()
        return "\n\n".join(part.text() if isinstance(part, Table) else part for part in parts)

    def _repr_html_(self) -> str:
        return "\n".join(
            part.html()
            if isinstance(part, Table)
            else f'<p style="white-space: pre-line">{html.escape(part)}</p>'
            for part in self._parts()
        )

    def _parts(self) -> list[str | Table]:
        """What was played, the tables, and the games that were lost if there are any."""
        rules = self.rules
        played = (
            f"{rules.board} board, fleet {','.join(map(str, rules.fleet))}, {rules.shape}, "
            f"contact {rules.contact}, announce {rules.announce}\n"
            f"{self.games} games each on the same layouts, placer {self.placer}, "
            f"seed {self.seed}; means with 95% intervals"
        )
        lost = []
        for name, failures in self.failures.items():
            for failure in failures[:_SHOWN_FAILURES]:
                lost.append(f"{name} lost game {failure.game}: {failure.message}")
            if len(failures) > _SHOWN_FAILURES:
                lost.append(f"{name} lost {len(failures) - _SHOWN_FAILURES} more games")
        return [played, *self.tables(), *(["\n".join(lost)] if lost else [])]


def _figures(row: StrategySummary) -> list[Cell]:
    rate = row.games / row.seconds if row.seconds > 0 else None
    return [
        row.name, row.interval, row.sd, row.median, row.p95, row.min, row.max, rate,
        len(row.failures),
    ]  # fmt: skip
