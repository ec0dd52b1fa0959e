"""Every state of every page, without a browser, and the rule that pages stay thin."""

import ast
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from bolt_core import algorithms
from bolt_core.live import Conductor
from bolt_core.race import RaceSnapshot
from bolt_core.types import ClockConfig, EngineConfig, RunConfig, RunStatus
from tests.panels import asked, chart, names, words
from ui import parts, session

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = ("streamlit", "ui", "bolt_core.figures", "bolt_core.types")
LIVE = [RunStatus.STARTING, RunStatus.WARMING_UP, RunStatus.RUNNING]
OVER = [RunStatus.FINISHED, RunStatus.STOPPED, RunStatus.INTERRUPTED]


class Canned:
    """A conductor with one race, made by hand."""

    def __init__(self, race):
        self.race = race

    def snapshot(self, race_id):
        return self.race if self.race and race_id == self.race.race_id else None


@pytest.fixture
def open_page(monkeypatch, tmp_path):
    """open_page(shown, **url): the app as somebody sees it who follows a link to that race."""
    monkeypatch.setenv("BOLT_HOME", str(tmp_path))

    def load(shown=None, **url):
        monkeypatch.setattr(session, "conductor", lambda: Canned(shown))
        page = AppTest.from_file(str(ROOT / "ui/main.py"), default_timeout=30)
        for name, value in (({"race": shown.race_id} if shown else {}) | url).items():
            page.query_params[name] = value
        return healthy(page.run())

    return load


def healthy(page):
    assert not page.exception, page.exception
    return page


def race(*runs, status=RunStatus.RUNNING, **rest):
    return RaceSnapshot("20260101T000000Z-abcd", status, runs, **rest)


def test_before_any_run_there_is_an_explanation_and_no_axes(open_page):
    page = open_page()

    assert "Who tracks a moving optimum best?" in words(page)
    assert page.button(key="run").label == "Run"
    with pytest.raises(KeyError):
        page.get_by_key("regret")


def test_the_expected_duration_is_said_before_the_press(open_page):
    one = words(open_page(algos="Random"))

    assert "One run of 60 s on its own clock: about 10 s here if the machine is idle." in one
    assert "4 runs, each of 60 s on its own clock" in words(open_page())
    assert "as fast as this machine computes" in words(open_page(clock="model"))


def test_the_pills_come_in_the_papers_order_and_four_are_chosen(open_page):
    pills = open_page().get_by_key("algos")
    known = algorithms.catalog()
    kinds = [known[key].kind for key in list(known)]
    years = [known[key].year for key in list(known) if known[key].kind == "paper"]

    assert set(pills.value) == {"bolt", "w-dbo", "r-gpucb", "gpucb"}
    assert kinds == sorted(kinds, key=["paper", "control", "variant", "baseline"].index)
    assert years == sorted(years)
    assert list(known)[-1] == "random"


def test_starting_speaks_of_pytorch_only_when_it_is_loaded(made, monkeypatch):
    plain = made(0)
    heavy = replace(plain, config=replace(plain.config, engine=EngineConfig("botorch")))
    monkeypatch.delitem(sys.modules, "botorch", raising=False)

    assert "PyTorch" not in parts.waiting(race(plain, status=RunStatus.STARTING))
    assert "PyTorch" in parts.waiting(race(plain, heavy, status=RunStatus.STARTING))
    monkeypatch.setitem(sys.modules, "botorch", object())
    assert "PyTorch" not in parts.waiting(race(heavy, status=RunStatus.STARTING))


def test_nobody_to_race_disables_the_button(open_page):
    page = open_page()
    page.get_by_key("algos").set_value([]).run()

    assert page.button(key="run").disabled
    assert "Choose at least one algorithm." in words(page)


@pytest.mark.parametrize("status", LIVE)
def test_a_live_race_offers_stop_and_shows_progress(open_page, made, status):
    page = open_page(race(made(40), status=status, t=42.0, horizon=60.0, eta=5.0))

    assert page.button(key="stop").label == "Stop"
    assert "0:42 of 1:00, 5 s left" in words(page)


@pytest.mark.parametrize("status", OVER)
def test_a_race_that_is_over_offers_run_and_keeps_its_curves(open_page, made, status):
    page = open_page(race(made(40), status=status, t=4.0, horizon=4.0))

    assert page.button(key="run").label == "Run"
    assert chart(page, "regret")["data"][0]["name"] == "Random"
    assert chart(page, "size")["data"][0]["y"][-1] == 40
    assert not asked(page, "regret")["live"]


def test_the_headline_and_the_leaderboard_agree_with_the_run(open_page, made):
    page = open_page(race(made(40, regret=lambda i: 594.0), t=4.0, horizon=60.0))
    board = chart(page, "leaderboard")
    (row,) = (dict(zip(names(board), row["cells"], strict=True)) for row in board["rows"])

    assert "keeps all 40 observations" in words(page)
    assert row["Average regret"] == "594"
    assert row["Queries"] == "40"


def test_three_seeds_show_their_standard_error(open_page, made):
    page = open_page(race(*(made(40, seed=s, regret=lambda i, s=s: 1.0 + s) for s in range(3))))

    assert "mean, ±1 standard error over 3 seeds" in words(page)
    board = chart(page, "leaderboard")
    assert board["rows"][0]["cells"][names(board).index("±1 SE")] == "0.577"  # 3 ** -0.5


def test_warming_up_says_what_it_waits_for(open_page, made):
    page = open_page(race(made(7), status=RunStatus.WARMING_UP, horizon=60.0))

    assert "7 of 15 random warm-up queries made." in words(page)


