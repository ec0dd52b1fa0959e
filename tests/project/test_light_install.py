"""A light installation: BOLT on the exact engine without torch, Streamlit, plotly and Dask."""

import json
import re
import subprocess
import sys
import tomllib

import pytest

from tests.support.project import ROOT

REQUIREMENT = re.compile(r"^([A-Za-z0-9_-]+)", re.MULTILINE)
HEAVY = ["torch", "gpytorch", "botorch", "linear_operator", "streamlit", "plotly", "dask",
         "distributed", "matplotlib", "cryptography", "starlette", "anyio"]  # fmt: skip
TINY = ["typer", "rich", "filelock", "platformdirs", "threadpoolctl", "click"]
HIDE = """
import sys

class Finder:  # finds what the real one does, except the hidden packages
    def __init__(self, real):
        self.real = real

    def find_spec(self, name, path=None, target=None):
        hidden = name.partition(".")[0] in {hidden!r}
        return None if hidden else self.real.find_spec(name, path, target)

    def __getattr__(self, name):
        return getattr(self.real, name)

sys.meta_path[:] = map(Finder, sys.meta_path)
"""
ASK_AND_TELL = """
from bolt_core import Bolt
opt = Bolt(bounds=[(0.0, 1.0)])
for step in range(30):
    x = opt.ask(float(step))
    opt.tell(x, opt.at, -float((x[0] - 0.3) ** 2))
opt.save("saved.jsonl")
again = Bolt.load("saved.jsonl")
print(len(again.to_frame()), again.ask(31.0) == opt.ask(31.0), "torch" in sys.modules)
"""
COMMANDS = """
import contextlib, io, json
from bolt_core.cli import main
answers = []
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as left:
            answers.append((left.code, out.getvalue(), err.getvalue()))
print(json.dumps(answers))
"""
SHOWN = {"run": "average regret", "show": "Hartmann-3", "list": "eggholder", "in process": "1"}
PLAN = "--algorithms random --benchmarks hartmann3 --seeds 1 --horizon 2"
RUN = "run --benchmark hartmann3 --algorithm bolt --horizon 4 --clock"


def light(folder, code, hidden, *arguments):
    """Return what a script prints that cannot import the hidden modules."""
    command = [sys.executable, "-c", HIDE.replace("{hidden!r}", repr(hidden)) + code, *arguments]
    environment = {"BOLT_HOME": str(folder), "PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """The exit code and output of each command in a light installation."""
    folder = tmp_path_factory.mktemp("light")
    commands = {
        "run": f"{RUN} cpu --out run.jsonl",
        "show": "show run.jsonl",
        "list": "list",
        "ui": "ui --no-browser",
        "botorch": f"{RUN} model --engine botorch",
        "ei": f"{RUN} model --acquisition ei",
        "plan": f"campaign plan one {PLAN}",
        "in process": "campaign run one --workers 0",
        "campaign": "campaign run tiny --workers 1",
        "report": "campaign report paper",
    }
    words = json.dumps([line.split() for line in commands.values()])
    return dict(zip(commands, json.loads(light(folder, COMMANDS, HEAVY, words)), strict=True))


def test_bolt_asks_tells_and_saves_with_numpy_scipy_and_pandas_only(tmp_path):
    assert light(tmp_path, ASK_AND_TELL, HEAVY + TINY).split() == ["30", "[", "True]", "False"]


@pytest.mark.long
@pytest.mark.parametrize("command", ["run", "show", "list", "in process"])
def test_the_command_line_works(answers, command):
    code, out, err = answers[command]

    assert code == 0, err
    assert SHOWN[command] in out + err


@pytest.mark.parametrize(
    ("command", "packages"),
    [
        ("ui", "streamlit plotly"),
        ("botorch", "torch gpytorch botorch"),
        ("ei", "torch gpytorch botorch"),
        ("campaign", "'dask[distributed]' cryptography"),
        ("report", "matplotlib"),
    ],
)
def test_what_needs_more_says_what_to_install(answers, command, packages):
    code, _, err = answers[command]

    assert code == 2
    assert f"pip install {packages}" in err
    assert len(err.strip().splitlines()) <= 2  # the first may say where a run is recorded


def test_the_light_requirements_are_among_the_dependencies_and_pinned():
    requirements = {
        re.split("[#;]", line)[0].strip()
        for line in (ROOT / "requirements-light.txt").read_text().splitlines()
    } - {""}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = set(REQUIREMENT.findall((ROOT / "constraints.txt").read_text().lower()))

    assert requirements <= set(project["dependencies"])
    assert set(REQUIREMENT.findall("\n".join(requirements))) <= pinned
    assert not requirements & set(HEAVY)
