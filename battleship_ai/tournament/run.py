"""A run that is on disk: its figures, its rows for pandas and polars, and any game again."""

from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from battleship_ai.errors import TournamentError
from battleship_ai.tournament.archive import Archive
from battleship_ai.tournament.design import Design
from battleship_ai.tournament.playing import replay
from battleship_ai.tournament.results import DuelResult, PoolResult, SoloResult
from battleship_ai.tournament.tally import SoloTally

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd
    import polars as pl
    import pyarrow as pa

__all__ = ["Run"]


class Run:
    """The games of a design, as `run_design` left them in a directory.

    Parameters
    ----------
    directory : path-like or Archive

    Raises
    ------
    TournamentError
        If the directory is not one of a run.

    Examples
    --------
    >>> import tempfile
    >>> from battleship_ai import Design, run_design
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     run = run_design(Design("hasbro", ["density"], games=20), f"{directory}/run")
    ...     game = run.replay(7, "density")
    ...     run.results()[0].games, game.shots == run.table().to_pylist()[7]["shots"]
    (20, True)
    """

    def __init__(self, directory: "str | PathLike[str] | Archive") -> None:
        self._archive = directory if isinstance(directory, Archive) else Archive(directory)

    @property
    def design(self) -> Design:
        """What was played."""
        return self._archive.design

    @property
    def manifest(self) -> dict[str, Any]:
        """The design, the versions and the platform of the first process."""
        return self._archive.manifest

    @property
    def is_finished(self) -> bool:
        """Whether every game was played."""
        return all(map(self._archive.is_finished, range(len(self.design.pools))))

    def results(self) -> list[PoolResult]:
        """The figures of each rule set and placer, as far as it was played."""
        numbers = range(len(self.design.pools))
        return [self._result(number) for number in numbers if self._archive.games(number)]

    def _result(self, number: int) -> PoolResult:
        pool = self.design.pools[number]
        tally = self._archive.tally(number)
        failures = self._archive.failures(number)
        common: dict[str, Any] = {
            "rules_name": pool.rules_name,
            "rules": pool.rules,
            "placer": pool.placer,
            "seed": self.design.seed,
            "seconds": self._archive.timings().get(pool.name, {}),
            "failures": {label: first for label, (_, first) in failures.items()},
            "lost": {label: count for label, (count, _) in failures.items()},
        }
        if isinstance(tally, SoloTally):
            return SoloResult(tally=tally, **common)
        return DuelResult(tally=tally, **common)

    def chunks(self) -> "Iterator[pa.Table]":
        """The rows in order, some hundred thousand at a time."""
        for number in range(len(self.design.pools)):
            yield from self._archive.chunks(number)

    def hits(self, pool: int) -> "dict[str, npt.NDArray[np.signedinteger[Any]]]":
        """The shot of each hit in the first games of a pool, some ten thousand at most.

        Returns
        -------
        dict of str to ndarray of int, shape (games, ship squares)
            By strategy; 0 where no shot made the hit.
        """
        rows = next(self._archive.chunks(pool, ["hits"]))["hits"].combine_chunks()
        ends = rows.offsets.to_numpy()
        lengths = np.diff(ends)
        ship_squares = self.design.pools[pool].rules.ship_squares
        padded = np.zeros((len(lengths), ship_squares), self.design.game.hits_type)
        padded[np.arange(padded.shape[1]) < lengths[:, None]] = rows.flatten().to_numpy()
        strategies = list(self.design.strategies)
        return {label: padded[i :: len(strategies)] for i, label in enumerate(strategies)}

    def table(self) -> "pa.Table":
        """All rows as an Arrow table."""
        import pyarrow as pa

        chunks = list(self.chunks())
        if not chunks:
            raise TournamentError(f"{self._archive.path} has no game yet")
        return pa.concat_tables(chunks).unify_dictionaries()

    def to_pandas(self) -> "pd.DataFrame":
        """All rows as a pandas data frame."""
        return self.table().to_pandas()

    def to_polars(self) -> "pl.DataFrame":
        """All rows as a polars data frame."""
        import polars as pl

        frame = pl.from_arrow(self.table())
        assert isinstance(frame, pl.DataFrame)
        return frame

    def replay(
        self,
        game: int,
        strategy: str,
        opponent: str | None = None,
        *,
        rules: str | None = None,
        placer: str | None = None,
        design: Design | None = None,
    ) -> Any:
        """Play a game once more, from the seed.

        Parameters
        ----------
        game : int
            Its number among the games of the rule set and placer.
        strategy : str
            A label of the design.
        opponent : str, optional
            In duels, the label of the other.
        rules, placer : str, optional
            Where the design has several.
        design : Design, optional
            Needed where a strategy is an object of yours, which a directory cannot hold.

        Returns
        -------
        SoloGame or Duel; SoloMatch or Match in Naval Bombardment
            A game that a fault ended is there as far as it went.

        Raises
        ------
        TournamentError
            If there is no such game.
        """
        number = self._archive.pool_number(rules, placer)
        if not 0 <= game < self._archive.games(number):
            raise TournamentError(
                f"game {game!r} is not one of the {self._archive.games(number)} games"
            )
        if design is None:
            for label, text in self.design.written.items():
                if text.startswith("object "):
                    raise TournamentError(
                        f"strategy {label!r} was an {text}, which no directory holds; "
                        f"give the design to replay"
                    )
            design = Design.from_dict(self.manifest["design"])
        return replay(design, number, game, strategy, opponent)
