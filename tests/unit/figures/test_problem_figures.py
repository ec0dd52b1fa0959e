"""Charts of a user's own problem: measurements, slices, drift and the table of what was told."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bolt_core import Bolt
from bolt_core.common.knobs import Real
from bolt_core.common.text import in_natural_unit
from bolt_core.common.types import RunStatus
from bolt_core.figures.problem import present
from bolt_core.figures.problem.drift import drift, in_words
from bolt_core.figures.problem.knob_slice import knob_slice
from bolt_core.figures.problem.measurements import measurements
from bolt_core.figures.problem.told_table import ROWS_PER_PAGE, pages, told_table
from bolt_core.runs.own_problem import own_sign
from tests.support.charts import valid_chart
from tests.support.plant import KNOBS, PERIOD_SECONDS, drive_plant

MEASUREMENTS = 28


@pytest.fixture(scope="module")
def opt():
    """A plant with a log, an integer and a choice knob, of which cost is minimised."""
    opt = Bolt(KNOBS, minimize="cost", unit="EUR", warmup=6)
    drive_plant(opt, range(MEASUREMENTS))
    return opt


@pytest.fixture(scope="module")
def run(opt):
    return opt.snapshot()


def trace(chart, name):
    (found,) = [t for t in chart["data"] if t["name"] == name]
    return found


@pytest.mark.parametrize("told", [0, 1, 3, 7])
def test_before_and_after_the_warm_up_every_chart_is_whole(run, told):
    cut = run.upto(told)
    charts = [measurements(cut), drift(cut), *(knob_slice(cut, k) for k in range(len(KNOBS)))]

    for chart in charts:
        valid_chart(chart)
    learned = told > 6
    assert [chart["kind"] == "plot" for chart in charts[1:]] == [learned] * (1 + len(KNOBS))


def test_a_setting_outside_a_range_that_changed_is_not_the_best():
    opt = Bolt({"feed": Real(0.0, 8.0)}, maximize="yield", warmup=4)
    for k in range(12):
        setting = opt.ask(60.0 * k)
        opt.tell(setting, 60.0 * k, setting["feed"])
    opt.change("feed", high=4.0)
    opt.tell(opt.ask(800.0), 800.0, 2.0)
    x, _, _ = present.best_now(opt.snapshot())
    assert 0.0 <= x[0] <= 1.0


def test_what_is_missing_is_counted(run):
    assert "6 more" in knob_slice(run.upto(0), 0)["text"]
    assert "1 more" in drift(run.upto(5))["text"]


def test_measurements_are_those_that_were_told_in_the_users_sign(run, opt):
    dots = trace(measurements(run), "measured")
    log = opt.log()

    assert dots["y"] == pytest.approx(log["cost"][: len(dots["y"])], rel=1e-5)
    assert dots["x"][-1] == pytest.approx((MEASUREMENTS - 1) * PERIOD_SECONDS / 60.0)


def test_the_estimate_of_the_best_now_is_the_models(run, opt):
    curve = trace(measurements(run), "estimated best")
    x, mean, _ = present.best_now(run)
    by_the_optimizer, _ = opt.posterior(opt.space.from_unit(x), float(run.columns["t"][-1]))
    among_measured = -np.array(
        [
            opt.posterior(row, run.columns["t"][-1])[0][0]
            for row in opt.log()[list(KNOBS)].to_dict("records")
        ]
    )

    assert curve["y"][-1] == pytest.approx(float(by_the_optimizer[0]), rel=1e-4)
    assert own_sign(run) == -1.0
    assert mean == pytest.approx(float(among_measured.max()), rel=1e-4)


@pytest.mark.parametrize("k", range(len(KNOBS)))
def test_a_slice_is_the_posterior_along_its_knob_in_the_users_units(run, opt, k):
    name, knob = list(KNOBS.items())[k]
    chart = valid_chart(knob_slice(run, k))
    mean = trace(chart, "mean")
    best = opt.space.from_unit(present.best_now(run)[0])
    for at in (0, len(mean["x"]) // 2, -1):
        value = mean["x"][at]
        if knob.levels:
            value = knob.values[int(value)] if hasattr(knob, "values") else int(value)
        expected, _ = opt.posterior(best | {name: value}, float(run.columns["t"][-1]))
        assert mean["y"][at] == pytest.approx(float(expected[0]), rel=1e-3, abs=1e-3)
    assert name in chart["layout"]["xaxis"]["title"]["text"]


def test_axes_suit_their_knobs(run):
    feed, rate, stages, catalyst = (knob_slice(run, k)["layout"]["xaxis"] for k in range(4))

    assert "l/min" in feed["title"]["text"]
    assert rate["type"] == "log"
    assert rate["range"] == pytest.approx([-4.0, -1.0])
    assert len(trace(knob_slice(run, 2), "mean")["x"]) == 6
    assert catalyst["ticktext"] == ["A", "B", "C"]
    assert stages["range"] == [0.5, 6.5]
    assert (stages["tick0"], stages["dtick"]) == (1.0, 1)


def test_an_unknown_knob_is_a_sentence(run):
    assert knob_slice(run, 9)["kind"] == "text"


def test_drift_draws_the_correlation_of_the_learned_lengthscale(run, opt):
    chart = drift(run)
    curve, l_T = trace(chart, "correlation"), opt.lengthscale_time
    radius = math.sqrt(3.0) * np.array(curve["x"]) * 3.0 * l_T / curve["x"][-1] / l_T

    assert curve["y"] == pytest.approx((1 + radius) * np.exp(-radius), abs=1e-5)


def test_a_lengthscale_beyond_the_observed_span_is_not_told_as_a_fact():
    hour = present.time_scale(3 * 4428.0)

    assert "120 s" in in_words(4428.0, "matern32", 120.0, hour)
    assert "cannot" in in_words(4428.0, "matern32", 120.0, hour)
    assert "73.8 min" in in_words(4428.0, "matern32", 9000.0, present.time_scale(9000.0))
    assert "cannot" not in in_words(4428.0, "matern32", 9000.0, hour)


def test_the_table_is_in_pages_with_the_newest_first(run, opt):
    first, second = told_table(run, 1), told_table(run, 2)
    log = opt.log()

    assert pages(run) == 2
    assert [row["id"] for row in first["rows"]] == list(range(MEASUREMENTS - 1, 2, -1))
    assert [row["id"] for row in second["rows"]] == [2, 1, 0]
    assert told_table(run, 99)["rows"] == second["rows"]
    assert first["rows"][0]["y"] == log["cost"][MEASUREMENTS - 1]
    assert first["rows"][-1]["cells"][3] == log["catalyst"][MEASUREMENTS - ROWS_PER_PAGE]
    assert second["rows"][0]["random"]
    assert not first["rows"][0]["random"]
    assert first["origin"] is None


def test_times_of_the_table_count_from_the_origin(run):
    dated = replace(run, header={**run.header, "origin": "2026-01-01T00:00:00+00:00"})

    assert told_table(dated)["origin"] == 1_767_225_600.0
    assert "2026-01-01" in knob_slice(dated, 0)["layout"]["meta"]["caption"]


def test_a_failed_measurement_is_drawn_as_such():
    opt = Bolt({"feed": KNOBS["feed"]}, maximize="yield", warmup=2)
    for t, y in ((0.0, 1.0), (1.0, math.nan), (2.0, 3.0)):
        opt.tell(opt.ask(t), None, y)
    run = opt.snapshot()

    failed = trace(valid_chart(measurements(run)), "failed")
    assert failed["x"] == [1.0]
    assert (failed["y"], failed["yaxis"]) == ([0.0], "y2")  # at the edge: it has no value
    assert told_table(run)["rows"][1]["y"] is None
    assert run.status is RunStatus.RUNNING


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(3.61, "3.61 s"), (750.0, "12.5 min"), (9 * 3600.0, "9.00 h"), (4.2 * 86_400, "4.20 days")],
)
def test_times_are_in_a_unit_that_suits_them(seconds, words):
    assert in_natural_unit(seconds) == words
