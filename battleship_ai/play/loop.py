"""The conversation: boards are shown, squares asked for, and the game kept."""

import shlex
from itertools import count
from pathlib import Path
from typing import Any

from battleship_ai.errors import BattleshipError, GameFileError
from battleship_ai.play.games import parts_of
from battleship_ai.play.saving import save_game
from battleship_ai.play.screen import Screen
from battleship_ai.play.session import Session

__all__ = ["Sitting"]

_HELP = """\
board         show the boards again
hint          show the probability map of your shots
log           show all that was called
save [FILE]   keep the game there from now on
give up       lose, and see the hidden fleet
quit          leave; the game is kept, as it is by Ctrl-C"""


class _Left(Exception):
    """The player has left."""


class Sitting:
    """A session at a screen, from now until it ends or is left.

    Parameters
    ----------
    session : Session
    screen : Screen
    hints : bool
        Whether the probability map is always shown.
    path : Path, optional
        The file in which the game is kept after every move.
    """

    def __init__(
        self,
        session: Session[Any, Any],
        screen: Screen,
        *,
        hints: bool = False,
        path: Path | None = None,
    ) -> None:
        self.session = session
        self.path = path
        self._screen = screen
        self._hints = hints
        self._view = parts_of(session.setup.rules).view(session)

    def play(self) -> None:
        """Play until the game is over or left.

        Raises
        ------
        GameFileError
            If it is left and cannot be kept.
        """
        try:
            self._keep()
            self._introduce()
            while not self.session.over:
                if self.session.your_turn:
                    self._your_move()
                else:
                    self._their_move()
                self._keep()
            self._conclude()
        except (KeyboardInterrupt, EOFError, _Left):
            self._leave()
        finally:
            self.session.close()

    def _introduce(self) -> None:
        self._screen.say(f"{self._view.input_help()} help lists more.")
        if not self.session.moves and self.session.setup.opponent is not None:
            starts = "You begin." if self.session.your_turn else f"{self._view.opponent} begins."
            self._screen.say(starts)

    def _your_move(self) -> None:
        self._show(self._hints)
        while True:
            text = self._screen.ask(self._view.prompt())
            word, _, rest = text.partition(" ")
            if text in ("quit", "q", "exit"):
                raise _Left
            if text == "give up":
                self.session.give_up()
                return
            if text in ("help", "?"):
                self._screen.say(self._view.input_help(), _HELP)
            elif text == "board":
                self._show(self._hints)
            elif text == "hint":
                self._show(True)
            elif text == "log":
                self._screen.say(*self._view.log(), whole=True)
            elif word == "save":
                self._save_as(rest.strip())
            elif text and self._moved(text):
                return

    def _moved(self, text: str) -> bool:
        """Whether what was typed was a move; else it is said why not."""
        try:
            squares = self.session.read(text)
        except BattleshipError as error:
            self._screen.say(f"{error}. Please try again.")
            return False
        self._screen.say(*self._view.told(self.session.play(squares)), style="bold")
        return True

    def _their_move(self) -> None:
        with self._screen.busy(f"{self._view.opponent} is thinking"):
            move = self.session.reply()
        if move is not None:
            self._screen.say(*self._view.told(move))

    def _show(self, with_hint: bool) -> None:
        hint = None
        if with_hint:
            with self._screen.busy("counting layouts"):
                hint = self._view.hint()
        self._screen.say("")
        self._screen.boards(self._view.boards(hint))
        self._screen.say(self._view.legend(hint), style="dim")
        self._screen.say(*self._view.status())
        if hint is not None:
            self._screen.say(*self._view.advice(hint))

    def _conclude(self) -> None:
        session, opponent = self.session, self._view.opponent
        self._screen.say("")
        self._screen.boards([self._view.revealed()])
        if session.given_up:
            result = "You have given up."
        elif session.won and session.fault is not None:
            result = f"You win: {opponent} has lost by a fault: {session.fault}."
        elif session.won:
            result = "You win."
        elif session.lost:
            result = f"{opponent} wins."
        else:
            result = "Nobody wins."
        self._screen.say(f"{result} {self._view.tally()} The seed was {session.setup.seed}.")

    def _save_as(self, name: str) -> None:
        path = Path(name).expanduser() if name else self.path or _free_path()
        if path != self.path and path.exists():
            self._screen.say(f"{path} is there already. Please name another file.")
            return
        self.path = path
        if self._keep():
            self._screen.say(f"The game is kept in {self.path}.")

    def _keep(self) -> bool:
        """Whether the game is now in its file; if that fails the game goes on all the same."""
        if self.path is None:
            return False
        try:
            save_game(self.path, self.session)
        except GameFileError as error:
            self._screen.say(f"{error}.")
            return False
        return True

    def _leave(self) -> None:
        if self.path is None:
            self.path = _free_path()
        save_game(self.path, self.session)
        hints = " --hints" if self._hints else ""
        self._screen.say(
            "",
            f"You have left; the game is kept in {self.path}. To go on:",
            f"  battleship-ai play --resume {shlex.quote(str(self.path))}{hints}",
            whole=True,
        )


def _free_path() -> Path:
    """A file of the current directory that is not there yet."""
    names = (f"battleship-game{f'-{n}' if n > 1 else ''}.json" for n in count(1))
    return next(path for path in map(Path, names) if not path.exists())
