"""Runs in any number of dimensions, made by hand."""

from dataclasses import replace

from bolt_core.common.types import IterationRecord, Observation, RunConfig, RunStatus
from bolt_core.runs.record_fields import SCALARS
from bolt_core.runs.snapshot import RunHistory, RunSnapshot


def placed(n, d, *, algorithm="bolt", benchmark="hartmann3", best=0.25, seconds=None):
    """Return a run in d dimensions: queries along a diagonal, an optimum that does not move."""
    history = RunHistory(d)
    t = 0.0
    for i in range(n):
        took = 0.05 if seconds is None else seconds(i)
        o = Observation(i, (i / max(n, 2),) * d, t, 0.0)
        history.append(IterationRecord(o, 0.0, 1.0, (best,) * d, i, took, i < 15))
        t += took
    about = {"horizon": max(t, 1.0), "dimension": d}
    config = RunConfig(algorithm, benchmark)
    return RunSnapshot(config, RunStatus.RUNNING, history.view(), None, "", about)


def with_regret(run, regret):
    """Return the run with this regret for every query."""
    table = run.columns.table.copy()
    table[SCALARS.index("value")] = table[SCALARS.index("best")] - regret
    return replace(run, columns=replace(run.columns, table=table))
