"""Tests of a report's files: Markdown, LaTeX, HTML and images, from records and from a file."""

import json
import re
from dataclasses import replace
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import plotly.graph_objects as go
import pytest

from bolt_core import report
from bolt_core.campaigns import plan, results
from bolt_core.campaigns.results import Results
from bolt_core.common.errors import BoltError
from tests.support.campaigns import finished
from tests.support.reports import invented, papers
from tests.support.wording import in_order


def test_every_chart_is_valid_for_plotly_and_json():
    for part in report.compose(invented((*plan.TABLE2, *plan.EXTRA))):
        for chart in part.charts:
            go.Figure(chart.figure["data"], chart.figure["layout"])
            json.dumps(chart.figure, allow_nan=False)


def test_a_single_run_makes_a_report(tmp_path):
    found = invented(("bolt",), ("shekel",), seeds=1)

    files = report.write(found, tmp_path)

    assert all(file.stat().st_size > 100 for file in files)


def test_a_campaign_without_runs_says_so(tmp_path):
    empty = Results("none", "", 8, (), ())

    report.write(empty, tmp_path)

    assert in_order((tmp_path / "report.md").read_text(), "0 of 8 ", "finished")


def test_the_html_needs_no_other_file_and_is_small(tmp_path):
    small = invented(benchmarks=("eggholder", "powell"), points=results.POINTS)
    report.write(small, tmp_path, formats=("html",))
    text = (tmp_path / "report.html").read_text()
    ids = re.findall(r' id="([\w-]+)"', text)
    images = re.findall(r'<img alt="([^"]+)" src="data:image/svg\+xml,([^"]+)">', text)

    assert not re.search(r"<script|<link|<iframe|@import", text)
    assert len(images) == text.count("<img") == 9
    assert all(alt and ET.fromstring(unquote(svg)) is not None for alt, svg in images)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([\w-]+)"', text)) == set(ids)
    assert len(text) < 1e6


def test_names_cannot_break_out_of_a_report(tmp_path):
    note = "</script><b>&_%$#{ 50 % | x"

    report.write(replace(invented(benchmarks=("wlan",)), note=note), tmp_path)

    assert "<b>" not in (tmp_path / "report.html").read_text()
    assert "<b>" not in (tmp_path / "report.md").read_text()
    tex = (tmp_path / "report.tex").read_text()
    assert r"\&\_\%\$\#\{ 50 \%" in tex
    assert_compiles(tex)


def assert_compiles(tex):
    """Check that groups are closed and special characters escaped."""
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


@pytest.mark.long
def test_the_report_of_a_campaign_is_the_same_from_its_results_file(bolt, home, tmp_path):
    finished("mine", algorithms=["gpucb", "bolt"], benchmarks=["eggholder"], horizon=2.5)

    assert bolt("campaign", "report", "mine")[0] == 0
    made = home / "campaigns" / "mine" / "report"
    code, out, _ = bolt(
        "campaign", "report", "--from", made / "results.json.gz", "--out", tmp_path / "again"
    )

    assert code == 0
    assert "report.html" in out
    names = {str(f.relative_to(made)) for f in made.rglob("*") if f.is_file()}
    assert {"report.md", "report.tex", "figures/figure-2.svg", "figures/figure-2.pdf"} < names
    for name in names - {"results.json.gz"}:
        assert (tmp_path / "again" / name).read_bytes() == (made / name).read_bytes()


def test_one_figure_can_be_made_alone(tmp_path):
    files = report.write(papers(), tmp_path, formats=("md",), only="figure-3")

    assert [str(f.relative_to(tmp_path)) for f in files] == [
        "figure-3.md", "figures/figure-3-eggholder.svg", "figures/figure-3-powell.svg",
    ]  # fmt: skip


def test_latex_gets_pdf_files(tmp_path):
    files = report.write(papers(), tmp_path, formats=("tex",), only="figure-3")

    assert {f.suffix for f in files} == {".tex", ".pdf"}
    assert "{figures/figure-3-powell.pdf}" in files[0].read_text()


def test_what_cannot_be_reported_is_refused(tmp_path):
    with pytest.raises(BoltError, match="unknown section 'figure-1'"):
        report.write(papers(), tmp_path, only="figure-1")
    with pytest.raises(BoltError, match="no report format 'pdf'"):
        report.write(papers(), tmp_path, formats=("pdf",))
