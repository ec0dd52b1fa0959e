"""The judges of the lessons: each option can come true, and a run can decide nothing."""

import re
from dataclasses import replace

import pytest

from bolt_core.common.text import seconds
from bolt_ui.lessons import lesson_judges
from bolt_ui.lessons.lesson_catalog import BY_KEY, LESSONS
from bolt_ui.lessons.lesson_judges import (
    fast_engine,
    held_regret,
    how_much_data,
    metronome,
    slower_device,
    stale_not_old,
    what_removal_gains,
)
from tests.support.charts import valid_chart
from tests.support.lesson_runs import lesson_race, oldest_first, youngest_first
from tests.support.runs import WARMUP_PASSES


def numbers(verdict):
    """Return the whole numbers in a summary."""
    return set(re.findall(r"\d+", verdict.summary))


def by_turns(i):
    """Remove the oldest in two passes, then the youngest in one."""
    k = i - WARMUP_PASSES
    return (i,) if k % 3 == 2 else (2 * (k // 3) + k % 3,)


@pytest.mark.parametrize(
    ("bolt", "gpucb", "option"),
    [(400, 250, 2), (125, 100, 2), (124, 100, 1), (100, 100, 1), (100, 124, 1), (100, 125, 0)],
)
def test_the_metronome_judge_counts_queries(bolt, gpucb, option):
    settled = lesson_race(BY_KEY["metronome"], {"queries": bolt}, {"queries": gpucb, "beat": 1.25})
    verdict = metronome(settled)

    assert verdict.option == option
    assert {str(bolt), str(gpucb)} <= numbers(verdict)
    assert seconds(0.5) in verdict.summary
    assert seconds(1.25) in verdict.summary
    assert [trace["y"][-1] for trace in verdict.figure["data"]] == [bolt, gpucb]


def test_the_metronome_judge_says_how_the_response_times_changed():
    rise_and_fall = {"queries": 100, "beat": lambda i: 0.25 if i < 40 else 0.5 if i < 70 else 0.375}
    verdict = metronome(lesson_race(BY_KEY["metronome"], rise_and_fall, {"queries": 40}))
    bolt = verdict.summary.partition("of BOLT was")[2].partition(";")[0]

    places = [bolt.index(seconds(value)) for value in (0.25, 0.5, 0.375)]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("regrets", "option"),
    [((1.0, 2.0, 3.0), 1), ((2.0, 1.0, 3.0), 1), ((3.0, 2.0, 1.0), 0), ((1.0, 1.05, 1.09), 2)],
)
def test_the_how_much_data_judge_takes_the_lowest_average_regret(regrets, option):
    runs = [{"queries": 40, "regret": regret} for regret in regrets]
    verdict = how_much_data(lesson_race(BY_KEY["how-much-data"], *runs))

    assert verdict.option == option
    for row in verdict.figure["rows"]:
        assert all(row["cells"][k] in verdict.summary for k in (0, 1, 2, 4))
    assert [row["cells"][4] for row in verdict.figure["rows"]] == [f"{r:.2f}" for r in regrets]


@pytest.mark.parametrize(
    ("usual", "fast", "option"),
    [
        ((50, 1.0), (52, 0.2), 0),
        ((50, 1.0), (150, 0.5), 1),
        ((50, 1.0), (150, 0.95), 2),
        ((50, 1.0), (50, 1.0), None),
        ((None, 1.0), (150, 0.5), None),
    ],
)
def test_the_fast_engine_judge_compares_n_star_and_response_time(usual, fast, option):
    runs = [{"queries": 60, "n_star": n_star, "beat": beat} for n_star, beat in (usual, fast)]

    assert fast_engine(lesson_race(BY_KEY["fast-engine"], *runs)).option == option


@pytest.mark.parametrize(
    ("usual", "slower", "option"),
    [
        ((240, 200), (120, 80), 0),
        ((240, 200), (80, 66), 1),
        ((300, 200), (80, 80), 2),
        ((200, 240), (66, 80), 1),
    ],
)
def test_the_removal_judge_compares_gains_in_queries(usual, slower, option):
    runs = [{"queries": count} for count in (*usual, *slower)]
    verdict = what_removal_gains(lesson_race(BY_KEY["what-removal-gains"], *runs))

    assert verdict.option == option
    assert set(map(str, (*usual, *slower))) <= numbers(verdict)
    assert [trace["y"][-1] for trace in verdict.figure["data"]] == [*usual, *slower]
    names = [trace["name"] for trace in verdict.figure["data"]]
    assert len(set(names)) == 4
    assert max(map(len, names)) <= 24  # longer names hide the lines on a phone


@pytest.mark.parametrize(
    ("bolt", "abo", "option"), [(1.2, 1.3, 0), (1.2, 1.4, 1), (1.4, 1.2, 2), (3.0, 2.0, 3)]
)
def test_the_held_regret_judge_compares_two_regrets_of_each(monkeypatch, bolt, abo, option):
    held = {"bolt": bolt, "abo": abo}  # the average regret of the made runs is 1
    monkeypatch.setattr(
        lesson_judges, "held_regret_if_quick", lambda run: held[run.config.algorithm]
    )
    verdict = held_regret(lesson_race(BY_KEY["held-regret"], {"queries": 40}, {"queries": 20}))

    assert verdict.option == option
    assert f"BOLT {bolt:.1f}" in verdict.summary
    assert [row["cells"][4] for row in verdict.figure["rows"]] == [f"{bolt:.2f}", f"{abo:.2f}"]


@pytest.mark.parametrize(
    ("usual", "slow", "option"),
    [(50, 20, 0), (50, 48, 1), (50, 54, 1), (50, 60, 2), (None, 40, 0), (40, None, 2)],
)
def test_the_slower_device_judge_compares_n_star(usual, slow, option):
    runs = [{"queries": 100, "n_star": usual}, {"queries": 60, "beat": 1.0, "n_star": slow}]
    verdict = slower_device(lesson_race(BY_KEY["slower-device"], *runs))
    size = {None: "not finite"}

    assert verdict.option == option
    names = [trace["name"] for trace in verdict.figure["data"]]
    assert set(names) <= {"nominal device", "4× slower"}
    assert f"{size.get(usual, usual)} on the nominal" in verdict.summary
    assert f"{size.get(slow, slow)} on the slower" in verdict.summary


def test_two_devices_without_a_finite_n_star_decide_nothing():
    settled = lesson_race(BY_KEY["slower-device"], {"queries": 40}, {"queries": 40})
    verdict = slower_device(settled)

    assert verdict.option is None
    assert "not finite" in verdict.summary
    assert verdict.figure["kind"] == "text"


def test_the_devices_are_identified_by_their_clocks_not_by_their_order():
    settled = lesson_race(
        BY_KEY["slower-device"], {"queries": 60, "n_star": 50}, {"queries": 60, "n_star": 20}
    )

    verdict = slower_device(replace(settled, runs=settled.runs[::-1]))

    assert (verdict.option, verdict.summary) == (0, slower_device(settled).summary)


@pytest.mark.parametrize(
    ("removed", "option", "oldest"),
    [(oldest_first, 0, 24), (by_turns, 1, 16), (youngest_first, 2, 0)],
)
def test_the_stale_not_old_judge_counts_the_oldest_removals(removed, option, oldest):
    runs = [{"queries": 39, "removed": removed}, {"queries": 39, "removed": oldest_first}]
    verdict = stale_not_old(lesson_race(BY_KEY["stale-not-old"], *runs))

    assert verdict.option == option
    assert {"24", str(oldest)} <= numbers(verdict)
    assert [row["cells"][1:3] for row in verdict.figure["rows"]] == [
        ["24", str(oldest)],
        ["24", "24"],
    ]


def test_a_run_without_removals_decides_nothing():
    verdict = stale_not_old(lesson_race(BY_KEY["stale-not-old"], {"queries": 60}, {"queries": 60}))

    assert verdict.option is None
    assert "removed nothing" in verdict.summary


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
@pytest.mark.parametrize("queries", [1, 40, 3000])
def test_a_verdict_has_a_valid_figure(lesson, queries):
    runs = [{"queries": queries, "n_star": 30, "removed": youngest_first}] * len(lesson.configs())

    assert valid_chart(lesson.judge(lesson_race(lesson, *runs)).figure)


def test_the_slower_device_lesson_runs_bolt_on_two_devices():
    usual, slow = BY_KEY["slower-device"].configs()

    assert usual.algorithm == slow.algorithm == "bolt"
    assert slow.clock.device == tuple(4.0 * c for c in usual.clock.device)
    assert replace(slow, clock=usual.clock) == usual
