"""The report of a run: its tables and figures, shown or written in the formats of papers."""

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from battleship_ai.errors import TournamentError
from battleship_ai.statistics import Interval, independent_difference
from battleship_ai.tables import Cell, Table
from battleship_ai.tournament.results import DuelResult, PoolResult, SoloResult
from battleship_ai.tournament.run import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Report"]

_DOTS_PER_INCH = 200


class Report:
    """The tables and figures of a run.

    Parameters
    ----------
    run : Run

    Raises
    ------
    TournamentError
        If no game was played yet.

    Examples
    --------
    >>> import tempfile
    >>> from battleship_ai import Design, run_design
    >>> design = Design(["hasbro", "pomcp"], ["density"], games=20, placers=["uniform", "edge"])
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     report = Report(run_design(design, f"{directory}/run"))
    >>> sorted(report.tables())[:2]
    ['hasbro--edge-strategies', 'hasbro--uniform-strategies']
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._results = run.results()
        if not self._results:
            raise TournamentError("the run has no game yet; there is nothing to report")

    def __str__(self) -> str:
        """All tables in plain text."""
        parts = [str(result) for result in self._results]
        parts += [table.text() for table in self._summary_tables().values()]
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        return "\n".join(table.html() for table in self.tables().values())

    def to_dict(self) -> dict[str, Any]:
        """The report as the command line prints it with ``--json``."""
        return {
            "design": self._run.manifest["design"],
            "finished": self._run.is_finished,
            "results": [result.to_dict() for result in self._results],
        }

    def tables(self) -> dict[str, Table]:
        """Every table by its name: those of each rule set and placer, then the summaries."""
        tables = {
            f"{result.name}-{name}": table
            for result in self._results for name, table in result.tables().items()
        }  # fmt: skip
        return {**tables, **self._summary_tables()}

    def figures(self) -> "Iterator[tuple[str, Axes]]":
        """Every figure with its name; they need Matplotlib, and are for the caller to close."""
        from battleship_ai import plotting

        for number, result in enumerate(self._results):
            if not isinstance(result, SoloResult):
                continue
            counts = {
                label: (np.flatnonzero(times), times[times > 0])
                for label, times in result.tally.counts.items()
            }
            yield f"{result.name}-distribution", plotting.plot_distribution(counts)
            yield f"{result.name}-ecdf", plotting.plot_ecdf(counts)
            yield f"{result.name}-hits", plotting.plot_hit_progress(self._run.hits(number))
            differences = {f"{c.a} - {c.b}": c.difference for c in result.best_comparisons()}
            if result.games > 1 and differences:
                yield f"{result.name}-differences", plotting.plot_differences(differences)
        solo = self._solo()
        if solo and all(result.games > 1 for result in solo):
            means = {_title(result, self._placers()): _means(result) for result in solo}
            yield "means", plotting.plot_means(means)

    def write(self, directory: str | PathLike[str]) -> list[Path]:
        """Write every table as Markdown, LaTeX and CSV, and every figure as PNG and PDF.

        Figures are left out where Matplotlib is not installed.

        Returns
        -------
        list of Path
            The files.
        """
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for name, table in self.tables().items():
            for suffix, text in (("md", table.markdown()), ("tex", table.latex()),
                                 ("csv", table.csv())):  # fmt: skip
                path = folder / f"{name}.{suffix}"
                path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
                written.append(path)
        try:
            import matplotlib.pyplot as plt
            from matplotlib.figure import Figure
        except ImportError:
            return written
        # A notebook's backend turns interaction on when it is loaded: not to be undone below.
        plt.switch_backend(plt.get_backend())
        with plt.ioff():
            for name, ax in self.figures():
                figure = ax.get_figure(root=True)
                assert isinstance(figure, Figure)
                for suffix in ("png", "pdf"):
                    path = folder / f"{name}.{suffix}"
                    figure.savefig(path, dpi=_DOTS_PER_INCH)
                    written.append(path)
                plt.close(figure)
        return written

    def _solo(self) -> list[SoloResult]:
        return [result for result in self._results if isinstance(result, SoloResult)]

    def _placers(self) -> list[str]:
        return list(dict.fromkeys(result.placer for result in self._results))

    def _summary_tables(self) -> dict[str, Table]:
        """What compares rule sets and placers; nothing where there is one only."""
        tables = {}
        if len(self._results) > 1 and self._solo():
            tables["means"] = self._means_table()
        if len(self._placers()) > 1:
            placers = self._placers_table()
            if placers.rows:
                tables["placers"] = placers
        if len(self._results) > 1 and any(isinstance(r, DuelResult) for r in self._results):
            tables["rankings"] = self._rankings_table()
        return tables

    def _means_table(self) -> Table:
        solo = self._solo()
        rows: list[list[Cell]] = [
            [strategy, *(result.mean(strategy) for result in solo)]
            for strategy in solo[0].tally.counts
        ]
        header = ["mean shots", *(_title(result, self._placers()) for result in solo)]
        return Table(header, rows)

    def _placers_table(self) -> Table:
        """How many shots more each strategy needs against another placer than against the first."""
        first, *others = self._placers()
        found = {(result.rules_name, result.placer): result for result in self._solo()}
        rows: list[list[Cell]] = []
        for rules_name in dict.fromkeys(result.rules_name for result in self._solo()):
            if (rules_name, first) not in found:
                continue
            base = found[rules_name, first].tally.raw_singles()
            for strategy, moments in base.items():
                row: list[Cell] = [rules_name, strategy]
                for placer in others:
                    other = found.get((rules_name, placer))
                    row.append(
                        independent_difference(other.tally.raw_singles()[strategy], moments)
                        if other else None
                    )  # fmt: skip
                rows.append(row)
        names = [f"{placer} - {first}" for placer in others]
        return Table(["rules", "strategy", *names], rows, formats=dict.fromkeys(names, "+.2f"))

    def _rankings_table(self) -> Table:
        duels = [result for result in self._results if isinstance(result, DuelResult)]
        elo = {_title(result, self._placers()): result.elo() for result in duels}
        rows: list[list[Cell]] = [
            [strategy, *(ratings.get(strategy) for ratings in elo.values())]
            for strategy in duels[0].tally.labels
        ]
        return Table(["Elo", *elo], rows, formats=dict.fromkeys(elo, ".0f"))


def _title(result: PoolResult, placers: list[str]) -> str:
    return result.rules_name if len(placers) == 1 else f"{result.rules_name}, {result.placer}"


def _means(result: SoloResult) -> dict[str, Interval]:
    return {strategy: result.mean(strategy) for strategy in result.tally.counts}
