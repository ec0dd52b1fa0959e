"""A campaign that a server started ends with that server, also if the server is killed."""

import os
import signal
import subprocess
import sys
import time

import pytest

from bolt_core.campaigns.campaign import State
from tests.support import campaigns
from tests.support.processes import alive_in_session

SERVER = """
import sys, time
from bolt_core.campaigns.background import Background
background = Background()
print(background.start("slow", None, workers=int(sys.argv[1])).process.pid, flush=True)
time.sleep(600)
"""
SLOW = {"algorithms": ["gpucb"], "benchmarks": ["eggholder"], "seeds": 50, "horizon": 15.0}
PATIENT = 60.0


@pytest.mark.parametrize("workers", [0, pytest.param(1, marks=pytest.mark.long)])
def test_a_campaign_ends_with_a_killed_server_and_keeps_its_finished_runs(workers):
    found = campaigns.ready("slow", **SLOW)
    command = [sys.executable, "-c", SERVER, str(workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        session = int(server.stdout.readline())
        _wait_until(lambda: State.FINISHED in found.states().values())
        assert alive_in_session(session)
        server.kill()
        server.wait()
    try:
        _wait_until(lambda: not alive_in_session(session))
    finally:
        if alive_in_session(session):
            os.killpg(session, signal.SIGKILL)

    states = list(found.states().values())
    assert not found.running
    assert 0 < states.count(State.FINISHED) < 50
    assert set(states) == {State.FINISHED, State.MISSING}


def _wait_until(condition):
    end = time.monotonic() + PATIENT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
