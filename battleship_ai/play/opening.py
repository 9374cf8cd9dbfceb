"""How a game begins: the opponent gets ready, and you hide your fleet."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from battleship_ai.errors import BattleshipError, LayoutError
from battleship_ai.play.games import parts_of
from battleship_ai.play.hiding import Form
from battleship_ai.play.saving import load_game
from battleship_ai.play.screen import Screen
from battleship_ai.play.session import Session
from battleship_ai.play.setup import Setup

__all__ = ["begin", "resume"]


def begin(setup: Setup, hide: str, screen: Screen) -> Session[Any, Any]:
    """The session of a new game.

    Parameters
    ----------
    setup : Setup
    hide : str
        ``random`` leaves your fleet as it is, ``hand`` asks for each ship; else a file with
        a layout, as `str` prints it or as `parse` takes it.
    screen : Screen

    Raises
    ------
    BattleshipError
        If the opponent cannot play under the rules, or there is no legal layout in the file.
    EOFError
        If the input ends before the fleet is hidden.
    """
    rules, parts = setup.rules, parts_of(setup.rules)
    screen.say(f"{rules.describe()}.")
    if setup.opponent is not None:
        if hide not in ("random", "hand"):
            setup = replace(setup, yours=_from_file(Path(hide), rules))
        with screen.busy(f"{setup.opponent} gets ready"):
            parts.session.try_out(setup)
        if hide == "hand":
            setup = replace(setup, yours=_by_hand(parts.form(rules), screen))
    return parts.session(setup)


def resume(path: Path, screen: Screen) -> Session[Any, Any]:
    """The session of a game that was left.

    Raises
    ------
    BattleshipError
        If there is no whole game in the file, or its opponent is not there.
    """
    with screen.busy("taking up the game"):
        session = load_game(path)
    screen.say(f"{session.setup.rules.describe()}.")
    return session


def _from_file(path: Path, rules: Any) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(
            f"--hide {str(path)!r} is neither random nor hand nor a file of text: {error}"
        ) from None
    try:
        return parts_of(rules).session.parse(rules, text)
    except BattleshipError as error:
        raise LayoutError(f"--hide {str(path)!r}: {error}") from None


def _by_hand(form: Form, screen: Screen) -> Any:
    """Ask for ships until all are placed; the layout."""
    screen.say(f"Place your fleet. {form.input_help} undo takes the last one back.")
    while (slot := form.due) is not None:
        text = screen.ask(f"Place {slot.label}: ")
        if not text:
            continue
        try:
            form.undo() if text == "undo" else form.put(text)
        except BattleshipError as error:
            screen.say(f"{error}. Please try again.")
        else:
            screen.boards([form.picture()])
    return form.layout
