"""The Arena without a browser: what its charts say of a race; and the rule that pages are thin."""

import ast
from dataclasses import replace

import pytest

from bolt_core.common.types import ClockConfig, RunConfig, RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.online.optimizer import Bolt
from bolt_core.store import bundled_race
from bolt_core.store.library import Library
from bolt_ui.markdown import with_math
from tests.support.page_kit import browse, follows, has, healthy, offered, panels, race
from tests.support.panels import asked, chart, names, said, words
from tests.support.project import ROOT
from tests.support.runs import make_diagonal_run, make_run

ALLOWED = ("streamlit", "bolt_ui", "bolt_core.figures", "bolt_core.common.types")
LONGEST_PAGE = 80  # lines


@pytest.fixture
def own(home):
    """The id of a saved optimizer on a problem of somebody's own."""
    opt = Bolt(bounds=[(0, 1)], warmup=3, name="my process")
    for k in range(20):
        opt.tell(opt.ask(float(k)), float(k), 10.0 + k)
    (home / "runs").mkdir(parents=True)
    opt.save(home / "runs" / "mine.jsonl")
    return Library(home / "runs").races()[0].race_id


def test_the_landing_plays_the_recorded_race_and_offers_three_more(open_page):
    page = open_page()
    played = asked(page, "transport")

    assert played["autoplay"]
    assert played["span"] == bundled_race.race().horizon
    assert chart(page, "metronome")["kind"] == "strip"
    assert chart(page, "headline")["text"].startswith("After 600 s BOLT")
    assert "lowest average regret" in chart(page, "headline")["text"]
    assert {b.label for b in page.button} > {"Erratic (Eggholder)", "Smooth (Powell)"}


def test_the_headline_and_the_leaderboard_agree_with_the_run(open_page):
    page = open_page(race(make_run(40, regret=594.0), t=4.0, horizon=60.0))
    board = chart(page, "leaderboard")
    (row,) = (dict(zip(names(board), row["cells"], strict=True)) for row in board["rows"])

    assert "keeps all 40" in words(page)
    assert row["Average regret"] == "594"
    assert row["Queries"] == "40"
    assert chart(page, "regret")["data"][0]["name"] == "Random"
    assert chart(page, "size")["data"][0]["y"][-1] == 40


def test_three_seeds_show_their_standard_error(open_page):
    page = open_page(race(*(make_run(40, seed=s, regret=1.0 + s) for s in range(3))))

    assert "mean, ±1 standard error" in words(page)
    assert "over 3 seeds" in words(page)
    board = chart(page, "leaderboard")
    assert board["rows"][0]["cells"][names(board).index("±1 SE")] == "0.577"  # 3 ** -0.5


def test_warming_up_says_what_it_waits_for_without_axes(open_page):
    page = open_page(race(make_run(7), status=RunStatus.WARMING_UP, horizon=60.0))

    assert "7 of 15" in said(page)
    assert "warm-up" in said(page)
    assert not panels(page)


def test_a_race_stopped_in_its_warm_up_says_why_there_is_no_curve(open_page):
    page = open_page(race(make_run(7), status=RunStatus.STOPPED, horizon=60.0))

    assert "No query" in said(page)
    assert "after the warm-up" in said(page)
    assert offered(page) == {"run", "go_on"}
    assert not panels(page)


def test_both_axes_can_be_linked_to(open_page):
    running = race(make_run(40), t=4.0, horizon=60.0)

    assert chart(open_page(running), "regret")["layout"]["xaxis"]["title"]["text"] == "time (s)"
    linked = open_page(running, x="iterations", stat="cumulative", scale="log")
    assert chart(linked, "regret")["layout"]["xaxis"]["title"]["text"] == "queries"
    assert asked(linked, "regret")["view"] == "x:iterations,stat:cumulative,scale:log"


def test_a_panel_is_asked_for_anew_only_with_another_race_or_view(open_page):
    first = race(make_run(40), t=4.0, horizon=60.0)
    views = [
        asked(open_page(r), "regret")
        for r in (first, replace(first, runs=(make_run(60),)), replace(first, race_id="other"))
    ]

    assert views[0] == views[1] != views[2]
    assert views[0]["live"]


def test_only_a_flat_problem_has_a_landscape(open_page):
    flat = open_page(race(make_run(40), horizon=60.0))
    deep = open_page(race(make_diagonal_run(40, 3), horizon=60.0))

    assert "The landscape now" in said(flat)
    assert "Distance to the optimum" in said(deep)
    assert panels(deep)["landscape"]["data"]


@pytest.mark.parametrize("page", ["arena", "inside"])
def test_a_problem_of_ones_own_shows_measurements_and_no_regret(server, own, page):
    shown = browse(page, race=own)
    found = panels(shown)

    assert "my process" in said(shown)
    assert follows(shown) == own
    assert offered(shown) == {"run"}  # nobody here can measure it: it cannot go on
    assert not any("bench=" in code.value for code in shown.code)
    if page == "arena":
        assert found["regret"]["data"][0]["y"] == [10.0 + k for k in range(20)]
        assert "no regret to draw" in words(shown)
        assert "**Measurements**" in said(shown)
        assert "**Regret**" not in said(shown)
        assert "response" not in found  # it is drawn against regret
        assert not {"stat", "scale", "x"} & {one.key for one in shown.button_group}


def test_run_then_stop_with_a_real_conductor(server):
    page = browse(cut="full", algos="random", clock="model")
    healthy(page.button(key="run").click().run())
    race_id = page.session_state["race"]
    server.wait(race_id, lambda race: race.version > 200)
    curve = chart(healthy(page.run()), "regret")["data"][0]
    healthy(page.button(key="stop").click().run())
    ended = server.wait(race_id, lambda race: race.status.ended)

    assert len(curve["x"]) >= 20
    assert page.query_params["race"] in (race_id, [race_id])
    assert ended.status == RunStatus.STOPPED
    assert offered(healthy(page.run())) == {"run", "go_on"}


@pytest.mark.parametrize("page", ["arena", "inside"])
def test_a_refusal_is_told_once(server, page):
    server.shutdown()
    shown = browse(page)
    healthy(shown.button(key="run").click().run())

    assert "shut down" in shown.error[0].value
    assert not healthy(shown.run()).error


def test_a_race_on_disk_opens_after_a_restart(open_page, home):
    conductor = Conductor(home / "runs")
    config = RunConfig("random", "eggholder", horizon=2.0, clock=ClockConfig("model"))
    race_id = conductor.start([config])
    conductor.wait(race_id, lambda race: race.status.ended)
    conductor.shutdown()
    page = open_page(race=race_id)

    assert "After 2 s Random" in words(page)
    assert has(page, "transport")


@pytest.mark.parametrize("page", sorted((ROOT / "pages").glob("*.py")), ids=lambda p: p.stem)
def test_pages_are_short_and_import_only_what_shows(page):
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
    assert len(page.read_text().splitlines()) < LONGEST_PAGE


def test_symbols_are_set_as_such_and_bold_stays_bold():
    told = with_math("**wall** time: n* needs l_T and u_n, not bolt_core or x_1y").split()

    assert told[:4] == ["**wall**", "time:", r"n\*", "needs"]
    assert told[4:] == ["$l_T$", "and", "$u_n$,", "not", "bolt_core", "or", "x_1y"]
