"""What counts towards the warm-up, and which time is meant when none is given."""

import math
from datetime import UTC, datetime, timedelta

import pytest

from bolt_core import Bolt, Real
from bolt_core.common.errors import ConfigError

KNOBS = {"a": Real(0, 1)}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_failed_measurements_do_not_count_towards_the_warmup():
    opt = Bolt(KNOBS, warmup=3)
    left = []
    for t, y in enumerate([1.0, math.nan, 2.0, math.nan, 3.0]):
        opt.tell(opt.ask(float(t)), None, y)
        left.append(opt.status().warmup_left)
        assert ("random" in str(opt.status())) == (left[-1] > 0)
    assert left == [2, 2, 1, 1, 0]
    assert opt.status().failed == 2
    opt.best()  # is known when the warm-up has ended


def test_without_a_time_the_best_setting_is_that_of_the_newest_ask():
    opt = Bolt(KNOBS, warmup=2)
    for k in range(3):
        opt.tell(opt.ask(NOON + timedelta(minutes=k)), None, float(k))
    assert opt.best().at == NOON + timedelta(minutes=2)
    opt.ask(NOON + timedelta(hours=9))
    assert opt.best().at == NOON + timedelta(hours=9)


@pytest.mark.parametrize(
    ("first", "other", "remedy"),
    [
        (NOON, None, "datetime.now\\(timezone.utc\\)"),
        (NOON.replace(tzinfo=None), None, "datetime.now\\(\\)"),
        (5.0, None, "give seconds"),
        (None, NOON, "give None"),
    ],
)
def test_another_kind_of_time_is_refused_with_the_one_to_give(first, other, remedy):
    opt = Bolt(KNOBS)
    opt.ask(first)
    with pytest.raises(ConfigError, match=remedy):
        opt.ask(other)


def test_without_a_time_a_result_has_the_time_of_its_ask_if_times_are_given():
    opt = Bolt(KNOBS)
    opt.ask(NOON)
    opt.tell(None, None, 1.0, id=1)
    assert opt.log()["time"].tolist() == [NOON]
    with pytest.raises(ConfigError, match="give a datetime"):
        opt.tell({"a": 0.123}, None, 1.0)
