"""What a user is told who lacks an optional package."""

import subprocess
import sys

import pytest

from battleship_ai.cli import main

MISSING = """
import sys
sys.modules[{package!r}] = None
import battleship_ai
try:
    import {module}
except battleship_ai.MissingExtra as error:
    assert isinstance(error, ImportError)
    print(error)
"""


@pytest.mark.parametrize(
    ("module", "package", "name"),
    [
        ("battleship_ai.envs", "gymnasium", "gymnasium"),
        ("battleship_ai.envs.duel", "pettingzoo", "pettingzoo"),
        ("battleship_ai.openspiel", "pyspiel", "openspiel"),
    ],
)
def test_the_error_names_the_package_and_the_extra(module, package, name):
    done = subprocess.run(
        [sys.executable, "-c", MISSING.format(package=package, module=module)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == (
        f"{module} needs the package {package}, which comes with: "
        f"pip install 'battleship_ai[{name}]'\n"
    )


@pytest.mark.parametrize(
    ("package", "words", "user", "name"),
    [
        ("pyarrow", ["run", "DESIGN", "--out", "results"], "a directory of results", "results"),
        ("filelock", ["run", "DESIGN", "--out", "results"], "a directory of results", "results"),
        ("distributed", ["tournament", "--games", "1", "--dask", "tcp://x:1"], "--dask", "dask"),
    ],
)
def test_a_command_says_what_to_install(package, words, user, name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)
    design = tmp_path / "design.toml"
    design.write_text('rules = ["pomcp"]\nstrategies = ["random"]\ngames = 1\n')
    assert main([str(design) if word == "DESIGN" else word for word in words]) == 2
    assert capsys.readouterr().err.endswith(
        f"{user} needs the package {package}, which comes with: "
        f"pip install 'battleship_ai[{name}]'\n"
    )
    assert not (tmp_path / "results").exists()
