"""What a user is told who lacks an optional package."""

import subprocess
import sys

import pytest

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
