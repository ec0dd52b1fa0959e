"""Tests of campaigns in a subprocess: one at a time, stopped by the owner or with the server."""

import os
import signal
import subprocess
import sys
import time

import pytest

from bolt_core.campaigns import background as background_module
from bolt_core.campaigns import campaign, results
from bolt_core.campaigns.background import Background, Job, Progress, last_log_line, progress
from bolt_core.campaigns.campaign import State
from bolt_core.common import processes
from bolt_core.common.errors import BoltError, ConfigError
from tests.support import campaigns
from tests.support.processes import alive_in_session
from tests.support.reports import section
from tests.support.wording import in_order

SLOW = {"algorithms": ["gpucb"], "benchmarks": ["eggholder"], "seeds": 20, "horizon": 600.0}
PATIENT = 60.0  # seconds: Python starts and runs four short runs in a few


@pytest.fixture
def background():
    made = Background()
    yield made
    made.shutdown()


@pytest.fixture
def idle(monkeypatch):
    """Campaigns are started as processes that do nothing until they are interrupted."""
    command = [sys.executable, "-S", "-c", "input()"]
    quiet = {"stdin": subprocess.PIPE, "stderr": subprocess.DEVNULL, **processes.in_own_group()}
    monkeypatch.setattr(
        background_module, "_start_process", lambda *_: subprocess.Popen(command, **quiet)
    )


def _until_one_is_finished(found, job):
    while State.FINISHED not in found.states().values():
        assert job.running
        time.sleep(0.01)


class Canned:
    """A process that has not ended."""

    def poll(self):
        return None


def test_a_campaign_runs_to_its_end(background):
    found = campaigns.ready()
    job = background.start("small", "me", workers=0)

    assert job.process.wait(PATIENT) == 0
    assert set(found.states().values()) == {State.FINISHED}
    assert "4 of 4 runs finished" in (found.folder / "run.log").read_text()
    assert in_order(last_log_line(found), "campaign report small", "tables", "figures")


def test_one_campaign_runs_at_a_time_and_only_its_owner_can_stop_it(background, idle):
    campaigns.ready("slow", **SLOW)
    job = background.start("slow", "me", workers=0)

    with pytest.raises(BoltError, match=r"slow.*stop"):
        background.start("slow", "me")
    with pytest.raises(BoltError, match="another user"):
        background.stop("you")
    assert job.running
    background.stop("me")
    job.process.wait(PATIENT)
    assert not job.running


@pytest.mark.long
def test_a_campaign_and_its_workers_end_with_the_server(background):
    found = campaigns.ready("slow", **SLOW | {"horizon": 15.0})
    job = background.start("slow", None, workers=1)
    _until_one_is_finished(found, job)
    assert len(alive_in_session(job.process.pid)) > 1
    background.shutdown()

    assert job.process.returncode is not None
    end = time.monotonic() + PATIENT
    while alive_in_session(job.process.pid) and time.monotonic() < end:  # a worker takes a moment
        time.sleep(0.05)
    assert not alive_in_session(job.process.pid)


@pytest.mark.long
def test_a_killed_campaign_resumes_and_ends_with_the_same_table(background):
    short = SLOW | {"seeds": 4, "horizon": 15.0}  # half a second each
    found, whole = campaigns.ready("killed", **short), campaigns.finished("whole", **short)
    job = background.start("killed", "me", workers=0)
    _until_one_is_finished(found, job)
    os.killpg(job.process.pid, signal.SIGKILL)
    job.process.wait()
    done = {k: found.path(k).read_bytes() for k, s in found.states().items() if s == State.FINISHED}
    assert 0 < len(done) < 4
    job = background.start("killed", "me", workers=0)

    assert job.process.wait(PATIENT) == 0
    assert all(found.path(key).read_bytes() == record for key, record in done.items())
    tables = [section(results.gather(c), "table-2").tables for c in (found, whole)]
    assert tables[0] == tables[1]


def test_an_unknown_campaign_is_refused(background):
    with pytest.raises(ConfigError, match="no campaign 'nobody'"):
        background.start("nobody", "me")
    assert background.job is None


def test_the_time_left_follows_from_the_estimates_of_the_runs():
    found = campaigns.ready(benchmarks=["eggholder"], seeds=5)
    keys = list(found.configs)
    states = dict(zip(keys, [State.FINISHED] * 4 + [State.MISSING], strict=True))
    job = Job("small", "me", Canned(), started_at=100.0, finished_before=frozenset(keys[:1]))

    # equal runs: three took 30 s, so the fifth takes 10
    assert progress(found, states, job, now=130.0) == Progress(5, 4, 0, pytest.approx(10.0))
    early = Job("small", "me", Canned(), started_at=100.0, finished_before=frozenset(keys[:2]))
    assert progress(found, states, early, now=130.0).seconds_left is None
    assert progress(found, states, None) == Progress(5, 4, 0, None)


@pytest.mark.long
def test_a_started_preset_is_listed_as_a_campaign(background, idle):
    background.start("tiny", "me", workers=0)

    assert campaign.names() == ["tiny"]
