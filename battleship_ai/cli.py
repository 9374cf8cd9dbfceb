"""The command line: ``battleship-ai``."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from battleship_ai import __version__
from battleship_ai._completion import of_games
from battleship_ai._extras import extra
from battleship_ai._files import replacing
from battleship_ai._options import rules_of, rules_options
from battleship_ai._replay_command import replay
from battleship_ai.errors import BattleshipError, RulesError, StrategyError, TournamentError
from battleship_ai.play.command import play
from battleship_ai.rules import Rules
from battleship_ai.tournament.games import all_games, game_of

__all__ = ["main"]

_CONNECT_SECONDS = 10


def _exact_rules(options: dict[str, Any], instead: str) -> Rules:
    """Rules of ship bombing; for others it is said what to use instead."""
    rules_ = rules_of(options)
    if not isinstance(rules_, Rules):
        raise RulesError(
            f"exact inference is for ship bombing, and out of reach for {game_of(rules_).name}; "
            f"{instead}"
        )
    return rules_


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
placer_option = click.option(
    "--placer", help="Who hides the fleets: uniform, sequential, sequential-smallest-first or "
    "edge; for Naval Bombardment those of `battleship_ai.naval`. By default uniform, where "
    "the game has it.", shell_complete=of_games("placers"),
)  # fmt: skip
workers_option = click.option("--workers", default=1, show_default=True, help="Processes.")
dask_option = click.option(
    "--dask", metavar="ADDRESS", help="Play on the Dask cluster whose scheduler is there."
)
out_option = click.option(
    "--out", type=click.Path(file_okay=False), metavar="DIR",
    help="Keep every game in this directory, or go on with what is there.",
)  # fmt: skip
seed_option = click.option("--seed", default=0, show_default=True, help="Any integer from 0.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="battleship-ai")
def cli() -> None:
    """AI opponents for Battleship-type games: layouts, strategies, tournaments.

    \b
    Examples:
      battleship-ai tournament --games 200 --workers 2
      battleship-ai tournament --rules hasbro --strategies density,monte-carlo --json
      battleship-ai tournament --rules hasbro --strategies parity-hunt,density --duel
      battleship-ai tournament --rules naval-bombardment --strategies random-salvo --games 100
      battleship-ai sample --rules ship-bombing-tetris --count 3 --seed 1
      battleship-ai count --board 6x6 --fleet 3,2,2
      battleship-ai run design.toml --out results --workers 2 --export
      battleship-ai play --opponent exact --hints
      battleship-ai replay results --game 17 --strategy density --html game.html
    """  # noqa: D301  (click reads the backspace as: keep these lines)


@cli.command()
@rules_options
@click.option(
    "--strategies", metavar="A,B,...",
    help="Names, with parameters if wanted (monte-carlo:draws=500), MODULE:ATTRIBUTE or "
    "program:COMMAND LINE; captains under naval rules. Without, the fast ones.",
    shell_complete=of_games("players"),
)  # fmt: skip
@click.option(
    "--games", default=3000, show_default=True, help="Games for each strategy, duels for each pair."
)
@click.option("--duel", is_flag=True, help="Let each pair shoot in turn, and count who wins.")
@seed_option
@workers_option
@dask_option
@placer_option
@click.option("--luck-adjusted", is_flag=True, help="Subtract each game's luck from its shots.")
@out_option
@json_option
def tournament(
    strategies: str | None,
    games: int,
    duel: bool,
    seed: int,
    workers: int,
    dask: str | None,
    placer: str | None,
    luck_adjusted: bool,
    out: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Let strategies shoot at the same hidden layouts.

    Under the rules naval-bombardment captains fire salvos; figures are shots, salvos (rounds,
    skipped ones counted) and mines struck.
    """
    from battleship_ai.tournament import Design, run_design, run_duels, run_tournament
    from battleship_ai.tournament.results import PoolResult

    names: Sequence[str] | None = None
    if strategies is not None:
        names = [name for name in strategies.split(",") if name.strip()]
    label, rules_ = str(options["preset"]), rules_of(options)
    with _dask_client(dask) as client:
        result: PoolResult
        if out is None and duel:
            if luck_adjusted:
                raise TournamentError("--luck-adjusted is for solo games, not for duels")
            result = run_duels(
                rules_, names, games=games, seed=seed, placer=placer, workers=workers,
                executor=client, progress=True,
            )  # fmt: skip
        elif out is None:
            result = run_tournament(
                rules_, names, games=games, seed=seed, placer=placer, workers=workers,
                luck_adjusted=luck_adjusted, executor=client, progress=True,
            )  # fmt: skip
        else:
            design = Design(
                {label: rules_}, names, games=games, seed=seed, placers=placer,
                mode="duel" if duel else "solo", luck_adjusted=luck_adjusted,
            )  # fmt: skip
            run_ = run_design(design, out, workers=workers, executor=client, progress=True)
            (result,) = run_.results()
    click.echo(json.dumps(result.to_dict()) if as_json else str(result))


