"""Charts of the lab: n* to the integer, the facts of Figure 1, the bound, Theorem 3.8."""

import json
import math
import re

import numpy as np
import plotly.graph_objects as go
import pytest

from bolt_core.figures.lab import bound_chart, figure1, removal_chart, size_chart
from bolt_core.figures.lab.setting import CAP, DIALS, Setting, nearest_steps, setting, squared_norms
from bolt_core.theory.dataset_size import recommended_size, squared_norm_u
from bolt_core.theory.kernels import LABELS, temporal_correlation
from bolt_core.theory.response_time import ResponseTime

METRONOME = Setting("rbf", 60.0, (0.5, 0.0, 0.0, 0.0))
STALE = Setting("rbf", 1.0, (10.0, 0.1, 0.0, 0.0))
SLOW = Setting("matern32", 1e4, (0.01, 1e-5, 0.0, 0.0))
CROWDED = Setting("matern12", 1.0, (0.01, 0.1, 1e-4, 1e-5))
SETTINGS = {
    "first": Setting(),
    "metronome": METRONOME,
    "stale": STALE,
    "slow": SLOW,
    "crowded": CROWDED,
    "all stale": Setting("rbf", 1.0, (10.0, 0.1, 1e-4, 1e-5)),
    "heavy tail": Setting("rq", 1e4, (0.01, 0.0, 0.0, 1e-10)),
}


def drawn(figure):
    """Check that JSON and plotly accept a chart with texts, and return its traces by name."""
    assert figure["kind"] == "plot"
    assert len(figure["times"]) == len(figure["data"])
    assert figure["layout"]["meta"]["alt"]
    assert figure["layout"]["meta"]["caption"]
    json.dumps(figure, allow_nan=False)
    go.Figure({"data": figure["data"], "layout": figure["layout"]})
    return {trace["name"]: trace for trace in figure["data"]}


def by_brute_force(k, l_T, c, upto=400):
    """Return argmax_n of the sum, written out."""
    R = [sum(c_j * n**j for j, c_j in enumerate(c)) for n in range(upto)]
    k_T = {
        "matern12": lambda r: math.exp(-r),
        "matern32": lambda r: (1 + 3**0.5 * r) * math.exp(-(3**0.5) * r),
        "rbf": lambda r: math.exp(-r * r / 2),
        "rq": lambda r: 1 / (1 + r * r / 2),
    }[k]
    u = [math.fsum(k_T(i * R[n] / l_T) ** 2 for i in range(1, n + 1)) for n in range(upto)]
    return max(range(upto), key=u.__getitem__)


@pytest.mark.parametrize("chosen", SETTINGS.values(), ids=SETTINGS)
def test_every_setting_is_drawn_and_explained(chosen):
    traces = drawn(size_chart.size_lab(chosen))

    assert (chosen.n_star is not None) == ("argmax" in traces)
    assert "nan" not in size_chart.size_summary(chosen)


@pytest.mark.parametrize("k", ["matern12", "matern32", "rbf", "rq"])
@pytest.mark.parametrize(
    ("l_T", "c"),
    [(60.0, (0.5, 0, 0, 1e-7)), (22.0, (0.05, 2e-3, 0, 1e-6)), (60.0, (8.0, 0, 0, 1e-7))],
)
def test_the_line_is_at_n_star_to_the_integer(k, l_T, c):
    chosen = Setting(k, l_T, c)
    figure = size_chart.size_lab(chosen)
    peak = drawn(figure)["argmax"]

    assert chosen.n_star == by_brute_force(k, l_T, c)
    assert chosen.n_star == recommended_size(
        temporal_correlation(k, l_T), ResponseTime(c), seen=200
    )
    assert figure["layout"]["shapes"][0]["x0"] == peak["x"][0] == chosen.n_star
    assert f"n* = {chosen.n_star}" in size_chart.headline(chosen)


def test_the_sentence_weighs_one_more_observation_against_the_ageing_of_the_others():
    chosen = Setting()
    n = chosen.n_star
    before, there = chosen.balance(n - 1), chosen.balance(n)
    gain = squared_norm_u(n + 1, chosen.k_T, chosen.R) - squared_norm_u(n, chosen.k_T, chosen.R)

    assert before[0] > before[1]
    assert there[0] < there[1]
    assert there[0] - there[1] == pytest.approx(gain, abs=1e-10)  # sums of 60 cancel
    assert f"{there[0]:.3f}" in size_chart.size_summary(chosen)
    assert f"{there[1]:.3f}" in size_chart.size_summary(chosen)


