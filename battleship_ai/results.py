"""What a tournament leaves: shots by strategy and game, and the tables made of them."""

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from battleship_ai.rules import Rules
from battleship_ai.statistics import Interval, mean_interval, paired_interval

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

    def __str__(self) -> str:
        """The tables in plain text: figures by strategy, then paired differences."""
        rules = self.rules
        fleet = ",".join(map(str, rules.fleet))
        lines = [
            f"{rules.board} board, fleet {fleet}, {rules.shape}, contact {rules.contact}, "
            f"announce {rules.announce}",
            f"{self.games} games each on the same layouts, placer {self.placer}, seed {self.seed}",
            "",
            _rendered(
                ["strategy", "mean shots", "95% interval", "sd", "median", "p95", "min", "max",
                 "games/s", "lost"],
                [_summary_row(summary) for summary in self.summaries()],
            ),
        ]  # fmt: skip
        comparisons = self.comparisons()
        if comparisons:
            rows = [
                [f"{c.a} - {c.b}", f"{c.difference.mean:+.2f}", _span(c.difference)]
                for c in comparisons
            ]
            lines += ["", _rendered(["paired difference", "mean", "95% interval"], rows)]
        for name, failures in self.failures.items():
            for failure in failures[:_SHOWN_FAILURES]:
                lines.append(f"{name} lost game {failure.game}: {failure.message}")
            if len(failures) > _SHOWN_FAILURES:
                lines.append(f"{name} lost {len(failures) - _SHOWN_FAILURES} more games")
        return "\n".join(lines)


def _span(interval: Interval) -> str:
    return f"{interval.low:.2f} to {interval.high:.2f}" if np.isfinite(interval.low) else "-"


def _summary_row(row: StrategySummary) -> list[str]:
    rate = f"{row.games / row.seconds:,.0f}" if row.seconds > 0 else "-"
    return [
        row.name, f"{row.interval.mean:.2f}", _span(row.interval), f"{row.sd:.2f}",
        f"{row.median:g}", f"{row.p95:g}", str(row.min), str(row.max), rate,
        str(len(row.failures)),
    ]  # fmt: skip


def _rendered(header: list[str], rows: list[list[str]]) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, title in enumerate(header):
        table.add_column(title, justify="left" if i == 0 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = Console(width=200, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(table)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    return "\n".join(line for line in lines if line)
