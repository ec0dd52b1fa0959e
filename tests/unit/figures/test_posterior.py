"""The posterior on screen is that of the surrogate, with the observations it has."""

from dataclasses import replace

import numpy as np
import pytest

from bolt_core.analysis.surrogate_from_record import surrogate
from bolt_core.figures.inside.belief import belief_now, belief_over_time, best_observed
from bolt_core.figures.inside.posterior import CELLS, MAX_OBSERVATIONS, posterior, window
from bolt_core.figures.inside.relevance import Relevance
from tests.support.runs import THETA, make_fitted_run, make_pruned_run, real_run


def named(chart):
    return {trace["name"]: trace for trace in chart["data"]}


def by_hand_mean(found, x, t):
    """m + k K^-1 (y - m), Matern-5/2 in x and Matern-3/2 in t, with numpy alone."""

    def k(A, Z):
        r = np.sqrt(5) * np.abs(A[:, None, 0] - Z[:, 0]) / found.inference.theta.lengthscale_space
        s = np.sqrt(3) * np.abs(A[:, None, 1] - Z[:, 1]) / found.inference.theta.lengthscale_time
        return found.inference.theta.signal_variance * (
            (1 + r + r**2 / 3) * np.exp(-r) * (1 + s) * np.exp(-s)
        )

    Z, learned = found.data.Z, found.inference
    y = (found.data.y - learned.y_mean) / learned.y_sd - learned.mean
    A = k(Z, Z) + learned.theta.noise_variance * np.eye(len(Z))
    mean = learned.mean + k(np.array([[x, t]]), Z) @ np.linalg.solve(A, y)
    return learned.y_mean + learned.y_sd * float(mean[0])


def test_the_separable_mean_is_the_engines_and_that_of_a_plain_solve():
    found = surrogate(real_run("bolt", 45))
    places, times = np.linspace(0, 1, 7), np.linspace(0, 30, 5)
    table = belief_over_time(found, places, times)
    X, at = np.meshgrid(places, times, indexing="ij")
    expected, _ = found.posterior(X.reshape(-1, 1), at.ravel())

    spread = np.ptp(expected)
    np.testing.assert_allclose(table.ravel(), expected, atol=1e-9 * spread)
    # K is nearly singular where BOLT looked twice: a plain solve loses what B keeps
    by_solve = [by_hand_mean(found, x, 30.0) for x in places]
    np.testing.assert_allclose(table[:, -1], by_solve, atol=1e-5 * spread)


def test_a_surrogate_without_time_is_the_same_at_all_times():
    found = surrogate(real_run("gpucb", 45))
    table = belief_over_time(found, np.linspace(0, 1, 7), np.array([0.0, 10.0, 99.0]))
    expected, _ = found.posterior(np.linspace(0, 1, 7)[:, None], 3.0)

    np.testing.assert_allclose(table, np.tile(expected[:, None], 3), atol=1e-9 * np.ptp(expected))


def test_the_plane_has_rows_of_the_second_coordinate():
    found = surrogate(real_run("bolt", 40, "gp-sample"))
    side = np.linspace(0, 1, 5)
    mean, _ = belief_now(found, side, 12.0, sd=False)
    same, sd = belief_now(found, side, 12.0, sd=True)
    one, one_sd = found.posterior(np.array([[side[1], side[3]]]), 12.0)

    np.testing.assert_allclose(mean, same, atol=1e-9 * np.ptp(same))
    assert (mean[3, 1], sd[3, 1]) == pytest.approx((one[0], one_sd[0]), rel=1e-9)


def test_the_best_observed_is_an_observed_one_with_the_largest_mean():
    found = surrogate(real_run("bolt", 45))
    x, mean, _ = best_observed(found, 20.0)
    means, _ = found.posterior(found.data.Z[:, :-1], 20.0)

    assert x in found.data.Z[:, :-1]
    assert mean == pytest.approx(means.max(), rel=1e-9)


def test_one_coordinate_is_drawn_over_time_with_every_observation_in_sight():
    run = make_pruned_run(200)
    chart = posterior(run)
    drawn, (start, now, end) = named(chart), window(run, surrogate(run))
    t, kept = run.columns["t"], run.members()

    assert np.shape(drawn["posterior mean"]["z"]) == (CELLS, CELLS)
    assert drawn["kept"]["x"] == pytest.approx(t[kept].tolist(), abs=1e-3)
    gone = [i for i in range(200) if i not in kept and t[i] >= start]
    assert drawn["removed"]["x"] == pytest.approx(t[gone].tolist(), abs=1e-3)
    assert now == t[-1]
    assert now < end <= now + THETA.lengthscale_time
    assert chart["layout"]["shapes"][0]["x0"] == now


def test_relevant_observations_are_larger():
    run = make_pruned_run(100)
    ids = run.members()
    scored = Relevance(100, 9.9, tuple(ids), tuple(float(i) for i in ids))
    marker = named(posterior(run, scored))["kept"]["marker"]

    assert np.all(np.diff(marker["size"]) > 0)
    assert marker["color"][-1] == 1.0
    assert "larger if" in posterior(run, scored)["layout"]["meta"]["caption"]
    assert "larger if" not in posterior(run)["layout"]["meta"]["caption"]


def test_the_optimum_comes_from_the_record_and_its_line_is_interrupted_at_jumps():
    run = make_pruned_run(100)
    places = run.columns.points.copy()
    places[1, :50], places[1, 50:] = 0.2, 0.9
    path = named(posterior(replace(run, columns=replace(run.columns, points=places))))["optimum"]

    assert set(path["y"]) == {0.2, 0.9, None}
    assert path["y"].count(None) == 1


def test_without_an_oracle_no_optimum_is_drawn():
    run = make_pruned_run(100)
    places = run.columns.points.copy()
    places[1] = np.nan
    chart = posterior(replace(run, columns=replace(run.columns, points=places)))

    assert "optimum" not in named(chart)
    assert "optimum" not in chart["layout"]["meta"]["caption"]


def test_two_coordinates_are_a_map_now_beside_its_deviation():
    drawn = named(posterior(real_run("bolt", 40, "gp-sample")))

    assert drawn["standard deviation"]["xaxis"] == "x2"
    assert len(drawn["kept"]["x"]) == len(real_run("bolt", 40, "gp-sample").members())
    assert len(drawn["optimum"]["x"]) == 1


@pytest.mark.parametrize("dimension", [3, 6])
def test_more_coordinates_are_slices_through_the_best_observed(dimension):
    run = make_pruned_run(60, dimension=dimension)
    chart = posterior(run)
    found, now = surrogate(run), float(run.columns["t"][-1])
    x, best, _ = best_observed(found, now)
    lines = [trace for trace in chart["data"] if trace["name"] == "mean"]

    assert len(lines) == dimension
    for k, line in enumerate(lines):
        at = x.copy()
        at[k] = 1.0
        assert line["y"][-1] == pytest.approx(found.posterior(at[None], now)[0][0], abs=1e-4)
        assert np.interp(x[k], line["x"], line["y"]) == pytest.approx(best, abs=0.05)
    assert f"{dimension} coordinates" in chart["layout"]["meta"]["caption"]


def test_without_a_posterior_there_is_a_sentence():
    assert posterior(make_fitted_run(0))["text"].startswith("No surrogate yet")
    assert "kernels" in posterior(replace(make_pruned_run(60), header={}))["text"]
    assert "too many" in posterior(make_fitted_run(MAX_OBSERVATIONS + 2))["text"]
    assert "no surrogate" in posterior(real_run("random", 45))["text"]
