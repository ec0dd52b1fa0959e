"""The chart server builds each chart once for all viewers and sends only what has changed."""

import json
import threading

import pytest

from bolt_core.charts import ChartRequest, ChartServer, UnknownRaceError, chart_registry, server
from bolt_core.charts.chart_registry import View
from bolt_core.charts.delta import apply
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from tests.support.runs import make_fitted_run, make_run


class Stage:
    """A race whose state is set by the test."""

    def __init__(self):
        self.at(20)

    def at(self, n, status=RunStatus.RUNNING):
        self.race = RaceSnapshot("r", status, (make_run(n),), t=0.1 * n, horizon=60.0)

    def find(self, race_id):
        return self.race if race_id == "r" else None


@pytest.fixture(autouse=True)
def _independent_of_the_load_of_the_machine(monkeypatch):
    """A request waits until its charts are built, and no chart becomes due with time."""
    settings = {
        "FIRST_WAIT_SECONDS": 60.0,
        "UPDATE_WAIT_SECONDS": 60.0,
        "SECONDS_BETWEEN_BUILDS": 600.0,
        "MAX_CORE_SHARE": float("inf"),
    }
    for name, value in settings.items():
        monkeypatch.setattr(server, name, value)


@pytest.fixture
def stage():
    return Stage()


@pytest.fixture
def frames(stage):
    built = ChartServer(stage.find)
    yield built
    built.shutdown()


def look(frames, chart="regret", have=None, **rest):
    return json.loads(frames.frame("r", chart, View(), have, **rest))


def test_charts_that_take_long_to_build_are_built_less_often(frames, stage, monkeypatch):
    monkeypatch.setattr(server, "SECONDS_BETWEEN_BUILDS", 0.0)
    first = look(frames)
    stage.at(25)
    second = look(frames, have=first["serial"])
    stage.at(30)
    monkeypatch.setattr(server, "MAX_CORE_SHARE", 1e-9)  # any build takes too long
    third = look(frames, have=second["serial"])
    stage.at(35)
    last = look(frames, have=third["serial"])

    assert [f["version"] for f in (first, second, third)] == [20, 25, 30]
    assert last["version"] == 30


def test_many_viewers_cost_one_build(frames):
    seen = []
    viewers = [threading.Thread(target=lambda: seen.append(look(frames))) for _ in range(12)]
    for viewer in viewers:
        viewer.start()
    for viewer in viewers:
        viewer.join()

    assert frames.built == 1
    assert len(seen) == 12
    assert all(frame == seen[0] for frame in seen)


def test_the_first_request_gets_the_whole_chart_and_the_next_nothing(frames, stage):
    first = look(frames)
    again = look(frames, have=first["serial"])

    assert first["chart"] == chart_registry.build("regret", stage.race, View())
    assert first["version"] == 20
    assert again == {"serial": first["serial"], "version": 20, "final": False}


def test_within_a_second_the_last_frame_is_served(frames, stage):
    first = look(frames)
    stage.at(30)

    assert look(frames) == first
    assert frames.built == 1


def test_steps_from_any_recent_serial_give_the_newest_chart(frames, stage, monkeypatch):
    monkeypatch.setattr(server, "SECONDS_BETWEEN_BUILDS", 0.0)
    shown = {}
    for n in range(30, 36):
        stage.at(n)
        now = look(frames)
        shown[now["serial"]] = now["chart"]
    newest = look(frames)

    for serial, chart in list(shown.items())[:-1]:
        told = look(frames, have=serial)
        assert "chart" not in told
        for step in told["steps"]:
            chart = apply(chart, step)
        assert chart == newest["chart"]


def test_a_viewer_far_behind_or_unknown_gets_the_whole_chart(frames, stage, monkeypatch):
    monkeypatch.setattr(server, "SECONDS_BETWEEN_BUILDS", 0.0)
    first = look(frames)
    for n in range(30, 45):
        stage.at(n)
        look(frames)

    assert "chart" in look(frames, have=first["serial"])
    assert "chart" in look(frames, have=12345)


def test_the_last_chart_of_a_race_is_built_at_once(frames, stage):
    look(frames)
    stage.at(30, RunStatus.FINISHED)
    last = look(frames)  # it would be due in ten minutes

    assert last["final"]
    assert last["version"] == 30
    assert frames.built == 2
    assert look(frames, have=last["serial"])["final"]


def test_a_race_that_is_continued_is_drawn_on_at_once(frames, stage):
    stage.at(20, RunStatus.INTERRUPTED)
    ended = look(frames)
    stage.at(21)
    continued = look(frames, have=ended["serial"])
    stage.at(22)
    later = look(frames, have=continued["serial"])  # due in ten minutes, but not the last one

    assert (ended["final"], continued["final"], later["final"]) == (True, False, False)
    assert (continued["version"], later["version"]) == (21, 21)


