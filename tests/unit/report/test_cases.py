"""Tests of campaigns that are incomplete, or that hold runs of several settings."""

from dataclasses import replace

import pytest

from bolt_core.analysis.seed_statistics import Cell, marks
from bolt_core.campaigns import plan
from bolt_core.campaigns.results import Failure
from bolt_core.common import devices
from bolt_core.common.types import ClockConfig, EngineConfig, RunConfig
from bolt_core.report.model.cases import HEADLINE, Cases, speed
from tests.support.reports import PAPER_CLOCK, cells, invented, result, section
from tests.support.wording import in_order


def runs(lost, benchmark="eggholder", **choices):
    """{algorithm: [regret of seed 0, 1, ...]}; None: that seed has not run."""
    choices = {"clock": PAPER_CLOCK, **choices}
    return tuple(
        result(RunConfig(a, benchmark, seed=s, **choices), value)
        for a, values in lost.items()
        for s, value in enumerate(values)
        if value is not None
    )


def made_of(*several):
    every = tuple(run for group in several for run in group)
    return replace(invented(seeds=1), runs=every, planned=len(every))


def test_marks_use_the_seeds_that_all_cells_of_a_row_have():
    """Seed 2 is hard, and only BOLT has run it: it must stay first."""
    found = made_of(runs({"bolt": [10, 11, 90], "gpucb": [20, 21, None], "abo": [30, 31, None]}))
    (table,), words = (part := section(found, "table-2")).tables, part.words[0]
    row, overall = cells(table)["Eggholder"], cells(table)["Overall (1)"]

    assert [entry.text.partition(" ")[0] for entry in row] == ["20.5", "30.5", "37.0"]
    assert [entry.text[-3:] for entry in row] == ["(2)", "(2)", "(3)"]
    assert [entry.mark for entry in row] == ["", "", "best"]
    assert [entry.text for entry in overall] == ["0.50", "1.00", "0.00"]
    assert "2 to 3, in brackets" in words
    assert section(found, "standings").tables[0].rows[0][0].text == "BOLT"


def test_without_a_shared_seed_there_are_no_marks_and_no_overall():
    found = made_of(runs({"bolt": [10, None], "gpucb": [None, 20]}))
    (table,) = section(found, "table-2").tables

    assert [entry.mark for entry in cells(table)["Eggholder"]] == ["", ""]
    assert list(cells(table)) == ["Eggholder"]
    assert "with the same seeds" in section(found, "standings").words[0]


def test_one_shared_seed_is_not_enough_where_cells_have_more():
    found = made_of(runs({"bolt": [10, 11], "gpucb": [20, 21], "abo": [5, None]}))
    one_each = made_of(runs({"bolt": [10], "gpucb": [20], "abo": [5]}))

    marked = [
        [entry.mark for entry in cells(section(f, "table-2").tables[0])["Eggholder"]]
        for f in (found, one_each)
    ]
    assert marked == [["", "", ""], ["", "best", ""]]  # GPUCB, ABO, BOLT
    assert section(found, "figure-5").charts[0].alt.endswith("not known yet.")


def test_speeds_at_which_runs_end_within_the_warm_up_have_no_chart():
    slow = ClockConfig("model", device=tuple(10 * c for c in devices.device("paper")))
    both = (*runs({"bolt": [9.0]}), *runs({"bolt": [9.0]}, clock=slow))
    early = [replace(run, size=None, n_star=None) for run in both]
    found = section(made_of(early), "ablation-speed")

    assert found.charts == ()
    assert [row[6].text for row in found.tables[0].rows] == ["-", "-"]


