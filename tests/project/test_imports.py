"""What the pages import is light: no torch before an algorithm needs it."""

import json
import subprocess
import sys

from tests.support.project import ROOT

CORE = ["bolt_core", "bolt_core.common.types", "bolt_core.figures", "bolt_core.live.conductor"]
ROOM = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "bolt_ui").rglob("*.py"))
    if path.stem not in ("main", "__init__")
]
PROBE = """
import importlib, json, sys
found = {}
for name in sys.argv[2:]:
    importlib.import_module(name)
    found[name] = sorted(set(sys.argv[1].split()) & set(sys.modules))
print(json.dumps(found))
"""


def loaded(unwanted, modules):
    """Which of `unwanted` are there after each import, in a fresh interpreter."""
    command = [sys.executable, "-c", PROBE, unwanted, *modules]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_what_pages_import_loads_no_torch():
    modules = CORE + ROOM

    assert loaded("torch gpytorch botorch", modules) == {name: [] for name in modules}


def test_the_core_loads_no_streamlit_and_no_plotly():
    assert loaded("streamlit plotly bolt_ui", CORE) == {name: [] for name in CORE}


def test_the_command_line_loads_no_dask_before_a_campaign_runs():
    assert loaded("dask distributed", ["bolt_core.cli._all_commands"]) == {
        "bolt_core.cli._all_commands": []
    }
