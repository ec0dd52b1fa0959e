"""The report: the paper's tables and figures, the same from records and from a file."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import plotly.graph_objects as go
import pytest

from bolt_core import devices, plans, report, results
from bolt_core.errors import BoltError, RecordError
from bolt_core.report import tables
from bolt_core.report.blocks import number, with_error
from bolt_core.results import Results, RunResult
from bolt_core.types import ClockConfig, EngineConfig, RunConfig
from tests.campaigns import finished

PAPER_CLOCK = ClockConfig("model", device=devices.device("paper"))
MEANS = {b: row["mean"] for b, row in tables.paper()["benchmarks"].items()}


def result(config, regret, points=20, **changes):
    t = np.linspace(1.0, 600.0, points)
    noise = np.random.default_rng(config.seed).random(points)
    averages = {
        "over_queries": regret, "over_time": 2 * regret, "over_queries_with_warmup": 3 * regret,
        "over_time_with_warmup": 4 * regret,
    }  # fmt: skip
    made = RunResult(
        config, averages, 0.3, 120.0, 110.0 if "bolt" in config.algorithm else None, 0, 900,
        "closed form", 0.1, (t.tolist(), (regret + noise).tolist()),
        (t.tolist(), np.floor(15 + t / 10 + noise).tolist()),
    )  # fmt: skip
    return replace(made, **changes)


def invented(algorithms=plans.TABLE2, benchmarks=plans.PAPER, seeds=3, points=20, **choices):
    """Runs whose means are the paper's, one per cent apart."""
    choices = {"clock": PAPER_CLOCK, **choices}
    runs = tuple(
        result(
            RunConfig(a, b, seed=s, **choices),
            MEANS[b].get(a, 2 * MEANS[b]["abo"]) * (1 + 0.01 * (s - 1)),
            points,
        )
        for s in range(seeds)
        for b in benchmarks
        for a in algorithms
    )
    return Results("mine", "a note", len(runs), runs, ({"runs": len(runs), "cpu": "abacus"},))


def section(found, name):
    return next(s for s in report.compose(found) if s.id == name)


def cells(table):
    return {row[0].text: row[1:] for row in table.rows}


def test_table_2_has_our_mean_and_error_the_papers_beside_it_and_the_marks():
    (table,) = section(invented((*plans.TABLE2, "random")), "table-2").tables
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


def test_rows_that_cannot_be_compared_say_so():
    found = section(invented(), "table-2")
    marked = [name for name in cells(found.tables[0]) if name.endswith("†")]

    assert marked == ["Griewank†", "Temperature†", "WLAN†"]
    assert sum(note.startswith("†") for note in found.notes) == 3
    assert "Overall, comparable (7)" in cells(found.tables[0])


@pytest.mark.parametrize("choice", [{"horizon": 60.0}, {"options": {"noise": "1pct"}}])
def test_cut_or_noisier_runs_do_not_stand_beside_the_papers(choice):
    found = section(invented(**choice), "table-2")

    assert not any(entry.paper for row in found.tables[0].rows for entry in row)
    assert "cut short or have other noise" in found.words[0]


def test_an_unfinished_cell_is_a_dash_and_its_benchmark_is_not_in_overall():
    whole = invented()
    lacking = [r for r in whole.runs if (r.config.algorithm, r.config.benchmark) != ("abo", "wlan")]

    rows = cells(section(replace(whole, runs=tuple(lacking)), "table-2").tables[0])

    assert rows["WLAN†"][4].text == "-"
    assert "Overall (9)" in rows


def test_every_figure_of_the_paper_is_there_with_its_command():
    ids = [s.id for s in report.compose(invented((*plans.TABLE2, *plans.EXTRA)))]

    assert ids[:5] == ["about", "table-2", "standings", "figure-2", "figure-3"]
    assert ids[5:15] == [f"figure-{k}" for k in range(4, 14)]
    assert section(invented(), "figure-4").title == "Figure 4: Schwefel"
    assert section(invented(), "figure-13").title == "Figure 13: WLAN"


def test_standings_are_lowest_overall_first():
    (table,) = section(invented(), "standings").tables

    assert table.rows[0][0].text == "BOLT"
    assert sum(int(row[3].text) for row in table.rows) == 10


def test_ablations_appear_only_with_their_runs():
    ids = {s.id for s in report.compose(invented())}
    assert not any(name.startswith("ablation") for name in ids)
    variants = invented(("bolt", "gpucb", "bolt-oldest", "bolt-random"))
    cpu = [
        result(RunConfig("bolt", "wlan", clock=ClockConfig("cpu"), engine=EngineConfig(e)), 5.0)
        for e in ("exact", "botorch")
    ]
    fast = ClockConfig("model", device=tuple(c / 10 for c in devices.device("paper")))
    speedy = result(RunConfig("bolt", "powell", clock=fast), 300.0, n_star=400.0)
    found = replace(variants, runs=(*variants.runs, *cpu, speedy))

    removal, engine, speed = (
        section(found, f"ablation-{name}") for name in ("removal", "engine", "speed")
    )

    assert removal.tables[0].columns[1:] == (
        "BOLT", "BOLT, drops the oldest", "BOLT, drops at random",
    )  # fmt: skip
    assert [e.text for e in engine.tables[0].rows[0]][:2] == ["WLAN", "BOLT"]
    (chart,) = speed.charts
    stars = next(t for t in chart.figure["data"] if t["name"] == "BOLT, n*")
    assert (stars["x"], stars["y"]) == ([1.0, 10.0], [110.0, 400.0])
    assert speed.tables[0].columns[1:] == ("1", "10")