@contextmanager
def _dask_client(address: str | None) -> Iterator[Any]:
    """A client of the scheduler at an address; None without one."""
    if address is None:
        yield None
        return
    with extra("dask", "--dask"):
        import distributed
    try:
        client = distributed.Client(address, timeout=_CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise TournamentError(f"no Dask scheduler at {address!r}: {error}") from None
    with client:
        yield client


export_option = click.option(
    "--export", is_flag=True,
    help="Write the tables (Markdown, LaTeX, CSV) and figures to DIR/report.",
)  # fmt: skip


@cli.command()
@click.argument("design", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--out", required=True, type=click.Path(file_okay=False), metavar="DIR",
    help="Where the games go; what is there already is not played again.",
)  # fmt: skip
@workers_option
@dask_option
@export_option
@json_option
def run(design: str, out: str, workers: int, dask: str | None, export: bool, as_json: bool) -> None:
    """Play a design file into a directory, or go on where it was left; then report."""
    from battleship_ai.tournament import run_design

    with _dask_client(dask) as client:
        played = run_design(design, out, workers=workers, executor=client, progress=True)
    _report(played, Path(out) / "report" if export else None, as_json)


@cli.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False), metavar="DIR")
@export_option
@json_option
def report(directory: str, export: bool, as_json: bool) -> None:
    """Print the tables of a run, finished or not."""
    from battleship_ai.tournament import Run

    _report(Run(directory), Path(directory) / "report" if export else None, as_json)


def _report(run_: Any, export_to: Path | None, as_json: bool) -> None:
    from battleship_ai.tournament import Report

    made = Report(run_)
    click.echo(json.dumps(made.to_dict()) if as_json else str(made))
    if export_to is not None:
        written = made.write(export_to)
        click.echo(f"{len(written)} files in {export_to}", err=True)


cli.add_command(replay)


@cli.command()
@rules_options
@json_option
def count(as_json: bool, **options: Any) -> None:
    """Print the exact number of legal layouts."""
    from battleship_ai.inference.counting import count_layouts

    layouts = count_layouts(_exact_rules(options, "`battleship-ai sample` draws layouts"))
    click.echo(json.dumps({"layouts": layouts}) if as_json else layouts)


@cli.command()
@rules_options
@click.option("--record", default="", metavar="SHOTS", help='Such as "b2:hit c2:sunk d4:miss".')
@json_option
def posterior(record: str, as_json: bool, **options: Any) -> None:
    """Print how many layouts fit a record, and the probability of each square."""
    from battleship_ai.inference.exact import ExactPosterior
    from battleship_ai.record import Record

    rules_ = _exact_rules(options, "battleship_ai.naval.inference says in Python what reports tell")
    exact = ExactPosterior(rules_)
    parsed = Record.parse(rules_, record)
    probabilities = exact.probabilities(parsed)
    layouts = exact.count(parsed)
    if as_json:
        document = {"layouts": layouts, "probabilities": probabilities.tolist()}
        click.echo(json.dumps(document))
        return
    click.echo(f"{layouts} layouts")
    for row in probabilities:
        click.echo(" ".join(f"{p:.3f}" for p in row))


