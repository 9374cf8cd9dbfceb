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
    """Base class of every error that the library raises for bad input.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> try:
    ...     Rules.preset("hasbro", board="8x8x8")
    ... except BattleshipError as error:
    ...     print(type(error).__name__)
    RulesError
    """


class RulesError(BattleshipError):
    """A rule setting is malformed or impossible.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> Rules(fleet=())
    Traceback (most recent call last):
    ...
    battleship_ai.errors.RulesError: fleet is empty; it needs at least one ship
    """


class SquareError(BattleshipError):
    """A square's name is malformed, or the square is off the board.

    Examples
    --------
    >>> from battleship_ai import Board
    >>> Board(10, 10).square("k3")
    Traceback (most recent call last):
    ...
    battleship_ai.errors.SquareError: square 'k3' is off the board, whose squares are a0 to j9
    """


class LayoutError(BattleshipError):
    """A set of ships breaks a rule; the message names the rule.

    Examples
    --------
    >>> from battleship_ai import Layout, Rules
    >>> Layout.parse(Rules((3, 3), (2,)), "a0 b1")
    Traceback (most recent call last):
    ...
    battleship_ai.errors.LayoutError: ship a0 b1 is not straight
    """


class RecordError(BattleshipError):
    """A record of shots and answers is malformed or contradicts itself.

    Examples
    --------
    >>> from battleship_ai import Record, Rules
    >>> Record.parse(Rules(), "a0:miss a0:hit")
    Traceback (most recent call last):
    ...
    battleship_ai.errors.RecordError: a0 was answered miss before, and now hit
    """


class IllegalMove(BattleshipError):
    """A shot that the rules do not allow; whoever makes it loses the game.

    Examples
    --------
    >>> from battleship_ai import Layout, Rules, Target
    >>> Target(Layout.parse(Rules((3, 3), (2,)), "a0-a1")).shoot("d0")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    battleship_ai.errors.IllegalMove: illegal shot: square 'd0' is off the board, whose ...
    """


class UnknownName(BattleshipError):
    """A preset, placer or strategy that is not registered.

    Examples
    --------
    >>> from battleship_ai import Rules
    >>> Rules.preset("hasbro2")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    battleship_ai.errors.UnknownName: unknown preset 'hasbro2'; did you mean 'hasbro'? ...
    """


class StrategyError(BattleshipError):
    """A strategy that cannot be loaded, or does not do what a strategy must.

    Examples
    --------
    >>> from battleship_ai import make_strategy
    >>> make_strategy("mybots:Corners")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    battleship_ai.errors.StrategyError: strategy 'mybots:Corners' cannot be loaded: ...
    """


class ProgramError(BattleshipError):
    """A program that plays cannot be run, or breaks the line protocol.

    Examples
    --------
    >>> from battleship_ai import Program
    >>> Program("no-such-bot --fast")
    Traceback (most recent call last):
    ...
    battleship_ai.errors.ProgramError: program 'no-such-bot' is not there, or may not be run
    """


class TournamentError(BattleshipError):
    """A tournament's design is malformed.

    Examples
    --------
    >>> from battleship_ai import run_tournament
    >>> run_tournament("hasbro", games=0)
    Traceback (most recent call last):
    ...
    battleship_ai.errors.TournamentError: games 0 is not an integer of at least 1
    """


class MissingExtra(BattleshipError, ImportError):
    """An optional package is not installed; the message names the extra that brings it.

    Also an ``ImportError``, for code that asks whether a package is there.

    Examples
    --------
    >>> issubclass(MissingExtra, ImportError)
    True
    """


class DataError(BattleshipError):
    """Figures to draw or to tabulate are missing or misshapen.

    Examples
    --------
    >>> from battleship_ai import Table
    >>> Table(["strategy", "mean"], [["density"]])
    Traceback (most recent call last):
    ...
    battleship_ai.errors.DataError: row 1 has 1 cells; the header has 2
    """


class GameFileError(BattleshipError):
    """A saved game cannot be written, or is damaged, or was not written by this package.

    Examples
    --------
    >>> from pathlib import Path
    >>> from battleship_ai.play.saving import load_game
    >>> load_game(Path("no-such.json"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    battleship_ai.errors.GameFileError: no game can be read from 'no-such.json': ...
    """
