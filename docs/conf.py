"""Sphinx configuration: ``sphinx-build -W docs site`` builds the documentation into ``site``."""

import importlib
import sys
from typing import Any

from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from battleship_ai import __version__

project = "battleship_ai"
author = "The battleship_ai developers"
copyright = "2026, the battleship_ai developers"
version = release = __version__

extensions = ["myst_nb", "numpydoc", "sphinx.ext.autodoc"]
exclude_patterns = ["**/.ipynb_checkpoints"]
default_role = "py:obj"

html_theme = "furo"
html_title = f"battleship_ai {version}"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_copy_source = False

myst_heading_anchors = 3
# CI runs the notebooks by themselves; here their saved outputs are shown.
nb_execution_mode = "off"

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "none"
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"

# Whatever these list must have an entry in the reference.
_PLACES = [
    "battleship_ai",
    "battleship_ai.envs",
    "battleship_ai.errors",
    "battleship_ai.naval",
    "battleship_ai.openspiel",
    "battleship_ai.plotting",
    "battleship_ai.solving",
    "battleship_ai.statistics",
    "battleship_ai.strategies",
    "battleship_ai.tournament",
]


def _check_reference(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of each public name that the reference lacks, under whatever module it stands."""
    modules = [importlib.import_module(place) for place in _PLACES]
    described = {
        id(getattr(sys.modules.get(module), name, None))
        for module, _, name in (entry.rpartition(".") for entry in env.domaindata["py"]["objects"])
    }
    for module in modules:
        for name in module.__all__:
            if id(getattr(module, name)) not in described:
                message = "%s.%s is not in the reference"
                logging.getLogger(__name__).warning(message, module.__name__, name)


def _find_elsewhere(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contents: Element
) -> Element | None:
    """Link a name that a docstring mentions to its only entry, wherever that is."""
    if node.get("refdomain") != "py":
        return None
    target = "." + node["reftarget"]
    found = {name for name in env.domaindata["py"]["objects"] if name.endswith(target)}
    if len(found) != 1:
        return None
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", found.pop(), node, contents)


def _skip(app: Sphinx, what: str, name: str, found: Any, skip: bool, options: Any) -> bool | None:
    """Leave out the fields of named tuples that have no text but the one Python gives them."""
    return (getattr(found, "__doc__", None) or "").startswith("Alias for field number") or None


def setup(app: Sphinx) -> None:
    """Connect the checks."""
    app.connect("env-check-consistency", _check_reference)
    app.connect("missing-reference", _find_elsewhere)
    app.connect("autodoc-skip-member", _skip)
