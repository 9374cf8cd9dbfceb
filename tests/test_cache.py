"""Machine code on disk is never older than the sources it was made of."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import battleship_ai

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
