"""Bring a log: analyses in the background, what the page shows of them, and what follows."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from bolt_core.common.errors import DataError
from bolt_core.figures.problem.log_outcome import log_outcome
from bolt_core.figures.problem.log_profile import curve, interval_words, log_profile
from bolt_core.logs.analysis import analyse
from bolt_core.logs.guessing import Overrides
from bolt_core.logs.reading import read_log
from bolt_core.logs.verdict import Drift, Interval, Reason
from bolt_ui import server_state
from bolt_ui.problem import log_jobs, log_roles, selection
from bolt_ui.problem.log_jobs import LogJobs, Phase
from tests.support.charts import valid_chart
from tests.support.page_kit import browse, has, healthy
from tests.support.panels import drawn, said

WAIT_SECONDS = 60.0


def csv(rows):
    lines = ["time,feed (l/min),yield (%)"]
    for k in range(rows):
        feed = (k * 37 % 80) / 10
        lines.append(f"2026-03-02T{6 + k // 60:02d}:{k % 60:02d}:00Z,{feed},{50 - feed + k % 3}")
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def read():
    return read_log(csv(40), "plant.csv")


@pytest.fixture(scope="module")
def too_few():
    log = read_log(csv(12), "plant.csv")
    return log, analyse(log)


def drifting(log):
    """A verdict as an analysis would give it, made by hand."""
    _, verdict = log, analyse(replace(log, times=log.times[:5], X=log.X[:5], y=log.y[:5]))
    return replace(
        verdict,
        drift=Drift.YES,
        reason=Reason.EVIDENCE,
        lengthscale=600.0,
        interval=Interval(400.0, 900.0),
        evidence=50.0,
        rows=np.arange(len(log)),
        texts=("A first sentence.", "A second one with l_T."),
        profile=((300.0, 9.0), (400.0, 3.84), (600.0, 0.0), (900.0, 3.84), (1200.0, 10.0)),
    )


class Jobs:
    """The analyses of the server, replaced by one whose end is decided by the test."""

    def __init__(self, monkeypatch, work):
        state = server_state.server()
        self.jobs = LogJobs(work)
        monkeypatch.setattr(state, "logs", self.jobs)
        monkeypatch.setattr(selection, "token", lambda: "me")
        self.state = state

    def finished(self, data, name="plant.csv", given=None):
        key = self.jobs.start(data, name, given)
        for _ in range(int(20 * WAIT_SECONDS)):
            if self.jobs.get(key).phase.ended:
                return key
            threading.Event().wait(0.05)
        raise TimeoutError(key)

    def close(self):
        self.jobs.shutdown()
        self.state.shutdown()


@pytest.fixture
def jobs(home, monkeypatch):
    made = []

    def make(work=log_jobs.analysed):
        made.append(Jobs(monkeypatch, work))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_log_with_few_rows_is_read_and_cannot_be_told(jobs):
    analyses = jobs()
    key = analyses.finished(csv(12))
    page = browse("problem", door="log", log=key)
    job = analyses.jobs.get(key)

    assert job.phase is Phase.DONE
    assert job.log.roles.outcome == "yield (%)"
    assert job.verdict.reason is Reason.FEW_ROWS
    assert page.selectbox(key=f"role_{key}_outcome").value == "yield (%)"
    assert page.button(key=f"role_{key}_again").disabled
    assert page.button(key="log_twin").disabled
    assert job.verdict.texts[0].split(":")[0] in said(page).replace("\\", "")


def test_an_unreadable_log_is_refused_with_its_line(jobs):
    analyses = jobs()
    key = analyses.finished(b"time,a,y\n")
    page = browse("problem", door="log", log=key)

    assert analyses.jobs.get(key).phase is Phase.FAILED
    assert any("ine" in error.value for error in page.error)
    assert page.button(key="log_again")


def test_while_it_is_analysed_the_page_shows_what_was_read(jobs, read):
    reached, go_on = threading.Event(), threading.Event()

    def slow(job, publish):
        publish(replace(job, phase=Phase.ANALYSING, headings=("time", "feed", "yield"), log=read))
        reached.set()
        go_on.wait(WAIT_SECONDS)
        raise DataError("line 7: stopped")

    analyses = jobs(slow)
    key = analyses.jobs.start(b"", "plant.csv")
    reached.wait(WAIT_SECONDS)
    page = browse("problem", door="log", log=key)
    go_on.set()

    assert str(Phase.ANALYSING) in said(page)
    assert drawn(page, "log_outcome")["data"]
    assert not has(page, "log_twin")


def test_a_verdict_is_shown_with_its_numbers_and_its_profile(jobs, read):
    verdict = drifting(read)
    headings = ("time", "feed (l/min)", "yield (%)")
    analyses = jobs(
        lambda job, _: replace(job, phase=Phase.DONE, headings=headings, log=read, verdict=verdict)
    )
    page = browse("problem", door="log", log=analyses.finished(b""))

    assert [metric.value for metric in page.metric] == ["50.0", "10.0 min", "40"]
    assert "$l_T$" in said(page)
    assert drawn(page, "log_profile")["data"]
    assert page.button(key="log_start")


def test_a_log_much_older_than_its_lengthscale_ends_now_by_default(jobs, read):
    verdict = drifting(read)
    aged = replace(read, origin=datetime.now(UTC) - timedelta(days=258))

    def work(job, _):
        headings = ("time", "feed (l/min)", "yield (%)")
        return replace(job, phase=Phase.DONE, headings=headings, log=aged, verdict=verdict)

    key = jobs(work).finished(csv(40))
    page = browse("problem", door="log", log=key)
    assert page.checkbox(key=f"log_ends_now_{key}").value
    assert "258 days" in said(page)


def test_a_refused_role_leaves_the_others_as_they_were_chosen(jobs):
    analyses = jobs()
    given = Overrides("time", ("feed (l/min)",), "time", None, False)
    page = browse("problem", door="log", log=analyses.finished(csv(40), given=given))
    (key,) = [box.key for box in page.selectbox if box.key.endswith("_outcome")]
    prefix = key.removesuffix("_outcome")

    assert page.error
    assert page.selectbox(key=f"{prefix}_time").value == "time"
    assert page.selectbox(key=f"{prefix}_direction").value == log_roles.DIRECTIONS[1]
    knobs = page.button_group(key=f"{prefix}_knobs")
    assert knobs.value == ["feed (l/min)"]
    page.selectbox(key=key).set_value("yield (%)").run()
    knobs = page.button_group(key=f"{prefix}_knobs")
    assert len(knobs.options) == 1
    assert knobs.value == ["feed (l/min)"]


def test_the_log_shown_last_is_offered_again_after_another_page(jobs):
    key = jobs().finished(csv(12))
    page = browse("problem", door="log", log=key)
    for name in ("door", "log"):
        del page.query_params[name]
    healthy(page.run())
    healthy(page.button(key="log_continue").click().run())

    assert key in page.query_params["log"]
    assert "plant.csv" in said(page)


def test_a_link_to_an_example_opens_it(jobs):
    jobs(lambda job, _: replace(job, phase=Phase.FAILED, error="An error."))
    page = browse("problem", door="log", example="reactor.csv")

    assert "reactor.csv" in said(page)
    assert "example" not in page.query_params


def test_headings_of_a_file_are_shown_literally(jobs):
    analyses = jobs()
    heading = "![x](http://example.com/a.png)"
    key = analyses.finished(csv(12).replace(b"feed (l/min)", heading.encode()))
    page = browse("problem", door="log", log=key)
    shown = str(page.get_by_key(f"role_{key}_knobs").proto)

    assert analyses.jobs.get(key).headings[1] == heading
    assert r"\\!\\[x" in shown
    assert "![x](" not in shown


def test_a_log_that_was_dropped_is_asked_for_again(jobs):
    jobs()
    page = browse("problem", door="log", log="unknown")

    assert page.warning
    assert page.button(key="example_reactor")


def test_only_the_last_logs_are_kept(monkeypatch):
    monkeypatch.setattr(log_jobs, "MAX_LOGS", 2)
    jobs = LogJobs(lambda job, _: replace(job, phase=Phase.DONE))
    keys = [jobs.start(b"x", f"{k}.csv") for k in range(4)]
    jobs.shutdown()

    assert [jobs.get(key) is not None for key in keys] == [False, False, True, True]


def test_an_analysis_that_breaks_fails_alone(monkeypatch):
    def broken(job, _):
        raise ZeroDivisionError

    jobs = LogJobs(broken)
    monkeypatch.setattr(log_jobs.log, "exception", lambda *_: None)
    key = jobs.start(b"x", "a.csv")
    with jobs._worker.lock:
        jobs._worker.lock.wait_for(lambda: jobs.get(key).phase.ended, WAIT_SECONDS)
    jobs.shutdown()

    assert jobs.get(key).phase is Phase.FAILED


def test_the_outcome_is_drawn_over_time_and_thinned_evenly(read):
    small = valid_chart(log_outcome(read))
    times = np.arange(5000.0)
    many = replace(read, times=times, X=np.zeros((5000, 1)), y=np.sin(times))
    large = valid_chart(log_outcome(many))

    assert small["data"][0]["y"] == pytest.approx(read.y.tolist(), rel=1e-5)
    assert len(large["data"][0]["x"]) <= 800
    assert "5,000" in large["layout"]["meta"]["caption"]


def test_the_profile_goes_through_its_points_and_shades_the_interval(read, too_few):
    verdict = drifting(read)
    chart = valid_chart(log_profile(verdict, read.span))
    x, y = curve(np.log10([300.0, 600.0, 1200.0]), np.array([9.0, 0.0, 9.0]))
    interval = chart["layout"]["shapes"][0]

    assert y[np.argmin(np.abs(x - np.log10(600.0)))] == pytest.approx(0.0, abs=1e-9)
    assert np.interp(np.log10(300.0) + 0.5 * np.log10(2.0), x, y) == pytest.approx(2.25, rel=1e-2)
    assert (interval["x0"], interval["x1"]) == pytest.approx((400.0 / 60, 15.0))
    assert log_profile(too_few[1], 10.0)["kind"] == "text"
    steady = replace(verdict, drift=Drift.NO, lengthscale=4.8e6, interval=Interval(400.0, None))
    assert "55" not in interval_words(steady)
    assert "longer than 6.67 min" in interval_words(steady)
