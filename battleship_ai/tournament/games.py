"""The games that tournaments play: to add one, write its class and enter its module below."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from battleship_ai._names import unknown
from battleship_ai.errors import TournamentError, UnknownName
from battleship_ai.rules import PRESETS, Rules
from battleship_ai.tournament.bombing import ShipBombing
from battleship_ai.tournament.game import Game

__all__ = ["all_games", "game_of", "game_with_preset"]

SHIP_BOMBING = ShipBombing()

# The module of each other game, with its object `GAME`; imported where it is needed.
_OTHERS = ("battleship_ai.tournament.naval",)


@cache
def _other(module: str) -> Game[Any]:
    game: Game[Any] = import_module(module).GAME
    return game


def all_games() -> Iterator[Game[Any]]:
    """Every game, ship bombing first."""
    yield SHIP_BOMBING
    yield from map(_other, _OTHERS)


def game_of(rules: object) -> Game[Any]:
    """The game that a rule set belongs to.

    Raises
    ------
    TournamentError
        If it is no rule set.

    Examples
    --------
    >>> from battleship_ai.naval import NavalRules
    >>> game_of(Rules()).name, game_of(NavalRules()).name
    ('ship bombing', 'Naval Bombardment')
    """
    if isinstance(rules, Rules):
        return SHIP_BOMBING
    for game in all_games():
        if isinstance(rules, game.rules_type):
            return game
    raise TournamentError(f"rules has {rules!r}, which is no preset and no rule set")


def game_with_preset(name: str) -> Game[Any]:
    """The game of which a preset is.

    Raises
    ------
    UnknownName
        If there is no such preset.

    Examples
    --------
    >>> game_with_preset("naval-bombardment").default_players
    ('random-salvo', 'lattice', 'peppering', 'density', 'list-info')
    """
    if name in PRESETS:
        return SHIP_BOMBING
    for game in all_games():
        if name in game.presets:
            return game
    names = [name for game in all_games() for name in game.presets]
    raise UnknownName(unknown("preset", name, names))
