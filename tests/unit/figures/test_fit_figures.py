"""R(n) and its curve over time: earlier curves, changes of speed, passes above the chart."""

import math
from dataclasses import replace

import numpy as np

from bolt_core.common.types import SpeedChange
from bolt_core.figures.inside import response_and_size as response_figure
from bolt_core.figures.inside.relevance import missing_scores_reason
from bolt_core.figures.inside.response_and_size import fit_summary, response_and_size
from tests.support.runs import R, make_fitted_run


def trace(figure, name):
    return next(t for t in figure["data"] if t["name"] == name)


def u_squared(n, l_T=20.0):
    """Return ||u_n||^2 for Matern-3/2, written out."""
    r = math.sqrt(3.0) * np.arange(1, n + 1) * max(R[0] + R[3] * n**3, 0.05) / l_T
    return float(np.sum(((1 + r) * np.exp(-r)) ** 2))


def test_passes_above_the_chart_are_counted_beside_n_star_too():
    run = make_fitted_run(90, n_star=55)
    run.columns.table.flags.writeable = True
    run.columns["seconds"][[40, 41]] = 26.0
    high = response_and_size(run)["layout"]["yaxis"]["range"][1]

    assert np.sum(run.columns["seconds"] > high) == 2
    assert fit_summary(run).endswith("up to 26.0 s.")


def test_pauses_of_an_operator_are_named_and_a_fit_that_explains_little(monkeypatch):
    run = make_fitted_run(90, n_star=55)
    assert "pauses" not in fit_summary(run)
    monkeypatch.setattr(response_figure, "is_own_problem", lambda _: True)
    good, noisy = replace(run), make_fitted_run(90, n_star=55)
    noisy.columns.table.flags.writeable = True
    noisy.columns["seconds"][:] = np.random.default_rng(0).exponential(30.0, len(noisy))

    assert "pauses" in fit_summary(good)
    assert "rough" not in fit_summary(good)
    assert "rough" in fit_summary(noisy)


def test_passes_before_a_change_of_speed_are_drawn_at_the_present_speed():
    run = make_fitted_run(60, n_star=40)
    slowed = replace(run, speeds=(SpeedChange(i=50, t=5.0, factor=2.0, ratio=2.0),))
    before, after = (trace(response_and_size(r), "measured")["y"] for r in (run, slowed))

    np.testing.assert_allclose(after[:35], 2 * np.array(before[:35]), rtol=1e-4)
    assert after[35:] == before[35:]


def test_a_faint_line_shows_the_curve_of_a_minute_ago():
    later = {"response": (0.2, 0.0, 0.0, 1e-6), "response_floor": 0.05}
    run = make_fitted_run(1300, n_star=55, sizes=lambda i: i % 90)
    remarks = [*list(run.columns.notes)[:800], *[later] * 500]
    run = replace(run, columns=replace(run.columns, notes=remarks))
    (ghost,) = [t for t in response_and_size(run)["data"] if "ago" in t["name"]]

    assert ghost["name"] == "‖u‖² 60.0 s ago"
    assert fit_summary(run).endswith("60.0 s ago.")
    np.testing.assert_allclose(ghost["y"], [u_squared(int(n)) for n in ghost["x"]], rtol=1e-4)
    assert trace(response_and_size(run), "‖u‖²")["y"][-1] != ghost["y"][-1]


def test_a_young_run_has_a_faint_line_of_half_its_age_or_none():
    names = [t["name"] for t in response_and_size(make_fitted_run(90, n_star=55))["data"]]

    assert "‖u‖² 4.50 s ago" in names  # t = 8.9 s now, and an observation every 0.1 s
    assert not any("ago" in t["name"] for t in response_and_size(make_fitted_run(20))["data"])


def test_a_record_without_kernels_gives_the_reason():
    run = make_fitted_run(40, n_star=30, header={})

    assert "kernels" in fit_summary(run)
    assert "kernels" in missing_scores_reason(run, None)
