"""Many requests for earlier moments do not hold up the viewers of the present."""

import json
import threading

import pytest

from bolt_core.charts import server as chart_server
from bolt_core.charts.server import ChartServer
from bolt_core.charts.worker import LatestJobWorker
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from tests.support.runs import make_run


@pytest.fixture
def charts():
    race = RaceSnapshot("r", RunStatus.RUNNING, (make_run(60),), t=15.0, horizon=60.0)
    server = ChartServer(lambda _: race)
    yield server
    server.shutdown()


def test_moments_closer_than_a_pixel_share_one_chart(charts):
    for at in (3.1001, 3.10012, 3.09999, 3.1):
        charts.frame("r", "regret", at=at)
    assert charts.built == 1
    charts.frame("r", "regret", at=3.2)
    assert charts.built == 2


def test_moments_far_beyond_the_horizon_share_one_chart(charts):
    for at in (120.0, 121.0, 1e300):
        charts.frame("r", "regret", at=at)
    assert charts.built == 1


def test_beyond_the_limit_an_earlier_moment_is_not_built_and_the_present_is(charts, monkeypatch):
    monkeypatch.setattr(chart_server, "MAX_PENDING_CHARTS", 0)
    assert json.loads(charts.frame("r", "regret", at=3.0))["serial"] == -1
    assert json.loads(charts.frame("r", "regret"))["serial"] >= 0


def test_urgent_jobs_come_before_older_ones():
    done, hold, all_done = [], threading.Event(), threading.Event()

    def work(job):
        hold.wait(10)
        done.append(job)
        if len(done) == 4:
            all_done.set()

    worker = LatestJobWorker("test-urgent", work, urgent=lambda key: key == "now")
    with worker.lock:
        for key in ("first", "old", "older", "now"):
            worker.put(key, key)
    hold.set()
    assert all_done.wait(10)
    worker.shutdown()

    assert done.index("now") <= 1  # the first job may have begun before
