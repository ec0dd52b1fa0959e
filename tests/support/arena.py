"""Charts as the browser gets them, and runs in any number of dimensions."""

import json
from dataclasses import replace

import plotly.graph_objects as go

from bolt_core.analysis.downsample import POINTS_PER_TRACE
from bolt_core.common.types import IterationRecord, Observation, RunConfig, RunStatus
from bolt_core.runs.record_fields import SCALARS
from bolt_core.runs.snapshot import RunHistory, RunSnapshot


def valid_chart(chart):
    """Return the chart after a round trip through JSON; a plot must be accepted by plotly."""
    chart = json.loads(json.dumps(chart, allow_nan=False))
    words = json.dumps(chart)
    assert "nan" not in words
    assert "None" not in words
    if chart["kind"] == "plot":
        go.Figure(data=chart["data"], layout=chart["layout"])
        assert chart["data"]
        assert chart["layout"]["meta"]["alt"]
        assert chart["layout"]["meta"]["caption"]
        assert len(chart["times"]) == len(chart["data"])
        for trace, times in zip(chart["data"], chart["times"], strict=True):
            assert len(trace["x"]) <= POINTS_PER_TRACE
            assert times in ("x", None) or len(times) == len(trace["x"])
    elif chart["kind"] == "text":
        assert chart["text"]
    elif chart["kind"] == "steps":
        assert chart["steps"]
    else:
        assert chart["alt"]
        assert chart["caption"]
    return chart


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
