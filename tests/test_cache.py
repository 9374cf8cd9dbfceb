"""Machine code on disk is never older than the sources it was made of."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import battleship_ai
from battleship_ai import _jit

SCRIPT = """
from battleship_ai import Rules, count_layouts
rules = Rules(board=(5, 5), fleet=(2, 1), shape="tetris", contact="corners")
print(count_layouts(rules))  # one by one
"""


def test_a_change_in_an_imported_module_is_not_missed(tmp_path):
    copy = tmp_path / "battleship_ai"
    shutil.copytree(
        Path(battleship_ai.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__")
    )

    def run():
        environment = {
            **os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True, text=True, check=True, env=environment, cwd=tmp_path,
        )  # fmt: skip
        return int(done.stdout)

    assert run() == run() == 732
    bitboard = copy / "bitboard.py"
    source = bitboard.read_text()
    broken = source.replace("return True", "return False")  # ships never intersect
    assert broken != source
    bitboard.write_text(broken)
    assert run() > 732


def test_kernels_stand_or_fall_with_all_that_they_import(tmp_path, monkeypatch):
    package = tmp_path / "battleship_ai"
    shutil.copytree(Path(battleship_ai.__file__).parent, package)
    monkeypatch.setattr(_jit, "__file__", str(package / "_jit.py"))

    def stamp_after_a_change_in(name):
        (package / name).write_text((package / name).read_text() + "# changed\n")
        _jit._fingerprint.cache_clear()
        return _jit._fingerprint()

    stamps = [stamp_after_a_change_in("cli.py")]  # no kernel's business
    for name in ("inference/tables.py", "rules.py", "strategies/_density.py", "_jit.py"):
        stamps.append(stamp_after_a_change_in(name))
    assert (
        stamp_after_a_change_in("cli.py")
        == stamp_after_a_change_in("tournament/results.py")
        == stamps[-1]
    )
    assert len(set(stamps)) == len(stamps)
    _jit._fingerprint.cache_clear()
