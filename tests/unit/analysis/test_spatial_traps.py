"""Corners of the box, and lengthscales beyond its diagonal."""

import pytest

from bolt_core.analysis.spatial_traps import (
    at_corners,
    corner_share,
    no_structure_share,
    sees_no_structure,
)
from bolt_core.common.types import Hyperparameters
from bolt_core.figures.inside.hyperparameters import hyperparameters
from bolt_core.store.run_summary import RunSummary
from tests.support.runs import make_run

CORNER, EDGE = (0.0, 1.0), (0.0, 0.5)


def theta(l_S):
    return Hyperparameters(1.0, l_S, 20.0, 0.01)


def trapped(passes=35):
    """In corners and with an l_S of 3 from pass 25 on; in corners during the warm-up, too."""
    return make_run(
        passes,
        algorithm="bolt",
        x=lambda i: CORNER if i < 15 or i >= 25 else EDGE,
        theta=lambda i: theta(3.0 if i >= 25 else 0.3),
    )


def test_a_corner_has_every_coordinate_at_an_end_of_its_range():
    points = [CORNER, EDGE, (1.0, 1.0 - 9e-7), (1e-6 + 1e-9, 0.0), (0.5, 0.5)]

    assert at_corners(points).tolist() == [True, False, True, False, False]


def test_structure_ends_at_the_diagonal():
    assert not sees_no_structure(2.0, 4)
    assert sees_no_structure(2.0 + 1e-9, 4)
    assert not sees_no_structure(float("nan"), 4)


def test_shares_are_over_passes_after_the_warmup():
    run = trapped()

    assert corner_share(run.columns) == no_structure_share(run.columns) == 0.5
    assert corner_share(make_run(10).columns) is None
    assert no_structure_share(make_run(40).columns) is None  # no surrogate


@pytest.mark.parametrize("passes", [10, 20, 35])
def test_the_summary_of_a_record_counts_the_same_pass_by_pass(passes):
    run, summary = trapped(passes), RunSummary()
    for record in run.records:
        summary.add(record)
    line = summary.summary()

    assert line.get("corner_share") == corner_share(run.columns)
    assert line.get("no_structure_share") == no_structure_share(run.columns)


def test_inside_says_so_while_it_lasts():
    def caption(passes):
        return hyperparameters(trapped(passes))["layout"]["meta"]["caption"]

    assert all(part in caption(30) for part in ("no structure", "l_S = 3.00", "sqrt(d) = 1.41"))
    assert "33\N{THIN SPACE}%" in caption(30)  # 5 of 15 queries
    assert "no structure" not in caption(24)
