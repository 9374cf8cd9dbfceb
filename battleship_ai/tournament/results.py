"""What the games of one rule set and placer come to: figures by strategy, and tables of them."""

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import BattleshipError
from battleship_ai.statistics import (
    Interval,
    PairedComparison,
    Ranking,
    bradley_terry,
    compare_differences,
    quantile_interval,
    starter_advantage,
    wilson_interval,
)
from battleship_ai.tables import Cell, Table
from battleship_ai.tournament.design import AnyRules, Pool
from battleship_ai.tournament.games import game_of
from battleship_ai.tournament.seats import Failure
from battleship_ai.tournament.tally import DuelTally, SoloTally

__all__ = ["DuelResult", "PoolResult", "SoloResult", "StrategySummary", "TournamentResult"]

_SHOWN_FAILURES = 5


@dataclass(frozen=True)
class StrategySummary:
    """The figures of one strategy over all games.

    Examples
    --------
    >>> from battleship_ai import run_tournament
    >>> (density,) = run_tournament("pomcp", ["density"], games=50, seed=1).summaries()
    >>> density.name, density.games, density.min <= density.median.mean <= density.max
    ('density', 50, True)
    """

    name: str
    games: int
    mean: Interval
    """Shots to win."""
    sd: float
    median: Interval
    p95: float
    min: int
    max: int
    adjusted: Interval | None
    """The mean of shots less luck, where luck was estimated."""
    adjusted_sd: float | None
    seconds: float
    lost: int
    """Games lost by a fault of its own."""
    measures: dict[str, Interval] = field(default_factory=dict)
    """The means of what the game counts beside shots, by their names in print."""

    def to_dict(self) -> dict[str, Any]:
        """The figures as the command line prints them."""
        figures: dict[str, Any] = {
            "name": self.name,
            "games": self.games,
            "mean": self.mean.mean,
            "ci95": _bounds(self.mean),
            "sd": self.sd,
            "median": self.median.mean,
            "median_ci95": _bounds(self.median),
            "p95": self.p95,
            "min": self.min,
            "max": self.max,
            "seconds": self.seconds,
            "games_per_second": self.games / self.seconds if self.seconds > 0 else None,
            "lost": self.lost,
        }
        for name, mean in self.measures.items():
            figures[f"mean_{name}"] = mean.mean
            figures[f"mean_{name}_ci95"] = _bounds(mean)
        if self.adjusted is not None and self.adjusted_sd is not None:
            figures["luck_adjusted"] = {
                "mean": self.adjusted.mean,
                "ci95": _bounds(self.adjusted),
                "sd": self.adjusted_sd,
            }
        return figures


