"""The incremental summary of a run equals the one computed from its columns."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolt_core.store.run_summary import MAX_SPARK_POINTS, RunSummary
from tests.support.runs import make_record, make_run

times = st.floats(0.0, 1e4)
PASS = st.tuples(
    st.fixed_dictionaries(
        {"t": times, "regret": st.floats(-1e6, 1e6), "warmup": st.booleans(), "seconds": times}
    ),
    times,  # waited
    st.none() | st.integers(5, 500),  # n*
    st.integers(0, 3),  # observations removed
)


def passes_of(drawn):
    """Passes with any regret, waiting, response time, n* and removals, in any order of time."""
    records, members = [], []
    for i, (values, waited, n_star, removals) in enumerate(drawn):
        n = len(members)
        members.append(i)
        removed, members = tuple(members[:removals]), members[removals:]
        one = make_record(i, removed=removed, **values)
        records.append(replace(one, n=n, n_star=n_star, waited=waited))
    return records


@given(st.lists(PASS, max_size=30).map(passes_of))
def test_the_incremental_summary_equals_the_one_computed_from_columns(passes):
    run, summary = make_run(passes), RunSummary()
    for one in passes:
        summary.add(one)
    line, columns = summary.summary(), run.columns
    full = columns["warmup"] == 0

    assert line["iterations"] == len(run)
    assert line["t"] == run.end
    assert line["n"] == (run.sizes()[-1] if passes else 0) == len(run.members())
    assert line["n_star"] == (passes[-1].n_star if passes else None)
    assert (line["regret"], line["response"]) == pytest.approx(
        (columns["regret"][full].mean(), columns["seconds"][full].mean())
        if full.any()
        else (None, None)
    )


@pytest.mark.parametrize("n", [0, 1, MAX_SPARK_POINTS - 1, MAX_SPARK_POINTS, 1000, 50_000])
def test_the_small_curve_stays_short_and_ends_near_the_end(n):
    summary = RunSummary()
    for i in range(n):
        summary.add(make_record(i, regret=float(i)))
    spark = summary.summary()["spark"]

    assert len(spark) < MAX_SPARK_POINTS
    assert spark == sorted(spark)
    if n:
        assert spark[-1] >= 0.9 * summary.summary()["regret"]


def test_the_regret_of_a_problem_without_a_known_optimum_is_none():
    summary = RunSummary()
    summary.add(make_record(0, regret=float("nan")))

    assert summary.summary()["regret"] is None
    assert json.dumps(summary.summary(), allow_nan=False)
