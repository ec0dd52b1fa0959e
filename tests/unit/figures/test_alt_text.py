"""The text for screen readers: words and numbers, without HTML or Markdown."""

import re

import pytest

from bolt_core import benchmarks
from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import CHARTS, View
from bolt_core.common.types import RunStatus
from bolt_core.figures.benchmarks import benchmark_charts, thumbnail
from bolt_core.figures.lab import figure1
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_ui.guide.sections import FIGURES
from tests.support.runs import make_fitted_run

MARKUP = re.compile(r"</?\w+[ />]|&\w+;|\*\*|`|\]\(|\\[*_$]|\$[^$]+\$|<sub>|<sup>")


def alt_of(chart):
    return chart["layout"]["meta"]["alt"] if chart["kind"] == "plot" else chart.get("alt", "")


@pytest.mark.parametrize("name", CHARTS)
def test_the_charts_of_a_race_are_described_in_plain_text(name):
    runs = [make_fitted_run(30), make_fitted_run(30, algorithm="abo")]
    chart = chart_registry.build(
        name, RaceSnapshot("r", RunStatus.RUNNING, tuple(runs), 3.0, 60.0), View()
    )

    assert not MARKUP.search(alt_of(chart))
    assert alt_of(chart) or chart["kind"] in ("text", "steps")


@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_of_the_guide_are_described_in_plain_text(name):
    alt = alt_of(FIGURES[name]())

    assert alt
    assert not MARKUP.search(alt)


@pytest.mark.parametrize("draw", [figure1.figure1_kernels, figure1.figure1_responses])
def test_the_figures_of_the_lab_are_described_in_plain_text(draw):
    alt = alt_of(draw())

    assert alt
    assert not MARKUP.search(alt)


@pytest.mark.parametrize("key", ["eggholder", "schwefel"])
def test_the_charts_of_a_benchmark_are_described_in_plain_text(key):
    board = benchmarks.load(key)
    seen = benchmark_charts.overview(board)
    drawn = (benchmark_charts.landscape(seen, 1.0), benchmark_charts.optimum(seen, 1.0))
    texts = [alt_of(chart) for chart in drawn]

    for alt in [*texts, thumbnail.describe(board)]:
        assert alt
        assert not MARKUP.search(alt)