def test_a_metronome_keeps_everything_and_its_curve_has_no_maximum():
    u = drawn(size_chart.size_lab(METRONOME))["‖u‖²"]["y"]

    assert size_chart.headline(METRONOME) == "Keep everything"
    assert "no maximum" in size_chart.size_summary(METRONOME)
    assert all(np.diff(u) >= 0)


def test_stale_data_are_not_reported_as_no_limit():
    assert STALE.n_star is None
    assert size_chart.headline(STALE) not in ("Keep everything", size_chart.headline(SLOW))
    assert max(drawn(size_chart.size_lab(STALE))["‖u‖²"]["y"]) < 1e-6
    assert size_chart.size_lab(STALE)["layout"]["yaxis2"]["range"] == [0.0, 1.0]


def test_a_limit_beyond_the_cap_is_reported():
    assert size_chart.headline(SLOW) == f"No limit up to n = {CAP:,}"
    assert float(SLOW.R(CAP)) > float(SLOW.R(1))  # it grows, but too slowly


def test_all_sizes_at_once_are_the_sums_one_by_one():
    chosen = CROWDED
    sizes = np.array([1.0, 2.0, 7.0, 40.0])
    _, u = squared_norms(sizes, chosen.k_T, chosen.R)

    assert u == pytest.approx(
        [squared_norm_u(int(n), chosen.k_T, chosen.R) for n in sizes], rel=1e-13
    )


@pytest.mark.parametrize("dial", DIALS.values(), ids=DIALS)
def test_a_dial_has_its_default_and_rounds_to_a_step_by_ratio(dial):
    assert dial.default in dial.steps
    assert list(dial.steps) == sorted(set(dial.steps))
    assert dial.nearest(1e99) == dial.steps[-1]
    assert dial.nearest(-1.0) == dial.steps[0]
    assert dial.nearest(5e-324) == (dial.steps[0] or dial.steps[1])
    for value in (0.0123, 0.71, 3.3):
        if dial.steps[1] < value < dial.steps[-1]:
            assert dial.nearest(value) == pytest.approx(value, rel=0.08)  # half of 15 %


@pytest.mark.parametrize("bad", ["", "oops", "nan", "inf", None, "1e999"])
def test_an_invalid_number_is_replaced_by_the_default(bad):
    assert setting("EVIL", [bad] * 5) == Setting()


def test_coefficients_go_to_the_nearest_steps_in_the_dials_units():
    assert nearest_steps([0.163, 0.0, 3.61e-6, 0.0]) == {
        "r0": 0.16,
        "lin": 0,
        "quad": 3.6,
        "cub": 0,
    }


def test_figure_1_left_smoother_kernels_keep_more():
    traces = drawn(figure1.figure1_kernels())
    sizes = [curve.n_star for curve in figure1.by_kernel()]

    assert [curve.label for curve in figure1.by_kernel()] == list(LABELS.values())
    assert sizes[:2] == [98, 103]  # computed elsewhere, to the integer, like 109
    assert sizes[3] == 109
    assert sizes == sorted(sizes)
    assert traces["n* of RBF"]["x"] == [109]


def test_figure_1_right_slower_response_times_keep_more_and_a_constant_one_all():
    drawn(figure1.figure1_responses())
    *sizes, constant = [curve.n_star for curve in figure1.by_response()]

    assert sizes == sorted(sizes)
    assert len(set(sizes)) == len(sizes)
    assert constant is None
    for curve in figure1.by_response()[:-1]:
        R = figure1.Growth(figure1.GROWTHS[curve.label])
        assert R(10) == pytest.approx(2 * R(0))


def test_the_caption_of_figure_1_names_the_sizes_where_the_order_reverses():
    sizes = {k: Setting(k, 60.0, (8.0, 0, 0, 1e-7)).n_star for k in ("matern12", "rbf")}
    caption = figure1.figure1_kernels()["layout"]["meta"]["caption"]

    assert sizes == {"matern12": 33, "rbf": 22}
    assert "keeps 33 and RBF 22" in caption


@pytest.mark.parametrize("noise", bound_chart.NOISES)
@pytest.mark.parametrize("chosen", SETTINGS.values(), ids=SETTINGS)
def test_the_bound_is_drawn_for_every_setting(chosen, noise):
    drawn(bound_chart.bound_curve(chosen, noise))