def test_regret_against_speed_is_drawn_where_algorithms_can_be_compared():
    fast = ClockConfig("model", device=tuple(c / 10 for c in devices.device("paper")))
    slow = runs({"bolt": [9.0, 11.0, 13.0], "w-dbo": [8.0, 8.0, 8.0]})
    quick = runs({"bolt": [1.0, 2.0, 3.0], "w-dbo": [4.0, 4.0, 4.0]}, clock=fast)
    both = [replace(run, held_regret=2 * run.averages[HEADLINE]) for run in (*slow, *quick)]

    charts = {c.name: c.figure for c in section(made_of(both), "ablation-speed").charts}
    alone = section(made_of([r for r in both if r.config.algorithm == "bolt"]), "ablation-speed")

    for name, factor in (("average", 1.0), ("held", 2.0)):
        figure = charts[f"ablation-speed-{name}-eggholder"]
        bolt, other = (t for t in figure["data"] if t["mode"] == "markers")
        assert (bolt["meta"], other["meta"]) == ("bolt", "w-dbo")
        assert bolt["y"] == [11.0 * factor, 2.0 * factor]
        errors = [factor * 2.0 / 3**0.5, factor * 1.0 / 3**0.5]  # s / sqrt(3)
        assert bolt["error_y"]["array"] == pytest.approx(errors)
        pairs = zip(bolt["x"], other["x"], strict=True)
        assert [a * b for a, b in pairs] == pytest.approx([1.0, 100.0], rel=1e-5)  # six digits
        assert max(bolt["x"][0], other["x"][0]) < 2.0
        assert figure["layout"]["yaxis"]["range"][1] > bolt["y"][0] + errors[0]
    alone_at_100 = runs(
        {"bolt": [1.0, 1.0, 1.0]},
        clock=ClockConfig("model", device=tuple(c / 100 for c in devices.device("paper"))),
    )
    found = section(made_of([*both, *alone_at_100]), "ablation-speed")
    figure = next(c.figure for c in found.charts if c.name == "ablation-speed-average-eggholder")
    assert figure["data"][0]["x"][-1] == 100.0  # centred: the only point there
    assert figure["layout"]["xaxis"]["range"][1] > 2.0
    assert len({note["x"] for note in figure["layout"]["annotations"]}) == 1  # names: one column

    wide = [replace(r, averages=r.averages | {HEADLINE: r.averages[HEADLINE] ** 4}) for r in both]
    (figure,) = (c.figure for c in section(made_of(wide), "ablation-speed").charts
                 if c.name == "ablation-speed-average-eggholder")  # fmt: skip
    assert figure["layout"]["yaxis"]["type"] == "log"  # whose lower end is below all bars
    bottom = min(
        y - e for t in figure["data"] for y, e in zip(t["y"], t["error_y"]["array"], strict=True)
    )
    assert 10.0 ** figure["layout"]["yaxis"]["range"][0] < bottom
    assert not [chart for chart in alone.charts if "average" in chart.name]


def test_rows_with_more_seeds_are_named():
    more = runs({"bolt": [1.0] * 5, "gpucb": [2.0] * 5}, "shekel")
    found = made_of(more, runs({"bolt": [1.0] * 3, "gpucb": [2.0] * 3}, "ackley"),
                    runs({"bolt": [1.0] * 3, "gpucb": [2.0] * 3}, "powell"))  # fmt: skip

    assert ": 3; 5 on Shekel." in section(found, "table-2").words[0]
    assert "3 to 5 seeds" in section(found, "about").words[2]
    assert "Below 5 seeds" in section(found, "paired").words[0]  # some rows have three


def test_a_single_value_has_no_error_and_overlaps_nothing():
    one, many = Cell(1.0, None, 1), Cell(1.1, 0.5, 3)

    assert marks({"a": one, "b": many}) == {"a": "best", "b": ""}
    assert marks({"a": one, "b": one}) == {"a": "best", "b": "best"}  # equal is equal
    assert marks({"a": Cell(1.0, 0.1, 3), "b": many}) == {"a": "best", "b": "overlap"}


def test_overall_is_marked_like_the_rows_and_names_overlapping_algorithms():
    hard = {"bolt": [1.0, 1.1], "w-dbo": [1.2, 1.3], "gpucb": [9.0, 9.1]}
    easy = {"bolt": [2.0, 2.1], "w-dbo": [1.9, 2.0], "gpucb": [8.0, 8.1]}
    found = made_of(runs(hard), runs(easy, "powell"), runs(hard, "shekel"))
    row = cells(section(found, "table-2").tables[0])["Overall (3)"]

    assert {entry.mark for entry in row} == {"", "best", "overlap"}
    near = next(
        n for n, e in zip(("GPUCB", "W-DBO", "BOLT"), row, strict=True) if e.mark[:1] == "o"
    )
    assert f"errors of the lowest: {near}." in section(found, "standings").words[0]


def test_equal_algorithms_are_both_lowest():
    found = made_of(
        runs({"bolt": [1.0], "gpucb": [2.0]}), runs({"bolt": [2.0], "gpucb": [1.0]}, "powell")
    )

    alt = section(found, "figure-2").charts[0].alt
    assert in_order(alt, "GPUCB and BOLT", " 0.50 over 2")
    marked = cells(section(found, "table-2").tables[0])["Overall (2)"]
    assert [entry.mark for entry in marked] == ["best", "best"]


