"""A record of `opt.save` opens as what it is: its own units, names and times."""

import json

import numpy as np
import pytest

from bolt_core.analysis.response_fit import response_samples
from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import CHARTS, View
from bolt_core.charts.status_row import status_row
from bolt_core.common.types import RunStatus
from bolt_core.online.optimizer import Bolt
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import records
from bolt_core.store.library import Library
from bolt_core.store.listing import listing
from tests.support.own_problem import BOUNDS, drive


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "kiln.jsonl"
    opt = Bolt(bounds=BOUNDS, name="my kiln", warmup=5)
    drive(opt, np.arange(0.0, 100.0, 5.0))
    opt.save(path)
    return path


@pytest.fixture
def race(saved):
    run = records.read(saved)
    return RaceSnapshot("own", run.status, (run,), run.end)


@pytest.mark.parametrize("name", CHARTS)
def test_no_chart_speaks_of_an_unknown_benchmark_or_waits_for_queries(race, name):
    text = json.dumps(chart_registry.build(name, race, View()))

    assert "unknown benchmark" not in text
    assert "Waiting for the first" not in text
    assert "your-problem" not in text


def test_its_status_is_saved_and_it_has_its_own_name(race, saved):
    row = status_row(race)
    (listed,) = listing(Library(saved.parent).races(), {}, 0.0)

    assert row["badge"] == "Saved"
    assert "my kiln" in row["description"]
    assert "Wall" not in row["description"]
    assert listed.saved
    assert listed.status == RunStatus.INTERRUPTED


def test_the_pass_that_waits_for_the_next_ask_has_no_response_time(race):
    samples = response_samples(race.runs[0])

    assert race.runs[0].columns["seconds"][-1] == 0.0
    assert samples.seconds.min() == samples.seconds.max() == pytest.approx(5.0)
    drawn = chart_registry.build("fit", race, View())["data"][0]
    assert min(drawn["y"]) == pytest.approx(5.0)


def test_charts_of_x_have_its_units(race):
    landscape = chart_registry.build("landscape", race, View())["layout"]
    posterior = chart_registry.build("posterior", race, View())["layout"]

    assert landscape["xaxis"]["ticktext"] == ["0", "1.25", "2.5", "3.75", "5"]
    assert landscape["yaxis"]["ticktext"][0] == "-1"
    assert posterior["xaxis"]["ticktext"] == ["0", "2.5", "5"]
