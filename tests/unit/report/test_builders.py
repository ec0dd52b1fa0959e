"""Tests of the sections of a report: the paper's tables and figures."""

from dataclasses import replace

import pytest

from bolt_core import report
from bolt_core.campaigns import plan
from bolt_core.report.renderers import html, latex, markdown
from tests.support.reports import cells, invented, papers, section
from tests.support.wording import in_order


def test_table_2_has_means_errors_marks_and_the_papers_values():
    (table,) = section(invented((*plan.TABLE2, "random")), "table-2").tables
    rows = cells(table)

    assert table.columns[1:] == (
        "GPUCB", "ET-GPUCB", "R-GPUCB", "TV-GPUCB", "ABO", "W-DBO", "BOLT", "Random",
    )  # fmt: skip
    egg = rows["Eggholder"]
    assert (egg[6].text, egg[6].mark, egg[6].paper) == ("262 ± 1.5", "best", "262 ± 7.1")
    assert (egg[0].mark, egg[7].paper, egg[7].mark) == ("", "", "")
    assert rows["Overall (10)"][6].paper == "0.02 ± 0.01"  # as printed
    assert rows["Overall (10)"][6].text == "0.01 ± 0.01"  # as recomputed from the printed means
    assert rows["Overall (10)"][7].text == "-"  # random is no part of it


def test_rows_that_cannot_be_compared_are_marked():
    found = section(papers(), "table-2")
    marked = [name for name in cells(found.tables[0]) if name.endswith("†")]

    assert marked == ["Griewank†", "Temperature†", "WLAN†"]
    assert sum(note.startswith("†") for note in found.notes) == 3
    assert "Overall, comparable (7)" in cells(found.tables[0])


@pytest.mark.parametrize("choice", [{"horizon": 60.0}, {"options": {"noise": "1pct"}}])
def test_runs_of_another_experiment_have_no_value_of_the_paper_beside_them(choice):
    table2 = section(invented(**choice), "table-2")

    assert not any(entry.paper for row in table2.tables[0].rows for entry in row)
    assert "cut short" in table2.words[0]


def test_an_unfinished_cell_is_a_dash_and_its_benchmark_is_not_in_overall():
    whole = papers()
    lacking = [r for r in whole.runs if (r.config.algorithm, r.config.benchmark) != ("abo", "wlan")]

    rows = cells(section(replace(whole, runs=tuple(lacking)), "table-2").tables[0])

    assert rows["WLAN†"][4].text == "-"
    assert "Overall (9)" in rows


def test_every_figure_of_the_paper_is_present_with_its_command():
    composed = report.compose(invented((*plan.TABLE2, *plan.EXTRA)))
    ids = [s.id for s in composed]

    assert ids[:5] == ["claims", "about", "table-2", "held-regret", "standings"]
    assert ids[5:7] == ["figure-2", "figure-3"]
    assert ids[7:17] == [f"figure-{k}" for k in range(4, 14)]
    head = "mine", composed
    texts = markdown.render(*head), latex.render(*head), html.render(*head, lambda _: b"<svg/>")
    command = "bolt campaign report mine --only"
    for text in texts:
        plain = text.replace("-{}-", "--")
        assert all(f"{command} {name}" in plain for name in ids if name != "about")
    assert section(papers(), "figure-4").title == "Figure 4: Schwefel"
    assert section(papers(), "figure-13").title == "Figure 13: WLAN†"


def test_standings_are_lowest_overall_first():
    (table,) = section(papers(), "standings").tables

    assert table.rows[0][0].text == "BOLT"
    assert sum(int(row[3].text) for row in table.rows) == 10


def test_differences_for_and_against_bolt_are_both_marked():
    results = invented(("bolt", "gpucb", "abo"), ("eggholder",), seeds=5)
    worse = tuple(
        replace(r, averages={k: v / 10 for k, v in r.averages.items()})
        if r.config.algorithm == "gpucb" else r
        for r in results.runs
    )  # fmt: skip
    paired = section(replace(results, runs=worse), "paired")
    counts, differences = paired.tables

    assert [e.mark for e in cells(differences)["Eggholder"]] == ["worse", "best"]
    assert "Below 5 seeds" not in paired.words[0]
    assert counts.columns[1:] == ("BOLT lower", "BOLT higher", "zero in the interval")
    assert {name: [e.text for e in row] for name, row in cells(counts).items()} == {
        "GPUCB": ["0", "1", "0"], "ABO": ["1", "0", "0"],
    }  # fmt: skip


