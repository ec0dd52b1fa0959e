"""Regret: the averages by hand, and the paper's own Overall row."""

import pytest

from bolt_core import regret
from bolt_core.errors import ConfigError
from tests.helpers import record, snapshot

ALGORITHMS = ("gpucb", "et-gpucb", "r-gpucb", "tv-gpucb", "abo", "w-dbo", "bolt")
TABLE_2 = {  # average regrets printed in the paper
    "shekel": (2.57, 2.57, 2.58, 2.62, 2.67, 2.64, 2.51),
    "hartmann3": (1.58, 1.43, 0.70, 0.77, 0.91, 0.63, 0.60),
    "ackley": (4.26, 4.39, 4.28, 3.83, 4.75, 3.42, 2.92),
    "griewank": (0.59, 0.61, 0.61, 0.66, 0.69, 0.57, 0.58),
    "eggholder": (517, 522, 298, 305, 546, 277, 262),
    "schwefel": (590, 589, 1024, 726, 792, 615, 523),
    "hartmann6": (1.67, 1.75, 1.44, 0.96, 1.32, 0.70, 0.72),
    "powell": (3429, 3283, 1422, 1301, 6721, 1066, 547),
    "temperature": (1.12, 1.29, 0.70, 1.25, 1.41, 0.98, 0.72),
    "wlan": (20.2, 21.2, 10.4, 7.8, 17.3, 8.9, 7.7),
}


def columns(*records):
    return snapshot(records).columns


TWO_SPEEDS = columns(
    record(0, t=0.0, regret=8.0, warmup=True, seconds=1.0),
    record(1, t=1.0, regret=4.0, seconds=1.0),
    record(2, t=2.0, regret=1.0, seconds=3.0),
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
    found = regret.averages(columns(record(0, warmup=True)))

    assert found.over_queries is None
    assert found.over_time is None
    assert found.over_queries_with_warmup == 1.0


def test_an_empty_run_has_no_averages():
    assert regret.averages(columns()).over_queries_with_warmup is None


def test_overall_runs_from_zero_for_the_best_everywhere_to_one_for_the_worst():
    table = {"a": {"good": 1.0, "bad": 3.0, "middle": 2.0}, "b": {"good": 0, "bad": 8, "middle": 2}}

    assert regret.overall(table) == {"good": 0.0, "bad": 1.0, "middle": 0.375}


def test_random_never_takes_part_in_the_normalisation():
    with_random = {"a": {"good": 1.0, "bad": 3.0, "random": 100.0}}

    assert regret.overall(with_random) == {"good": 0.0, "bad": 1.0}


def test_overall_refuses_benchmarks_with_different_algorithms():
    with pytest.raises(ConfigError, match="same algorithms"):
        regret.overall({"a": {"x": 1.0}, "b": {"y": 1.0}})


def test_overall_gives_the_papers_last_row_from_its_printed_table():
    table = {b: dict(zip(ALGORITHMS, row, strict=True)) for b, row in TABLE_2.items()}

    printed = (0.62, 0.67, 0.37, 0.38, 0.82, 0.19, 0.02)
    # 0.015: the paper normalised before it rounded the table to two or three digits
    assert list(regret.overall(table).values()) == pytest.approx(printed, abs=0.015)
