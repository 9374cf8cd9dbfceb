"""The errors of the library: each is a ``ValueError`` that names the bad value.

Examples
--------
>>> from battleship_ai import Rules, RulesError
>>> try:
...     Rules(board=(4, 4), fleet=(3, 0))
... except RulesError as error:
...     print(error)
fleet has a ship of size 0; every ship has at least 1 square
"""

__all__ = [
    "BattleshipError",
    "DataError",
    "GameFileError",
    "IllegalMove",
    "LayoutError",
    "MissingExtra",
    "ProgramError",
    "RecordError",
    "RulesError",
    "SquareError",
    "StrategyError",
    "TournamentError",
    "UnknownName",
]


class BattleshipError(ValueError):
    """Base class of every error that the library raises for bad input."""


class RulesError(BattleshipError):
    """A rule setting is malformed or impossible."""


class SquareError(BattleshipError):
    """A square's name is malformed, or the square is off the board."""


class LayoutError(BattleshipError):
    """A set of ships breaks a rule; the message names the rule."""


class RecordError(BattleshipError):
    """A record of shots and answers is malformed or contradicts itself."""


class IllegalMove(BattleshipError):
    """A shot that the rules do not allow; whoever makes it loses the game."""


class UnknownName(BattleshipError):
    """A preset, placer or strategy that is not registered."""


class StrategyError(BattleshipError):
    """A strategy that cannot be loaded, or does not do what a strategy must."""


class ProgramError(BattleshipError):
    """A program that plays cannot be run, or breaks the line protocol."""


class TournamentError(BattleshipError):
    """A tournament's design is malformed."""


class MissingExtra(BattleshipError, ImportError):
    """An optional package is not installed; the message names the extra that brings it.

    Also an ``ImportError``, for code that asks whether a package is there.

    Examples
    --------
    >>> issubclass(MissingExtra, ImportError)
    True
    """


class DataError(BattleshipError):
    """Figures to draw or to tabulate are missing or misshapen."""


class GameFileError(BattleshipError):
    """A saved game cannot be written, or is damaged, or was not written by this package."""