@pytest.mark.parametrize("noise", bound_chart.NOISES)
def test_the_bound_is_lowest_at_n_star_as_time_grows_and_its_minimum_is_exact(noise):
    chosen = Setting()
    for bound in bound_chart.bound_curves(chosen, noise):
        every = [bound.at(n) for n in range(1, chosen.reach + 1)]
        assert bound.lowest()[0] == 1 + int(np.argmin(every))

    assert bound_chart.bound_curves(chosen, noise)[-1].lowest()[0] == chosen.n_star


def test_the_bound_has_the_heights_its_module_reports_and_keeping_all_is_trivial():
    heights = [
        bound_chart.bound_curves(Setting(), noise)[-1].lowest()[1] for noise in bound_chart.NOISES
    ]
    bound = bound_chart.bound_curves(Setting(), 0.01)[0]

    assert heights == pytest.approx([4.1, 1.8, 1.06], rel=0.01)
    assert bound.at(bound.iterations) == pytest.approx(1.0, rel=1e-12)


def test_a_bound_below_the_trivial_one_is_reported_as_a_guarantee():
    assert "% below" in bound_chart.bound_summary(METRONOME, 1.0)
    assert "no small regret" in bound_chart.bound_summary(Setting(), 1.0)


@pytest.mark.parametrize("out", [(), (0,), (6, 9), tuple(range(10))])
@pytest.mark.parametrize("chosen", SETTINGS.values(), ids=SETTINGS)
def test_the_acquisition_never_changes_more_than_theorem_3_8_allows(chosen, out):
    left = removal_chart.LeftOut(chosen, out)
    drawn(removal_chart.posterior_now(left))

    assert left.gap.change <= left.gap.limit * (1 + 1e-12)
    assert set(left.scores) == set(left.kept)
    if not out:
        assert left.gap.limit == 0


@pytest.mark.parametrize("i", [0, 4, 9])
def test_the_score_beside_an_observation_is_the_distance_its_removal_makes(i):
    whole, without = removal_chart.LeftOut(Setting()), removal_chart.LeftOut(Setting(), (i,))
    slope = math.sqrt(1 + whole.beta)

    # the score has sigma - sigma_i by downdating, the gap as a difference of two predictions
    assert whole.scores[i] == pytest.approx(without.gap.limit / slope, rel=1e-7)


def test_both_sides_agree_with_a_dense_sum_over_the_same_domain():
    left = removal_chart.LeftOut(Setting(), (6,))
    x, t = (np.arange(200) + 0.5) / 200, removal_chart.NOW + 120.0 * (np.arange(120) + 0.5) / 120
    Z = np.stack(np.meshgrid(x, t, indexing="ij"), axis=-1).reshape(-1, 2)
    K = left.k.between(
        removal_chart.PLACES[:, None] * [1, 0] + removal_chart.TIMES[:, None] * [0, 1], Z
    )

    def ucb(rows):
        D = K[rows]
        A = left.k.between(left.before.Z[rows], left.before.Z[rows]) + 0.02 * np.eye(len(rows))
        mu = removal_chart.VALUES[rows] @ np.linalg.solve(A, D)
        sd = np.sqrt(1.0 - np.sum(D * np.linalg.solve(A, D), axis=0))
        return mu, sd, mu + math.sqrt(left.beta) * sd

    one, two = ucb(list(range(10))), ucb(left.kept)
    area = 120.0 / len(Z)
    change = math.sqrt(area * np.sum((one[2] - two[2]) ** 2))
    W2 = math.sqrt(area * np.sum((one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2))
    # midpoint sum, step 0.005 of l_S = 0.15 and 1 s of l_T = 60 s: (step / scale)^2 is 1e-3
    assert left.gap.change == pytest.approx(change, rel=1e-3)
    assert left.gap.limit == pytest.approx(math.sqrt(1 + left.beta) * W2, rel=1e-3)


def test_only_valid_rows_can_be_left_out():
    assert removal_chart.checked_rows([3, 3, -1, 99, "7", True, None, 0]) == (0, 3)


def test_a_lowest_point_at_the_end_of_the_axis_may_lie_beyond():
    slow = bound_chart.bound_summary(Setting(lengthscale=600.0), 1.0)

    before, sizes = slow.split("n = ", 1)
    assert "lowest" in before
    assert re.match(r"\d+ or more.* T = 10³", sizes)
    assert re.search(r"10³, \d+ for T = 10⁴", sizes)
    assert "or more" not in bound_chart.bound_summary(Setting(), 1.0)
