"""kill -9 of a process in the middle of a nine-lane race: nothing is lost, and it goes on."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from itertools import islice

import pytest

from bolt_core.common.types import RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.runs.loop import iterate, prepare
from bolt_core.store.library import Library
from bolt_core.store.record_format import to_json
from tests.support.live_races import passes
from tests.support.nine_lanes import NINE
from tests.support.project import ROOT

MORE = 30  # passes that it makes after it was taken up
STATE = b'"kind": "state"'


@contextlib.contextmanager
def racing(home, *, horizon=600.0, runners=(), before=lambda: None):
    """The process and the race's id; it is gone afterwards, whatever happens."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.support.nine_lanes", str(horizon), *runners],
        cwd=ROOT,
        env=os.environ | {"BOLT_HOME": str(home), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        preexec_fn=before,
    )
    try:
        yield child, child.stdout.readline().decode().strip()
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def told(child):
    """(when it was read, what the child said) of each of its lines."""
    for line in child.stdout:
        if line.endswith(b"\n"):  # the last one may be torn
            yield time.monotonic(), json.loads(line)


@pytest.fixture
def killed(home):
    """A race killed once every run has a state to go on from: its id, and the passes it showed."""
    with racing(home) as (child, race_id):
        shown = {}
        for _, said in told(child):
            shown = said["passes"]
            files = list((home / "runs").glob("*.jsonl"))
            if len(files) == len(NINE) and all(STATE in path.read_bytes() for path in files):
                break
        os.kill(child.pid, signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        return race_id, shown


def lines(made):
    return [json.loads(json.dumps(to_json(passed))) for passed in made]


@pytest.mark.long
def test_no_pass_is_missing_and_the_race_goes_on_as_if_nothing_had_happened(killed, home):
    race_id, last = killed
    stored = Library(home / "runs").open(race_id)
    kept = {run.config.algorithm: len(run) for run in stored.runs}

    assert stored.status == RunStatus.INTERRUPTED
    assert set(kept) == set(NINE)
    assert all(kept[key] >= last[key] for key in NINE)  # all that was shown

    conductor = Conductor()
    conductor.resume_stored(race_id)
    conductor.wait(race_id, passes(stored.version + MORE))
    conductor.stop(race_id)
    after = conductor.wait(race_id, lambda race: race.status.ended)
    conductor.shutdown()
    for run in after.runs:
        whole = islice(iterate(prepare(run.config)), len(run))
        assert lines(run.records) == lines(whole)
    again = Library(home / "runs").open(race_id)
    assert [lines(run.records) for run in again.runs] == [lines(run.records) for run in after.runs]
