"""The command line: ``battleship-ai``."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from battleship_ai import __version__
from battleship_ai.errors import BattleshipError, RulesError, StrategyError, TournamentError
from battleship_ai.rules import PRESETS, Rules

__all__ = ["main"]

_CONNECT_SECONDS = 10


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
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def _rules(options: dict[str, Any]) -> Rules:
    preset = options.pop("preset")
    overrides = {}
    for key in ("board", "fleet", "shape", "contact", "announce", "turn"):
        value = options.pop(key)
        if value is not None:
            overrides[key] = _fleet(value) if key == "fleet" else value
    return Rules.preset(preset, **overrides)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
placer_option = click.option(
    "--placer", default="uniform", show_default=True,
    help="uniform, sequential, sequential-smallest-first or edge.",
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
      battleship-ai sample --rules ship-bombing-tetris --count 3 --seed 1
      battleship-ai count --board 6x6 --fleet 3,2,2
      battleship-ai run design.toml --out results --workers 2 --export
    """  # noqa: D301  (click reads the backspace as: keep these lines)


@cli.command()
@rules_options
@click.option(
    "--strategies", metavar="A,B,...",
    help="Names, with parameters if wanted (monte-carlo:draws=500), MODULE:ATTRIBUTE or "
    "program:COMMAND LINE. Without, the fast heuristics.",
)  # fmt: skip
@click.option("--games", default=3000, show_default=True, help="Games for each strategy.")
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
    seed: int,
    workers: int,
    dask: str | None,
    placer: str,
    luck_adjusted: bool,
    out: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Let strategies shoot at the same hidden layouts."""
    from battleship_ai.strategies import DEFAULT_STRATEGIES
    from battleship_ai.tournament import Design, PoolResult, run_design, run_tournament

    names: Sequence[str] = DEFAULT_STRATEGIES
    if strategies is not None:
        names = [name for name in strategies.split(",") if name.strip()]
    label, rules_ = str(options["preset"]), _rules(options)
    with _dask_client(dask) as client:
        result: PoolResult
        if out is None:
            result = run_tournament(
                rules_, names, games=games, seed=seed, placer=placer, workers=workers,
                luck_adjusted=luck_adjusted, executor=client, progress=True,
            )  # fmt: skip
        else:
            design = Design(
                {label: rules_}, names, games=games, seed=seed, placers=placer,
                luck_adjusted=luck_adjusted,
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
    try:
        import distributed
    except ImportError:
        raise TournamentError("--dask needs Dask: pip install 'battleship_ai[dask]'") from None
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


@cli.command()
@rules_options
@json_option
def count(as_json: bool, **options: Any) -> None:
    """Print the exact number of legal layouts."""
    from battleship_ai.inference.counting import count_layouts

    layouts = count_layouts(_rules(options))
    click.echo(json.dumps({"layouts": layouts}) if as_json else layouts)


@cli.command()
@rules_options
@click.option("--record", default="", metavar="SHOTS", help='Such as "b2:hit c2:sunk d4:miss".')
@json_option
def posterior(record: str, as_json: bool, **options: Any) -> None:
    """Print how many layouts fit a record, and the probability of each square."""
    from battleship_ai.inference.exact import ExactPosterior
    from battleship_ai.record import Record

    rules_ = _rules(options)
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
@click.option("--count", "count_", default=1, show_default=True, help="Number of layouts.")
@seed_option
@placer_option
@json_option
def sample(count_: int, seed: int, placer: str, as_json: bool, **options: Any) -> None:
    """Print random legal layouts."""
    from battleship_ai.placers import place

    if seed < 0:
        raise RulesError(f"seed {seed} is negative; it must be at least 0")
    layouts = place(_rules(options), count_, placer=placer, seed=seed)
    if as_json:
        click.echo(json.dumps([layout.names() for layout in layouts]))
    else:
        click.echo("\n\n".join(str(layout) for layout in layouts))


@cli.command()
@json_option
def rules(as_json: bool) -> None:
    """List the rule sets."""
    if as_json:
        rows = [
            {"name": name, "summary": preset.summary, "rules": Rules.preset(name).to_dict()}
            for name, preset in PRESETS.items()
        ]
        click.echo(json.dumps(rows))
    else:
        _echo_named([(name, preset.summary) for name, preset in PRESETS.items()])


@cli.command()
@json_option
def strategies(as_json: bool) -> None:
    """List the strategies, those of installed packages too."""
    from battleship_ai.strategies import STRATEGIES, installed_strategies, summary

    rows = [(name, summary(cls)) for name, cls in STRATEGIES.items()]
    for name, strategy in installed_strategies().items():
        if isinstance(strategy, StrategyError):
            click.echo(f"battleship-ai: skipped: {strategy}", err=True)
        else:
            rows.append((name, summary(type(strategy))))
    if as_json:
        click.echo(json.dumps([{"name": name, "summary": text} for name, text in rows]))
    else:
        _echo_named(rows)


def _echo_named(rows: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        click.echo(f"{name:<{width}}  {text}")


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
