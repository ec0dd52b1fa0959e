"""The list of races, without a browser; what needs a tick or a drop is in the browser's tests."""

import pytest
from streamlit.testing.v1 import AppTest

from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.store import trash
from bolt_core.store.library import Library
from bolt_ui import server_state
from bolt_ui.deleting import NOT_MINE
from bolt_ui.runs import MAX_ERRORS_LISTED
from tests.support.panels import asked, chart
from tests.support.project import ROOT


@pytest.fixture
def conductor(tmp_path, monkeypatch):
    monkeypatch.setenv("BOLT_HOME", str(tmp_path))
    state = server_state.server()
    yield state.conductor
    state.shutdown()


@pytest.fixture
def raced(conductor):
    """raced(benchmark): a short race, over; its id."""

    def race(benchmark="eggholder", algorithms=("random",)):
        clock = ClockConfig("model")
        configs = [RunConfig(a, benchmark, horizon=2.0, clock=clock) for a in algorithms]
        race_id = conductor.start(configs)
        conductor.wait(race_id, lambda snapshot: snapshot.status.ended)
        return race_id

    return race


def runs_page(**url):
    page = AppTest.from_file(str(ROOT / "bolt_ui/entry/main.py"), default_timeout=30)
    for name, value in url.items():
        page.query_params[name] = value
    page.run()
    page.switch_page("../../pages/runs.py").run()
    assert not page.exception, page.exception
    return page


def test_without_a_race_the_page_says_how_to_get_one(conductor):
    page = runs_page()

    assert page.subheader[0].value == "No race yet"
    assert not page.dataframe


def test_every_race_has_a_row(raced):
    raced("eggholder", ("random", "gpucb"))
    raced("powell")
    table = runs_page().dataframe[0].value

    assert table["Benchmark"].tolist() == ["Powell", "Eggholder"]
    assert table["Status"].tolist() == ["Finished", "Finished"]
    assert table["Algorithms"].tolist()[1] == "Random, GPUCB"
    assert (table["Queries"] > 0).all()
    assert (table["Average regret"] > 0).all()


def test_a_search_narrows_the_list(raced):
    raced("eggholder")
    raced("powell")
    page = runs_page()
    page.text_input(key="find").set_value("powell").run()
    assert page.dataframe[0].value["Benchmark"].tolist() == ["Powell"]

    page.text_input(key="find").set_value("nowhere").run()
    assert page.subheader[0].value == "Nothing matches"


def test_undo_restores_a_deleted_race(raced, tmp_path):
    race_id = raced()
    trash.delete(Library(tmp_path / "runs"), race_id)
    page = runs_page()
    page.session_state["delete_done"] = [race_id]
    page.run()
    page.button(key="undo").click().run()

    assert len(page.dataframe[0].value) == 1
    assert "delete_done" not in page.session_state


def test_a_deleted_race_is_restored_by_a_later_visit(raced, tmp_path):
    race_id = raced()
    trash.delete(Library(tmp_path / "runs"), race_id)
    page = runs_page()
    assert not page.dataframe
    page.button(key=f"restore_{race_id}").click().run()

    assert len(page.dataframe[0].value) == 1
    assert not [b for b in page.button if b.key == f"restore_{race_id}"]


def test_an_error_is_shown_once_and_escaped(conductor):
    page = runs_page()
    page.session_state["troubles"] = ["![x](http://evil/x.png) is not taken"]
    page.run()

    assert r"\!\[x\]\(http\://evil/x.png\)" in page.error[0].value
    assert not page.run().error


def test_only_races_of_one_benchmark_are_compared(raced):
    a, b, c = raced("eggholder"), raced("eggholder", ("gpucb",)), raced("powell")
    page = AppTest.from_file(str(ROOT / "bolt_ui/entry/main.py"), default_timeout=30)
    page.query_params["race"] = f"{a},{b},{c},nothing"
    page.run()

    assert not page.exception
    assert {row["key"] for row in chart(page, "leaderboard")["rows"]} == {"random", "gpucb"}
    runs = server_state.server().races.find(asked(page, "leaderboard")["race"]).runs
    assert [run.config.benchmark for run in runs] == ["eggholder"] * 2
    compared = asked(page, "status")["row"]["compared"]
    assert "Left out: race 3" in compared
    assert "Powell" in compared
    assert "1 race of the link" in compared


def test_many_errors_are_one_box_with_a_list(conductor):
    page = runs_page()
    page.session_state["troubles"] = [f"file {k} is broken" for k in range(14)]
    page.run()

    (box,) = page.error
    assert "14" in box.value
    assert box.value.count("\n- ") == MAX_ERRORS_LISTED + 1
    assert "4 more" in box.value


def test_the_list_marks_the_races_of_this_visitor(raced, monkeypatch):
    raced()
    assert set(runs_page().dataframe[0].value["Owner"]) == {""}

    monkeypatch.setattr("bolt_ui.runs.belongs_to", lambda folder, race_id, token: True)
    assert set(runs_page().dataframe[0].value["Owner"]) == {"mine"}


def test_why_a_race_cannot_be_deleted_is_written_beside_the_button(raced, monkeypatch):
    raced()
    monkeypatch.setattr("bolt_ui.runs.table", list)  # all are selected
    monkeypatch.setattr("bolt_ui.deleting.all_mine", lambda selected: False)
    page = runs_page()

    assert page.button(key="delete").disabled
    assert any(NOT_MINE in caption.value for caption in page.caption)
