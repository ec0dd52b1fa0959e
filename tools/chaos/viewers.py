"""Viewers of a live race on a real server: how long polls take, and that the race is not changed.

Polling viewers request, once per second, what is new in the charts of the Arena, compressed, as a
browser does. Replaying ones request the charts at random moments.
"""

import gzip
import http.client
import json
import random
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np

from bolt_core.common.types import RunStatus
from bolt_core.runs.loop import iterate, prepare
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store.library import Library
from tools.chaos import races
from tools.chaos.processes import temporary_home
from tools.chaos.report import Check
from tools.chaos.visitor import Visitor
from tools.chaos.web import HOST, Server, serving

ARENA = ("headline", "regret", "leaderboard", "size", "response", "landscape", "metronome")
POLL_SECONDS = 1.0
SHORT, LONG = (5, 3, 2.0), (50, 30, 600.0)  # polling, replaying, seconds
SHORT_RACE = "bench=eggholder&algos=bolt,random&clock=model&device=paper&cut=60"
LONG_RACE = "bench=eggholder&algos=bolt,gpucb,random&clock=model&device=paper&cut=full"
WARM_UP_SECONDS = 1.0  # in which one viewer has the charts built for the first time
MAX_MEDIAN_SECONDS = 2.0  # of a poll; a chart that was never built may take longer


class Viewer(threading.Thread):
    """Polls until it is stopped, and notes how long each answer took."""

    def __init__(self, port: int, race_id: str, rng: random.Random | None = None) -> None:
        """With `rng`, the viewer asks for random moments of the race instead of the present."""
        super().__init__(daemon=True)
        self.seconds: list[float] = []
        self.problems: list[str] = []
        self.live = True  # whether the race had not ended when it was last asked for
        self._port, self._race_id, self._rng = port, race_id, rng
        self._stopped = threading.Event()
        self._have: dict[str, int] = {}

    def stop(self) -> None:
        """Stop after the present poll."""
        self._stopped.set()

    def run(self) -> None:
        connection = http.client.HTTPConnection(HOST, self._port, timeout=60)
        due = time.monotonic()
        while not self._stopped.is_set():
            began = time.monotonic()
            try:
                self._poll(connection)
            except (OSError, http.client.HTTPException, ValueError) as problem:
                self.problems.append(repr(problem))
                connection.close()
            self.seconds.append(time.monotonic() - began)
            due += POLL_SECONDS
            self._stopped.wait(max(due - time.monotonic(), 0.0))
        connection.close()

    def _poll(self, connection: http.client.HTTPConnection) -> None:
        replay = self._rng is not None
        have = {} if replay else self._have
        charts = "&".join(f"c={name};;{have.get(f'{name};', '')}" for name in ARENA)
        at = f"&at={self._rng.uniform(0.0, 60.0):.3f}" if self._rng is not None else ""
        path = f"/bolt-api/frames?race={self._race_id}&{charts}{at}"
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        reply = connection.getresponse()
        body = reply.read()
        if reply.status != 200:
            self.problems.append(f"{reply.status}: {body[:200]!r}")
            return
        packed = reply.headers.get("Content-Encoding") == "gzip"
        answer = json.loads(gzip.decompress(body) if packed else body)
        self.live = answer["live"]
        self._have = {name: frame["serial"] for name, frame in answer["frames"].items()}


def watch(viewers: Sequence[Viewer], seconds: float) -> None:
    """Let viewers poll for so long."""
    for viewer in viewers:
        viewer.start()
    time.sleep(seconds)
    stop(viewers)


def stop(viewers: Sequence[Viewer]) -> None:
    """Stop viewers and wait for their last polls."""
    for viewer in viewers:
        viewer.stop()
    for viewer in viewers:
        viewer.join()


def check_polls(check: Check, viewers: Sequence[Viewer]) -> None:
    """Check that every poll was answered; the figures are quantiles in milliseconds."""
    seconds = [s for viewer in viewers for s in viewer.seconds]
    check.cases += len(seconds)
    check.problems += [problem for viewer in viewers for problem in viewer.problems]
    median, tail = np.quantile(seconds, [0.5, 0.99])
    check.figures = f"p50 {1e3 * median:.0f} ms, p99 {1e3 * tail:.0f} ms"
    check.expect(
        bool(median < MAX_MEDIAN_SECONDS), f"half of the polls took {median:.1f} s or more"
    )


def start_race(visitor: Visitor, query: str) -> str:
    """Start a race as a visitor does, and return its id."""
    visitor.open("", query)
    if not visitor.press("run"):
        raise RuntimeError(f"no start button: {visitor.exceptions} {visitor.errors}")
    race_ids = parse_qs(visitor.query).get("race", [])
    if not race_ids:
        raise RuntimeError(f"no race was started: {visitor.exceptions} {visitor.errors}")
    return race_ids[0]


def stopped(home: Path, race_id: str, timeout: float = 30.0) -> RaceSnapshot:
    """Return the records of a race once they are closed."""
    deadline = time.monotonic() + timeout
    while True:
        race = Library(home / "runs").open(race_id)
        if race is not None and race.status != RunStatus.INTERRUPTED:
            return race
        if time.monotonic() > deadline:
            raise TimeoutError(f"race {race_id} has not ended after {timeout:g} s")
        time.sleep(0.2)


def check_prefix(check: Check, race: RaceSnapshot) -> None:
    """Check that every run made the passes that it makes alone, bit for bit."""
    for run in race.runs:
        alone = races.lines(islice(iterate(prepare(run.config)), len(run)))
        name = f"{run.config.algorithm} of {race.race_id}"
        check.expect(len(run) > 0, f"{name} made no pass")
        check.expect(races.lines(run.records) == alone, f"{name} has other passes than alone")


def run(seed: int, *, long: bool) -> list[Check]:
    """Watch a race, and return checks of the polls and of its record."""
    polling, replaying, seconds = LONG if long else SHORT
    polls, replays = Check("viewers", "polls"), Check("viewers", "replays")
    record, load = Check("viewers", "record"), Check("viewers", "server")
    with temporary_home() as home, serving(home) as server:
        with Visitor(server.port) as visitor:
            race_id = start_race(visitor, f"{LONG_RACE if long else SHORT_RACE}&seed={seed}")
            watch([Viewer(server.port, race_id)], WARM_UP_SECONDS)
            present = [Viewer(server.port, race_id) for _ in range(polling)]
            rngs = [random.Random(f"{seed} {k}") for k in range(replaying)]
            past = [Viewer(server.port, race_id, rng) for rng in rngs]
            with measured(load, server, seconds):
                watch([*present, *past], seconds)
            visitor.press("stop")
        check_polls(polls, present)
        check_polls(replays, past)
        check_prefix(record, stopped(home, race_id))
        load.expect(server.alive, "the server does not answer")
        load.expect(not server.tracebacks(), f"tracebacks: {server.tracebacks()[:3]}")
    return [polls, replays, record, load]


class measured:  # noqa: N801 - a context manager
    """Note the CPU share and the memory of a server before and after."""

    def __init__(self, check: Check, server: Server, seconds: float) -> None:
        self._check, self._server, self._seconds = check, server, seconds

    def __enter__(self) -> None:
        self._cpu, self._memory = self._server.cpu_seconds, self._server.resident_mib

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            share = 100 * (self._server.cpu_seconds - self._cpu) / self._seconds
            memory = f"{self._memory:.0f} to {self._server.resident_mib:.0f} MiB"
            self._check.figures = f"{share:.0f} % of a core, {memory}"