def test_an_outdated_chart_is_never_the_last(frames, stage, monkeypatch):
    stage.at(20, RunStatus.STOPPED)
    ended = look(frames)
    monkeypatch.setattr(frames, "_is_due", lambda *_: False)  # as while it is being built
    stage.at(30, RunStatus.FINISHED)

    assert ended["final"]
    assert not look(frames, have=ended["serial"])["final"]


def test_a_chart_is_final_only_with_its_final_scores():
    run = make_fitted_run(40)
    race = RaceSnapshot("r", RunStatus.FINISHED, (run,), run.end, 60.0)
    frames = ChartServer({"r": race}.get)
    look(frames, "scores")
    frames.scores.wait(run)
    last = look(frames, "scores")
    frames.shutdown()

    assert last["final"]
    assert last["version"] == 40


def test_all_charts_of_a_page_come_in_one_answer(frames):
    asks = [
        ChartRequest("regret"),
        ChartRequest("regret", View(x="iterations")),
        ChartRequest("headline"),
    ]
    page = json.loads(frames.page("r", asks))

    assert (page["row"]["badge"], page["version"], page["live"]) == ("Live", 20, True)
    assert list(page["frames"]) == ["regret;", "regret;x:iterations", "headline;"]
    assert page["frames"]["headline;"]["chart"]["kind"] == "text"
    assert json.loads(frames.page("r", []))["frames"] == {}


def test_a_moment_of_the_past_is_built_from_the_race_as_it_was(frames, stage, monkeypatch):
    def at(self, t):
        return RaceSnapshot("r", RunStatus.RUNNING, (make_run(round(10 * t)),), t=t, horizon=60.0)

    monkeypatch.setattr(RaceSnapshot, "at", at, raising=False)
    stage.at(60, RunStatus.FINISHED)
    then = look(frames, at=3.0)

    assert then["chart"] == chart_registry.build("regret", at(None, 3.0), View())
    assert then["version"] == 30
    assert then["final"]
    assert look(frames)["version"] == 60


def test_unknown_names_are_refused(frames):
    with pytest.raises(UnknownRaceError, match="'nobody'"):
        frames.frame("nobody", "regret")
    with pytest.raises(ConfigError, match="no chart 'pie'"):
        frames.frame("r", "pie")


def test_an_error_is_shown_in_place_of_its_chart_only(frames, monkeypatch, caplog):
    def broken(race, view):
        raise ZeroDivisionError("no ink")

    monkeypatch.setattr(
        chart_registry,
        "CHARTS",
        dict(chart_registry.CHARTS) | {"bad": chart_registry.Chart(broken)},
    )

    assert "no ink" in look(frames, "bad")["chart"]["text"]
    assert look(frames)["chart"]["kind"] == "plot"
    assert "no ink" in caplog.text


def test_only_the_most_recently_used_charts_are_cached(frames, monkeypatch):
    monkeypatch.setattr(server, "MAX_CACHED_CHARTS", 2)
    for name in ("regret", "size", "headline"):
        look(frames, name)

    assert [key.chart for key in frames._cached] == ["size", "headline"]


def test_there_is_no_thread_before_the_first_request_and_after_the_shutdown(stage):
    frames = ChartServer(stage.find)
    assert frames._worker.thread is None
    look(frames)
    frames.shutdown()

    assert not frames._worker.thread.is_alive()
    assert look(frames)["version"] == 20  # cached charts are still served


def test_a_chart_with_nan_is_replaced_by_an_error(frames, stage, monkeypatch, caplog):
    values = [1.0]

    def drawn(race, view):
        return {"kind": "plot", "data": [{"y": list(values)}], "layout": {}}

    monkeypatch.setattr(
        chart_registry, "CHARTS", dict(chart_registry.CHARTS) | {"odd": chart_registry.Chart(drawn)}
    )
    sound = look(frames, "odd")
    values.append(float("nan"))
    stage.at(30, RunStatus.FINISHED)
    broken = look(frames, "odd", have=sound["serial"])
    (step,) = broken["steps"]

    assert "could not be drawn" in apply(sound["chart"], step)["text"]
    assert "could not be drawn" in look(frames, "odd")["chart"]["text"]


def test_a_request_looks_its_race_up_once(stage):
    seen = []

    def find(race_id):
        seen.append(race_id)
        return stage.find(race_id)

    frames = ChartServer(find)
    frames.page("r", [ChartRequest("regret"), ChartRequest("size"), ChartRequest("leaderboard")])
    frames.shutdown()

    assert frames.built == 3
    assert len(seen) == 1
