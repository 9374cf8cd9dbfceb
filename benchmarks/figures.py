"""Every figure of the README and the documentation, by one command.

    python benchmarks/figures.py [NAME ...] [--out DIR] [--list]

runs the commands below one after another and keeps what each prints as DIR/NAME.txt; designs
leave their tables and pictures in DIR/NAME. Games that are kept in this folder are not
played again: remove their files to play them anew. Without names it runs all of them.
"""

import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import click
from tqdm import tqdm

FOLDER = Path(__file__).parent


CLI, RUN = "battleship_ai.cli", "run.py"


class Figure(NamedTuple):
    """Where figures stand and what makes them."""

    shown: str
    script: str
    """Of this folder; `CLI` for `battleship-ai`."""
    arguments: str = ""


def design(name: str, shown: str) -> Figure:
    path = FOLDER / "designs" / f"{name}.toml"
    return Figure(shown, CLI, f"run {path} --out OUT/{name} --workers 2 --export")


FIGURES = {
    "first": design("first", "README: set up"),
    "first-minute": Figure("benchmarks: first minute", "first_minute.py"),
    "solve": Figure(
        "README: optimal play",
        CLI,
        "solve --board 4x4 --fleet 3,2 --announce sunk-size --worst --strategies exact,density",
    ),
    "naval-tournament": Figure(
        "README: Naval Bombardment",
        CLI,
        "tournament --rules naval-bombardment --strategies random-salvo,lattice,density,list-info "
        "--games 100 --seed 1",
    ),
    "ladder": design("ladder", "README: how the strategies do"),
    "presets": design("presets", "benchmarks"),
    "league": design("league", "README: who hides the fleet"),
    "duels": design("duels", "benchmarks"),
    "exact-games": Figure("README: exact, monte-carlo, lookahead", "exact_games.py"),
    "luck": Figure("README: luck; benchmarks: luck", "luck.py"),
    "small-boards": Figure("README: optimal play", "small_boards.py", "gaps"),
    "solver-reach": Figure("benchmarks: optimal play", "small_boards.py", "reach"),
    "bounds": Figure("README: bounds", "bounds.py"),
    "naval-captains": Figure(
        "README: Naval Bombardment", "naval_captains.py", "all --placer sequential"
    ),
    "naval-captains-uniform": Figure(
        "README: Naval Bombardment", "naval_captains.py", "all --placer uniform"
    ),
    **{
        f"naval-duel-{other}": Figure(
            "README: Naval Bombardment", "naval_duels.py", f"tactician {other} --games 300"
        )
        for other in ("list-info", "density", "peppering", "random-salvo")
    },
    **{
        name: Figure(shown, RUN, name)
        for name, shown in {
            "hit-weights": "docstring of DensityWeights",
            "halo-price": "README: how the strategies do",
            "random-formula": "benchmarks",
            "hasbro-map": "benchmarks",
            "hits-by-shot": "README: how the strategies do",
            "density-regret": "README: how the strategies do",
            "exact-engine": "README: exact posteriors; benchmarks: the exact posterior",
            "exact-moves": "benchmarks: the exact posterior",
            "exact-against-rejection": "benchmarks: the exact posterior",
            "speed-play": "benchmarks",
            "speed-layouts": "benchmarks",
            "startup": "benchmarks",
        }.items()
    },
    **{
        f"harness-{name}": Figure("benchmarks: the harness", "harness.py", name)
        for name in ("overhead", "workers", "dask", "stream")
    },
    "coverage": Figure("benchmarks", "coverage.py"),
    "naval-mixing": Figure("benchmarks: uniform layouts", "naval_mixing.py"),
    "naval-posterior": Figure("benchmarks: joint posterior", "naval_posterior.py", "--games 3"),
    "openspiel": Figure("benchmarks", "openspiel_games.py"),
}


def command_of(figure: Figure, out: Path) -> list[str]:
    arguments = shlex.split(figure.arguments.replace("OUT", str(out)))
    if figure.script == CLI:
        return [sys.executable, "-m", CLI, *arguments]
    return [sys.executable, str(FOLDER / figure.script), *arguments]


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(FIGURES)))
@click.option("--out", default="figures", show_default=True, help="Where their outputs go.")
@click.option("--list", "listed", is_flag=True, help="Only print the commands.")
def main(names: tuple[str, ...], out: str, listed: bool) -> None:
    """Make figures anew."""
    folder = Path(out).resolve()
    chosen = {name: FIGURES[name] for name in names or FIGURES}
    if listed:
        for name, figure in chosen.items():
            words = command_of(figure, Path(out))[1:]
            click.echo(f"{name} ({figure.shown})\n    python {shlex.join(words)}")
        return
    folder.mkdir(parents=True, exist_ok=True)
    failed = []
    for name, figure in tqdm(chosen.items(), unit="figure"):
        start = time.perf_counter()
        output = folder / f"{name}.txt"
        with output.open("w") as file:
            done = subprocess.run(command_of(figure, folder), stdout=file, stderr=subprocess.PIPE)
        if done.returncode:
            failed.append(name)
            output.write_bytes(output.read_bytes() + done.stderr)
        tqdm.write(f"{name}: {time.perf_counter() - start:.0f} s, {output}")
    if failed:
        raise click.ClickException(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