@cli.command()
@rules_options
@click.option(
    "--strategies", metavar="A,B,...", help="Also the exact expectation of these strategies.",
    shell_complete=of_games("players"),
)  # fmt: skip
@click.option("--worst", is_flag=True, help="Also the fewest shots that win against every layout.")
@click.option("--tree", metavar="FILE", help="Write optimal play as a tree of JSON to this file.")
@seed_option
@json_option
def solve(
    strategies: str | None,
    worst: bool,
    tree: str | None,
    seed: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Solve a small board: the least expected number of shots, every layout equally likely.

    \b
    Examples:
      battleship-ai solve --board 4x4 --fleet 3,2 --worst
      battleship-ai solve --board 5x5 --fleet 4 --shape any --strategies density,exact
    """  # noqa: D301
    from battleship_ai.solving import play_all, solve
    from battleship_ai.strategies import make_strategy

    rules_ = _exact_rules(options, "no board of it can be solved")
    players = {name: make_strategy(name) for name in (strategies or "").split(",") if name.strip()}
    if tree is not None and not Path(tree).absolute().parent.is_dir():
        raise BattleshipError(f"--tree {tree!r} is not in a directory that exists")
    solution = solve(rules_)
    document: dict[str, Any] = {
        "layouts": solution.layouts,
        "optimal": float(solution.shots),
        "optimal_total": solution.value,
        "beliefs": solution.beliefs,
        "seconds": solution.seconds,
    }
    if worst:
        document["worst_case"] = int(solve(rules_, "worst").shots)
    document["strategies"] = [
        {"name": name, "mean": float(games.mean), "max": int(games.shots.max())}
        for name, games in (
            (name, play_all(player, rules_, seed=seed)) for name, player in players.items()
        )
    ]
    if tree is not None:
        with replacing(Path(tree)) as unfinished:
            unfinished.write_text(json.dumps(solution.tree()) + "\n", encoding="utf-8")
    if as_json:
        click.echo(json.dumps(document))
        return
    click.echo(
        f"{document['layouts']} layouts\n"
        f"optimal play: {document['optimal']:.4f} shots expected "
        f"({solution.value}/{solution.layouts})"
    )
    if worst:
        click.echo(f"surely won in {document['worst_case']} shots")
    for row in document["strategies"]:
        click.echo(
            f"{row['name']}: {row['mean']:.4f} shots, "
            f"{row['mean'] - document['optimal']:+.4f}, at most {row['max']}"
        )


@cli.command()
@rules_options
@click.option("--count", "count_", default=1, show_default=True, help="Number of layouts.")
@seed_option
@placer_option
@json_option
def sample(count_: int, seed: int, placer: str | None, as_json: bool, **options: Any) -> None:
    """Print random legal layouts."""
    if seed < 0:
        raise RulesError(f"seed {seed} is negative; it must be at least 0")
    rules_ = rules_of(options)
    game = game_of(rules_)
    layouts = game.sample(rules_, count_, game.default_placer if placer is None else placer, seed)
    if as_json:
        click.echo(json.dumps([game.listed(layout) for layout in layouts]))
    else:
        click.echo("\n\n".join(str(layout) for layout in layouts))


@cli.command()
@json_option
def rules(as_json: bool) -> None:
    """List the rule sets of every game."""
    rows = [
        {
            "name": name,
            "game": game.name,
            "summary": preset.summary,
            "rules": game.preset(name, {}).to_dict(),
        }
        for game in all_games()
        for name, preset in game.presets.items()
    ]
    _echo_rows(rows, as_json)


@cli.command()
@json_option
def strategies(as_json: bool) -> None:
    """List the strategies and captains of every game, those of installed packages too."""
    from battleship_ai.strategies import installed_strategies, summary

    found = [(name, game, cls) for game in all_games() for name, cls in game.players.items()]
    for name, strategy in installed_strategies().items():
        if isinstance(strategy, StrategyError):
            click.echo(f"battleship-ai: skipped: {strategy}", err=True)
        else:
            found.append((name, game_of(Rules()), type(strategy)))
    rows = [{"name": name, "game": game.name, "summary": summary(cls)} for name, game, cls in found]
    _echo_rows(rows, as_json)


cli.add_command(play)


def _echo_rows(rows: list[dict[str, Any]], as_json: bool) -> None:
    """One JSON document, or name, game and summary in columns."""
    if as_json:
        click.echo(json.dumps(rows))
        return
    names, games = (max(len(row[key]) for row in rows) for key in ("name", "game"))
    for row in rows:
        click.echo(f"{row['name']:<{names}}  {row['game']:<{games}}  {row['summary']}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status is 0, or 2 with one line for bad input.

    Examples
    --------
    >>> main(["count", "--board", "4x4", "--fleet", "3,2"])
    104
    0
    """
    sys.path.insert(0, "")  # for MODULE:ATTRIBUTE strategies, as `python -m` does
    try:
        status = cli.main(arguments, prog_name="battleship-ai", standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"battleship-ai: {error.format_message()}", err=True)
        return 2
    except BattleshipError as error:
        click.echo(f"battleship-ai: {error}", err=True)
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("battleship-ai: interrupted", err=True)
        return 130
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    sys.exit(main())
