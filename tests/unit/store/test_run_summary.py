"""The incremental summary of a run equals the one computed from its columns."""

import json

import pytest

from bolt_core.analysis import regret
from bolt_core.store import records
from bolt_core.store.run_summary import SPARK, RunSummary
from tests.support.helpers import record, write


def test_a_summary_agrees_with_the_columns(tmp_path):
    write(tmp_path / "a.jsonl", 60)
    run = records.read(tmp_path / "a.jsonl")
    summary = RunSummary()
    for one in run.records:
        summary.add(one)
    line = summary.summary()

    assert line["regret"] == pytest.approx(regret.averages(run.columns).over_queries)
    assert (line["iterations"], line["n"]) == (60, run.sizes()[-1])
    assert line["t"] == run.columns.ends()[-1]
    assert line["response"] == pytest.approx(run.columns["seconds"][15:].mean())


@pytest.mark.parametrize("n", [0, 1, SPARK - 1, SPARK, 1000, 50_000])
def test_the_small_curve_stays_short_and_ends_near_the_end(n):
    summary = RunSummary()
    for i in range(n):
        summary.add(record(i, regret=float(i)))
    spark = summary.summary()["spark"]

    assert len(spark) < SPARK
    assert spark == sorted(spark)
    if n:
        assert spark[-1] >= 0.9 * summary.summary()["regret"]


def test_the_regret_of_a_problem_without_a_known_optimum_is_none():
    summary = RunSummary()
    summary.add(record(0, regret=float("nan")))

    assert summary.summary()["regret"] is None
    assert json.dumps(summary.summary(), allow_nan=False)
