"""Regret: the averages by hand, and the paper's own Overall row."""

import pytest

from bolt_core.analysis import regret
from tests.support.runs import make_record, make_run


def columns(*records):
    return make_run(records).columns


TWO_SPEEDS = columns(
    make_record(0, t=0.0, regret=8.0, warmup=True, seconds=1.0),
    make_record(1, t=1.0, regret=4.0, seconds=1.0),
    make_record(2, t=2.0, regret=1.0, seconds=3.0),
)


def test_instant_regret_is_what_was_lost_at_each_query():
    assert regret.instant(TWO_SPEEDS).tolist() == [4.0, 1.0]
    assert regret.instant(TWO_SPEEDS, warmup=True).tolist() == [8.0, 4.0, 1.0]


def test_cumulative_and_running_average_regret_by_hand():
    assert regret.cumulative(TWO_SPEEDS, warmup=True).tolist() == [8.0, 12.0, 13.0]
    assert regret.running_average(TWO_SPEEDS).tolist() == [4.0, 2.5]


def test_the_four_averages_by_hand():
    found = regret.averages(TWO_SPEEDS)

    assert found.over_queries == 2.5
    assert found.over_time == pytest.approx((4 * 1 + 1 * 3) / 4)
    assert found.over_queries_with_warmup == pytest.approx(13 / 3)
    assert found.over_time_with_warmup == pytest.approx((8 * 1 + 4 * 1 + 1 * 3) / 5)


def test_a_run_still_warming_up_has_no_headline():
    found = regret.averages(columns(make_record(0, warmup=True)))

    assert found.over_queries is None
    assert found.over_time is None
    assert found.over_queries_with_warmup == 1.0


def test_an_empty_run_has_no_averages():
    assert regret.averages(columns()).over_queries_with_warmup is None
