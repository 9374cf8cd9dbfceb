"""Every public object says what it does, and all examples of the documentation run."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import shutil
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path

import click
import matplotlib.pyplot as plt
import pytest

import battleship_ai
from battleship_ai import PLACERS, Design


def is_public(name):
    return not any(part.startswith("_") for part in name.split("."))


MODULES = {
    name: importlib.import_module(name)
    for name in ["battleship_ai", *(found.name for found in pkgutil.walk_packages(
        battleship_ai.__path__, "battleship_ai."))]
    if is_public(name)
}  # fmt: skip

# What users import from: the top, each subpackage that lists names, and the figures.
PLACES = [
    name for name, module in MODULES.items()
    if hasattr(module, "__path__") and hasattr(module, "__all__")
] + ["battleship_ai.errors", "battleship_ai.plotting"]  # fmt: skip


def listed(modules):
    return [
        (module, name) for module in modules for name in getattr(MODULES[module], "__all__", [])
    ]


@cache
def docs_of_constants(module):
    """The texts that stand below the assignments of a module, by name."""
    body = ast.parse(inspect.getsource(MODULES[module])).body
    return {
        name.id: after.value.value
        for assignment, after in pairwise(body)
        if isinstance(assignment, ast.Assign | ast.AnnAssign)
        and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        for name in getattr(assignment, "targets", None) or [assignment.target]
    }  # fmt: skip


def is_described_by_itself(found):
    return inspect.isclass(found) or inspect.isroutine(found) or hasattr(found, "__wrapped__")


def doc_of(module, name):
    found = getattr(MODULES[module], name)
    if isinstance(found, click.Command):
        return found.help or ""
    if is_described_by_itself(found):
        text = found.__doc__ or ""
        # Classes of data without a docstring are given one that lists their fields.
        return "" if text.startswith(f"{found.__name__}(") else text
    homes = [home for home in MODULES if getattr(MODULES[home], name, None) is found]
    return max((docs_of_constants(home).get(name, "") for home in homes), key=len)


def parts_of(cls):
    """The public methods and properties that a class itself defines."""
    for name, part in vars(cls).items():
        if not name.startswith("_"):
            function = getattr(part, "fget", None) or getattr(part, "func", None) or part
            function = getattr(function, "__func__", function)
            if inspect.isfunction(function):
                yield name, function


def test_every_module_says_what_it_is_for():
    assert [name for name, module in MODULES.items() if not module.__doc__] == []


@pytest.mark.parametrize(("module", "name"), listed(MODULES))
def test_every_public_name_has_a_docstring(module, name):
    assert doc_of(module, name).strip()


@pytest.mark.parametrize(("module", "name"), listed(PLACES))
def test_what_users_import_has_an_example(module, name):
    """Those of functions and classes are run with the modules' doctests."""
    assert ">>> " in doc_of(module, name)


@pytest.mark.parametrize(("module", "name"), listed(MODULES))
def test_so_have_the_methods_of_every_class(module, name):
    found = getattr(MODULES[module], name)
    if inspect.isclass(found) and found.__module__.startswith("battleship_ai"):
        assert [part for part, function in parts_of(found) if not inspect.getdoc(function)] == []


@pytest.mark.parametrize("module", [name for name in MODULES if docs_of_constants(name)])
def test_the_examples_beside_constants_run(module):
    runner = doctest.DocTestRunner()
    for name, text in docs_of_constants(module).items():
        names = dict(vars(MODULES[module]))
        test = doctest.DocTestParser().get_doctest(text, names, name, module, 0)
        runner.run(test)
    assert runner.summarize().failed == 0


DOCS = Path(__file__).resolve().parent.parent / "docs"


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)


PAGES = sorted(page for page in DOCS.rglob("*.md") if "```python" in page.read_text())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    """One after the other, in a directory of their own."""
    for example in (DOCS / "guides").glob("*.py"):
        shutil.copy(example, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(PLACERS, "low-left", raising=False)  # and so after the page that adds it
    names = {}
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), names)
    plt.close("all")


@pytest.mark.parametrize("table", [b for p in PAGES for b in blocks(p, "toml") if b[:5] == "rules"])
def test_the_designs_of_the_pages_are_read(table):
    assert Design.from_dict(tomllib.loads(table)).pools
