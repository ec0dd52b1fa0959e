"""A report's files: Markdown, LaTeX, HTML and SVG, the same from records and from a file."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import plotly.graph_objects as go
import pytest

from bolt_core import report
from bolt_core.campaigns import plan, results
from bolt_core.campaigns.results import Results
from bolt_core.common.errors import BoltError, RecordError
from tests.support.campaigns import finished
from tests.support.reports import invented


def test_every_chart_is_plotlys_and_every_svg_is_drawn_inside_its_frame(tmp_path):
    found = invented((*plan.TABLE2, *plan.EXTRA))
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


def test_the_html_needs_nothing_else_and_is_small(tmp_path):
    found = invented(points=results.POINTS)
    report.write(found, tmp_path, formats=("html",))
    text = (tmp_path / "report.html").read_text()
    ids = re.findall(r' id="([\w-]+)"', text)

    assert not re.search(r"<script|<link|<img|<iframe|url\(|@import", text)
    assert text.count("<svg") == sum(len(s.charts) for s in report.compose(found))
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([\w-]+)"', text)) == set(ids)
    assert len(text) < 1e6


def test_names_cannot_break_out_of_a_report(tmp_path):
    note = "</script><b>&_%$#{ 50 % | x"

    report.write(replace(invented(), note=note), tmp_path)

    assert "<b>" not in (tmp_path / "report.html").read_text()
    assert "<b>" not in (tmp_path / "report.md").read_text()
    tex = (tmp_path / "report.tex").read_text()
    assert r"\&\_\%\$\#\{ 50 \%" in tex
    assert_compiles(tex)


def assert_compiles(tex):
    """As far as reading can tell: nothing opened stays open, nothing special stands bare."""
    kinds = re.findall(r"\\(begin|end)\{(\w+)\}", tex)
    still = []
    for what, name in kinds:
        assert what == "begin" or still.pop() == name
        still += [name] if what == "begin" else []
    assert not still
    bare = re.sub(r"\\.", "", tex)  # commands and escaped characters are LaTeX's own
    assert bare.count("{") == bare.count("}")
    assert not set(bare) & set("$#^~")
    assert "_" not in re.sub(r"figures/[\w.-]+", "", bare)
    assert [line for line in tex.splitlines() if re.search(r"(?<!\\)%", line)] == [
        line for line in tex.splitlines() if line.startswith("%")
    ]
    assert set(tex) <= set(map(chr, range(128)))  # whatever else needs a package or a font
    for shape, body in re.findall(r"\{tabular\}\{(\w+)\}\n(.*?)\\end", tex, re.DOTALL):
        rows = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", line)) for line in rows} == {len(shape) - 1}


def test_results_survive_their_file_and_270_runs_are_small(tmp_path):
    found = invented((*plan.TABLE2, *plan.EXTRA), points=results.POINTS)
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
