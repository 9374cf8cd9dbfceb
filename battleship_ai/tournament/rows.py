"""Games as rows of an Arrow table: one a strategy or pair and game."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from battleship_ai._extras import extra
from battleship_ai.tournament.batches import NO_WINNER, Batch, DuelBatch, SoloBatch
from battleship_ai.tournament.design import Design
from battleship_ai.tournament.seats import Failure

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["arrow", "faulty", "module", "rows_of", "schema"]


def module(name: str) -> Any:
    """A module that results on disk need; `MissingExtra` where it is not installed."""
    with extra("results", "a directory of results"):
        return import_module(name)


def arrow() -> Any:
    """The module pyarrow."""
    return module("pyarrow")


def schema(design: Design) -> "pa.Schema":
    """The columns of a design's rows, in order."""
    pa = arrow()
    word = pa.dictionary(pa.int32(), pa.string())
    fields = [("rules", word), ("placer", word)]
    game = design.game
    if design.mode == "solo":
        fields += [
            ("strategy", word), ("game", pa.int64()), ("shots", pa.int32()),
            *((name, pa.int32()) for name in game.measures),
            ("outcome", word), ("message", pa.string()),
            ("hits", pa.list_(pa.from_numpy_dtype(game.hits_type))),
        ]  # fmt: skip
        if design.luck_adjusted:
            fields.append(("luck", pa.float64()))
        if design.keep_shots:
            kind = pa.list_(pa.int16()) if game.transcript in _FILLERS else pa.string()
            fields.append((game.transcript, kind))
    else:
        fields += [
            ("first", word), ("second", word), ("game", pa.int64()), ("starter", pa.int8()),
            ("winner", pa.int8()), ("shots_first", pa.int32()), ("shots_second", pa.int32()),
            *((name, pa.int32()) for name in game.duel_measures),
            ("outcome", word), ("message", pa.string()),
        ]  # fmt: skip
    return pa.schema(fields)


def rows_of(design: Design, played: SoloBatch | DuelBatch) -> "pa.Table":
    """The rows of a batch, game by game."""
    pool = design.pools[played.batch.pool]
    columns = _solo_columns(played) if isinstance(played, SoloBatch) else _duel_columns(played)
    names = np.zeros(len(columns["game"]), dtype=np.int32)
    columns["rules"] = _word([pool.rules_name], names)
    columns["placer"] = _word([pool.placer], names)
    fields = schema(design)
    arrays = [
        _numbers(columns[name]) if isinstance(columns[name], np.ndarray) else columns[name]
        for name in fields.names
    ]
    return arrow().table(arrays, schema=fields)


def faulty(rows: "pa.Table") -> "pa.Table":
    """The rows of games that were lost by a fault, or void."""
    import pyarrow.compute as pc

    return rows.filter(pc.not_equal(rows["outcome"].cast("string"), "won"))


# What follows the last entry of a game in the columns that are lists.
_FILLERS = {"hits": 0, "squares": -1}

_OUTCOMES = ["won", "failed", "illegal", "void"]


def _solo_columns(played: SoloBatch) -> dict[str, Any]:
    batch, labels = played.batch, list(played.columns)
    outcome, messages = _faults(batch, list(played.failures.values()))
    columns = {
        "strategy": _word(labels, np.tile(np.arange(len(labels)), batch.games)),
        "game": np.repeat(np.arange(batch.first, batch.end), len(labels)),
        "outcome": _word(_OUTCOMES, outcome),
        "message": _texts(messages),
    }
    for name in played.columns[labels[0]]:
        values = _interleaved([played.columns[label][name] for label in labels])
        if name in _FILLERS:
            columns[name] = _lists(values, _FILLERS[name])
        else:
            columns[name] = _texts(values.tolist()) if values.dtype == object else values
    return columns


def _duel_columns(played: DuelBatch) -> dict[str, Any]:
    batch, pairs = played.batch, list(played.winner)
    labels = list(dict.fromkeys(label for pair in pairs for label in pair))
    outcome, messages = _faults(batch, list(played.failures.values()))
    winner = _interleaved(list(played.winner.values()))
    outcome[winner == NO_WINNER] = _OUTCOMES.index("void")
    shots = _interleaved(list(played.shots.values()))
    games = np.repeat(np.arange(batch.first, batch.end), len(pairs))
    players = [np.tile([labels.index(pair[i]) for pair in pairs], batch.games) for i in (0, 1)]
    measures = {
        name: _interleaved([played.measures[pair][name] for pair in pairs])
        for name in played.measures.get(pairs[0], ())
    }
    return {
        **measures,
        "first": _word(labels, players[0]),
        "second": _word(labels, players[1]),
        "game": games,
        "starter": (games % 2).astype(np.int8),
        "winner": winner,
        "shots_first": shots[:, 0],
        "shots_second": shots[:, 1],
        "outcome": _word(_OUTCOMES, outcome),
        "message": _texts(messages),
    }


def _faults(
    batch: Batch, failures: list[list[Failure]]
) -> tuple[npt.NDArray[np.int64], list[str | None]]:
    """Outcome and message of each row."""
    outcome = np.zeros(batch.games * len(failures), dtype=np.int64)
    messages: list[str | None] = [None] * len(outcome)
    for place, faults in enumerate(failures):
        for fault in faults:
            row = (fault.game - batch.first) * len(failures) + place
            outcome[row] = _OUTCOMES.index("illegal" if fault.illegal else "failed")
            messages[row] = fault.message
    return outcome, messages


def _interleaved(columns: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Game by game, in each the strategies in turn."""
    stacked = np.stack(columns, axis=1)
    return stacked.reshape(-1, *stacked.shape[2:])


# Not by pyarrow.array, whose first call imports pandas wherever that is installed.


def _numbers(values: npt.NDArray[Any]) -> Any:
    pa = arrow()
    buffer = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, buffer])


def _texts(texts: Sequence[str | None]) -> Any:
    pa = arrow()
    if not any(texts):
        return pa.nulls(len(texts), pa.string())
    return pa.array(texts, pa.string())


def _lists(rows: npt.NDArray[np.signedinteger[Any]], filler: int) -> Any:
    """Rows as lists without their filler at the end."""
    kept = rows != filler
    ends = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int32)
    return arrow().ListArray.from_arrays(_numbers(ends), _numbers(rows[kept]))


def _word(words: list[str], codes: npt.NDArray[Any]) -> Any:
    """A column of few different words."""
    pa = arrow()
    letters = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, letters)], dtype=np.int32)
    dictionary = pa.StringArray.from_buffers(
        len(words), pa.py_buffer(ends), pa.py_buffer(b"".join(letters))
    )
    return pa.DictionaryArray.from_arrays(_numbers(codes.astype(np.int32)), dictionary)
