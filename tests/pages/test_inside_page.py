"""Inside BOLT without a browser: which run is looked into, and what its panels say of it."""

import math
from dataclasses import replace

import pytest

from bolt_core.charts.chart_registry import CHARTS
from bolt_core.common.types import ClockConfig, RunConfig, RunStatus
from bolt_core.live.conductor import Conductor
from tests.support.page_kit import has, healthy, offered, panels, race
from tests.support.panels import asked, chart, said, words
from tests.support.runs import make_fitted_run

STEEP = ClockConfig("model", device=(0.0, 0.02, 0.0, 0.0))


@pytest.fixture
def inside(open_page):
    """inside(shown, **url): the page as somebody sees it who follows a link to that race."""
    return lambda shown=None, **url: open_page(shown, page="inside", **url)


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A finished race of two, with an interior n*, as the conductor left it on disk."""
    folder = tmp_path_factory.mktemp("races")
    conductor = Conductor(folder)
    race_id = conductor.start(
        [RunConfig(key, "eggholder", horizon=45.0, clock=STEEP) for key in ("r-gpucb", "bolt")]
    )
    finished = conductor.wait(race_id, lambda race: race.status.ended)
    conductor.shutdown()
    return finished


def test_without_a_race_the_recorded_one_is_looked_into(inside):
    page = inside()
    found = panels(page)

    assert page.get_by_key("show").value == "bolt.1"
    assert found["fit"]["data"]
    assert found["history"]["data"]
    assert found["departures"]["rows"]


def test_during_the_warm_up_each_panel_says_what_it_waits_for(inside):
    page = inside(race(make_fitted_run(9), status=RunStatus.WARMING_UP, horizon=60.0))
    found = panels(page)

    assert "R(n) needs 4" in words(page)
    assert "(0 so far)" in words(page)
    assert "No surrogate yet" in words(page)
    assert found["theta"]["kind"] == found["posterior"]["kind"] == "text"


def test_a_live_race_shows_bolt_first(inside):
    running = race(
        make_fitted_run(60, algorithm="gpucb", notes={}),
        make_fitted_run(60, n_star=40),
        horizon=60.0,
    )
    page = inside(running)

    assert page.get_by_key("show").value == "bolt.0"
    assert asked(page, "fit")["view"] == "show:bolt.0"
    assert chart(page, "fit")["layout"]["annotations"][0]["text"] == "<b>n* = 40</b>"


def test_no_limit_is_said(inside):
    assert "No limit yet" in words(inside(race(make_fitted_run(60))))


@pytest.mark.parametrize("link", ["R-GPUCB", "r-gpucb.0"])
def test_a_link_opens_another_run_in_words_of_its_own(inside, link):
    running = race(
        make_fitted_run(60, n_star=40),
        make_fitted_run(60, algorithm="r-gpucb", notes={"period": 37}),
    )
    page = inside(running, show=link)

    assert asked(page, "fit")["view"] == "show:r-gpucb.0"
    assert "has no n*" in words(page)
    assert "resets" in words(page)
    assert "block of 37" in words(page)
    assert [t["name"] for t in chart(page, "fit")["data"]] == ["measured"]
    assert has(page, "rule")


def test_only_bolt_has_no_other_rule_and_every_panel_is_there(inside):
    page = inside(race(make_fitted_run(60, n_star=40)))
    of_a_run = {"fit", "history", "theta", "scores", "departures", "posterior", "steps"}

    assert {name for name in CHARTS if has(page, name)} == of_a_run
    assert "n\\*" in said(page)


@pytest.mark.parametrize("link", ["EVIL", "<b>", "abo.0", "bolt.7"])
def test_a_link_to_no_run_of_this_race_falls_back_to_the_first(inside, link):
    page = inside(
        race(make_fitted_run(60, n_star=40), make_fitted_run(60, algorithm="gpucb")), show=link
    )

    assert page.get_by_key("show").value == "bolt.0"
    assert asked(page, "fit")["view"] == "show:bolt.0"


def test_another_run_is_looked_into_when_it_is_picked(inside):
    page = inside(
        race(make_fitted_run(60, n_star=40), make_fitted_run(60, algorithm="gpucb", notes={}))
    )
    healthy(page.get_by_key("show").set_value("gpucb.0").run())

    assert {asked(page, name)["view"] for name in panels(page)} == {"show:gpucb.0"}


def test_several_seeds_are_told_apart(inside):
    one = make_fitted_run(60)
    other = replace(one, config=replace(one.config, seed=1), run_id="other")
    page = inside(race(one, other))

    assert page.get_by_key("show").options == ["BOLT, seed 0", "BOLT, seed 1"]


def test_two_lanes_of_one_algorithm_are_told_apart(inside):
    one = make_fitted_run(60)
    slow = replace(one.config, clock=replace(one.config.clock, device=(0.0, 0.02, 0.0, 4e-8)))
    page = inside(race(one, replace(one, config=slow, run_id="other")))
    names = page.get_by_key("show").options

    assert names == ["BOLT", "BOLT, 4× slower"]


def test_step_is_at_hand_while_it_is_paused(inside):
    halted = race(make_fitted_run(60, n_star=40), status=RunStatus.PAUSED, horizon=60.0)
    page = inside(halted)

    assert "line by line: press Step" in said(page)
    assert chart(page, "steps")["stepping"]
    assert offered(page) == {"stop", "resume", "step"}
    going = inside(replace(halted, status=RunStatus.RUNNING))
    assert "in the last pass" in said(going)
    assert not chart(going, "steps")["stepping"]


def test_a_failed_run_keeps_its_panels_below_its_reason(inside):
    broken = make_fitted_run(60, n_star=40, error="Cholesky failed\n\nTraceback: no surrogate")
    page = inside(race(broken, status=RunStatus.FAILED))

    assert "Cholesky failed" in page.error[0].value
    assert chart(page, "fit")["data"]


def test_a_finished_run_shows_what_its_record_says(inside, open_page, real):
    page = inside(real)
    bolt = real.runs[1]
    open_page.charts.scores.wait(bolt)
    page = healthy(page.run())
    n_star = int(bolt.columns["n_star"][-1])
    drawn, scores = chart(page, "fit"), chart(page, "scores")

    assert not math.isnan(bolt.columns["n_star"][-1])
    assert next(s["x0"] for s in drawn["layout"]["shapes"] if s["type"] == "line") == n_star
    assert next(t["x"] for t in drawn["data"] if t["name"] == "argmax") == [n_star]
    assert len(next(t for t in scores["data"] if t["name"] == "kept")["x"]) == len(bolt.members())
    assert "removed next" in scores["layout"]["annotations"][0]["text"]
    assert offered(page) == {"run"}


def test_the_watched_race_survives_switching_pages(inside, real):
    page = inside(real)
    page.switch_page("../../pages/arena.py").run()

    assert page.query_params["race"] in (real.race_id, [real.race_id])
    assert "After 45 s" in words(healthy(page))