@dataclass(frozen=True)
class PoolResult:
    """Games under one rule set with one placer.

    Attributes
    ----------
    rules_name : str
        Its label in the design.
    rules : Rules or NavalRules
    placer : str
    seed : int
    seconds : dict of str to float
        Time spent by each strategy, summed over workers.
    failures : dict of str to list of Failure
        Games lost by a fault, or the first of them, by strategy or by pair.
    lost : dict of str to int
        How many there are.

    Examples
    --------
    >>> from battleship_ai import run_tournament
    >>> result = run_tournament("pomcp", ["random"], games=50, seed=1)
    >>> result.name, result.games, result.failures
    ('pomcp--uniform', 50, {})
    """

    rules_name: str
    rules: AnyRules
    placer: str
    seed: int
    seconds: dict[str, float]
    failures: dict[str, list[Failure]]
    lost: dict[str, int]

    @property
    def name(self) -> str:
        """Rules and placer in one word, as `Pool` has it."""
        return Pool(self.rules_name, self.rules, self.placer).name

    @property
    def games(self) -> int:
        """Games of each strategy, or of each pair."""
        raise NotImplementedError

    def tables(self) -> dict[str, Table]:
        """Tables of the figures, by name."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The result as the command line prints it with ``--json``."""
        return {
            "rules": self.rules.to_dict(),
            "placer": self.placer,
            "games": self.games,
            "seed": self.seed,
            **self._figures(),
            "failures": {
                label: [failure._asdict() for failure in faults]
                for label, faults in self.failures.items()
            },
        }

    def _figures(self) -> dict[str, Any]:
        raise NotImplementedError

    def _games_of(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        """What was played, the tables in plain text, and what went wrong."""
        parts = [self._head(), *("\n" + table.text() for table in self.tables().values())]
        return "\n".join([*parts, *self._faults()])

    def _repr_html_(self) -> str:
        tables = [table.html() for table in self.tables().values()]
        return "\n".join([_paragraph(self._head()), *tables, _paragraph("\n".join(self._faults()))])

    def _head(self) -> str:
        return (
            f"{self.rules.describe()}\n"
            f"{self._games_of()}, placer {self.placer}, seed {self.seed}; "
            f"means with 95% intervals"
        )

    def _faults(self) -> list[str]:
        lines = []
        for name, failures in self.failures.items():
            for failure in failures[:_SHOWN_FAILURES]:
                lines.append(f"{name} lost game {failure.game}: {failure.message}")
            shown = min(_SHOWN_FAILURES, len(failures))
            if self.lost[name] > shown:
                lines.append(f"{name} lost {self.lost[name] - shown} more games")
        return lines


@dataclass(frozen=True)
class SoloResult(PoolResult):
    """Shots to win of several strategies against the same hidden layouts.

    Attributes
    ----------
    tally : SoloTally
        What the games add up to.

    Examples
    --------
    >>> from battleship_ai import run_tournament
    >>> result = run_tournament("pomcp", ["parity-hunt", "density"], games=50, seed=1)
    >>> result.games, [summary.name for summary in result.summaries()]
    (50, ['parity-hunt', 'density'])
    >>> result.tables()["differences"].rows[0][0]
    'parity-hunt - density'
    """

    tally: SoloTally

    @property
    def games(self) -> int:
        """Games of each strategy."""
        return self.tally.games

    @cached_property
    def _values(self) -> npt.NDArray[np.int64]:
        return np.arange(self.tally.limit + 1)

    def mean(self, strategy: str) -> Interval:
        """The mean shots to win of a strategy; luck-adjusted where luck was estimated."""
        return self.tally.singles()[strategy].interval()

    def summaries(self) -> list[StrategySummary]:
        """One row a strategy, in the order they were given."""
        raw = self.tally.raw_singles()
        return [
            self._summary(name, counts, raw[name]) for name, counts in self.tally.counts.items()
        ]

    def _summary(self, name: str, counts: npt.NDArray[np.int64], raw: Any) -> StrategySummary:
        adjusted = self.tally.adjusted.get(name)
        seen = np.flatnonzero(counts)
        return StrategySummary(
            name=name,
            games=self.games,
            mean=raw.interval(),
            sd=_sd(raw),
            median=quantile_interval(self._values, 0.5, counts=counts),
            p95=quantile_interval(self._values, 0.95, counts=counts).mean,
            min=int(seen[0]),
            max=int(seen[-1]),
            adjusted=adjusted.interval() if adjusted else None,
            adjusted_sd=_sd(adjusted) if adjusted else None,
            seconds=self.seconds.get(name, 0.0),
            lost=self.lost.get(name, 0),
            measures={
                printed: self.tally.measured(column)[name].interval()
                for column, printed in game_of(self.rules).measures.items()
            },
        )

    def comparisons(self) -> list[PairedComparison]:
        """Every pair of strategies on the common layouts, in raw shots."""
        return compare_differences(self.tally.raw_paired())

    def adjusted_comparisons(self) -> list[PairedComparison]:
        """Every pair of strategies by shots less luck; empty where luck was not estimated."""
        return compare_differences(self.tally.adjusted_differences)

    def best_comparisons(self) -> list[PairedComparison]:
        """Every pair of strategies, by shots less luck where luck was estimated."""
        return self.adjusted_comparisons() or self.comparisons()

    def _figures(self) -> dict[str, Any]:
        adjusted = {(c.a, c.b): c for c in self.adjusted_comparisons()}
        comparisons = []
        for c in self.comparisons():
            comparisons.append(_compared(c))
            if (c.a, c.b) in adjusted:
                comparisons[-1]["luck_adjusted"] = _compared(adjusted[c.a, c.b])
        return {
            "strategies": [summary.to_dict() for summary in self.summaries()],
            "comparisons": comparisons,
        }

    def _games_of(self) -> str:
        return f"{self.games} games each on the same layouts"

    def tables(self) -> dict[str, Table]:
        """The figures by strategy, and the paired differences."""
        tables = {"strategies": self._strategies_table(), "differences": self._differences_table()}
        return {name: table for name, table in tables.items() if table.rows}

    def _strategies_table(self) -> Table:
        summaries = self.summaries()
        header = ["strategy", "mean shots", "sd", "median", "p95", "min", "max", "games/s", "lost"]
        rows: list[list[Cell]] = [
            [s.name, s.mean, s.sd, s.median.mean, s.p95, s.min, s.max,
             s.games / s.seconds if s.seconds > 0 else None, s.lost]
            for s in summaries
        ]  # fmt: skip
        header[-2:-2] = [f"mean {measure}" for measure in summaries[0].measures]
        for row, s in zip(rows, summaries, strict=True):
            row[-2:-2] = s.measures.values()
        if any(s.adjusted is not None for s in summaries):
            header[2:2] = ["less luck", "sd less luck"]
            for row, s in zip(rows, summaries, strict=True):
                row[2:2] = [s.adjusted, s.adjusted_sd]
        return Table(header, rows, formats={"median": "g", "p95": "g", "games/s": ",.0f"})

    def _differences_table(self) -> Table:
        header = ["paired difference", "mean shots", "effect size", "p (Holm)"]
        comparisons = self.comparisons()
        rows: list[list[Cell]] = [
            [f"{c.a} - {c.b}", c.difference, c.effect_size, _p_text(c.p_holm)] for c in comparisons
        ]
        adjusted = self.adjusted_comparisons()
        if adjusted:
            header += ["less luck", "p less luck"]
            for row, c in zip(rows, adjusted, strict=True):
                row += [c.difference, _p_text(c.p_holm)]
        return Table(header, rows, formats={"mean shots": "+.2f", "less luck": "+.2f"})


@dataclass(frozen=True)
class DuelResult(PoolResult):
    """Duels of every pair of strategies.

    Attributes
    ----------
    tally : DuelTally

    Examples
    --------
    >>> from battleship_ai import run_duels
    >>> result = run_duels("pomcp", ["random", "density"], games=50, seed=1)
    >>> list(result.win_shares()), sorted(result.tables())
    ([('random', 'density')], ['starter', 'wins'])
    """

    tally: DuelTally

    @property
    def games(self) -> int:
        """Duels of each pair."""
        return self.tally.games

    def win_shares(self) -> dict[tuple[str, str], Interval]:
        """The share of its duels that the first of each pair won, without the void ones."""
        return {
            pair: wilson_interval(wins, self.games - self.tally.void[pair])
            for pair, wins in self.tally.wins.items() if self.games > self.tally.void[pair]
        }  # fmt: skip

    def starter_advantage(self) -> Interval:
        """How far the starter's share of wins lies above one half, over all pairs.

        The pairs play on the same layouts, so the interval is as wide as that of the duels
        of one pair.
        """
        pairs = len(self.tally.wins)
        games = self.games - max(self.tally.void.values())
        wins = min(games, round(sum(self.tally.starter_wins.values()) / pairs))
        return starter_advantage(wins, games)

    def ranking(self) -> Ranking:
        """Strengths by the model of Bradley and Terry.

        Raises
        ------
        BattleshipError
            If they are infinite, since some strategies lost every duel to the others.
        """
        return bradley_terry(self.tally.win_matrix(), self.tally.labels)

    def elo(self) -> dict[str, Interval]:
        """The ranking on Elo's scale; empty where strengths are infinite."""
        try:
            return self.ranking().elo()
        except BattleshipError:
            return {}

    def _figures(self) -> dict[str, Any]:
        figures: dict[str, Any] = {
            "duels": [
                {"a": a, "b": b, "win_share": share.mean, "ci95": _bounds(share)}
                for (a, b), share in self.win_shares().items()
            ]
        }
        advantage = self.starter_advantage()
        figures["starter_advantage"] = {"mean": advantage.mean, "ci95": _bounds(advantage)}
        figures["ranking"] = [
            {"name": name, "elo": interval.mean, "ci95": _bounds(interval)}
            for name, interval in self.elo().items()
        ]
        return figures

    def _games_of(self) -> str:
        return f"{self.games} duels of each pair, the first starting every other"

    def tables(self) -> dict[str, Table]:
        """Shares of duels won, the starter's advantage and the ranking."""
        labels = self.tally.labels
        shares = self.win_shares()
        rows: list[list[Cell]] = [[a, *(self._share(shares, a, b) for b in labels)] for a in labels]
        advantage = self.starter_advantage()
        tables = {
            "wins": Table(["% won against", *labels], rows, formats=dict.fromkeys(labels, ".1f")),
            "starter": Table(
                ["starter's advantage", "% above one half"],
                [["all pairs", _percent(advantage)]],
                formats={"% above one half": ".1f"},
            ),
        }
        ranked: list[list[Cell]] = [[name, interval] for name, interval in self.elo().items()]
        if ranked:
            tables["ranking"] = Table(["strategy", "Elo"], ranked, formats={"Elo": ".0f"})
        return tables

    @staticmethod
    def _share(shares: Mapping[tuple[str, str], Interval], a: str, b: str) -> Cell:
        if (a, b) in shares:
            return _percent(shares[a, b])
        if (b, a) in shares:
            mean, low, high = _percent(shares[b, a])
            return Interval(100 - mean, 100 - high, 100 - low)
        return None


@dataclass(frozen=True)
class TournamentResult(SoloResult):
    """Shots to win, game by game, of several strategies against the same hidden layouts.

    Attributes
    ----------
    shots : dict of str to ndarray of int32, shape (games,)
        By strategy, in game order. A game that a strategy lost by its own fault
        counts as the shot limit, twice the squares of the board; in Naval Bombardment
        as full salvos in every round allowed.
    hits : dict of str to ndarray of int16, shape (games, ship squares)
        The number, from 1, of the shot that made each hit; 0 where none did.
    luck : dict of str to ndarray of float64, shape (games,)
        What luck cost each game in shots; empty where it was not estimated.
    measures : dict of str to dict of str to ndarray of int32, shape (games,)
        What the game counts beside shots, by strategy: ``rounds`` and ``mines`` struck in
        Naval Bombardment, nothing in ship bombing.
    compile_seconds : float
        Time spent compiling or loading the kernels, in the first process.

    Examples
    --------
    >>> from battleship_ai import run_tournament
    >>> result = run_tournament("pomcp", ["density"], games=50, seed=1)
    >>> result.shots["density"].shape, result.hits["density"].shape
    ((50,), (50, 14))
    >>> bool((result.hits["density"][:, -1] == result.shots["density"]).all())
    True
    """

    shots: dict[str, npt.NDArray[np.int32]]
    hits: dict[str, npt.NDArray[np.int16]]
    luck: dict[str, npt.NDArray[np.float64]] = field(default_factory=dict)
    measures: dict[str, dict[str, npt.NDArray[np.int32]]] = field(default_factory=dict)
    compile_seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The result as the command line prints it with ``--json``."""
        return {**super().to_dict(), "compile_seconds": self.compile_seconds}


def _paragraph(text: str) -> str:
    return f'<p style="white-space: pre-line">{html.escape(text)}</p>' if text else ""


def _compared(c: PairedComparison) -> dict[str, Any]:
    return {
        "a": c.a,
        "b": c.b,
        "mean_difference": c.difference.mean,
        "ci95": _bounds(c.difference),
        "effect_size": _finite(c.effect_size),
        "p": c.p_value,
        "p_holm": c.p_holm,
    }


def _finite(x: float) -> float | None:
    return float(x) if np.isfinite(x) else None


def _bounds(interval: Interval) -> list[float | None]:
    return [_finite(interval.low), _finite(interval.high)]


def _sd(moments: Any) -> float:
    return float(moments.sd) if moments.n > 1 else 0.0


def _percent(share: Interval) -> Interval:
    return Interval(*(100 * bound for bound in share))


def _p_text(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
