"""Runs for tests: made from a few numbers, or computed by the loop on the model clock.

- `make_run` returns the snapshot of a run, from a number of passes or from records.
- `make_diagonal_run`, `make_fitted_run` and `make_pruned_run` are presets of `make_run`: in several
  dimensions, with a fitted response time, with removals.
- `make_record` returns one pass, `make_config` a config.
- `first_passes` computes passes of a real run, `real_run` returns them as a snapshot on a slow
  device, and `write_run` writes them to a file.
"""

from dataclasses import fields
from functools import cache
from itertools import accumulate, islice

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
from bolt_core.store.records import RecordWriter

MODEL = ClockConfig("model")
STEEP = ClockConfig("model", device=(0.0, 0.02, 0.0, 0.0))  # n* of about 50 on Eggholder
WARMUP_PASSES = 15
R = (0.1, 0.0, 0.0, 1e-6)  # seconds: coefficients of the response time of a fitted run
THETA = Hyperparameters(1.0, 0.3, 20.0, 0.01)
KERNELS = {"spatial_kernel": "matern52", "temporal_kernel": "matern32"}
CONFIG_FIELDS = {field.name for field in fields(RunConfig)}
LEARNED = {"n_star": None, "theta": None, "notes": {}}  # during the warm-up


def make_config(**changes):
    """Return the config of random search on Eggholder and the model clock, with these changes."""
    return RunConfig(**{"algorithm": "random", "benchmark": "eggholder", "clock": MODEL, **changes})


def make_record(i, *, t=None, x=(0.5,), regret=1.0, **changes):
    """Return pass i: a query of x at time t, by default i seconds, with this regret."""
    measured = Observation(i, x, float(i) if t is None else t, changes.pop("y", -regret))
    usual = {"best": 0.0, "best_x": (0.2,) * len(x), "n": i, "seconds": 1.0, "warmup": False}
    return IterationRecord(measured, value=-regret, **{**usual, **changes})


def make_records(passes, **quantities):
    """Return the records of so many passes, the first fifteen of them warm-up.

    A quantity of a pass (`regret`, `seconds`, `t`, `x`, `removed`, `n_star`, ...) is a value, or a
    function of the pass number. What an algorithm learns (`n_star`, `theta`, `notes`) is left out
    during the warm-up. The dataset holds what was not removed, and a pass begins when the one
    before it ends, unless `n` or `t` are given.
    """
    quantities = {"seconds": 0.1, "regret": lambda i: 10.0 / (i + 1), **quantities}
    seconds = quantities["seconds"]
    ends = list(accumulate(map(seconds, range(passes)), initial=0.0)) if callable(seconds) else None
    records, members = [], set()
    for i in range(passes):
        values = {k: v(i) if callable(v) else v for k, v in quantities.items()}
        if i < WARMUP_PASSES:
            values |= {name: LEARNED[name] for name in LEARNED if name in values}
        begin = ends[i] if ends else i * seconds
        usual = {"t": begin, "n": len(members), "warmup": i < WARMUP_PASSES}
        records.append(make_record(i, **{**usual, **values}))
        members.add(i)
        members.difference_update(records[-1].removed)
    return records


def make_run(passes, *, status=None, error=None, header=None, run_id=None, **choices):
    """Return a run of so many passes, or of these records.

    The choices are fields of the config, or the whole `config`, and quantities of a pass as in
    `make_records`.
    """
    about = {name: choices.pop(name) for name in CONFIG_FIELDS & set(choices)}
    config = choices.pop("config", None) or make_config(**about)
    counted = isinstance(passes, int)
    records = make_records(passes, **choices) if counted else list(passes)
    dimension = len(records[0].observation.x) if records else 1
    history = RunHistory(dimension)
    for record in records:
        history.append(record)
    if counted and header is None:
        end = records[-1].observation.t + records[-1].seconds if records else 0.1
        header = {"horizon": end, "dimension": dimension, "race_id": "test"}
    status = status or (RunStatus.FAILED if error else RunStatus.RUNNING)
    run_id = f"{config.algorithm}-{config.seed}-{len(records)}" if run_id is None else run_id
    return RunSnapshot(config, status, history.view(), error, run_id, header)


