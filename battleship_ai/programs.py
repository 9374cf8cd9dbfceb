r"""Strategies in any language: programs that play over their standard input and output.

The referee starts the program once and lets it play game after game. Both write lines of
UTF-8 text. The program writes one line for each line marked with an arrow below, and nothing
else; it must flush its output after each line. Its standard error is free for messages; the
last line of it is quoted if the program ends too early.

=====================  ================  =====================================================
the referee writes     program answers   meaning
=====================  ================  =====================================================
battleship_ai 1        battleship_ai 1   Once, at the start: the version of this protocol.
game SEED RULES        ready             A new game; forget the one before.
hide                   SHIPS             Asks for a layout of the program's own, for a duel.
answer SQUARE ANSWER                     What a shot of the program came to.
shoot                  SQUARE            Asks for the next shot.
end                                      The game is over, whoever won.
=====================  ================  =====================================================

SEED
    A whole number from 0 to 4294967295. Whatever is random must depend on it alone, so that
    a game can be played again, in any order with others.
RULES
    One JSON object, as `Rules.to_dict` gives it: ``board`` (rows and columns), ``fleet``
    (sizes, largest first), ``shape``, ``contact``, ``announce``, ``turn`` and ``names`` (one
    for each ship of ``fleet``). `Rules` says what they mean.
SQUARE
    A letter for the row and a number for the column from 0: ``c7`` is row 2, column 7.
ANSWER
    ``miss``, ``hit`` or ``sunk``; where the rules tell which ship, its size or its name
    follows after a colon: ``sunk:3``, ``hit:cruiser``. After ``sunk`` or ``hit`` on the last
    square of the fleet comes ``end``; that last answer is not sent.
SHIPS
    Ships separated by commas, each as two ends ``a0-a3`` or as squares ``c4 c5 d5``. Ships
    of one size come in the order of ``names``.

A game, with the program's lines marked by ``>``::

    battleship_ai 1
    > battleship_ai 1
    game 1205 {"board": [2, 3], "fleet": [2], "shape": "straight", …}
    > ready
    shoot
    > a0
    answer a0 miss
    shoot
    > b1
    answer b1 hit
    shoot
    > b2
    end

Any number of ``answer`` lines may come before a ``shoot``: a game may begin from a position.
When its input ends, the program should end too; between games it may be killed without
notice. A program that ends, is late, breaks the protocol or shoots off the board loses that
game and is started anew for the next.
"""

import json
import os
import shlex
import shutil
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass

import numpy as np

from battleship_ai._process import LineProcess, shortened
from battleship_ai.errors import IllegalMove, ProgramError, RecordError, SquareError
from battleship_ai.layouts import Layout
from battleship_ai.record import Record, Shot
from battleship_ai.rng import key_of
from battleship_ai.rules import Rules

__all__ = ["Program", "ProgramGame"]

_VERSION = "battleship_ai 1"
_SEEDS = 1 << 32

# Programs between games, by the process that started them (a fork must not use them) and
# their command.
_idle: dict[tuple[int, tuple[str, ...]], list[LineProcess]] = defaultdict(list)


@dataclass(frozen=True)
class Program:
    """A strategy that is a program in any language; this module's text has the protocol.

    Its processes see the environment and the directory of this one, but none of its
    standard streams. They are killed when this one ends. It needs a POSIX system.

    Parameters
    ----------
    command : str or sequence of str
        The command line, split as a shell would, or its words.
    move_seconds : float
        Time for a shot, and for hiding.
    game_seconds : float
        Time for a game in all.
    start_seconds : float
        Time to start, and to get ready for a game.

    Raises
    ------
    ProgramError
        If there is no such program, or a limit is not positive.

    Examples
    --------
    >>> shell = '''
    ... while read word rest; do
    ...   case $word in
    ...     battleship_ai) echo battleship_ai 1;;
    ...     game) echo ready; next=0;;
    ...     answer) next=$((next + 1));;
    ...     shoot) echo a$next;;
    ...   esac
    ... done'''
    >>> from battleship_ai import play_solo
    >>> rules = Rules(board=(1, 5), fleet=(2,))
    >>> play_solo(Program(["sh", "-c", shell]), Layout.parse(rules, "a2-a3")).shots
    4
    """

    command: str | Sequence[str]
    _: KW_ONLY
    move_seconds: float = 10.0
    game_seconds: float = 60.0
    start_seconds: float = 10.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "command", _words(self.command))
        for limit in ("move_seconds", "game_seconds", "start_seconds"):
            seconds = getattr(self, limit)
            if not isinstance(seconds, (int, float)) or not seconds > 0:
                raise ProgramError(f"{limit} {seconds!r} is not a positive number of seconds")

    @property
    def name(self) -> str:
        """What `make_strategy` makes this program of, but for the limits."""
        return f"program:{shlex.join(self.command)}"

    def new_game(self, rules: Rules, seed: int) -> "ProgramGame":
        """Begin a game; close it when it is over.

        Parameters
        ----------
        rules : Rules
        seed : int
            From 0; the program is told its remainder by 2**32.

        Raises
        ------
        ProgramError
            If the program does not start, or is not ready in time.
        """
        return ProgramGame(self, rules, seed)

    def choose(self, record: Record, rng: np.random.Generator) -> int:
        """The square, as an index, that the program shoots at in a new game from a record on."""
        game = self.new_game(record.rules, key_of(rng))
        try:
            return game.choose(record, rng)
        finally:
            game.close()

    def hide(self, rules: Rules, seed: int) -> Layout:
        """The layout that the program hides.

        Raises
        ------
        LayoutError, SquareError
            If what it answers is not a legal layout.
        ProgramError
            If it does not answer.
        """
        game = self.new_game(rules, seed)
        try:
            return game.hide()
        finally:
            game.close()


