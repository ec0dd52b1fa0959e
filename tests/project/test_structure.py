"""The packages of bolt_core, and no import cycle between modules."""

import ast
from graphlib import CycleError, TopologicalSorter

from tests.support.project import ROOT

PACKAGES = {
    "algorithms", "analysis", "bench", "benchmarks", "campaigns", "charts", "cli", "common",
    "figures", "gp", "live", "logs", "online", "problems", "report", "runs", "service", "store",
    "theory",
}  # fmt: skip
FILES = {"__init__.py", "__main__.py", "py.typed"}


def test_bolt_core_holds_its_packages_and_its_data():
    present = {path.name for path in (ROOT / "bolt_core").iterdir()} - {"__pycache__"}

    assert present == PACKAGES | FILES | {"data"}


def test_no_two_modules_import_each_other_not_even_inside_functions():
    graph = {name: _imports(path, MODULES) for name, path in MODULES.items()}

    assert len(graph) > 250
    assert _cycle(graph) == []


def test_a_cycle_would_be_found():
    assert set(_cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


def _modules():
    paths = [path for root in ("bolt_core", "bolt_ui") for path in (ROOT / root).rglob("*.py")]
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    return {name.removesuffix(".__init__"): path for name, path in named.items()}


MODULES = _modules()


def _imports(path, modules):
    """Every module of ours that a file imports anywhere, type-checking blocks left out."""
    tree = ast.parse(path.read_text())
    hidden = {id(node) for block in ast.walk(tree) if _for_types(block) for node in ast.walk(block)}
    found = set()
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            submodules = full & set(modules)
            found |= submodules if submodules == full else submodules | {node.module}
    return found & set(modules)


def _for_types(node):
    return isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"


def _cycle(graph):
    """One cycle of the graph as a list of names, or nothing."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as problem:
        return problem.args[1]
    return []
