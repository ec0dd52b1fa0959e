"""A campaign in its own process: one at a time, stopped by its owner, ended with the server."""

import os
import signal
import time
from pathlib import Path

import pytest

from bolt_core import campaign, results
from bolt_core.campaign import State
from bolt_core.errors import BoltError, ConfigError
from bolt_core.scoreboard.background import Background, Job, Progress, last_words, progress
from tests import campaigns
from tests.reports import section

SLOW = {"algorithms": ["gpucb"], "benchmarks": ["eggholder"], "seeds": 50, "horizon": 600.0}
PATIENT = 60.0  # seconds: Python starts and runs four short runs in a few


@pytest.fixture
def background():
    made = Background()
    yield made
    made.shutdown()


def _group(leader, at_least):
    """The processes of a session, as soon as there are so many: the leader and its workers."""
    for _ in range(600):
        there = [p.name for p in Path("/proc").iterdir() if p.name.isdigit()]
        found = [int(pid) for pid in there if _session(pid) == leader]
        if len(found) >= at_least:
            return found
        time.sleep(0.05)
    raise TimeoutError(f"{leader} had no worker within 30 s")


def _session(pid):
    try:
        return os.getsid(int(pid))
    except ProcessLookupError:
        return None


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Canned:
    """A process that has not ended."""

    def poll(self):
        return None


def test_it_runs_a_campaign_to_its_end(background):
    found = campaigns.ready()
    job = background.start("small", "me", workers=0)

    assert job.process.wait(PATIENT) == 0
    assert set(found.states().values()) == {State.FINISHED}
    assert "4 of 4 runs finished" in (found.folder / "run.log").read_text()
    assert last_words(found).endswith("makes its tables and figures")


def test_there_is_one_at_a_time_and_only_its_owner_may_stop_it(background):
    campaigns.ready("slow", **SLOW)
    job = background.start("slow", "me", workers=0)

    with pytest.raises(BoltError, match="slow is running; stop it first"):
        background.start("slow", "me")
    with pytest.raises(BoltError, match="started by somebody else"):
        background.stop("you")
    assert job.running
    background.stop("me")
    job.process.wait(PATIENT)
    assert not job.running


def test_it_ends_with_the_server(background):
    campaigns.ready("slow", **SLOW)
    job = background.start("slow", None, workers=1)
    group = _group(job.process.pid, at_least=2)
    background.shutdown()

    assert job.process.returncode is not None
    for _ in range(100):  # a worker takes a moment to notice
        if not any(map(_alive, group)):
            break
        time.sleep(0.1)
    assert not any(map(_alive, group))


def test_killed_in_the_middle_it_skips_what_is_done_and_ends_with_the_same_table(background):
    short = SLOW | {"seeds": 4, "horizon": 15.0}  # half a second each
    found, whole = campaigns.ready("killed", **short), campaigns.finished("whole", **short)
    job = background.start("killed", "me", workers=0)
    while State.FINISHED not in found.states().values():
        assert job.running
        time.sleep(0.01)
    os.killpg(job.process.pid, signal.SIGKILL)
    job.process.wait()
    done = {k: found.path(k).read_bytes() for k, s in found.states().items() if s == State.FINISHED}
    assert 0 < len(done) < 4
    job = background.start("killed", "me", workers=0)

    assert job.process.wait(PATIENT) == 0
    assert all(found.path(key).read_bytes() == record for key, record in done.items())
    tables = [section(results.gather(c), "table-2").tables for c in (found, whole)]
    assert tables[0] == tables[1]


def test_a_campaign_that_is_not_there_is_refused(background):
    with pytest.raises(ConfigError, match="there is no campaign 'nobody'"):
        background.start("nobody", "me")
    assert background.job is None


def test_the_time_left_goes_by_what_the_runs_were_foretold_to_take():
    found = campaigns.ready(benchmarks=["eggholder"], seeds=5)
    keys = list(found.configs)
    states = dict(zip(keys, [State.FINISHED] * 4 + [State.MISSING], strict=True))
    job = Job("small", "me", Canned(), began=100.0, before=frozenset(keys[:1]))

    # equal runs: three took 30 s, so the fifth takes 10
    assert progress(found, states, job, now=130.0) == Progress(5, 4, 0, pytest.approx(10.0))
    early = Job("small", "me", Canned(), began=100.0, before=frozenset(keys[:2]))
    assert progress(found, states, early, now=130.0).left is None
    assert progress(found, states, None) == Progress(5, 4, 0, None)


def test_names_of_campaigns_come_with_those_it_planned(background):
    background.start("tiny", "me", workers=0)

    assert campaign.names() == ["tiny"]
