"""The guides to other libraries: their examples run, and print what is shown below them."""

import re
from pathlib import Path

import pytest

GUIDES = Path(__file__).resolve().parent.parent / "docs/guides"


@pytest.mark.parametrize("page", ["environments", "openspiel", "pomdp"])
def test_the_examples_print_what_is_shown(page, capsys):
    text = (GUIDES / f"{page}.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == text.count("```python") > 1
    names: dict[str, object] = {}
    for code, shown in blocks:
        exec(compile(code, f"{page}.md", "exec"), names)
        assert capsys.readouterr().out == shown
