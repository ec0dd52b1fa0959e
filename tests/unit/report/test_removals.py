"""Tests of what the first section says of removal."""

from dataclasses import replace

from bolt_core.common import devices
from bolt_core.common.types import ClockConfig
from bolt_core.report.builders import removals
from bolt_core.report.model.cases import Cases
from tests.support.reports import invented, section
from tests.support.wording import in_order


def test_the_first_paragraph_counts_where_w2_is_shown_to_be_the_better_choice():
    shifts = {("bolt-oldest", "schwefel"): 50.0, ("bolt-random", "powell"): -50.0}
    base = invented(("bolt", "w-dbo", "bolt-oldest", "bolt-random"), seeds=6)

    def regret(run):
        config = run.config
        near_bolt = base_regret[config.benchmark, config.seed] * (1 + 0.01 * (-1) ** config.seed)
        shift = shifts.get((config.algorithm, config.benchmark), 0.0)
        return near_bolt + shift if config.algorithm.startswith("bolt-") else near_bolt

    base_regret = {
        (r.config.benchmark, r.config.seed): r.averages["over_queries"]
        for r in base.runs
        if r.config.algorithm == "bolt"
    }
    runs = tuple(
        r
        if r.config.algorithm in ("bolt", "w-dbo")
        else replace(r, averages=r.averages | {"over_queries": regret(r)})
        for r in base.runs
    )
    *_, parts = section(replace(base, runs=runs), "claims").findings

    assert in_order(parts, "W2", "oldest", "random", "1 of 20", "oldest on Schwefel")
    assert in_order(parts, "raise it in 1", "random", "on Powell")
    assert "several speeds" not in parts
    assert "W2" not in " ".join(section(invented(seeds=6), "claims").findings)  # no such variants


def test_devices_of_several_speeds_are_counted_apart():
    base = invented(("bolt", "w-dbo", "bolt-oldest"), seeds=6)
    fast = ClockConfig("model", device=tuple(c / 10.0 for c in devices.device("paper")))
    runs = [
        replace(r, config=replace(r.config, clock=fast))
        for r in base.runs
        if r.config.benchmark == "powell"
    ]
    shift = {"bolt": 0.0, "bolt-oldest": -5.0, "w-dbo": 0.0}
    runs = [
        replace(
            r,
            averages=r.averages
            | {
                "over_queries": 100.0
                + shift[r.config.algorithm]
                + 0.1 * r.config.seed * (r.config.algorithm == "bolt")
            },
        )
        for r in runs
    ]
    *_, parts = section(replace(base, runs=(*base.runs, *runs)), "claims").findings

    assert in_order(
        parts,
        "several speeds",
        "6 seeds",
        "none of 1 comparison,",
        "raise it in 1",
        "oldest",
        "Powell, speed 10",
    )


def test_what_is_shown_against_the_printed_algorithm_is_said_by_benchmark():
    base = invented(("bolt", "w-dbo", "bolt-literal"), seeds=6)
    regrets = {"schwefel": lambda seed: 1e4 + seed, "powell": lambda seed: 0.1 * seed}
    runs = tuple(
        replace(
            r, averages=r.averages | {"over_queries": regrets[r.config.benchmark](r.config.seed)}
        )
        if r.config.algorithm == "bolt-literal" and r.config.benchmark in regrets
        else r
        for r in base.runs
        if r.config.algorithm != "bolt-literal" or r.config.benchmark in regrets
    )
    (words,) = removals.against_printed(Cases(replace(base, runs=runs)))

    assert in_order(words, "differs", "average regret", "lower on Schwefel", "higher on Powell")
    assert "other benchmarks" in words
    few = tuple(r for r in runs if r.config.benchmark != "powell" or r.config.seed < 3)
    (untested,) = removals.against_printed(Cases(replace(base, runs=few)))
    assert in_order(untested, "lower on Schwefel", "not tested on Powell")
    (without,) = removals.against_printed(Cases(invented(seeds=6)))
    assert "lower" not in without


def test_benchmarks_on_which_bolt_seldom_removed_are_named():
    base = invented(seeds=6)

    def kept_all(run):
        times, sizes = run.size_curve
        return replace(run, size_curve=(times, [*sizes[:-1], float(run.iterations)]))

    seeds = {"griewank": range(6), "powell": range(3), "ackley": range(2)}
    runs = tuple(
        kept_all(r)
        if r.config.algorithm == "bolt" and r.config.seed in seeds.get(r.config.benchmark, ())
        else r
        for r in base.runs
    )
    (words,) = removals.seldom_removed(Cases(replace(base, runs=runs)))

    assert in_order(words, "none of 6 runs", "Griewank†", "3 of 6 runs", "Powell")
    assert "Ackley" not in words
    assert removals.seldom_removed(Cases(base)) == []
