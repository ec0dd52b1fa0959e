"""A class of hostile scripts against a shared server, while one honest race runs to its end.

The honest race has two viewers: one follows it, and one replays random moments of it.

The server has an operator's token, so that visitors are not operators. The honest race must have
the record of an undisturbed run and its polls must be answered; races of others must not have been
stopped, changed or deleted; and the server must live on, without a traceback in its log.
"""

import random
from pathlib import Path

from bolt_core.common.types import RunStatus
from tools.chaos.processes import child, temporary_home
from tools.chaos.report import Check
from tools.chaos.viewers import (
    Viewer,
    check_polls,
    check_prefix,
    measured,
    start_race,
    stop,
    stopped,
)
from tools.chaos.visitor import Visitor
from tools.chaos.web import Server, serving

SHORT, LONG = (4, 3.0), (30, 300.0)  # scripts, seconds
SHORT_RACE = (
    "bench=eggholder&algos=&lanes=bolt;speed=4|gpucb;speed=4&clock=model&device=paper&cut=60"
)
LONG_RACE = "bench=eggholder&algos=bolt,gpucb,random&clock=model&device=paper&cut=180"
STORED = "bench=powell&algos=random&clock=model&device=paper&cut=60"
OPERATOR_TOKEN = "chosen-for-this-test"
# For which the honest race may go on after the scripts have ended: races that the scripts started
# have turns beside it, and on a busy machine it took more than five minutes.
END_SECONDS = 1200.0


def run(seed: int, *, long: bool) -> list[Check]:
    """Let scripts loose on a server, and return checks of the honest race and of the server."""
    scripts, seconds = LONG if long else SHORT
    names = ("honest race", "honest polls", "honest replays", "attempts", "server")
    honest, polls, replays, others, health = checks = [Check("classroom", n) for n in names]
    environment = {"BOLT_ADMIN_TOKEN": OPERATOR_TOKEN}
    with temporary_home() as home, serving(home, **environment) as server:
        stored_id = _stored_race(server, home, seed)
        before = _files(home, stored_id)
        with Visitor(server.port) as visitor:
            race_id = start_race(visitor, f"{LONG_RACE if long else SHORT_RACE}&seed={seed}")
            viewers = _started_viewers(server.port, race_id, seed)
            arguments = [server.port, seed, seconds, scripts, race_id, stored_id]
            hostile = child("tools.chaos.hostile", *map(str, arguments))
            with measured(health, server, seconds), hostile as process:
                process.wait_for_first()
                honest.expect(viewers[0].live, "the race ended before the scripts began")
                process.process.wait(seconds + 120.0)
                heard = process.kill()
            race = stopped(home, race_id, END_SECONDS)
            stop(viewers)
        _check_attempts(others, heard)
        others.expect(_files(home, stored_id) == before, "another visitor's race was changed")
        honest.expect(race.status == RunStatus.FINISHED, f"the honest race is {race.status}")
        check_prefix(honest, race)
        check_polls(polls, viewers[:1])
        check_polls(replays, viewers[1:])
        health.expect(server.alive, "the server does not answer")
        health.expect(not server.tracebacks(), f"tracebacks: {server.tracebacks()[:5]}")
    return checks


def _started_viewers(port: int, race_id: str, seed: int) -> list[Viewer]:
    """Start a viewer who follows a race, and one who replays random moments of it."""
    viewers = [Viewer(port, race_id), Viewer(port, race_id, random.Random(seed))]
    for viewer in viewers:
        viewer.start()
    return viewers


def _stored_race(server: Server, home: Path, seed: int) -> str:
    """Start and stop a race of another visitor, and return its id."""
    with Visitor(server.port) as visitor:
        race_id = start_race(visitor, f"{STORED}&seed={seed}")
        visitor.press("stop")
    stopped(home, race_id)
    return race_id


def _files(home: Path, race_id: str) -> dict[str, bytes]:
    """Return the files of a race that has ended."""
    folder = home / "runs"
    named = [path for path in folder.iterdir() if path.is_file()]
    return {p.name: data for p in named if race_id.encode() in (data := p.read_bytes())}


def _check_attempts(check: Check, heard: list[dict[str, object]]) -> None:
    violations = [str(line["violation"]) for line in heard if "violation" in line]
    check.problems += sorted(set(violations))
    done = next((line["done"] for line in heard if "done" in line), {})
    assert isinstance(done, dict)
    check.cases += sum(done.values())
    check.expect(bool(done), "the scripts did not report")
    counts = sorted(done.items(), key=lambda item: -item[1])
    check.figures = ", ".join(f"{count} {name}" for name, count in counts[:6])