def test_a_single_algorithm_has_no_standings():
    found = made_of(runs({"bolt": [1.0, 2.0]}))

    assert list(cells(section(found, "table-2").tables[0])) == ["Eggholder"]
    assert not section(found, "standings").tables
    about = section(found, "about").words[2]
    assert in_order(about, "1 algorithm ", " 1 benchmark,", " 2 seeds")


def test_failed_runs_are_listed_with_their_reason():
    failed = tuple(Failure("abo", "wlan", s, "it broke") for s in range(7))
    words = section(replace(invented(), failed=failed), "about").words

    assert in_order(words[2], "ABO on WLAN", "seed 0", "it broke")
    assert words[2].endswith("; and 2 more.")


def test_a_failed_run_of_another_setting_is_named_with_it():
    slow = Failure("bolt", "powell", 0, "it was cut", "Model clock, 100 times faster, horizon 9 s")
    words = section(replace(invented(), failed=(slow,)), "about").words

    assert in_order(words[2], "BOLT on Powell, seed 0", "100 times faster", "9 s (it was cut)")


def test_the_benchmarks_on_which_variants_ran_are_named():
    variant = runs({"bolt-keep": [1.0]}, benchmark="ackley")
    found = invented()
    words = section(replace(found, runs=(*found.runs, *variant)), "about").words

    assert any(in_order(w, "10 benchmarks", "1 variant", "Ackley") for w in words)


def test_of_settings_with_equally_many_cells_the_papers_is_the_main_one():
    slow, fast = (
        ClockConfig("model", device=tuple(c / f for c in devices.device("paper"))) for f in (0.1, 9)
    )
    lost = {"bolt": [1.0, 2.0], "gpucb": [3.0, 4.0]}
    less = {"bolt": [1.0], "gpucb": [3.0]}  # a seed of the paper's own failed
    found = made_of(runs(lost, clock=slow), runs(less), runs(lost, clock=fast))
    cases = Cases(found)

    assert {run.config.clock for run in cases.main} == {PAPER_CLOCK}
    assert "8 runs in the ablations" in section(found, "about").words[-1]
    assert not Cases(made_of(runs(lost, clock=slow))).beside_paper


def test_runs_that_are_in_no_table_are_counted():
    noisy = runs({"bolt": [1.0]}, options={"noise": "1pct"})
    found = made_of(runs({"bolt": [1.0], "gpucb": [2.0]}), noisy)

    assert "1 run in no table" in section(found, "about").words[-1]


def test_a_run_with_another_acquisition_does_not_repeat_the_paper():
    found = made_of(runs({"bolt": [1.0]}, engine=EngineConfig("exact", "ei")))

    assert not Cases(found).beside_paper


def test_engines_are_compared_on_cells_with_both_and_one_acquisition():
    def cpu(name, value, benchmark="powell", acquisition="ucb", horizon=None):
        engine = EngineConfig(name, acquisition)
        config = RunConfig("bolt", benchmark, clock=ClockConfig("cpu"), engine=engine,
                           horizon=horizon)  # fmt: skip
        return result(config, value)

    many = [cpu("exact", 9.0, b) for b in ("shekel", "ackley", "griewank", "schwefel")]
    both = [cpu("exact", 1.0, horizon=60.0), cpu("botorch", 2.0, horizon=60.0)]
    other = [cpu("exact", 7.0, acquisition="ei", horizon=60.0)]
    (table,) = section(made_of(many, both, other), "ablation-engine").tables

    assert [[e.text for e in row][:4] for row in table.rows] == [
        ["Powell", "BOLT", "exact", "1.00"], ["Powell", "BOLT", "botorch", "2.00"],
    ]  # fmt: skip


def test_the_papers_overall_is_shown_for_the_papers_benchmarks_only():
    extra = runs({a: [1.0 + i] for i, a in enumerate(plan.TABLE2)}, "gp-sample")
    (table,) = section(made_of(invented(seeds=1).runs, extra), "table-2").tables
    rows = cells(table)

    assert {entry.paper for entry in rows["Overall (11)"]} == {""}
    assert rows["Overall, comparable (7)"][6].paper == "0.00 ± 0.00"


@pytest.mark.parametrize(("device", "wanted"), [
    (tuple(c / 4 for c in devices.device("paper")), 4.0),
    ((0.2, 0.0, 1e-6, 0.0), None),
])  # fmt: skip
def test_a_device_that_is_no_multiple_of_the_paper_device_has_no_speed(device, wanted):
    assert speed(RunConfig("bolt", "powell", clock=ClockConfig("model", device=device))) == wanted
