"""A package with plug-ins of every bad kind, found through its entry points."""

from bolt_core import algorithms, benchmarks
from bolt_core.common import registry
from bolt_core.runs import timed_call
from bolt_ui import benchmarks as benchmarks_page
from bolt_ui import link_values

SKIPPED = ("missing", "raises", "exits", "hangs", "number", "wrong_fields", "taken")
FAILING = ("bad-raises", "bad-hangs", "bad-number", "bad-text")  # valid specs of benchmarks
FAILING_ALGORITHMS = ("ask-raises", "ask-hangs", "ask-nonsense", "build-raises")
MODULES = {
    "bad_raises": "raise RuntimeError('the licence of this plug-in has expired')",
    "bad_exits": "import sys\nsys.exit('no licence')",
    "bad_hangs": "import time\ntime.sleep(3600)",
    "bad_others": """
import time
from dataclasses import replace
import numpy as np
from bolt_core import algorithms
from bolt_core.algorithms.random import ALGORITHM as RANDOM
from bolt_core.benchmarks.spec import BenchmarkSpec, Landscape, TableRow

NUMBER = 5
ROW = TableRow(noise_variance=0.01, cost=0.1, horizon=60.0, lengthscale_time=30.0)


def raises(x, t):
    raise ValueError("the sensor is unplugged")


def hangs(x, t):
    time.sleep(3600)


def nan(x, t):
    return np.full(np.shape(t), np.nan)


def text(x, t):
    return "warm"


def spec(key, f):
    return BenchmarkSpec(key, key.title(), 2, ROW, lambda: Landscape(2, f), in_paper=False)


FUNCTIONS = {"bad-raises": raises, "bad-hangs": hangs, "bad-number": nan, "bad-text": text}
FAILING = [spec(key, f) for key, f in FUNCTIONS.items()]
WRONG_FIELDS = replace(FAILING[0], key="wrong", dimension="two")
TAKEN = replace(FAILING[0], key="eggholder")


class Broken:
    def __init__(self, inner, ask):
        self._inner, self._ask = inner, ask

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def ask(self, t):
        return self._ask()


def algorithm(key, ask):
    def build(*args, **kwargs):
        return Broken(RANDOM.build(*args, **kwargs), ask)

    return replace(RANDOM, key=key, label=key, build=build)


def ask_raises():
    raise ValueError("no idea where to look")


ALGORITHMS = [
    algorithm("ask-raises", ask_raises),
    algorithm("ask-hangs", lambda: time.sleep(3600)),
    algorithm("ask-nonsense", lambda: "x = 3"),
    replace(RANDOM, key="build-raises", label="build-raises", build=lambda *a, **k: 1 / 0),
]
WRONG_ALGORITHM = replace(RANDOM, key="wrong-year", year="last year")
""",
}
ENTRY_POINTS = """
[bolt.benchmarks]
missing = nowhere_to_be_found:BENCHMARK
raises = bad_raises:BENCHMARK
exits = bad_exits:BENCHMARK
hangs = bad_hangs:BENCHMARK
number = bad_others:NUMBER
wrong_fields = bad_others:WRONG_FIELDS
taken = bad_others:TAKEN
failing = bad_others:FAILING

[bolt.algorithms]
failing = bad_others:ALGORITHMS
wrong_algorithm = bad_others:WRONG_ALGORITHM
"""


def forget():
    """Let the registries look again."""
    for package in (algorithms, benchmarks):
        for name in ("_discovery", "_of_package", "catalog", "built_in"):
            getattr(getattr(package, name, None), "cache_clear", lambda: None)()
    benchmarks_page._draw.clear()
    link_values._fixed_choices.cache_clear()


def install(folder, monkeypatch, limit=0.3):
    """Put the package on the path, with short time limits; call `forget` afterwards."""
    (folder / "bad-1.dist-info").mkdir(parents=True)
    (folder / "bad-1.dist-info/METADATA").write_text("Name: bad\nVersion: 1\n")
    (folder / "bad-1.dist-info/entry_points.txt").write_text(ENTRY_POINTS)
    for name, text in MODULES.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(registry, "IMPORT_LIMIT_SECONDS", limit)
    monkeypatch.setattr(benchmarks_page, "PLUGIN_LIMIT_SECONDS", 2.0)  # loads modules first
    monkeypatch.setattr(timed_call, "TIME_LIMIT_SECONDS", limit)
    forget()
