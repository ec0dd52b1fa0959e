"""Eight threads at once give what one thread gives, bit for bit, on both engines."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from bolt_core.bench.datasets import from_gp
from bolt_core.gp import load
from bolt_core.gp.protocol import FitRequest, Model

JOBS, SEEDS = 8, 3  # threads; different runs among them, so that one thread has less to do again
PASSES = {"exact": 3, "botorch": 1}  # a pass on BoTorch takes half a second


def work(engine, seed, start=None):
    """Passes of one run: fit, acquire, choose what to remove."""
    rng, model = np.random.default_rng(seed), Model(1 + seed % 3)
    data, gps, known = from_gp(rng, model, 30 + 5 * seed), load(engine, model), None
    passes = []
    if start is not None:
        start.wait(timeout=60)
    for last in range(PASSES[engine], 0, -1):
        part = data.without(len(data) - last)
        gp = gps.fit(part, FitRequest(float(len(data)), known), rng)
        known = gp.inference
        x, _ = gp.maximise_ucb(float(len(data)), rng)
        passes.append((known, tuple(x), tuple(gp.removals(float(len(data)), 2))))
    return passes


@pytest.mark.parametrize("engine", ["exact", "botorch"])
def test_eight_threads_agree_with_one(engine):
    alone = [work(engine, seed) for seed in range(SEEDS)]
    start = Barrier(JOBS)
    with ThreadPoolExecutor(JOBS) as pool:
        together = list(pool.map(lambda job: work(engine, job % SEEDS, start), range(JOBS)))

    assert together == [alone[job % SEEDS] for job in range(JOBS)]
