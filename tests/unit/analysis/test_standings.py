"""Standings: sorted by average regret, failed lanes last."""

import pytest

from bolt_core.analysis.regret import averages
from bolt_core.analysis.standings import standings
from tests.support.runs import make_run


def test_rows_are_sorted_and_those_without_a_regret_come_last():
    runs = [make_run(10), make_run(40, algorithm="abo"), make_run(40, algorithm="bolt", regret=0.0)]

    assert [row.key for row in standings(runs)] == ["bolt", "abo", "random"]


def test_the_regret_is_the_headline_average():
    run = make_run(40)

    assert standings([run])[0].average_regret == pytest.approx(averages(run.columns).over_queries)


def test_a_failed_lane_never_leads():
    runs = [make_run(40), make_run(40, algorithm="bolt", regret=0.0, error="broke")]

    assert [(row.key, row.failed) for row in standings(runs)] == [("random", False), ("bolt", True)]