def test_every_chart_is_plotlys_and_every_svg_is_drawn_inside_its_frame(tmp_path):
    found = invented((*plans.TABLE2, *plans.EXTRA))
    charts = [chart for s in report.compose(found) for chart in s.charts]

    for chart in charts:
        go.Figure(chart.figure)
        json.dumps(chart.figure, allow_nan=False)
    report.write(found, tmp_path, formats=("md",))
    for chart in charts:
        root = ET.parse(tmp_path / "figures" / f"{chart.name}.svg").getroot()
        lines = root.findall("{*}polyline")
        assert len(lines) == sum(t.get("mode") == "lines" for t in chart.figure["data"])
        for text in root.findall("{*}text[@x]"):
            assert 0 <= float(text.get("x")) <= 640
            assert 0 <= float(text.get("y")) <= 380


def test_a_single_run_makes_a_report(tmp_path):
    found = invented(("bolt",), ("shekel",), seeds=1)

    files = report.write(found, tmp_path)

    assert all(file.stat().st_size > 100 for file in files)


def test_a_campaign_without_runs_says_so(tmp_path):
    empty = Results("none", "", 8, (), ())

    report.write(empty, tmp_path)

    assert "0 of 8 planned runs are finished" in (tmp_path / "report.md").read_text()


def test_the_html_needs_nothing_else_and_sends_nothing_anywhere(tmp_path):
    report.write(invented(), tmp_path, formats=("html",))
    text = (tmp_path / "report.html").read_text()

    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=", text)
    assert text.count("<script>") == 2  # plotly.js once, and what calls it
    for choice in ("displaylogo: false", "showSendToCloud: false", 'plotlyServerURL: ""'):
        assert choice in text
    ids = re.findall(r' id="?([\w-]+)', text.partition("<script")[0])
    assert len(ids) == len(set(ids))


def test_names_cannot_break_out_of_a_report(tmp_path):
    note = "</script><b>&_%$#{ 50 % | x"

    report.write(replace(invented(), note=note), tmp_path)

    assert "<b>" not in (tmp_path / "report.html").read_text().partition("<script")[0]
    tex = (tmp_path / "report.tex").read_text()
    assert r"\&\_\%\$\#\{ 50 \%" in tex
    for row in re.findall(r"\\midrule\n(.*?)\\bottomrule", tex, re.DOTALL):
        widths = {len(re.findall(r"(?<!\\)&", line)) for line in row.strip().splitlines()}
        assert len(widths) == 1


def test_results_survive_their_file_and_270_runs_are_small(tmp_path):
    found = invented((*plans.TABLE2, *plans.EXTRA), points=results.POINTS)
    file = tmp_path / "results.json.gz"

    results.save(found, file)

    assert len(found.runs) == 270
    assert results.load(file) == found
    assert file.stat().st_size < 5e6


def test_the_report_of_a_campaign_is_the_same_from_its_results_file(bolt, home, tmp_path):
    finished("mine", algorithms=["gpucb", "bolt"], benchmarks=["eggholder", "powell"], horizon=4.0)

    assert bolt("campaign", "report", "mine")[0] == 0
    made = home / "campaigns" / "mine" / "report"
    code, out, _ = bolt(
        "campaign", "report", "--from", made / "results.json.gz", "--out", tmp_path / "again"
    )

    assert code == 0
    assert "report.html" in out
    names = {str(f.relative_to(made)) for f in made.rglob("*") if f.is_file()}
    assert {"report.md", "report.tex", "figures/figure-2.svg"} < names
    for name in names - {"results.json.gz"}:
        assert (tmp_path / "again" / name).read_bytes() == (made / name).read_bytes()


def test_one_figure_can_be_made_alone(tmp_path):
    files = report.write(invented(), tmp_path, formats=("md",), only="figure-3")

    assert [str(f.relative_to(tmp_path)) for f in files] == [
        "figure-3.md", "figures/figure-3-eggholder.svg", "figures/figure-3-powell.svg",
    ]  # fmt: skip


def test_what_cannot_be_reported_is_refused(tmp_path):
    with pytest.raises(BoltError, match="unknown section 'figure-1'"):
        report.write(invented(), tmp_path, only="figure-1")
    with pytest.raises(BoltError, match="no report format 'pdf'"):
        report.write(invented(), tmp_path, formats=("pdf",))
    (tmp_path / "x.gz").write_bytes(b"\x1f\x8bnonsense")
    with pytest.raises(RecordError, match="not a campaign's results"):
        results.load(tmp_path / "x.gz")


def test_numbers_are_short():
    assert [number(v) for v in (0.0, 2.5, 262.4, 6721.3, 0.0123, None)] == [
        "0.00", "2.50", "262", "6721", "0.0123", "-",
    ]  # fmt: skip
    assert with_error(2.512, 0.0213) == "2.51 ± 0.02"
    assert with_error(262.4, 7.13) == "262 ± 7.1"
    assert with_error(6721.0, 2113.2) == "6721 ± 2113"
    assert with_error(2.512, None) == "2.51"
