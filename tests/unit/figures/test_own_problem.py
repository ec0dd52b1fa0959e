"""A record of `opt.save` opens as what it is: its own units, names and times."""

import json

import numpy as np
import pytest

from bolt_core.analysis.response_fit import response_samples
from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import CHARTS, View
from bolt_core.charts.status_row import status_row
from bolt_core.common.types import RunStatus
from bolt_core.figures.inside.algorithm1 import steps
from bolt_core.figures.shared.own_problem import own_ticks
from bolt_core.online.optimizer import Bolt
from bolt_core.runs.own_problem import OWN_CLOCK, clock_in_words
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import export, records
from bolt_core.store.library import Library
from bolt_core.store.listing import listing
from tests.support.own_problem import BOUNDS, drive
from tests.support.plant import KNOBS, drive_plant


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


@pytest.fixture(scope="module")
def kiln(tmp_path_factory):
    """A record of a minimised problem that took a third of a second."""
    path = tmp_path_factory.mktemp("kiln") / "kiln.jsonl"
    opt = Bolt(bounds=[(700.0, 1100.0), (0.0, 2.0)], minimize=True, warmup=5, name="kiln")
    for k in range(12):
        x = opt.ask(0.027 * k)
        opt.tell(x, opt.at, 50.0 + (x[0] - 900.0) ** 2 / 1e4)
    opt.save(path)
    return path, opt.to_frame()


def test_the_last_pass_has_the_units_and_the_sign_of_the_user(kiln):
    path, frame = kiln
    run = records.read(path)
    said = [step["said"] for step in steps(run)]
    last = frame.iloc[-1]

    assert f"x = ({last.x_1:.1f}, {last.x_2:.3f})" in said[1]
    assert f"y = {last.y:.1f}" in said[2]
    assert "0.297 s" in said[0]
    assert "not known yet" in said[0]
    assert "took" not in said[0]


def test_the_posterior_of_a_minimised_problem_has_the_sign_of_the_user(kiln):
    run = records.read(kiln[0])
    race = RaceSnapshot("own", run.status, (run,), run.end)
    posterior = chart_registry.build("posterior", race, View())

    assert np.min(posterior["data"][0]["z"]) > 0.0
    assert "(9" in posterior["layout"]["meta"]["alt"] or "(8" in posterior["layout"]["meta"]["alt"]


def test_one_wording_of_the_clock_and_short_times_have_digits(kiln):
    run = records.read(kiln[0])
    race = RaceSnapshot("own", run.status, (run,), run.end)
    (listed,) = listing(Library(kiln[0].parent).races(), {}, 0.0)

    assert listed.clock == OWN_CLOCK
    assert OWN_CLOCK in status_row(race)["description"]
    assert clock_in_words(run.config, run.header) == OWN_CLOCK.lower()
    assert " 0.297 s" in chart_registry.build("headline", race, View())["text"]


def test_the_csv_file_has_the_units_of_the_user(kiln):
    path, frame = kiln
    run = records.read(path)
    table = export.frame(RaceSnapshot("own", run.status, (run,), run.end))

    assert table["x_1"].tolist() == frame["x_1"].tolist()
    assert table["y"].tolist() == frame["y"].tolist()


@pytest.fixture(scope="module")
def plant(tmp_path_factory):
    path = tmp_path_factory.mktemp("knobs") / "plant.jsonl"
    opt = Bolt(KNOBS, maximize="yield", name="plant 7", warmup=5, journal=path)
    drive_plant(opt, range(12))
    opt.close()
    run = records.read(path)
    return RaceSnapshot("own", run.status, (run,), run.end)


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_of_a_journal_with_knobs_is_drawn(plant, name):
    assert "unknown benchmark" not in json.dumps(chart_registry.build(name, plant, View()))


def test_ticks_and_the_csv_file_have_the_values_of_knobs(plant):
    run = plant.runs[0]
    feed, rate, stages, catalyst = (own_ticks(run, k) for k in range(4))
    table = export.frame(plant)

    assert feed["ticktext"] == ["0", "2", "4", "6", "8"]
    assert (rate["ticktext"][0], rate["ticktext"][-1]) == ("0.0001", "0.1")
    assert stages == {
        "tickvals": pytest.approx([1 / 12, 5 / 12, 9 / 12]),
        "ticktext": ["1", "3", "5"],
    }
    assert catalyst["ticktext"] == ["A", "B", "C"]
    assert set(table["x_4"]) <= {"A", "B", "C"}
    assert table["x_3"].between(1, 6).all()
