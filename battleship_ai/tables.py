"""Tables of figures as plain text, Markdown, LaTeX, CSV and HTML."""

import csv
import html
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from numbers import Integral
from typing import TYPE_CHECKING

from battleship_ai.errors import DataError
from battleship_ai.statistics import Interval

if TYPE_CHECKING:
    from tabulate import TableFormat

__all__ = ["Cell", "Table"]

Cell = str | float | Interval | None
"""What a cell of a `Table` holds; None is a figure that is missing."""


def _booktabs_top(widths: list[int], alignments: list[str]) -> str:
    columns = "".join(alignment[0] for alignment in alignments)
    return rf"\begin{{tabular}}{{{columns}}}" + "\n\\toprule"


# tabulate is imported where it is used: with it, the package would take a second to import.


@cache
def _booktabs() -> "TableFormat":
    """As tabulate's own format, which escapes every cell; here numbers are math and stay."""
    from tabulate import DataRow, Line, TableFormat

    return TableFormat(
        lineabove=_booktabs_top,
        linebelowheader=Line(r"\midrule", "", "", ""),
        linebetweenrows=None,
        linebelow=Line("\\bottomrule\n\\end{tabular}", "", "", ""),
        headerrow=DataRow("", " & ", r" \\"),
        datarow=DataRow("", " & ", r" \\"),
        padding=0,
        with_header_hide=None,
    )


@dataclass(frozen=True)
class Table:
    r"""A table whose columns of numbers are aligned to the right.

    Parameters
    ----------
    header : sequence of str
        The names of the columns.
    rows : sequence of sequences of str, int, float, Interval or None
        One cell a column. None is a figure that is missing.
    caption : str
    formats : mapping of str to str
        By column, how its numbers are written (``"+.2f"``), in every form but CSV.
        Without, integers are written whole and others with two decimals.

    Raises
    ------
    DataError
        If a row has not one cell a column.

    Examples
    --------
    >>> density, random = Interval(44.38, 44.26, 44.5), Interval(95.34, 95.27, 95.41)
    >>> table = Table(["strategy", "mean shots"], [["density", density], ["random", random]])
    >>> print(table.text())
    strategy      mean shots
    ----------  ------------
    density     44.38 ± 0.12
    random      95.34 ± 0.07
    >>> print(table.csv(), end="")
    strategy,mean shots,mean shots low,mean shots high
    density,44.38,44.26,44.5
    random,95.34,95.27,95.41
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str = field(default="", kw_only=True)
    formats: Mapping[str, str] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.header):
                raise DataError(
                    f"row {number} has {len(row)} cells; the header has {len(self.header)}"
                )

    def text(self) -> str:
        """The table as a terminal shows it, an interval as ``44.38 ± 0.12``.

        One that is not symmetric is written ``44.38 (44.20 to 44.60)``.
        """
        return self._captioned(self._rendered("simple"))

    def markdown(self) -> str:
        """The table in Markdown, with pipes."""
        return self._captioned(self._rendered("pipe", lambda text: text.replace("|", r"\|")))

    def latex(self) -> str:
        r"""The table in LaTeX, for the package ``booktabs``; intervals as ``$44.38 \pm 0.12$``.

        With a caption it is a ``table``, without one a bare ``tabular``.
        """
        tabular = self._rendered(_booktabs(), _escaped, _math)
        if not self.caption:
            return tabular
        return "\n".join(
            [
                r"\begin{table}",
                r"\centering",
                rf"\caption{{{_escaped(self.caption)}}}",
                tabular,
                r"\end{table}",
            ]
        )

    def csv(self) -> str:
        """The table as comma-separated values in full precision, without the caption.

        A column ``name`` of intervals becomes the columns ``name``, ``name low`` and
        ``name high``. A missing figure is empty.
        """
        wide = [any(isinstance(row[i], Interval) for row in self.rows) for i in self._indices]
        names: list[str] = []
        for name, is_wide in zip(self.header, wide, strict=True):
            names += [name, f"{name} low", f"{name} high"] if is_wide else [name]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        for row in self.rows:
            writer.writerow(x for i in self._indices for x in _values(row[i], wide[i]))
        return out.getvalue()

    def html(self) -> str:
        """The table as an HTML element."""
        table = self._rendered("html")  # which escapes the cells
        caption = f"<table>\n<caption>{html.escape(self.caption)}</caption>"
        return table.replace("<table>", caption, 1) if self.caption else table

    def _repr_html_(self) -> str:
        return self.html()

    @property
    def _indices(self) -> range:
        return range(len(self.header))

    def _captioned(self, table: str) -> str:
        return f"{self.caption}\n\n{table}" if self.caption else table

    def _rendered(
        self,
        style: "str | TableFormat",
        word: Callable[[str], str] = str,
        number: Callable[[str], str] = str,
    ) -> str:
        """The table in a style of tabulate, words and numbers each made ready for it."""
        from tabulate import tabulate

        def shown(cell: Cell, name: str) -> str:
            if cell is None:
                return "-"
            if isinstance(cell, str):
                return word(cell)
            return number(_written(cell, self.formats.get(name)))

        return tabulate(
            [list(map(shown, row, self.header)) for row in self.rows],
            [word(name) for name in self.header],
            tablefmt=style,
            colalign=[
                "left" if any(isinstance(row[i], str) for row in self.rows) else "right"
                for i in self._indices
            ],
            disable_numparse=True,
        )


def _values(cell: Cell, wide: bool) -> Sequence[str | float | None]:
    if isinstance(cell, Interval):
        return cell
    return [cell, None, None] if wide else [cell]


def _written(value: float | Interval, spec: str | None) -> str:
    if not isinstance(value, Interval):
        return format(value, spec or ("d" if isinstance(value, Integral) else ".2f"))
    spec = spec or ".2f"
    mean, low, high = (format(x, spec) for x in value)
    # Apart from rounding, which may show two equal halves as different.
    if math.isclose(value.high - value.mean, value.mean - value.low, rel_tol=1e-6):
        return f"{mean} ± {format(value.half_width, spec.lstrip('+')).replace('inf', '∞')}"
    return f"{mean} ({low} to {high})"


def _escaped(text: str) -> str:
    from tabulate import LATEX_ESCAPE_RULES

    return "".join(LATEX_ESCAPE_RULES.get(character, character) for character in text)


def _math(number: str) -> str:
    for shown, command in (("±", r"\pm"), ("∞", r"\infty"), (",", "{,}"), (" to ", "$ to $")):
        number = number.replace(shown, command)
    return f"${number}$"
