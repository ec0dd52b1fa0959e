"""A problem of one's own has measurements and no regret."""

import math

import plotly.graph_objects as go
import pytest

from bolt_core.figures.arena.unknown_optimum import measurements, unknown_optimum
from bolt_core.online.optimizer import Bolt
from tests.support.runs import make_run


@pytest.fixture
def mine():
    def make(n, **options):
        opt = Bolt(bounds=[(0, 1)], warmup=3, name="my process", **options)
        for k in range(n):
            opt.tell(opt.ask(float(k)), float(k), math.nan if k == 1 else 10.0 + k)
        return opt.snapshot()

    return make


def test_only_a_problem_without_an_optimum_is_meant(mine):
    assert unknown_optimum([mine(4)])
    assert not unknown_optimum([make_run(20)])
    assert not unknown_optimum([mine(0)])


@pytest.mark.parametrize("minimize", [False, True])
def test_values_are_in_the_callers_units_and_failures_left_out(mine, minimize):
    chart = measurements([mine(5, minimize=minimize)])

    assert chart["data"][0]["y"] == [10.0, 12.0, 13.0, 14.0]
    assert chart["data"][0]["x"] == [0.0, 2.0, 3.0, 4.0]
    assert go.Figure(data=chart["data"], layout=chart["layout"])
    assert "my process" in chart["layout"]["meta"]["alt"]


def test_before_the_first_measurement_there_are_words(mine):
    assert measurements([mine(0)])["kind"] == "text"
