"""Tests of what the first section says of removal."""

from dataclasses import replace

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
    first = section(replace(base, runs=runs), "claims").words[0]

    assert in_order(first, "W2", "oldest", "random", "1 of 20", "raise it in 1.")
    assert "W2" not in section(invented(seeds=6), "claims").words[0]  # no such variants


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