def make_diagonal_run(passes, dimension, **choices):
    """Return a run in several dimensions: queries along a diagonal, a fixed optimum."""
    usual = {
        "algorithm": "bolt", "benchmark": "hartmann3", "seconds": 0.05, "regret": 1.0,
        "x": lambda i: (i / max(passes, 2),) * dimension, "best_x": (0.25,) * dimension,
    }  # fmt: skip
    return make_run(passes, **{**usual, **choices})


def make_fitted_run(passes, *, sizes=None, header=KERNELS, **choices):
    """Return a run of BOLT whose response time is R(n) and fitted so.

    The dataset has `sizes(i)` observations when pass i begins, or one more in every pass.
    """
    sizes = sizes or (lambda i: i)
    usual = {
        "algorithm": "bolt", "regret": 1.0, "y": 1.0, "t": lambda i: 0.1 * i, "n": sizes,
        "seconds": lambda i: R[0] + R[3] * sizes(i) ** 3, "theta": THETA,
        "notes": {"response": R, "response_floor": 0.05}, "removed": _oldest(passes, sizes),
    }  # fmt: skip
    return make_run(passes, header={"horizon": 60.0, **header}, **{**usual, **choices})


def _oldest(passes, sizes):
    """Return what a pass removes so that the next begins with its size, as a function of i."""
    members, removed = [], []
    for i in range(passes):
        members.append(i)
        surplus = len(members) - sizes(i + 1) if i + 1 < passes else 0
        removed.append(tuple(members[:surplus]) if surplus > 0 else ())
        members = members[len(removed[-1]) :]
    return removed.__getitem__


def make_pruned_run(passes, keep=40, *, algorithm="bolt", dimension=1, every=1):
    """Return a run that keeps `keep` observations and removes the oldest or another."""
    rng, members, removed = np.random.default_rng(0), [], []
    x = [tuple(rng.random(dimension).tolist()) for _ in range(passes)]
    for i in range(passes):
        members.append(i)
        full = len(members) > keep and i % every == 0
        removed.append((members.pop(0 if i % 4 == 0 else keep // 2),) if full else ())

    def notes(i):
        inference = {"y_mean": 0.0, "y_sd": 1.0, "restarted": i % 7 == 0, "evaluations": 3}
        scores = {"scores": [0.01]} if removed[i] else {}
        return {"inference": inference, "response": R, "response_floor": 0.05, **scores}

    return make_run(
        passes, algorithm=algorithm, header={"horizon": 60.0, **KERNELS}, regret=1.0,
        x=x.__getitem__, best_x=x.__getitem__, y=lambda i: float(np.sin(6 * x[i][0])),
        removed=removed.__getitem__, notes=notes, theta=THETA,
        n_star=lambda i: keep if i > 2 * WARMUP_PASSES else None,
    )  # fmt: skip


def first_passes(n, **changes):
    """Return the first n passes of a real run."""
    return list(islice(iterate(prepare(make_config(**changes))), n))


def write_run(path, n, *, status=RunStatus.FINISHED, **changes):
    """Write the first n passes of a real run to a file; return them."""
    run = prepare(make_config(**changes))
    records = []
    with RecordWriter(path, run.config, header=run.header_fields()) as writer:
        for record in islice(iterate(run), n):
            writer.append(record, run.state)
            records.append(record)
        writer.close(status)
    return records


@cache
def _begun(algorithm, benchmark):
    """Return a run that can be continued: the run, the iterator of its passes, its records."""
    run = prepare(RunConfig(algorithm, benchmark, clock=STEEP))
    return run, iterate(run), []


@cache
def real_run(algorithm, passes=60, benchmark="eggholder"):
    """Return the first passes of a real run on a slow device, as a live page sees them."""
    run, more, records = _begun(algorithm, benchmark)
    records.extend(islice(more, max(passes - len(records), 0)))
    name = f"real-{algorithm}-{benchmark}"
    return make_run(records[:passes], config=run.config, header=run.header_fields(), run_id=name)
