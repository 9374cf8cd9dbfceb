"""The options by which commands take a rule set."""

from collections.abc import Callable, Sequence
from typing import Any, get_args

import click

from battleship_ai._completion import of_games, offering
from battleship_ai.errors import RulesError
from battleship_ai.rules import Announce, Contact, Shape, Turn
from battleship_ai.tournament.games import game_with_preset

__all__ = ["rules_of", "rules_options"]


def _fleet(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise RulesError(f"fleet {text!r} is not a list of sizes such as 4,3,3,2") from None


def _choice(key: str, values: Sequence[str], of: str = "") -> Any:
    """One of several words; what is wrong is told by the rules, whoever gives it."""
    text = f"{', '.join(values[:-1])} or {values[-1]}{of}."
    return click.option(f"--{key}", help=text, shell_complete=offering(values))


def rules_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that make up a rule set."""
    options = [
        click.option(
            "--rules", "preset", default="ship-bombing", show_default=True, metavar="PRESET",
            shell_complete=of_games("presets"),
            help="A rule set; `battleship-ai rules` lists them.",
        ),
        click.option("--board", metavar="ROWSxCOLS", help="Board size, such as 10x10."),
        click.option("--fleet", metavar="SIZES", help="Ship sizes, such as 4,3,3,2."),
        _choice("shape", get_args(Shape)),
        _choice("contact", get_args(Contact)),
        _choice("announce", get_args(Announce)),
        _choice("turn", get_args(Turn)),
        _choice("identify", ["tracks", "literal"], "; for Naval Bombardment"),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


_OVERRIDES = ("board", "fleet", "shape", "contact", "announce", "turn", "identify")


def rules_of(options: dict[str, Any]) -> Any:
    """The rule set, of whichever game, that the options of `rules_options` make up.

    Raises
    ------
    RulesError, UnknownName
        If an option is wrong, or none of that game.
    """
    preset = options["preset"]
    game = game_with_preset(preset)
    overrides = {}
    for key in _OVERRIDES:
        value = options[key]
        if value is None:
            continue
        if key not in game.settings:
            known = ", ".join(f"--{key}" for key in _OVERRIDES if key in game.settings)
            raise RulesError(f"--{key} is no setting of {game.name}; there are: {known}")
        overrides[key] = _fleet(value) if key == "fleet" else value
    return game.preset(preset, overrides)
