"""The directory is the registry, and other people's packages may join."""

import os
import shutil
import subprocess
import sys

import pytest

from bolt_core import algorithms, benchmarks
from bolt_core.benchmarks.spec import BenchmarkSpec
from bolt_core.common.errors import UnknownNameError
from bolt_core.common.registry import Registry
from tests.support.project import ROOT
from tests.support.wording import in_order

NEWCOMER = '''
"""A parabola that walks."""

import numpy as np

from bolt_core.benchmarks.spec import BenchmarkSpec, Landscape, TableRow


def f(x, t):
    return -np.sum((x - t[..., None] / 60.0) ** 2, axis=-1)


def optimum(t):  # without it, `bolt run` would search for 2,001 of them
    return np.full(2, t / 60.0), 0.0


BENCHMARK = BenchmarkSpec(
    key="walking-parabola",
    label="Walking parabola",
    dimension=2,
    row=TableRow(noise_variance=0.01, cost=0.1, horizon=60.0, lengthscale_time=30.0),
    landscape=lambda: Landscape(2, f, optimum),
    in_paper=False,
)
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Make a package of one module and look through it."""

    def make(**modules):
        folder = tmp_path / "shelf_under_test"
        folder.mkdir()
        for name, text in {"__init__": "", **modules}.items():
            (folder / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        for loaded in [m for m in sys.modules if m.startswith("shelf_under_test")]:
            monkeypatch.delitem(sys.modules, loaded)
        return Registry("shelf_under_test", "BENCHMARK", "bolt.nothing", BenchmarkSpec)

    return make


def test_a_new_file_is_all_it_takes(package):
    assert list(package(parabola=NEWCOMER).discover().specs) == ["walking-parabola"]


def test_private_modules_are_helpers(package):
    assert not package(_parabola=NEWCOMER).discover().specs


def test_a_file_may_offer_several(package):
    several = NEWCOMER + "\nfrom dataclasses import replace\nBENCHMARKS = [BENCHMARK]\n"
    several += "BENCHMARKS.append(replace(BENCHMARK, key='another'))\n"

    assert list(package(parabola=several).discover().specs) == ["walking-parabola", "another"]


def test_a_file_that_forgets_its_constant_is_named(package):
    found = package(empty="", parabola=NEWCOMER).discover()

    assert list(found.specs) == ["walking-parabola"]
    assert in_order(str(found.problems[0]), "shelf_under_test.empty", "BENCHMARK = Bench")


def test_two_files_with_one_key_are_an_error(package):
    found = package(a=NEWCOMER, b=NEWCOMER).discover()

    assert list(found.specs) == ["walking-parabola"]
    assert in_order(str(found.problems[0]), "shelf_under_test.b", "key 'walking-parabola'")


def test_an_unknown_name_is_answered_with_what_there_is():
    with pytest.raises(UnknownNameError, match=r"'randm'.*mean 'random'.*one of"):
        algorithms.get("randm")
    with pytest.raises(UnknownNameError, match=r"'nope'.*one of .*egg"):
        benchmarks.load("nope")


NEWCOMERS = ("walking-parabola", "running-parabola")
FILE = "tests/contract/test_newcomers.py"
NEWCOMER_TESTS = f"""
import json


def test_a_newcomer_is_listed_and_runs(bolt):
    listed = bolt("list")[1]
    for key in {NEWCOMERS}:
        run = ["run", "--algorithm=random", "--clock=model", "--horizon=3", "--json"]
        out = bolt(*run, f"--benchmark={{key}}")[1]

        assert key in listed
        assert json.loads(out.splitlines()[-1])["status"] == "finished"
"""
BARE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # plugins it does not need take a second to load


def python(*arguments, cwd, path):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(path), "COLUMNS": "200", **BARE},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def joined(tmp_path):
    """A tree to work in and a path to look on: a newcomer as a file, another by entry point."""
    tree = tmp_path / "tree"
    ignored = shutil.ignore_patterns("__pycache__", ".git", ".venv", "*.egg-info", ".*_cache")
    shutil.copytree(ROOT, tree, ignore=ignored)
    (tree / "bolt_core/benchmarks/walking_parabola.py").write_text(NEWCOMER)
    other = tmp_path / "site"
    (other / "parabola-1.dist-info").mkdir(parents=True)
    (other / "parabola.py").write_text(NEWCOMER.replace("walking", "running"))
    (other / "parabola-1.dist-info/METADATA").write_text("Name: parabola\nVersion: 1\n")
    (other / "parabola-1.dist-info/entry_points.txt").write_text(
        "[bolt.benchmarks]\nrunning-parabola = parabola:BENCHMARK\n"
    )
    return tree, other


@pytest.mark.long
def test_newcomers_are_in_the_registry_the_list_and_the_contract_tests(joined):
    tree, path = joined

    tests = ["tests/contract/test_benchmarks.py", FILE, "-k", "parabola or newcomer"]
    (tree / FILE).write_text(NEWCOMER_TESTS)
    contract = python("-m", "pytest", "-p", "no:cacheprovider", *tests, cwd=tree, path=path)

    assert contract.returncode == 0, contract.stdout
    assert " passed" in contract.stdout


def test_a_plugin_that_cannot_be_loaded_is_named(tmp_path, monkeypatch):
    (tmp_path / "broken-1.dist-info").mkdir()
    (tmp_path / "broken-1.dist-info/METADATA").write_text("Name: broken\nVersion: 1\n")
    (tmp_path / "broken-1.dist-info/entry_points.txt").write_text("[bolt.test]\nx = nowhere:X\n")
    monkeypatch.syspath_prepend(tmp_path)

    (tmp_path / "empty_shelf").mkdir()
    (tmp_path / "empty_shelf/__init__.py").write_text("")
    found = Registry("empty_shelf", "NOTHING", "bolt.test", BenchmarkSpec).discover()

    assert not found.specs
    assert in_order(str(found.problems[0]), "x = nowhere:X", "nowhere")


def test_nothing_of_this_package_is_left_out():
    assert not algorithms.problems()
    assert not benchmarks.problems()
