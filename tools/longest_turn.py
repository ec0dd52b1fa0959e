"""How long one pass computes without a point at which it can be suspended.

Live races take turns in threads of one process (`bolt_core/live/turns.py`). A race in a process of
its own would hold up no other, but takes memory and time to start. Call
`python -m tools.longest_turn [N ...]`: it prints, in CPU seconds of one thread, a pass of GP-UCB
and of BOLT with N observations, its longest stretch between two such points, and what a process of
its own costs.
"""

import subprocess
import sys
import time

import numpy as np

from bolt_core.common import runtime
from bolt_core.common.types import ClockConfig, Observation, RunConfig
from bolt_core.gp.workspace import Workspace
from bolt_core.runs.loop import iterate, prepare

SIZES = (250, 500, 1000, 1500, 2000, 3000)
HORIZON = 600.0
FIRST_PASSES = 12  # until the hyperparameters have been fitted once
IN_A_PROCESS = """
import os, time, bolt_core.live.conductor
pages = int(open("/proc/self/statm").read().split()[1])
print(time.process_time(), pages * os.sysconf("SC_PAGE_SIZE") / 2**20)"""


def longest_stretch(algorithm: str, size: int) -> tuple[float, float]:
    """Return the CPU seconds of a pass with `size` observations, and of its longest stretch."""
    clock = ClockConfig("model", device=(HORIZON / size, 0.0, 0.0, 0.0))
    run = prepare(RunConfig(algorithm, "powell", clock=clock, warmup=5))
    points: list[float] = []
    run.share_workspace(Workspace(lambda: points.append(time.thread_time())))
    passes, rng = iterate(run), np.random.default_rng(0)
    for _ in range(FIRST_PASSES):
        next(passes)
    for i in range(FIRST_PASSES, size):
        x, t = rng.random(run.benchmark.dimension), i * HORIZON / size
        run.optimizer.tell(Observation(i, tuple(x), t, float(np.sin(5.0 * x.sum() + t / 50.0))))
    points.clear()
    began = time.thread_time()
    next(passes)
    points = [began, *points, time.thread_time()]
    return points[-1] - began, float(np.diff(points).max())


def main() -> None:
    runtime.configure()
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    sys.stdout.write("algorithm      n  pass, s  longest stretch, s\n")
    for algorithm in ("gpucb", "bolt"):
        for size in sizes:
            seconds, stretch = longest_stretch(algorithm, size)
            sys.stdout.write(f"{algorithm:9} {size:6} {seconds:8.2f} {stretch:19.2f}\n")
    command = [sys.executable, "-c", IN_A_PROCESS]
    seconds, mebibytes = map(float, subprocess.check_output(command, text=True).split())
    sys.stdout.write(f"its own process: {seconds:.1f} s of CPU to start, {mebibytes:.0f} MiB\n")


if __name__ == "__main__":
    main()
