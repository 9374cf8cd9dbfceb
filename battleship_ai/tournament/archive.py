"""A run on disk: one row a game, in Parquet, safe against being killed at any moment.

Parquet, since pandas, polars, DuckDB and Arrow read it in every language, it keeps lists
(the shot of each hit) and it is small. While a pool is played each batch becomes a part,
written under another name and then renamed: it is there whole or not at all. When all
games of the pool are there, they are merged in order into one file whose bytes do not
depend on the parts, and the parts are removed.
"""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import metadata
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battleship_ai._files import replacing
from battleship_ai.errors import TournamentError
from battleship_ai.tournament.batches import Batch, DuelBatch, SoloBatch
from battleship_ai.tournament.design import Design
from battleship_ai.tournament.rows import arrow, faulty, module, rows_of, schema
from battleship_ai.tournament.seats import Failure
from battleship_ai.tournament.tally import DuelTally, SoloTally, new_tally

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Archive"]

_FORMAT = 1
_ROW_GROUP = 2**17
_SECONDS = b"battleship_ai.seconds"


class Archive:
    """The directory of a run.

    ``manifest.json`` has the design, the versions and the platform; ``games`` one file of
    rows for each rule set and placer; ``parts`` what is played so far of the others;
    ``timings.json`` the seconds spent, which are no part of the rows.

    Parameters
    ----------
    path : path-like
    design : Design, optional
        Starts the directory, or takes it up again; without, it must be there.

    Raises
    ------
    TournamentError
        If the directory belongs to another design or another version of the code, or is
        none of a run.
    """

    def __init__(self, path: str | PathLike[str], design: Design | None = None) -> None:
        self.path = Path(path)
        manifest = self._manifest()
        if manifest is None:
            if design is None:
                raise TournamentError(f"{self.path} holds no games; `run` makes such a directory")
            manifest = self._begin(design)
        elif design is not None:
            _check_same(self.path, manifest, design)
        self.manifest = manifest
        if design is None:
            design = Design.from_dict(manifest["design"], load=False)
        self.design = design

    def _begin(self, design: Design) -> dict[str, Any]:
        """Make the directory; one that was killed while it was made is as good as none."""
        begun = {"games", "parts", "manifest.unfinished"}
        if self.path.exists() and (
            not self.path.is_dir() or {path.name for path in self.path.iterdir()} - begun
        ):
            raise TournamentError(f"{self.path} is there and is not the directory of a run")
        manifest = _new_manifest(design)
        for folder in ("games", "parts"):
            (self.path / folder).mkdir(parents=True, exist_ok=True)
        _write(self.path / "manifest.json", json.dumps(manifest, indent=2).encode())
        return manifest

    def _manifest(self) -> dict[str, Any] | None:
        try:
            manifest: dict[str, Any] = json.loads((self.path / "manifest.json").read_bytes())
            if manifest["format"] != _FORMAT:
                raise TournamentError(
                    f"{self.path} has format {manifest['format']}, this version reads {_FORMAT}"
                )
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, TournamentError):
                raise
            raise TournamentError(f"{self.path / 'manifest.json'} is damaged: {error}") from None
        return manifest

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from playing into the directory."""
        filelock = module("filelock")
        try:
            with filelock.FileLock(self.path / ".lock", blocking=False):
                yield
        except filelock.Timeout:
            raise TournamentError(f"another process is playing into {self.path}") from None

    # What a schedule asks of a sink.

    def played(self, pool: int) -> list[Batch]:
        """The batches of a pool that are there."""
        if self._rows_file(pool).exists():
            return [Batch(pool, 0, self.games(pool))]
        return [batch for batch, _ in self._parts(pool)]

    def add(self, played: SoloBatch | DuelBatch) -> None:
        """Keep a batch as a part."""
        table = rows_of(self.design, played)
        seconds = json.dumps(played.seconds, sort_keys=True).encode()
        table = table.replace_schema_metadata({_SECONDS: seconds})
        batch = played.batch
        name = f"{batch.pool:03d}-{batch.first:012d}-{batch.games:012d}.parquet"
        with replacing(self.path / "parts" / name) as unfinished:
            _parquet().write_table(table, unfinished)

    def is_enough(self, pool: int, games: int) -> bool:
        """Whether the stopping rule is met by the first so many games of a pool."""
        assert self.design.stop is not None
        tally = self.tally(pool, games)
        assert isinstance(tally, SoloTally)
        return self.design.stop.is_met(tally.intervals_to_narrow())

    def finish(self, pool: int, games: int) -> None:
        """Merge the parts of a pool into its file of rows."""
        rows_file = self._rows_file(pool)
        if not rows_file.exists():
            self._keep_timings(pool)
            with replacing(rows_file) as unfinished:
                writer = _parquet().ParquetWriter(
                    unfinished, schema(self.design), compression="zstd", version="2.6"
                )
                with writer:
                    for table in self.chunks(pool, games=games):
                        writer.write_table(table, row_group_size=_ROW_GROUP)
        for _, path in self._parts(pool):
            path.unlink()

    # Reading.

    def pool_number(self, rules_name: str | None = None, placer: str | None = None) -> int:
        """The number of a pool; either name may be left out where there is one only."""
        found = [
            number for number, pool in enumerate(self.design.pools)
            if rules_name in (None, pool.rules_name) and placer in (None, pool.placer)
        ]  # fmt: skip
        if len(found) != 1:
            names = ", ".join(pool.name for pool in self.design.pools)
            raise TournamentError(
                f"rules {rules_name!r} and placer {placer!r} do not name one of: {names}"
            )
        return found[0]

    def is_finished(self, pool: int) -> bool:
        """Whether all games of a pool were played."""
        return self._rows_file(pool).exists()

    def games(self, pool: int) -> int:
        """Games of a pool that are there without a gap."""
        if self.is_finished(pool):
            rows = _parquet().read_metadata(self._rows_file(pool)).num_rows
            return int(rows) // self._rows_a_game
        end = 0
        for batch, _ in self._parts(pool):
            if batch.first > end:
                break
            end = batch.end
        return end

    def chunks(
        self, pool: int, columns: Sequence[str] | None = None, games: int | None = None
    ) -> "Iterator[pa.Table]":
        """The rows of a pool in order, so many games at a time however they were played."""
        pa = arrow()
        left = (self.games(pool) if games is None else games) * self._rows_a_game
        size = _ROW_GROUP // self._rows_a_game * self._rows_a_game or self._rows_a_game
        waiting: list[Any] = []
        rows = 0
        for batch in self._batches(pool, columns):
            batch = batch.slice(0, left)
            left -= batch.num_rows
            waiting.append(batch)
            rows += batch.num_rows
            while rows >= size:
                table = pa.Table.from_batches(waiting)
                yield table.slice(0, size).combine_chunks()
                waiting = table.slice(size).to_batches()
                rows -= size
            if left == 0:
                break
        if rows:
            yield pa.Table.from_batches(waiting).combine_chunks()

    def _batches(self, pool: int, columns: Sequence[str] | None) -> Iterator[Any]:
        finished = self._rows_file(pool)
        paths = [finished] if finished.exists() else [path for _, path in self._parts(pool)]
        for path in paths:
            with _parquet().ParquetFile(path) as file:
                for batch in file.iter_batches(_ROW_GROUP, columns=columns):
                    yield batch.replace_schema_metadata(None)

    def tally(self, pool: int, games: int | None = None) -> SoloTally | DuelTally:
        """What the first games of a pool add up to; all of them by default."""
        labels = list(self.design.strategies)
        if self.design.mode == "duel":
            duels = DuelTally(labels)
            for table in self.chunks(pool, ["starter", "winner"], games):
                starter, winner = (table[name].to_numpy() for name in ("starter", "winner"))
                by_pair = winner.reshape(-1, self._rows_a_game).T
                duels.add(dict(zip(duels.wins, by_pair, strict=True)), starter[:: len(by_pair)])
            return duels
        chosen = self.design.pools[pool]
        solo = new_tally(labels, chosen.game.limits(chosen.rules))
        columns = ["shots", *solo.measures, *(["luck"] if self.design.luck_adjusted else [])]
        for table in self.chunks(pool, columns, games):
            values = {
                name: dict(zip(labels, table[name].to_numpy().reshape(-1, len(labels)).T,
                               strict=True))
                for name in columns
            }  # fmt: skip
            solo.add(values["shots"], values.get("luck"), values)
        return solo

    def failures(self, pool: int, most: int = 5) -> dict[str, tuple[int, list[Failure]]]:
        """By strategy or pair, how many games were lost by a fault, and the first of them."""
        by = ["strategy"] if self.design.mode == "solo" else ["first", "second"]
        counts: Counter[str] = Counter()
        first: dict[str, list[Failure]] = {}
        for table in self.chunks(pool, [*by, "game", "outcome", "message"]):
            lost = faulty(table)
            for row in lost.to_pylist():
                label = " - ".join(row[name] for name in by)
                counts[label] += 1
                if counts[label] <= most:
                    failure = Failure(row["game"], row["message"], row["outcome"] == "illegal")
                    first.setdefault(label, []).append(failure)
        return {label: (counts[label], first[label]) for label in first}

    def timings(self) -> dict[str, dict[str, float]]:
        """Seconds spent by each strategy, by pool, of the pools that are finished."""
        try:
            return dict(json.loads((self.path / "timings.json").read_bytes()))
        except FileNotFoundError:
            return {}

    def _keep_timings(self, pool: int) -> None:
        total: Counter[str] = Counter()
        for _, path in self._parts(pool):
            total.update(json.loads(_parquet().read_schema(path).metadata[_SECONDS]))
        timings = {**self.timings(), self.design.pools[pool].name: total}
        _write(self.path / "timings.json", json.dumps(timings, indent=2).encode())

    # Files and rows.

    @property
    def _rows_a_game(self) -> int:
        k = len(self.design.strategies)
        return k if self.design.mode == "solo" else k * (k - 1) // 2

    def _rows_file(self, pool: int) -> Path:
        return self.path / "games" / f"{self.design.pools[pool].name}.parquet"

    def _parts(self, pool: int) -> list[tuple[Batch, Path]]:
        found = []
        for path in self.path.glob(f"parts/{pool:03d}-*.parquet"):
            first, count = map(int, path.stem.split("-")[1:])
            found.append((Batch(pool, first, count), path))
        return sorted(found)


def _parquet() -> Any:
    return module("pyarrow.parquet")


def _write(path: Path, content: bytes) -> None:
    with replacing(path) as unfinished:
        unfinished.write_bytes(content)


def _code_version() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _new_manifest(design: Design) -> dict[str, Any]:
    for name in ("pyarrow", "filelock"):  # before anything is made, say so if one is missing
        module(name)
    import platform

    return {
        "format": _FORMAT,
        "design": design.to_dict(),
        "digest": design.digest,
        "code": _code_version(),
        "versions": {
            "python": sys.version.split()[0],
            **{
                name: metadata.version(name)
                for name in ("battleship_ai", "numba", "numpy", "pyarrow")
            },
        },
        "platform": platform.platform(),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _check_same(path: Path, manifest: dict[str, Any], design: Design) -> None:
    ours = json.loads(json.dumps(design.to_dict()))
    theirs = manifest["design"]
    for key in sorted(ours.keys() | theirs.keys()):
        if ours.get(key) != theirs.get(key):
            raise TournamentError(
                f"{path} belongs to another design: its {key} is {theirs.get(key)!r}, "
                f"not {ours.get(key)!r}"
            )
    if manifest["code"] != _code_version():
        raise TournamentError(
            f"{path} was begun with other code, {manifest['versions']['battleship_ai']} "
            f"{manifest['code']}; go on with that, or choose another directory"
        )