def test_starting_shows_no_axes_yet(open_page, made):
    page = open_page(race(made(0), status=RunStatus.STARTING))

    assert "Getting ready. 15 random queries first." in words(page)


def test_a_queued_race_says_its_place_in_line(open_page, made):
    page = open_page(race(made(0), status=RunStatus.QUEUED, position=2))

    assert "Number 2 in line" in words(page)


def test_a_stopping_race_cannot_be_stopped_twice(open_page, made):
    page = open_page(race(made(40), status=RunStatus.STOPPING, horizon=60.0))

    assert page.button(key="stop").disabled


def test_a_failed_run_shows_its_reason_and_the_others_go_on(open_page, made):
    broken = made(20, algorithm="bolt", error="Cholesky failed\n\nTraceback: no surrogate")
    page = open_page(race(made(40), broken, horizon=60.0))

    assert page.error[0].value == "**BOLT** failed at 1.9 s (seed 0): Cholesky failed"
    assert "no surrogate" in page.code[0].value
    assert page.button(key="stop")


def test_a_race_that_failed_at_once_has_a_card_and_no_axes(open_page, made):
    page = open_page(race(made(0, error="unknown algorithm 'x'"), status=RunStatus.FAILED))

    assert "failed before its first query" in page.error[0].value
    assert "no curve to draw" in words(page)


def test_a_disk_that_is_full_is_said_quietly(open_page, made):
    page = open_page(race(made(40), warning="run.jsonl is not being saved: disk full."))

    assert "The run goes on" in words(page)
    assert not page.error


def test_an_unknown_race_says_so_and_offers_run(open_page):
    page = open_page(race="20200101T000000Z-zzzz")

    assert "This race is not on this server" in words(page)
    assert page.button(key="run")


def test_both_axes_can_be_linked_to(open_page, made):
    running = race(made(40), t=4.0, horizon=60.0)

    assert chart(open_page(running), "regret")["layout"]["xaxis"]["title"]["text"] == "time (s)"
    linked = chart(open_page(running, x="iterations"), "regret")
    assert linked["layout"]["xaxis"]["title"]["text"] == "queries"


def test_a_link_sets_the_toolbar(open_page):
    page = open_page(cut="180", seeds="4", clock="model")

    assert page.get_by_key("seeds").value == 4
    assert page.get_by_key("cut").value == "180"
    assert page.get_by_key("clock").value == "model"


@pytest.mark.parametrize("bad", [{"bench": "EVIL"}, {"seeds": "999"}, {"cut": "-1"}, {"x": "z"}])
def test_a_bad_link_falls_back(open_page, made, bad):
    page = open_page(race(made(40), t=4.0, horizon=60.0), **bad)

    assert page.get_by_key("bench").value == "eggholder"
    assert page.get_by_key("seeds").value in range(1, 11)


def test_a_panel_is_asked_for_anew_only_with_another_race_or_view(open_page, made):
    first = race(made(40), t=4.0, horizon=60.0)
    views = [
        asked(open_page(r), "regret")
        for r in (first, replace(first, runs=(made(60),)), replace(first, race_id="other"))
    ]

    assert views[0] == views[1] != views[2]


def test_run_then_stop_with_a_real_conductor(monkeypatch, tmp_path):
    conductor = Conductor(tmp_path)
    monkeypatch.setattr(session, "conductor", lambda: conductor)
    page = AppTest.from_file(str(ROOT / "ui/main.py"), default_timeout=30)
    page.query_params["cut"], page.query_params["algos"] = "full", "Random"
    healthy(page.run()).button(key="run").click()
    healthy(page.run())
    race_id = page.session_state["race"]
    conductor.wait(race_id, lambda race: race.version > 200)
    curve = chart(healthy(page.run()), "regret")["data"][0]
    healthy(page.button(key="stop").click().run())

    assert len(curve["x"]) >= 20
    assert page.query_params["race"] == race_id
    assert conductor.snapshot(race_id).status == RunStatus.STOPPED
    assert page.button(key="run")
    conductor.shutdown()


def test_a_refusal_is_told_once(monkeypatch, tmp_path):
    conductor = Conductor(tmp_path)
    conductor.shutdown()
    monkeypatch.setattr(session, "conductor", lambda: conductor)
    page = healthy(AppTest.from_file(str(ROOT / "ui/main.py"), default_timeout=30).run())
    healthy(page.button(key="run").click().run())

    assert "shut down" in page.error[0].value
    assert not healthy(page.run()).error


def test_a_race_on_disk_opens_after_a_restart(open_page, tmp_path):
    conductor = Conductor(tmp_path / "runs")
    config = RunConfig("random", "eggholder", horizon=2.0, clock=ClockConfig("model"))
    race_id = conductor.start([config])
    conductor.wait(race_id, lambda race: race.status.ended)
    conductor.shutdown()
    page = open_page(race=race_id)

    assert "After 2 s Random" in words(page)


@pytest.mark.parametrize("status", [s for s in RunStatus if s != RunStatus.PAUSED])
def test_every_status_has_a_badge(status):
    assert parts.BADGES[status][0]


@pytest.mark.parametrize("page", sorted((ROOT / "pages").glob("*.py")), ids=lambda p: p.stem)
def test_pages_import_only_what_shows(page):
    tree = ast.parse(page.read_text())
    names = [
        f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]
    strangers = [n for n in names if not any(n == a or n.startswith(f"{a}.") for a in ALLOWED)]

    assert names
    assert not strangers
