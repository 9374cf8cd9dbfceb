"""Games kept in a CSV file: a row a game, a column for whoever played it."""

import csv
from collections.abc import Callable
from pathlib import Path

from tqdm import tqdm

FOLDER = Path(__file__).parent / "naval_games"

Games = dict[int, tuple[int, ...]]
"""The figures of each game that was played, by its number."""


def load(path: Path) -> dict[str, Games]:
    """The games of every column."""
    columns: dict[str, Games] = {}
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                game = int(row.pop("game"))
                for name, cell in row.items():
                    played = columns.setdefault(name, {})
                    if cell:
                        played[game] = tuple(map(int, cell.split()))
    return columns


def save(path: Path, name: str, games: Games) -> None:
    """Write one column; the others are read again, since another process may have grown them."""
    columns = load(path) | {name: games}
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["game", *columns])
        for game in sorted({game for played in columns.values() for game in played}):
            cells = (" ".join(map(str, played.get(game, ()))) for played in columns.values())
            writer.writerow([game, *cells])
    unfinished.replace(path)


def play_missing(
    path: Path, name: str, games: int, play: Callable[[int], tuple[int, ...]]
) -> Games:
    """Play those of the first games which the column lacks; saved after every tenth."""
    played = load(path).get(name, {})
    missing = [game for game in range(games) if game not in played]
    for done, game in enumerate(tqdm(missing, desc=name), start=1):
        played[game] = play(game)
        if done % 10 == 0 or done == len(missing):
            save(path, name, played)
    return {game: played[game] for game in range(games)}
