"""The README's first command from nothing: what a new user sees, when, and what it takes.

    python benchmarks/first_minute.py

clones the repository into an empty folder and runs the command word for word, then its last
part again. The packages come from pip's cache where it has them.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
import pexpect

from battleship_ai import Table

_CONTROL = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")
ROOT = Path(__file__).resolve().parent.parent


def first_command() -> str:
    """The first shell block of the README."""
    return re.findall(r"```bash\n(.*?)\n```", (ROOT / "README.md").read_text(), re.DOTALL)[0]


def fresh_environment(path: Path) -> dict[str, str]:
    """The variables of this process but those that point at its kernels and packages."""
    dropped = ("NUMBA_CACHE_DIR", "PYTHONPATH", "VIRTUAL_ENV")
    found = {name: value for name, value in os.environ.items() if name not in dropped}
    own = str(Path(sys.prefix) / "bin")
    found["PATH"] = os.pathsep.join(p for p in found["PATH"].split(os.pathsep) if p != own)
    return {**found, "XDG_CACHE_HOME": str(path / "cache")}


def timed(command: str, folder: Path, environment: dict[str, str]) -> tuple[float, list[list[str]]]:
    """The seconds of a command at a terminal, and what it wrote, each with the second it came."""
    start = time.perf_counter()
    terminal = pexpect.spawn(
        "bash", ["-c", command], cwd=str(folder), env=environment, encoding="utf-8",
        timeout=None, dimensions=(50, 120),
    )  # fmt: skip
    seen: list[list[str]] = []
    unended = ""
    while True:
        try:
            written = terminal.read_nonblocking(4096, timeout=None)
        except pexpect.EOF:
            break
        second = f"{time.perf_counter() - start:.0f} s"
        for part in re.split(r"([\r\n]+)", _CONTROL.sub("", written)):
            if not part or part[0] in "\r\n":
                unended = ""
            elif unended:
                unended = seen[-1][1] = unended + part
            else:
                unended = part
                seen.append([second, part])
    terminal.close()
    if terminal.exitstatus:
        raise click.ClickException(f"{command} failed: {seen[-1:]}")
    return time.perf_counter() - start, seen


def megabytes(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) // 10**6


@click.command()
def main() -> None:
    """Print the times, the size, and what a new user sees."""
    command = first_command()
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "battleship_ai"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        environment = fresh_environment(Path(folder))
        cold, seen = timed(command, clone, environment)
        last_part = command.split("&&")[-1].strip()
        again, _ = timed(last_part, clone, environment)
        size = megabytes(clone / ".venv")
    rows = [
        [command, f"{cold:.0f} s", f"{size} MB in .venv"],
        [f"{last_part}, again", f"{again:.1f} s", "kernels from the cache"],
    ]
    click.echo(Table(["command", "time", "size"], rows).markdown())
    click.echo()
    shown: list[list[str]] = []
    for second, line in seen:
        # A progress bar: its first state and its last.
        if len(shown) > 1 and "%|" in line and "%|" in shown[-1][1] and "%|" in shown[-2][1]:
            shown.pop()
        shown.append([second, line])
    click.echo("\n".join(f"{second:>6}  {line}" for second, line in shown))


if __name__ == "__main__":
    main()
