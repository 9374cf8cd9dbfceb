"""The options by which commands take a rule set."""

from collections.abc import Callable
from typing import Any

import click

from battleship_ai.errors import RulesError
from battleship_ai.tournament.games import game_with_preset

__all__ = ["rules_of", "rules_options"]


def _fleet(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise RulesError(f"fleet {text!r} is not a list of sizes such as 4,3,3,2") from None


def rules_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that make up a rule set."""
    options = [
        click.option(
            "--rules", "preset", default="ship-bombing", show_default=True, metavar="PRESET",
            help="A rule set; `battleship-ai rules` lists them.",
        ),
        click.option("--board", metavar="ROWSxCOLS", help="Board size, such as 10x10."),
        click.option("--fleet", metavar="SIZES", help="Ship sizes, such as 4,3,3,2."),
        click.option("--shape", help="straight, tetris or any."),
        click.option("--contact", help="none, corners or allowed."),
        click.option("--announce", help="sunk, sunk-size, sunk-name, hit-name or hit-only."),
        click.option("--turn", help="single or again-on-hit."),
        click.option("--identify", help="tracks or literal; for Naval Bombardment."),
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
