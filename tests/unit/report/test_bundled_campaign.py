"""Tests of the built-in campaign: its charts, and the committed report made from its results."""

import json
import re
from pathlib import Path

import matplotlib as mpl
import pytest

from bolt_core.campaigns import results
from bolt_core.report import campaign_charts, campaign_tables, compose
from bolt_core.report.builders import pairs
from bolt_core.report.campaign_tables import for_browser
from bolt_core.report.model.blocks import printed_mean
from bolt_core.report.model.cases import Cases
from bolt_core.report.renderers import latex
from bolt_core.report.renderers.images import draw
from bolt_core.runs.lane_names import label
from tests.support.project import ROOT

REPORT = ROOT / "reports" / "paper"
MAX_BYTES = {"results": 5e6, "images": 2e6, "report": 4e6}
IMAGES = (".svg", ".pdf")
BESIDE = {Path("README.md"), Path("runs.pack.jsonl.gz")}  # in its folder, not made by the command


def files_of(folder):
    return {f.relative_to(folder): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def data_of(name, content):
    """What a file shows: all of its bytes with the pinned matplotlib, without images otherwise."""
    pinned = f"matplotlib=={mpl.__version__}\n" in (ROOT / "constraints.txt").read_text()
    if pinned:
        return content
    if name.suffix == ".html":
        return re.sub(rb'src="data:[^"]*"', b"", content)
    if name.suffix == ".svg":
        return re.findall(rb"<text[^>]*>([^<]*)</text>", content)  # titles, names and ticks
    return content if name.suffix not in IMAGES else None


def test_the_scoreboard_can_show_it():
    cases = Cases(results.load(results.BUNDLED))
    charts = [campaign_charts.figure2(cases)]
    for b in cases.benchmarks:
        charts += [campaign_charts.over_time(cases, b, what) for what in ("regret", "size")]
        charts += [campaign_charts.response(cases, b), campaign_charts.pairs(cases, b)]
    tables = (
        campaign_tables.table2(cases),
        campaign_tables.standings(cases),
        *pairs.against(cases).tables,
    )

    assert {chart["kind"] for chart in charts} == {"plot"}
    json.dumps([*charts, *(for_browser(table, "") for table in tables)], allow_nan=False)
    assert results.BUNDLED.stat().st_size < MAX_BYTES["results"]


def test_the_alternative_text_of_the_regret_over_time_has_the_means_of_table_2():
    cases = Cases(results.load(results.BUNDLED))
    for b in cases.benchmarks:
        alt = campaign_charts.over_time(cases, b, "regret")["layout"]["meta"]["alt"]
        for a, cell in cases.row(b).items():
            assert re.search(rf"\b{label(a)} {printed_mean(cell.mean)}[,.]", alt), (b, a)


@pytest.mark.long
def test_the_committed_report_is_what_the_command_makes(bolt, tmp_path):
    """Two PDF files stand for all of them: drawing those takes longer than the rest together."""
    report = ("campaign", "report", "--from", results.BUNDLED, "--out", tmp_path)
    code, _, errors = bolt(*report, "--format", "md,html")
    bundled = results.load(results.BUNDLED)
    sections = compose(bundled)
    charts = [chart for section in sections for chart in section.charts]
    (tmp_path / "report.tex").write_text(latex.render(bundled.name, sections))
    for chart in charts[:2]:
        (tmp_path / "figures" / f"{chart.name}.pdf").write_bytes(draw(chart, "pdf"))
    committed, made = files_of(REPORT), files_of(tmp_path)
    committed = {name: committed[name] for name in committed.keys() - BESIDE}

    assert (code, errors) == (0, "")
    drawn = {Path("figures") / f"{chart.name}.pdf" for chart in charts}
    assert committed.keys() == made.keys() | drawn
    for name in made:
        assert data_of(name, committed[name]) == data_of(name, made[name]), name
    images = [len(content) for name, content in committed.items() if name.suffix in IMAGES]
    assert sum(images) < MAX_BYTES["images"]
    assert sum(map(len, committed.values())) < MAX_BYTES["report"]


def test_the_command_that_a_report_names_needs_no_records(bolt, tmp_path):
    name = results.load(results.BUNDLED).name
    code, _, note = bolt(
        "campaign", "report", name, "--only", "table-2", "--format", "md", "--out", tmp_path
    )

    assert code == 0
    assert "built-in" in note
    assert "## Table 2" in (tmp_path / "table-2.md").read_text()


@pytest.mark.parametrize("suffix", ["md", "tex"])
def test_every_image_that_the_report_names_is_committed(suffix):
    text = (REPORT / f"report.{suffix}").read_text()
    named = set(re.findall(r"figures/[\w-]+\.\w+", text))

    assert named == {
        f"figures/{f.name}"
        for f in (REPORT / "figures").iterdir()
        if f.suffix == IMAGES[suffix == "tex"]
    }