@pytest.mark.parametrize(("seeds", "with_interval"), [(2, False), (3, True), (4, True)])
def test_of_few_seeds_nothing_is_marked_or_concluded(seeds, with_interval):
    results = invented(("bolt", "w-dbo"), ("eggholder", "powell"), seeds=seeds)
    paired = section(results, "paired")

    counts, differences = paired.tables
    entries = [row[0] for row in cells(differences).values()]
    assert {(entry.mark, bool(entry.interval)) for entry in entries} == {("", with_interval)}
    assert "Below 5 seeds" in paired.words[0]
    assert counts.columns[-1] == "below 5 seeds"
    assert [e.text for e in cells(counts)["W-DBO"]] == ["0", "0", "0", "2"]


def test_held_regret_has_its_own_table_standings_and_pairs_where_it_is_recorded():
    results = invented(("bolt", "gpucb", "abo"), ("eggholder", "powell"), seeds=5)
    held = tuple(replace(r, held_regret=1.0 + (r.config.algorithm == "bolt")) for r in results.runs)
    recorded = replace(results, runs=held)

    assert "Not recorded" in section(results, "held-regret").words[-1]
    assert not section(results, "held-regret").tables
    (table,) = section(recorded, "held-regret").tables
    assert [e.text for e in cells(table)["Powell"]] == ["1.00 ± 0.00", "1.00 ± 0.00", "2.00 ± 0.00"]
    assert [e.mark for e in cells(table)["Overall (2)"]] == ["best", "best", ""]
    assert len(section(recorded, "standings").tables) == 2
    assert section(recorded, "paired").tables[3].rows[0][1].text == "1.00"


def with_stopped_abo(seeds=5):
    """Return results in which ABO is by far the lowest, and stops asking in two runs on Powell."""
    results = invented(("bolt", "gpucb", "abo"), ("eggholder", "powell"), seeds=seeds)
    runs = tuple(
        replace(
            r,
            averages={k: v / 100 for k, v in r.averages.items()},
            last_query=539.0 if r.config.benchmark == "powell" and r.config.seed < 2 else 541.0,
        )
        if r.config.algorithm == "abo"
        else r
        for r in results.runs
    )
    return replace(results, runs=runs)


def test_runs_that_stopped_asking_are_marked_and_have_no_rank_but_a_held_regret():
    results = with_stopped_abo()
    found = replace(results, runs=tuple(replace(r, held_regret=2.0) for r in results.runs))
    table2 = section(found, "table-2")
    rows = cells(table2.tables[0])
    abo = table2.tables[0].columns.index("ABO") - 1

    assert rows["Powell"][abo].mark == ""
    assert "‡" in rows["Powell"][abo].text
    assert rows["Eggholder"][abo].mark == "best"
    assert "‡" not in rows["Eggholder"][abo].text
    assert rows["Overall (2)"][abo].text == "-"
    assert "best" in [e.mark for e in rows["Powell"]]  # of those that went on asking
    assert any(in_order(note, "ABO on Powell", "2 of 5") for note in table2.notes)
    standings, by_held = section(found, "standings").tables
    assert "ABO" not in [row[0].text for row in standings.rows]
    assert "ABO" in [row[0].text for row in by_held.rows]
    pair = cells(section(found, "paired").tables[1])["Powell"]
    assert [(e.interval == "", e.mark == "") for e in pair] == [(False, False), (True, True)]
    assert pair[1].text.endswith("‡")


