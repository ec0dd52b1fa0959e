"""What the pages import is light: no torch before an algorithm needs it."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = ["bolt_core", "bolt_core.types", "bolt_core.figures", "bolt_core.live"]
ROOM = [f"ui.{path.stem}" for path in sorted((ROOT / "ui").glob("*.py")) if path.stem != "main"]
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
    assert loaded("streamlit plotly ui", CORE) == {name: [] for name in CORE}


def test_the_command_line_loads_no_dask_before_a_campaign_runs():
    assert loaded("dask distributed", ["bolt_core.cli"]) == {"bolt_core.cli": []}
