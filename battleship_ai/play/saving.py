"""Games that are left and taken up again, each in a small file.

The file is JSON: the rules, the opponent, the seed, your fleet, and the squares that both have
called. The hidden fleet is in it too, written so that a look into the file does not spoil the
game, but no more. A checksum tells a damaged file.
"""

import base64
import binascii
import json
import zlib
from pathlib import Path
from typing import Any

from battleship_ai._files import replacing
from battleship_ai._names import look_up
from battleship_ai.errors import GameFileError, StrategyError, UnknownName
from battleship_ai.play.games import parts_of
from battleship_ai.play.session import Session
from battleship_ai.play.setup import Setup
from battleship_ai.tournament.games import all_games, game_of

__all__ = ["load_game", "save_game"]

_FORMAT = "battleship_ai game"
_VERSION = 1


def save_game(path: Path, session: Session[Any, Any]) -> None:
    """Write a game to a file, whole or not at all.

    Raises
    ------
    GameFileError
        If it cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from battleship_ai import Rules
    >>> game = parts_of(Rules()).session(Setup.new(Rules(), opponent=None, seed=1))
    >>> _ = game.play(game.read("c7"))
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = Path(directory) / "game.json"
    ...     save_game(path, game)
    ...     load_game(path).moves == game.moves
    True
    """
    setup, game = session.setup, game_of(session.setup.rules)
    document = {
        "format": _FORMAT,
        "version": _VERSION,
        "game": game.name,
        "rules": setup.rules.to_dict(),
        "opponent": setup.opponent,
        "placer": setup.placer,
        "seed": setup.seed,
        "starter": setup.starter,
        "yours": None if setup.yours is None else game.listed(setup.yours),
        "hidden": _sealed(game.listed(setup.hidden)),
        "moves": [[session.board.name(s) for s in move.squares] for move in session.moves],
        "given_up": session.given_up,
    }
    document["checksum"] = _checksum(document)
    try:
        with replacing(path) as unfinished:
            unfinished.write_text(json.dumps(document) + "\n", encoding="utf-8")
    except OSError as error:
        raise GameFileError(f"the game cannot be saved to {str(path)!r}: {error}") from None


def load_game(path: Path) -> Session[Any, Any]:
    """Take up a game from a file, as it was when it was saved.

    The opponent is asked again for each of its moves, to be in the state that it was in.

    Raises
    ------
    GameFileError
        If the file cannot be read, is damaged, or was not written by `save_game`.
    StrategyError, UnknownName
        If there is no such opponent here.
    """
    document = _read(path)
    try:
        return _taken_up(document)
    except (StrategyError, UnknownName):
        raise
    except (ValueError, LookupError, TypeError) as error:
        raise GameFileError(f"{str(path)!r} is not a game that can be: {error}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GameFileError(f"no game can be read from {str(path)!r}: {error.strerror}") from None
    except ValueError:  # neither text nor JSON
        document = None
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise GameFileError(f"{str(path)!r} is no saved game, or is damaged")
    if document.get("version") != _VERSION:
        raise GameFileError(
            f"{str(path)!r} is a game of version {document.get('version')!r}; this package reads "
            f"version {_VERSION}"
        )
    if document.pop("checksum", None) != _checksum(document):
        raise GameFileError(f"{str(path)!r} is damaged: its checksum is wrong")
    return document


def _taken_up(document: dict[str, Any]) -> Session[Any, Any]:
    game = look_up("game", document["game"], {game.name: game for game in all_games()})
    rules = game.rules_type.from_dict(document["rules"])
    kind = parts_of(rules).session
    yours = document["yours"]
    setup = Setup(
        rules,
        kind.layout(rules, _unsealed(document["hidden"])),
        document["placer"],
        document["seed"],
        document["opponent"],
        None if yours is None else kind.layout(rules, yours),
        document["starter"],
    )
    session = kind(setup)
    for names in document["moves"]:
        squares = [session.board.square(name) for name in names]
        if session.your_turn:
            session.play(squares)
        else:
            session.reply(squares)
    if document["given_up"]:
        session.give_up()
    return session


def _sealed(listed: Any) -> str:
    return base64.b64encode(zlib.compress(json.dumps(listed).encode())).decode()


def _unsealed(text: str) -> Any:
    try:
        return json.loads(zlib.decompress(base64.b64decode(text)))
    except (binascii.Error, zlib.error, ValueError) as error:
        raise GameFileError(f"its hidden fleet is damaged: {error}") from None


def _checksum(document: dict[str, Any]) -> int:
    """Of all but the checksum itself, however it is spaced."""
    return zlib.crc32(json.dumps(document, sort_keys=True).encode())