@pytest.mark.parametrize(("seeds", "eggholder"), [(5, "BOLT higher"), (3, "below 5 seeds")])
def test_a_comparison_with_runs_that_stopped_asking_is_counted_as_such_only(seeds, eggholder):
    paired = section(with_stopped_abo(seeds), "paired")
    counts = paired.tables[0]
    of_abo = {
        column: entry.text
        for column, entry in zip(counts.columns[1:], cells(counts)["ABO"], strict=True)
        if entry.text != "0"
    }

    assert of_abo == {eggholder: "1", "stopped asking ‡": "1"}
    assert "‡" in paired.words[0]
    assert "‡" not in section(invented(("bolt", "abo"), ("powell",)), "paired").words[0]


def test_where_an_algorithm_is_left_out_the_report_names_it_and_why():
    results = with_stopped_abo()
    recorded = replace(results, runs=tuple(replace(r, held_regret=2.0) for r in results.runs))

    for name in ("standings", "figure-2"):
        assert in_order(section(results, name).words[0], "Not ranked", "ABO", "stopped asking")
    for found, missing in ((results, True), (recorded, False)):
        (note,) = (n for n in section(found, "table-2").notes if n.startswith("‡"))
        assert ("not recorded" in note) == missing


def test_a_mean_line_that_ends_early_is_named_with_its_time():
    results = invented(("bolt", "abo"), ("powell",))
    runs = tuple(
        replace(r, regret_curve=([1.0, 200.0], [9.0, 7.0]), size_curve=([1.0, 200.0], [1.0, 5.0]))
        if (r.config.algorithm, r.config.seed) == ("abo", 1)
        else r
        for r in results.runs
    )
    found = replace(results, runs=runs)

    for name in ("figure-3", "figure-11"):
        assert in_order(section(found, name).words[0], "Powell", "line ends", "ABO at 200 s")
        assert "line ends" not in section(results, name).words[0]


def test_rows_of_another_commit_are_named():
    results = invented(("bolt", "w-dbo", "abo"), ("powell",))
    runs = tuple(
        replace(run, commit=("0" if run.config.algorithm == "w-dbo" else "1") * 40)
        for run in results.runs
    )
    made = ({"commit": "0" * 40, "runs": 3}, {"commit": "1" * 40, "runs": 6})
    notes = " ".join(section(replace(results, runs=runs, made=made), "about").notes)

    assert in_order(notes, "2 commits", "1111111111 (6 runs", "0000000000 (3 runs", "W-DBO)")
    assert "commits" not in " ".join(section(results, "about").notes)


def test_the_first_section_names_dates_machine_and_commits():
    facts = {"cpu": "abacus", "blas_threads": 1, "python": "3.11", "versions": {"numpy": "2"}}
    machines = [
        {**facts, "commit": "0" * 40, "runs": 3, "first": "2026-01-30", "last": "2026-01-31"},
        {**facts, "commit": "1" * 40, "runs": 4, "first": "2026-01-31", "last": "2026-02-01"},
    ]
    notes = section(replace(papers(), made=tuple(machines)), "about").notes

    for part in (
        "2026-01-30 to 2026-02-01", "abacus", "1 BLAS thread per run", "Python 3.11, numpy 2.",
        "1111111111 (4 runs), 0000000000 (3 runs)",
    ):  # fmt: skip
        assert part in notes[0]


def test_algorithms_that_made_equal_runs_are_named_below_table_2():
    base = invented(("gpucb", "et-gpucb", "bolt"), seeds=5)
    of_gpucb = {
        (r.config.benchmark, r.config.seed): r.averages["over_queries"]
        for r in base.runs
        if r.config.algorithm == "gpucb"
    }

    def notes(equal_seeds):
        runs = []
        for run in base.runs:
            config, regret = run.config, run.averages["over_queries"]
            if config.algorithm == "et-gpucb":
                gap = 0.0 if config.seed < equal_seeds else 0.123
                regret = of_gpucb[config.benchmark, config.seed] + gap
            runs.append(replace(run, averages=run.averages | {"over_queries": regret}))
        return " ".join(section(replace(base, runs=tuple(runs)), "table-2").notes)

    assert in_order(notes(2), "ET-GPUCB", "same regret", " GPUCB", "20 of 50 pairs")
    assert "same regret" not in notes(0)
