"""A data directory and one BLAS thread for every test; runs that misbehave on purpose."""

import math
import os
import socket
import tempfile
import threading
from pathlib import Path

import hypothesis
import numpy as np
import pytest

from bolt_core import algorithms, benchmarks
from bolt_core.algorithms.random import ALGORITHM, RandomSearch
from bolt_core.benchmarks.spec import BenchmarkSpec, Landscape, TableRow
from bolt_core.cli import main
from bolt_core.common import runtime

# Tests are collected before a test has a data directory: twins of the developer are not part of it.
os.environ["BOLT_HOME"] = str(Path(tempfile.gettempdir()) / "bolt-home-of-no-test")
runtime.configure()
hypothesis.settings.register_profile("bolt", deadline=None)  # a busy machine is no failure
hypothesis.settings.load_profile("bolt")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("BOLT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def open_page(monkeypatch):
    """open_page(race, page="inside", **url): the app as somebody sees it who follows a link."""
    from tests.support.page_kit import Visitor  # streamlit is for those who ask for it

    visitor = Visitor(monkeypatch)
    yield visitor
    visitor.shutdown()


@pytest.fixture
def server(home, monkeypatch):
    """The real conductor that the pages use, seen by a visitor whose token is "me"."""
    from bolt_ui import server_state, session

    monkeypatch.setattr(session, "token", lambda: "me")  # AppTest has no cookies
    state = server_state.server()
    yield state.conductor
    state.shutdown()


@pytest.fixture
def bolt(capsys):
    """Call the command line; exit code, standard output, standard error."""

    def call(*arguments):
        with pytest.raises(SystemExit) as left:
            main([str(a) for a in arguments])
        printed = capsys.readouterr()
        return left.value.code, printed.out, printed.err

    return call


class Faulty(RandomSearch):
    """Raises when first asked."""

    def ask(self, t):
        raise ZeroDivisionError("no surrogate today")


class Quitter(RandomSearch):
    """Would take the whole process with it."""

    def ask(self, t):
        raise SystemExit(3)


class Thinker(RandomSearch):
    """As random, but a declared device charges it for its thinking."""

    infers = True


class Sleepy(RandomSearch):
    """Thinks until somebody wakes it."""

    awake = threading.Event()
    asleep = threading.Event()

    def ask(self, t):
        self.asleep.set()
        self.awake.wait(30)
        return super().ask(t)


def _nan_after_a_second(x, t):
    return np.where(t > 1.0, math.nan, 0.0) + 0.0 * x[..., 0]


def _raises_after_a_second(x, t):
    if np.any(t > 1.0):
        raise OSError("sensor unplugged")
    return 0.0 * x[..., 0]


def _board(key, f):
    row = TableRow(noise_variance=0.1, cost=0.05, horizon=60.0, lengthscale_time=10.0)
    still = lambda t: (np.array([0.5]), 0.0)  # noqa: E731
    return BenchmarkSpec(key, key, 1, row, lambda: Landscape(1, f, still, 1.0))


def _spec(kind):
    build = lambda problem, rng, *, params, engine: kind(problem, rng)  # noqa: E731
    fields = {name: getattr(ALGORITHM, name) for name in ALGORITHM.__slots__}
    return type(ALGORITHM)(**{**fields, "key": kind.__name__.lower(), "build": build})


@pytest.fixture
def trouble(monkeypatch):
    """The registries, with four odd algorithms and two broken benchmarks."""
    kinds = (Faulty, Quitter, Thinker, Sleepy)
    known = dict(algorithms.catalog()) | {s.key: s for s in map(_spec, kinds)}
    boards = dict(benchmarks.catalog())
    boards["nan"] = _board("nan", _nan_after_a_second)
    boards["raises"] = _board("raises", _raises_after_a_second)
    monkeypatch.setattr(algorithms, "catalog", lambda: known)
    monkeypatch.setattr(benchmarks, "catalog", lambda: boards)
    Sleepy.awake.clear()
    Sleepy.asleep.clear()
    yield Sleepy
    Sleepy.awake.set()
