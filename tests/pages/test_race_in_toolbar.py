"""The toolbar describes the race on screen, or says that it is set up for the next one."""

from dataclasses import replace

import pytest

from bolt_core.charts.overlay import overlay_races
from bolt_core.common.devices import device
from bolt_core.common.types import ClockConfig, RunStatus
from bolt_ui.race_settings import read_settings, widget_values
from tests.support.page_kit import healthy, race
from tests.support.runs import make_run


def run_of(**changes):
    run = make_run(40)
    return replace(run, config=replace(run.config, **changes))


def notes(page):
    return [c.value.replace("\\", "") for c in page.caption if "next race" in c.value]


@pytest.fixture
def powell():
    clock = ClockConfig("model", 15.0, device("paper"))
    shared = {"benchmark": "powell", "horizon": 180.0, "seed": 3, "clock": clock, "warmup": 20}
    keys = ("abo", "bolt", "bolt-oldest")
    return race(*(run_of(algorithm=key, **shared) for key in keys), status=RunStatus.FINISHED)


def value(page, name):
    return page.get_by_key(name).value


def test_a_link_to_a_race_fills_the_toolbar_from_the_race(open_page, powell):
    page = open_page(powell)

    assert value(page, "bench") == "powell"
    assert set(value(page, "algos")) == {"abo", "bolt"}
    assert value(page, "variants") == ["bolt-oldest"]
    assert [value(page, name) for name in ("seed", "seeds", "warmup")] == [3, 1, 20]
    assert [value(page, n) for n in ("cut", "clock", "device")] == ["180", "model", "paper"]
    assert not notes(page)


def test_the_race_wins_over_settings_in_the_same_link(open_page, powell):
    page = open_page(powell, bench="ackley", seeds="4", cut="60")

    assert value(page, "bench") == "powell"
    assert value(page, "seeds") == 1
    assert not page.warning


def test_another_benchmark_is_for_the_next_race_and_the_page_says_so(open_page, powell):
    page = open_page(powell)
    page.get_by_key("bench").set_value("ackley")
    (note,) = notes(healthy(page.run()))

    assert "Powell" in note
    assert "180 s" in note
    assert value(page, "bench") == "ackley"  # kept: the race sets the toolbar once
    assert not notes(healthy(page.get_by_key("bench").set_value("powell").run()))


def test_a_live_race_is_to_be_stopped_before_the_next_one(open_page, powell):
    page = open_page(replace(powell, status=RunStatus.RUNNING))
    page.get_by_key("seeds").set_value(2)
    (note,) = notes(healthy(page.run()))

    assert "Stop this race" in note


def test_what_the_toolbar_cannot_set_is_said(open_page):
    page = open_page(race(run_of(horizon=45.0, warmup=500), status=RunStatus.FINISHED))
    (note,) = notes(page)

    assert "45 s" in note


def test_the_note_on_compared_races_names_every_device_and_horizon(open_page):
    clocks = [ClockConfig("model"), ClockConfig("model", device=device("paper"))]
    races = [
        replace(race(run_of(clock=clock, horizon=horizon)), race_id=f"r{horizon:g}")
        for clock, horizon in zip(clocks, (60.0, 90.0), strict=True)
    ]
    (note,) = notes(open_page(overlay_races("both", races)))

    for words in ("2 lanes", "60 and 90 s", "nominal device", "paper device"):
        assert words in note


def test_the_settings_of_a_race_survive_the_way_through_the_widgets(powell):
    configs = [run.config for run in powell.runs]
    settings, problems = read_settings(widget_values(configs))

    assert not problems
    assert {c.key for c in settings.configs()} == {c.key for c in configs}


def test_a_second_race_of_a_session_fills_the_toolbar_too(open_page, powell):
    again = open_page(powell, bench="powell", algos="bolt", seeds="2")
    again.get_by_key("bench").set_value("ackley").run()
    again.session_state["toolbar_race"] = "another"  # as after the start of a race
    healthy(again.run())

    assert value(again, "bench") == "powell"
