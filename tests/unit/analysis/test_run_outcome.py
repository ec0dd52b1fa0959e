"""The outcome of one run, by hand."""

import pytest

from bolt_core.analysis.run_outcome import RunOutcome, failure
from bolt_core.common.types import RunStatus
from tests.support.runs import make_record, make_run


def outcome_of(*n_stars):
    """One warm-up pass, then a pass per n*; each lasts 0.5 s."""
    warmup = make_record(0, t=0.0, seconds=0.5, warmup=True, regret=9.0)
    passes = [
        make_record(i + 1, t=0.5 * (i + 1), seconds=0.5, n_star=n) for i, n in enumerate(n_stars)
    ]
    return RunOutcome(make_run([warmup, *passes]))


def test_an_empty_run_has_queries_and_nothing_else():
    outcome = RunOutcome(make_run([]))

    assert outcome.queries == 0
    assert outcome.end_time is outcome.average_regret is outcome.response_time is None
    assert outcome.final_size is outcome.median_size is None
    assert outcome.final_n_star is outcome.median_n_star is None


def test_warm_up_counts_as_queries_but_not_in_means_and_medians():
    outcome = outcome_of(None, 4, 6)

    assert outcome.queries == 4
    assert outcome.end_time == pytest.approx(2.0)
    assert outcome.average_regret == outcome.averages.over_queries == 1.0
    assert outcome.cumulative_regret == 3.0
    assert outcome.response_time == 0.5
    assert (outcome.final_size, outcome.median_size) == (4, 3.0)


def test_a_pass_without_limit_counts_as_the_highest_n_star():
    assert outcome_of(5, None, 7).median_n_star == 7.0
    assert outcome_of(5, None, None).median_n_star is None
    assert outcome_of().median_n_star is None


def test_the_final_n_star_is_that_of_the_last_pass():
    assert outcome_of(5, None, 7).final_n_star == 7
    assert outcome_of(5, 7, None).final_n_star is None


def test_a_finished_run_has_reached_its_horizon():
    run = make_run(
        [make_record(0, seconds=0.5)], status=RunStatus.FINISHED, header={"horizon": 60.0}
    )

    assert (RunOutcome(run).end_time, RunOutcome(run).time_reached) == (0.5, 60.0)


def test_a_failure_says_when_and_why():
    late = make_run(
        [make_record(0, t=3.0)], status=RunStatus.FAILED, error="valve stuck\nat line 3"
    )

    assert failure(late) == "at 3.0 s: valve stuck"
    assert "before its first query" in failure(make_run([], status=RunStatus.FAILED))
    assert failure(make_run([])) is None
