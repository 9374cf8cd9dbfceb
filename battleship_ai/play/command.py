"""The command ``battleship-ai play``."""

import secrets
from collections.abc import Collection
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from battleship_ai._completion import of_games
from battleship_ai._options import rules_of, rules_options
from battleship_ai.errors import GameFileError, RulesError

__all__ = ["play"]

_FIRST = {"you": 0, "opponent": 1, "coin": None}

# A saved game has its own; these are about how it is shown and kept.
_WITH_RESUME = ("hints", "resume")
_DUEL_ONLY = {"opponent", "hide", "first"}


@click.command()
@click.argument("rule_set", metavar="[RULES]", required=False, shell_complete=of_games("presets"))
@click.option(
    "--opponent", default="density", show_default=True, metavar="STRATEGY",
    help="A strategy, or a captain under naval rules; `battleship-ai strategies` lists them.",
    shell_complete=of_games("players"),
)  # fmt: skip
@click.option("--solo", is_flag=True, help="Only shoot; nobody shoots back.")
@click.option(
    "--hide", default="random", show_default=True, metavar="HOW",
    help="Your fleet: random, hand (you are asked for each ship), or a file with a layout, such "
    "as `battleship-ai sample` prints.",
)  # fmt: skip
@click.option(
    "--placer", metavar="PLACER",
    help="Who hides the opponent's fleet, and yours where it is random; by default uniform.",
    shell_complete=of_games("placers"),
)  # fmt: skip
@click.option(
    "--first", type=click.Choice(list(_FIRST)), default="coin", show_default=True,
    help="Who begins.",
)  # fmt: skip
@click.option("--hints", is_flag=True, help="Always show the probability map of your shots.")
@click.option("--seed", type=click.IntRange(0), help="The same seed, the same fleets and coin.")
@click.option(
    "--save", type=click.Path(dir_okay=False), metavar="FILE",
    help="Keep the game in this new file after every move.",
)  # fmt: skip
@click.option(
    "--resume", type=click.Path(dir_okay=False), metavar="FILE",
    help="Go on with a game that was left, and keep it there.",
)  # fmt: skip
@rules_options
@click.pass_context
def play(
    context: click.Context,
    /,
    rule_set: str | None,
    opponent: str,
    solo: bool,
    hide: str,
    placer: str | None,
    first: str,
    hints: bool,
    seed: int | None,
    save: str | None,
    resume: str | None,
    **options: Any,
) -> None:
    """Play against a strategy, or only shoot at a hidden fleet.

    RULES is a rule set, as for --rules. Ctrl-C leaves; the game is kept, and a line says how
    to go on with it.

    \b
    Examples:
      battleship-ai play
      battleship-ai play hasbro --opponent exact --hide hand
      battleship-ai play ship-bombing-any --solo --hints
      battleship-ai play --board 6x6 --fleet 3,2,2 --first you --seed 1
      battleship-ai play naval-bombardment --opponent tactician --save match.json
      battleship-ai play --resume match.json
    """  # noqa: D301
    given = [
        name for name in context.params
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    ]  # fmt: skip
    if resume is not None:
        _refuse(given, _WITH_RESUME, "--resume takes all but --hints from its file")
        _resume(Path(resume), hints)
        return
    if solo:
        _refuse(given, set(context.params) - _DUEL_ONLY, "with --solo nobody shoots back")
    if rule_set is not None:
        if "preset" in given:
            raise RulesError(f"RULES is {rule_set!r}; leave out --rules")
        options["preset"] = rule_set
    _begin(
        rules_of(options), None if solo else opponent, placer, _FIRST[first], hide,
        secrets.randbits(32) if seed is None else seed, None if save is None else _new(Path(save)),
        hints,
    )  # fmt: skip


def _refuse(given: list[str], allowed: Collection[str], why: str) -> None:
    """Raise for the first option that has no meaning here."""
    names = {"preset": "--rules", "rule_set": "RULES"}  # others are called as they are typed
    for name in given:
        if name not in allowed:
            raise RulesError(f"{why}; leave out {names.get(name, f'--{name}')}")


def _new(path: Path) -> Path:
    if path.exists():
        raise GameFileError(
            f"--save {str(path)!r} is there already; go on with it by --resume, or name another"
        )
    if not path.absolute().parent.is_dir():
        raise GameFileError(f"--save {str(path)!r} is not in a directory that exists")
    return path


# What follows imports what playing needs, which other commands do without.


def _resume(path: Path, hints: bool) -> None:
    from battleship_ai.play.loop import Sitting
    from battleship_ai.play.opening import resume
    from battleship_ai.play.screen import Screen

    screen = Screen()
    Sitting(resume(path, screen), screen, hints=hints, path=path).play()


def _begin(
    rules: Any,
    opponent: str | None,
    placer: str | None,
    starter: int | None,
    hide: str,
    seed: int,
    path: Path | None,
    hints: bool,
) -> None:
    from battleship_ai.play.loop import Sitting
    from battleship_ai.play.opening import begin
    from battleship_ai.play.screen import Screen
    from battleship_ai.play.setup import Setup

    screen = Screen()
    try:
        with screen.busy("the fleets are hidden"):
            setup = Setup.new(rules, opponent=opponent, placer=placer, seed=seed, starter=starter)
        session = begin(setup, hide, screen)
    except (KeyboardInterrupt, EOFError):
        screen.say("", "You have left before the game began.")
        return
    Sitting(session, screen, hints=hints, path=path).play()