class ProgramGame:
    """A game of a program, made by `Program.new_game`."""

    def __init__(self, program: Program, rules: Rules, seed: int) -> None:
        self._program = program
        # Without a notation of its own: the protocol has one for all boards.
        self._plain = Rules.from_dict(rules.to_dict())
        self._rules = rules
        self._told: tuple[Shot, ...] = ()
        self._seconds_left = program.game_seconds
        self._idle = _idle[os.getpid(), tuple(program.command)]
        opening = f"game {seed % _SEEDS} {json.dumps(self._plain.to_dict())}"
        self._process: LineProcess | None = self._ready(opening)

    def _ready(self, opening: str) -> LineProcess:
        while self._idle:
            process = self._idle.pop()
            # One that ended, or spoke, after its last game has done nothing wrong in this one.
            with suppress(ProgramError):
                _expect(process, opening, "ready", self._program.start_seconds)
                return process
        process = LineProcess(tuple(self._program.command))
        _expect(process, _VERSION, _VERSION, self._program.start_seconds)
        _expect(process, opening, "ready", self._program.start_seconds)
        return process

    def choose(self, record: Record, rng: np.random.Generator) -> int:
        """The next square that the program shoots at, as an index.

        Parameters
        ----------
        record : Record
            That of the call before, with more answers.
        rng : numpy.random.Generator
            Not used: the program has the seed of the game.

        Raises
        ------
        IllegalMove
            If the program answers anything but a square of the board.
        ProgramError
            If it does not answer, or not by one line in time.
        """
        shots, told = record.shots, len(self._told)
        if shots[:told] != self._told:
            raise RecordError(
                f"record {str(record)!r} does not go on from the {told} shots before it"
            )
        self._told = shots
        board = self._plain.board
        news = [f"answer {board.name(s.square)} {s.answer}" for s in shots[told:]]
        process, answer = self._ask("\n".join([*news, "shoot"]), "shoot")
        try:
            square = board.square(shortened(answer))
        except SquareError as error:
            process.end()
            raise IllegalMove(f"illegal shot: {error}") from None
        self._process = process
        return square

    def hide(self) -> Layout:
        """The layout that the program hides, as `Program.hide` says."""
        self._process, answer = self._ask("hide", "hide")
        return Layout(self._rules, Layout.parse(self._plain, answer).ships)

    def close(self) -> None:
        """End the game; the program waits for the next. May be called again."""
        process, self._process = self._process, None
        if process is not None:
            process.tell("end")
            self._idle.append(process)

    def _ask(self, request: str, what: str) -> tuple[LineProcess, str]:
        """The process, which the game has back when the answer is found good, and the answer."""
        process, self._process = self._process, None
        if process is None:
            raise ProgramError("the game is closed; begin another by new_game")
        limit = self._program.move_seconds
        late = f"the program is silent: no answer to {what!r} within {limit:g} s"
        if self._seconds_left < limit:
            limit = self._seconds_left
            late = f"the program is too slow: its {self._program.game_seconds:g} s a game are over"
        begun = time.monotonic()
        answer = process.ask(request, limit, late)
        self._seconds_left -= time.monotonic() - begun
        return process, answer


def _words(command: str | Sequence[str]) -> tuple[str, ...]:
    """The words of a command whose program there is."""
    try:
        words = tuple(shlex.split(command) if isinstance(command, str) else command)
    except ValueError as error:
        raise ProgramError(f"command {command!r} cannot be split into words: {error}") from None
    if not words or not all(isinstance(word, str) and "\0" not in word for word in words):
        raise ProgramError(f"command {command!r} is not a program's name and its arguments")
    if shutil.which(words[0]) is None:
        raise ProgramError(f"program {words[0]!r} is not there, or may not be run")
    return words


def _expect(process: LineProcess, request: str, expected: str, seconds: float) -> None:
    late = f"the program starts too slowly: no {expected!r} within {seconds:g} s"
    answer = process.ask(request, seconds, late)
    if answer != expected:
        process.end()
        raise ProgramError(f"the program wrote {shortened(answer)!r} instead of {expected!r}")
