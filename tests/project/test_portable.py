"""No module needs a part of the standard library that only POSIX systems have."""

import ast
import subprocess
import sys

import pytest

from tests.support.project import ROOT

POSIX_ONLY = "fcntl resource pwd grp termios tty pty syslog posix crypt nis spwd readline curses"
FOLDERS = ("bolt_core", "bolt_ui")
OF_AN_EXTRA = {"bolt_core.online.gest_generator"}  # what it needs is not installed here
RUN_BY_STREAMLIT = [ROOT / "app.py", ROOT / "bolt_ui/entry/main.py", *(ROOT / "pages").glob("*.py")]
PROBE = """
import builtins, importlib, sys
hidden, modules = set(sys.argv[1].split()), sys.argv[2:]
real = builtins.__import__

def without_posix(name, globals=None, locals=None, fromlist=(), level=0):
    importer = (globals or {}).get("__name__", "")
    if name.partition(".")[0] in hidden and importer.startswith(("bolt_core", "bolt_ui")):
        raise ModuleNotFoundError(f"{importer} imports {name}")
    return real(name, globals, locals, fromlist, level)

builtins.__import__ = without_posix
for module in modules:
    importlib.import_module(module)
print(len(modules))
"""


def modules():
    """Return the names of all modules that can be imported without Streamlit's script runner."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    plain = [p for p in paths if p.stem != "__main__" and p not in RUN_BY_STREAMLIT]
    names = (".".join(path.relative_to(ROOT).with_suffix("").parts) for path in plain)
    return [name.removesuffix(".__init__") for name in names if name not in OF_AN_EXTRA]


def imported_at_module_level(path):
    """Return the top-level names that a file imports outside functions."""
    nodes, names = list(ast.parse(path.read_text()).body), set()
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            nodes += ast.iter_child_nodes(node)
    return names


def probe(hidden, names):
    command = [sys.executable, "-W", "ignore", "-c", PROBE, hidden, *names]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_every_module_is_imported_without_what_only_posix_has():
    names = modules()
    done = probe(POSIX_ONLY, names)

    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) == len(names) > 300


def test_what_streamlit_runs_imports_nothing_that_only_posix_has():
    used = {path.name: imported_at_module_level(path) for path in RUN_BY_STREAMLIT}

    assert [name for name, found in used.items() if found & set(POSIX_ONLY.split())] == []


def test_a_hidden_module_would_be_seen():
    done = probe("tempfile", ["bolt_core.common.paths"])

    assert done.returncode != 0
    assert "bolt_core.common.paths imports tempfile" in done.stderr
