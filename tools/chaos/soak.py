"""Nine lanes and three viewers for an hour: does the memory of the server grow?

Memory is sampled, and its slope found by least squares, with the standard error. A race that has
ended is started again, as a server runs many of them.
"""

import threading
import time

import numpy as np

from tools.chaos.processes import temporary_home
from tools.chaos.report import Check
from tools.chaos.viewers import Viewer, start_race
from tools.chaos.visitor import Visitor
from tools.chaos.web import Server, serving

NINE = "bolt,gpucb,tv-gpucb,r-gpucb,abo,sw-gpucb,w-gpucb,et-gpucb,w-dbo"
RACE = f"bench=eggholder&algos={NINE}&clock=model&device=paper&cut=60"
VIEWERS = 3
SHORT_SECONDS, LONG_SECONDS = 3.0, 3600.0
SETTLING_SHARE = 0.25  # of the time, before the slope is measured: caches fill
SAMPLES = 300
MAX_MIB_PER_HOUR = 60.0  # by which the slope may exceed two standard errors


def slope(times: list[float], values: list[float]) -> tuple[float, float]:
    """Return the least-squares slope of values over times, and its standard error."""
    t, y = np.asarray(times), np.asarray(values)
    centred = t - t.mean()
    spread = float(centred @ centred)
    rate = float(centred @ y) / spread
    rest = y - y.mean() - rate * centred
    return rate, float(np.sqrt(rest @ rest / max(len(t) - 2, 1) / spread))


def run(seed: int, *, long: bool) -> list[Check]:
    """Let a server run races with viewers, and check its memory."""
    seconds = LONG_SECONDS if long else SHORT_SECONDS
    check = Check("soak", "memory of the server")
    with temporary_home() as home, serving(home) as server:
        times, values, races = _soak(server, seed, seconds)
        check.expect(server.alive, "the server does not answer")
        check.expect(not server.tracebacks(), f"tracebacks: {server.tracebacks()[:3]}")
    settled = [k for k, t in enumerate(times) if t - times[0] >= SETTLING_SHARE * seconds]
    rate, error = slope([times[k] for k in settled], [values[k] for k in settled])
    per_hour, error_per_hour = 3600 * rate, 3600 * error
    check.figures = (
        f"{values[0]:.0f} to {values[-1]:.0f} MiB in {seconds:.0f} s and {races} races, "
        f"slope {per_hour:.1f} ± {error_per_hour:.1f} MiB/h"
    )
    grows = per_hour - 2 * error_per_hour > MAX_MIB_PER_HOUR
    check.expect(not (long and grows), f"memory grows by {per_hour:.0f} MiB per hour")
    return [check]


def _soak(server: Server, seed: int, seconds: float) -> tuple[list[float], list[float], int]:
    """Return times, resident MiB at these times, and the number of races."""
    done, races = threading.Event(), 0
    times: list[float] = []
    values: list[float] = []

    def sample() -> None:
        while not done.wait(seconds / SAMPLES):
            times.append(time.monotonic())
            values.append(server.resident_mib)

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with Visitor(server.port) as visitor:
            race_id = start_race(visitor, f"{RACE}&seed={seed + races}")
            races += 1
            viewers = [Viewer(server.port, race_id) for _ in range(VIEWERS)]
            for viewer in viewers:
                viewer.start()
            while time.monotonic() < until and viewers[0].live:
                time.sleep(0.2)
            for viewer in viewers:
                viewer.stop()
                viewer.join()
            if viewers[0].live:
                visitor.press("stop")
    done.set()
    sampler.join()
    return times, values, races
