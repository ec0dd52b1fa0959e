"""Runs for the Inside page: made by hand, and real ones with an interior n*."""

from functools import cache
from itertools import islice

import numpy as np

from bolt_core.common.types import (
    ClockConfig,
    Hyperparameters,
    IterationRecord,
    Observation,
    RunConfig,
    RunStatus,
)
from bolt_core.runs.loop import iterate, prepare
from bolt_core.runs.snapshot import RunHistory, RunSnapshot

STEEP = ClockConfig("model", device=(0.0, 0.02, 0.0, 0.0))  # n* of about 50 on Eggholder
R = (0.1, 0.0, 0.0, 1e-6)
THETA = Hyperparameters(1.0, 0.3, 20.0, 0.01)
WARM = 15
KERNELS = {"spatial_kernel": "matern52", "temporal_kernel": "matern32"}


def by_hand(  # noqa: PLR0913 - what a run may be
    n, *, algorithm="bolt", sizes=None, notes=None, n_star=None, error=None, header=KERNELS
):
    """Return a run of n passes: one observation more per pass, or `sizes`, and R(n) as above."""
    history, members = RunHistory(1), []
    for i in range(n):
        size = sizes(i) if sizes else i
        members.append(i)
        surplus = len(members) - sizes(i + 1) if sizes and i + 1 < n else 0
        removed, members = tuple(members[:surplus]), members[surplus:]
        warm = i < WARM
        said = {} if warm else {"response": R, "response_floor": 0.05} if notes is None else notes
        history.append(
            IterationRecord(
                Observation(i, (0.5,), 0.1 * i, 1.0), 0.0, 1.0, (0.5,), size,
                R[0] + R[3] * size**3, warm, theta=None if warm else THETA,
                n_star=None if warm else n_star, removed=removed, notes=said,
            )
        )  # fmt: skip
    config = RunConfig(algorithm, "eggholder", clock=ClockConfig("model"))
    status = RunStatus.FAILED if error else RunStatus.RUNNING
    about = {"horizon": 60.0, **header}
    return RunSnapshot(config, status, history.view(), error, f"by-hand-{algorithm}-{n}", about)


@cache
def begun(algorithm, benchmark):
    """Return a run that can be continued: the run, the iterator of its passes, its records."""
    run = prepare(RunConfig(algorithm, benchmark, clock=STEEP))
    return run, iterate(run), []


@cache
def real(algorithm, passes=60, benchmark="eggholder"):
    """Return the first passes of a real run on a slow device, as a live page sees them."""
    run, more, records = begun(algorithm, benchmark)
    records.extend(islice(more, max(passes - len(records), 0)))
    history = RunHistory(run.benchmark.dimension)
    for record in records[:passes]:
        history.append(record)
    name = f"real-{algorithm}-{benchmark}"
    return RunSnapshot(
        run.config, RunStatus.RUNNING, history.view(), None, name, run.header_fields()
    )


def kept_few(n, keep=40, *, algorithm="bolt", dimension=1, every=1):
    """Return a run of n passes that keeps `keep` observations and removes the oldest or another."""
    history, members = RunHistory(dimension), []
    rng = np.random.default_rng(0)
    for i in range(n):
        warm, x = i < WARM, tuple(rng.random(dimension).tolist())
        members.append(i)
        size, gone, notes = len(members) - 1, (), {}
        if not warm:
            told = {"y_mean": 0.0, "y_sd": 1.0, "restarted": i % 7 == 0, "evaluations": 3}
            notes = {"inference": told, "response": R, "response_floor": 0.05}
        if size >= keep and i % every == 0:
            gone = (members.pop(0 if i % 4 == 0 else keep // 2),)
            notes = notes | {"scores": [0.01]}
        history.append(
            IterationRecord(
                Observation(i, x, 0.1 * i, float(np.sin(6 * x[0]))), 0.0, 1.0, x, size, 0.1, warm,
                theta=None if warm else THETA, n_star=keep if i > 2 * WARM else None,
                removed=gone, notes=notes,
            )
        )  # fmt: skip
    config = RunConfig(algorithm, "eggholder", clock=ClockConfig("model"))
    about = {"horizon": 60.0, **KERNELS}
    name = f"few-{algorithm}-{n}"
    return RunSnapshot(config, RunStatus.RUNNING, history.view(), None, name, about)
