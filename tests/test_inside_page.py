"""Every state of the Inside page, without a browser."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from bolt_core.frames import Frames
from bolt_core.live import Conductor
from bolt_core.race import RaceSnapshot
from bolt_core.types import ClockConfig, RunConfig, RunStatus
from tests.inside_runs import by_hand
from tests.panels import chart, words
from ui import session

ROOT = Path(__file__).resolve().parents[1]
STEEP = ClockConfig("model", device=(0.0, 0.02, 0.0, 0.0))


class Canned:
    """A conductor with one race, made by hand."""

    def __init__(self, race):
        self.race = race

    def snapshot(self, race_id):
        return self.race if self.race and race_id == self.race.race_id else None


@pytest.fixture
def open_inside(monkeypatch):
    """open_inside(shown, **url): the page as somebody sees it who follows a link to that race."""
    maker = Frames(session.find)
    monkeypatch.setattr(session, "frames", lambda: maker)

    def load(shown=None, **url):
        monkeypatch.setattr(session, "conductor", lambda: Canned(shown))
        page = AppTest.from_file(str(ROOT / "ui/main.py"), default_timeout=30)
        page.switch_page("../pages/inside.py")
        for name, value in (({"race": shown.race_id} if shown else {}) | url).items():
            page.query_params[name] = value
        return healthy(page.run())

    yield load
    maker.shutdown()


def healthy(page):
    assert not page.exception, page.exception
    return page


def race(*runs, status=RunStatus.RUNNING, **rest):
    return RaceSnapshot("20260101T000000Z-abcd", status, runs, **rest)


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


def test_without_a_race_it_says_what_it_will_show_and_leads_to_the_arena(open_inside):
    page = open_inside()

    assert "which one leaves next?" in words(page)
    assert page.get("page_link")
    with pytest.raises(KeyError):
        page.get_by_key("fit")


def test_an_unknown_race_says_so(open_inside):
    assert "This race is not on this server" in words(open_inside(race="20200101T000000Z-zzzz"))


@pytest.mark.parametrize("status", [RunStatus.STARTING, RunStatus.QUEUED])
def test_a_race_without_a_pass_waits_without_axes(open_inside, status):
    position = 2 if status == RunStatus.QUEUED else None
    page = open_inside(race(by_hand(0), status=status, position=position))

    assert "Getting ready" in words(page) or "Number 2 in line" in words(page)
    with pytest.raises(KeyError):
        page.get_by_key("fit")


def test_during_the_warm_up_each_panel_says_what_it_waits_for(open_inside):
    page = open_inside(race(by_hand(9), status=RunStatus.WARMING_UP))

    assert "R(n) needs 4 different sizes (0 so far)." in words(page)
    assert "No surrogate yet" in words(page)


def test_a_live_race_shows_bolt_first_and_offers_stop(open_inside):
    running = race(by_hand(60, algorithm="gpucb", notes={}), by_hand(60, n_star=40), horizon=60.0)
    page = open_inside(running)

    assert page.get_by_key("show").value == "bolt.0"
    assert page.button(key="stop").label == "Stop"
    assert chart(page, "fit")["layout"]["annotations"][0]["text"] == "<b>n* = 40</b>"


def test_no_limit_is_said(open_inside):
    assert "No limit yet" in words(open_inside(race(by_hand(60))))


def test_a_link_opens_another_run_in_words_of_its_own(open_inside):
    running = race(by_hand(60, n_star=40), by_hand(60, algorithm="r-gpucb", notes={"period": 37}))
    page = open_inside(running, show="R-GPUCB")

    assert "This algorithm has no n*: it resets when its block of 37" in words(page)
    assert [t["name"] for t in chart(page, "fit")["data"]] == ["measured"]


def test_several_seeds_are_told_apart(open_inside):
    one = by_hand(60)
    other = replace(one, config=replace(one.config, seed=1), run_id="other")
    page = open_inside(race(one, other))

    assert page.get_by_key("show").options == ["BOLT, seed 0", "BOLT, seed 1"]


def test_a_failed_run_keeps_its_panels_below_its_reason(open_inside):
    broken = by_hand(60, n_star=40, error="Cholesky failed\n\nTraceback: no surrogate")
    page = open_inside(race(broken, status=RunStatus.FAILED))

    assert "Cholesky failed" in page.error[0].value
    assert chart(page, "fit")["data"]


def test_a_finished_run_shows_what_its_record_says(open_inside, real):
    page = open_inside(real)
    bolt = real.runs[1]
    session.frames().scores.wait(bolt)
    page = healthy(page.run())
    n_star = int(bolt.columns["n_star"][-1])
    drawn, scores = chart(page, "fit"), chart(page, "scores")

    assert not math.isnan(bolt.columns["n_star"][-1])
    assert next(s["x0"] for s in drawn["layout"]["shapes"] if s["type"] == "line") == n_star
    assert next(t["x"] for t in drawn["data"] if t["name"] == "argmax") == [n_star]
    assert len(next(t for t in scores["data"] if t["name"] == "kept")["x"]) == len(bolt.members())
    assert "leaves next" in scores["layout"]["annotations"][0]["text"]
    with pytest.raises(KeyError):
        page.button(key="stop")


def test_the_watched_race_survives_switching_pages(open_inside, real):
    page = open_inside(real)
    page.switch_page("../pages/arena.py").run()

    assert page.query_params["race"] in (real.race_id, [real.race_id])
    assert "After 45 s" in words(healthy(page))
