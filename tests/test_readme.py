"""What the README shows is what happens."""

import re
from pathlib import Path

import pytest

from battleship_ai.cli import main

README = (Path(__file__).resolve().parent.parent / "README.md").read_text()
SHOWN = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def rows(text):
    """Words by line, without the speed in the last column but one."""
    return [re.sub(r"[\d,]+(?= +\d+$)", "", line).split() for line in text.strip().splitlines()]


def test_the_examples_run(capsys, tmp_path, monkeypatch):
    """The design first, with fewer games; its strategy from elsewhere is the one shown."""
    assert len(BLOCKS) == 5
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (own,) = [block for block in BLOCKS if "class Corners" in block]
    Path("mybots.py").write_text(own.partition("run_tournament")[0])
    (design,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    Path("design.toml").write_text(design.replace("games = 2000", "games = 20"))
    assert main(["run", "design.toml", "--out", "results"]) == 0
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "parity-hunt - density" in printed
    for shown in ("7511434144712554880", "19037922399156667", "{'miss': 0.784", "'sunk': 0.061"):
        assert shown in printed
        assert shown in README


def test_the_count_in_the_readme_is_right(capsys):
    line = next(line for line in README.splitlines() if line.startswith("battleship-ai count"))
    command, _, number = line.partition("#")
    assert main(command.split()[1:]) == 0
    assert capsys.readouterr().out.strip() == number.strip()


@pytest.mark.slow
def test_the_table_in_the_readme_is_real(capsys):
    """All of it but the column of speeds."""
    assert main(["tournament", "--games", "1000"]) == 0
    assert rows(capsys.readouterr().out) == rows(SHOWN[0])


@pytest.mark.parametrize("mark", ["naval", "solve"])
def test_what_the_readme_shows_of_a_command_is_real(mark, capsys):
    """All of it but the column of speeds."""
    pattern = rf"<!-- {mark} command -->\n```bash\nbattleship-ai (.*?)\n```\n\n```text\n(.*?)```"
    command, shown = re.search(pattern, README, re.DOTALL).groups()
    assert main(command.split()) == 0
    assert rows(capsys.readouterr().out) == rows(shown)
