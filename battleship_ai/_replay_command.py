"""``battleship-ai replay``: a page that steps through a game of a run."""

from collections.abc import Iterable
from pathlib import Path

import click

from battleship_ai._names import unknown
from battleship_ai.errors import BattleshipError, TournamentError, UnknownName

__all__ = ["replay"]


@click.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False), metavar="DIR")
@click.option("--game", required=True, type=int, metavar="ID", help="Its number, from 0.")
@click.option(
    "--html", required=True, type=click.Path(dir_okay=False), metavar="FILE",
    help="Where the page goes.",
)  # fmt: skip
@click.option("--strategy", metavar="LABEL", help="Whose shots; needed where there are several.")
@click.option("--opponent", metavar="LABEL", help="In duels, who hid the fleet.")
@click.option("--rules", "rules_", metavar="LABEL", help="Needed where the run has several.")
@click.option("--placer", metavar="NAME", help="Needed where the run has several.")
@click.option("--no-map", is_flag=True, help="Leave out the maps, which take time.")
def replay(
    directory: str,
    game: int,
    html: str,
    strategy: str | None,
    opponent: str | None,
    rules_: str | None,
    placer: str | None,
    no_map: bool,
) -> None:
    """Write a page that steps through a game of a run, shot by shot or salvo by salvo.

    DIR is what `battleship-ai run` played into. The page is one file that any browser opens.

    \b
    Examples:
      battleship-ai replay results --game 17 --html game.html
      battleship-ai replay results --game 3 --rules small --strategy density --html game.html
      battleship-ai replay duels --game 0 --strategy density --opponent exact --html game.html
    """  # noqa: D301
    from battleship_ai.replay import Replay
    from battleship_ai.tournament import Run
    from battleship_ai.tournament.design import Pool

    if not Path(html).absolute().parent.is_dir():
        raise BattleshipError(f"--html {html!r} is not in a directory that exists")
    run = Run(directory)
    design = run.design
    pool = Pool(
        rules_name := _chosen("rules", rules_, design.rules),
        design.rules[rules_name],
        _chosen("placer", placer, design.placers),
    )
    strategy = _chosen("strategy", strategy, design.strategies)
    shooters = [strategy]
    if design.mode == "duel":
        others = [label for label in design.strategies if label != strategy]
        shooters.append(_chosen("opponent", opponent, others))
        shooters.sort(key=list(design.strategies).index)  # as they were paired
    elif opponent is not None:
        raise TournamentError(f"--opponent {opponent!r} is for duels; these games are solo")
    played = run.replay(game, *shooters, rules=pool.rules_name, placer=pool.placer)
    title = f"{strategy}, game {game} of {pool.name}"
    if design.mode == "duel":
        player = shooters.index(strategy)
        record, layout = played.record(player), played.layout(1 - player)
        title = f"{title} against {shooters[1 - player]}: {_outcome(played.winner, player)}"
    else:
        record, layout = played.record, played.layout
    Replay(record, layout, title=title, maps=not no_map, progress=True).save(html)
    click.echo(f"{len(record)} steps in {html}", err=True)


def _chosen(option: str, given: str | None, known: Iterable[str]) -> str:
    """The label given, or the only one there is."""
    labels = list(known)
    if given is None and len(labels) > 1:
        raise TournamentError(f"--{option} is needed to choose one of: {', '.join(labels)}")
    if given is not None and given not in labels:
        raise UnknownName(unknown(option, given, labels))
    return labels[0] if given is None else given


def _outcome(winner: int | None, player: int) -> str:
    if winner is None:
        return "no winner"
    return "won" if winner == player else "lost"
