"""Tests of the report's images: matplotlib is loaded late, and equal charts give equal bytes."""

import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from bolt_core import report
from bolt_core.campaigns import plan
from bolt_core.report.renderers import images
from tests.support.reports import invented


@pytest.fixture(scope="module")
def charts():
    """Every chart of a report with all algorithms on two benchmarks."""
    results = invented((*plan.TABLE2, *plan.EXTRA), ("eggholder", "shekel"))
    return [chart for section in report.compose(results) for chart in section.charts]


def test_importing_the_report_does_not_import_matplotlib():
    code = (
        "import sys, bolt_core.report, bolt_core.cli.campaign; print('matplotlib' in sys.modules)"
    )

    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_every_name_in_an_svg_lies_within_it(charts):
    for chart in charts:
        root = ET.fromstring(images.draw(chart, "svg"))
        width, height = (float(v) for v in root.get("viewBox").split()[2:])
        texts = [e for e in root.findall(".//{*}text") if e.get("x")]
        shown = {"".join(e.itertext()) for e in texts}

        assert {note["text"] for note in chart.figure["layout"]["annotations"]} <= shown
        assert all(0 <= float(e.get("x")) <= width for e in texts)
        assert all(0 <= float(e.get("y")) <= height for e in texts)
        assert root.find("{*}title").text == chart.alt


def test_an_svg_has_a_line_per_algorithm_and_the_palettes_colours(charts):
    chart = next(c for c in charts if c.name.endswith("-size"))
    svg = images.draw(chart, "svg").decode()

    assert "#d62a0b" in svg  # BOLT
    assert svg.count("stroke-dasharray") >= 8  # all others are dashed


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_equal_charts_give_equal_bytes_without_dates(charts, kind):
    first, second = (images.draw(charts[0], kind) for _ in range(2))

    assert first == second
    assert b"CreationDate" not in first
    assert b"dc:date" not in first
