"""Charts of R(n), n* and relevance: valid for any run, and with the numbers of the record."""

import json
import math
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from bolt_core.analysis.downsample import POINTS_PER_TRACE
from bolt_core.analysis.response_fit import newest_fit
from bolt_core.figures.inside.relevance import LAST, Relevance, missing_scores_reason, relevance
from bolt_core.figures.inside.response_and_size import fit_chip, fit_summary, response_and_size
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from tests.support.runs import R, make_fitted_run
from tests.support.wording import in_order


def valid(figure):
    """Return the figure after a round trip through JSON without NaN and plotly's schema."""
    return go.Figure(json.loads(json.dumps(figure, allow_nan=False)))


def trace(figure, name):
    return next(t for t in figure["data"] if t["name"] == name)


def u_squared(n, l_T=20.0):
    """Return ||u_n||^2 for Matern-3/2, written out."""
    r = math.sqrt(3.0) * np.arange(1, n + 1) * max(R[0] + R[3] * n**3, 0.05) / l_T
    return float(np.sum(((1 + r) * np.exp(-r)) ** 2))


def scored(n, **changes):
    """Return the relevance of a run with all n kept and scores lowest in the middle."""
    values = tuple(1e-4 + abs(i - n // 2) / 10 for i in range(n))
    return replace(Relevance(n, 0.1 * max(n - 1, 0), tuple(range(n)), values), **changes)


@pytest.mark.parametrize("n_star", [None, 40])
@pytest.mark.parametrize("n", [0, 1, 2, 15, 16, 17, 40, 10_000])
def test_any_number_of_passes_makes_a_valid_figure_of_few_points(n, n_star):
    figure = valid(response_and_size(make_fitted_run(n, n_star=n_star, sizes=lambda i: i % 300)))

    assert all(len(t.x) <= POINTS_PER_TRACE for t in figure.data)
    assert figure.layout.meta["alt"]


@pytest.mark.parametrize("n", [0, 1, 2, 260, 261, 10_000])
def test_any_number_of_scores_makes_a_valid_figure_of_few_points(n):
    figure = valid(relevance(make_fitted_run(n), scored(n)))

    assert all(len(t.x) <= POINTS_PER_TRACE for t in figure.data)
    assert bool(figure.data) == bool(n)
    assert figure.layout.meta["alt"]


def test_a_failed_run_keeps_its_last_figures():
    run = make_fitted_run(60, n_star=40, error="broke")

    assert len(valid(response_and_size(run)).data) == 6
    assert valid(relevance(run, scored(60))).data


def test_the_curve_is_that_of_the_paper_and_its_dot_is_the_argmax():
    figure = response_and_size(make_fitted_run(90, n_star=55))
    curve, dot = trace(figure, "‖u‖²"), trace(figure, "argmax")
    best = max(range(1, 200), key=u_squared)

    np.testing.assert_allclose(curve["y"], [u_squared(int(n)) for n in curve["x"]], rtol=1e-4)
    assert dot["x"] == [best]
    assert dot["y"] == [max(curve["y"])]


def test_one_line_at_the_recorded_size_crosses_both_panels():
    layout = response_and_size(make_fitted_run(90, n_star=55))["layout"]
    (rule,) = [s for s in layout["shapes"] if s["type"] == "line"]

    assert (rule["x0"], rule["x1"], rule["y0"], rule["y1"], rule["yref"]) == (55, 55, 0, 1, "paper")
    assert layout["annotations"][0]["text"] == "<b>n* = 55</b>"
    assert layout["xaxis"]["range"][1] >= 55
    assert layout["yaxis"]["domain"][0] > layout["yaxis2"]["domain"][1]


def test_the_fit_is_dashed_beyond_the_largest_size_measured():
    figure = response_and_size(make_fitted_run(90, n_star=55))
    known, guess = trace(figure, "fitted"), trace(figure, "extrapolated")
    band = figure["layout"]["shapes"][0]

    assert known["x"][-1] == guess["x"][0] == band["x0"] == 88  # the last pass is not a sample yet
    assert guess["line"]["dash"] == "dash"
    np.testing.assert_allclose(known["y"], [R[0] + R[3] * n**3 for n in known["x"]], rtol=1e-4)


def test_dots_are_coloured_by_age_from_pale_to_full():
    dots = trace(response_and_size(make_fitted_run(40, n_star=30)), "measured")

    assert len(dots["x"]) == 40 - 15
    assert dots["marker"]["color"][0] == 0.0
    assert dots["marker"]["color"][-1] == 1.0
    assert np.all(np.diff(dots["marker"]["color"]) > 0)


def test_one_long_wait_does_not_flatten_the_others():
    run = make_fitted_run(60, algorithm="abo", notes={})
    run.columns.table.flags.writeable = True
    run.columns["seconds"][40] = 26.0

    assert response_and_size(run)["layout"]["yaxis"]["range"][1] < 2.0
    assert fit_summary(run).endswith("up to 26.0 s.")


def test_before_four_sizes_there_is_a_sentence_instead_of_a_curve():
    run = make_fitted_run(17)

    assert [t["name"] for t in response_and_size(run)["data"]] == ["measured"]
    assert in_order(fit_summary(run), "4 different sizes", "2 so far")
    assert fit_chip(run) == "2 full passes"
    assert fit_chip(make_fitted_run(3)) is None


def test_without_a_limit_there_is_a_text_and_no_line():
    run = make_fitted_run(40, n_star=None)
    layout = response_and_size(run)["layout"]

    assert all(s["type"] == "rect" for s in layout["shapes"])
    assert layout["annotations"][0]["text"] == "no limit yet"
    assert fit_summary(run).startswith("No limit yet")


def test_the_chip_says_how_good_the_fit_is():
    assert in_order(fit_chip(make_fitted_run(90, n_star=55)), "fit", "R² 1.00", " 74 passes")
    constant = {"response": (0.1, 0.0, 0.0, 0.0), "response_floor": 0.05}
    assert "constant over 74 passes" in fit_chip(make_fitted_run(90, notes=constant))


def test_the_takeaway_is_in_the_alternative_text():
    alt = response_and_size(make_fitted_run(90, n_star=55))["layout"]["meta"]["alt"]

    assert "BOLT, fit R² 1.00" in alt
    assert "n* = 55" in alt


def test_a_record_that_does_not_name_its_kernel_shows_dots_only():
    run = make_fitted_run(90, n_star=55, header={})

    assert newest_fit(run) is None
    assert [t["name"] for t in valid(response_and_size(run)).data] == ["measured"]


@pytest.mark.parametrize(
    ("notes", "said"),
    [
        ({"period": 37}, "resets when its block of 37"),
        ({"window": 41}, "keeps the newest 41"),
        ({"memory": 10.0}, "half as much every 6.93 s"),
        ({"since_reset": 12}, "12 observations since"),
        ({"budget": 0.25, "scores": []}, "0.250 of it is left"),
        ({"ahead": 2.0}, "up to 2.00 s ahead"),
        ({"ahead": 0.0}, "does not wait"),
        ({}, "keeps every observation."),
    ],
)
def test_the_rule_of_an_algorithm_without_n_star_is_described(notes, said):
    run = make_fitted_run(40, algorithm="gpucb", notes=notes)

    assert "has no n*" in stale_data_rule(run)
    assert said in stale_data_rule(run)
    assert [t["name"] for t in valid(response_and_size(run)).data] == ["measured"]


def test_an_algorithm_with_n_star_has_no_such_sentence():
    assert stale_data_rule(make_fitted_run(40)) is None
    assert stale_data_rule(make_fitted_run(10, algorithm="gpucb")) is None


def test_the_lowest_score_is_filled_and_removed_next():
    figure = relevance(make_fitted_run(40, n_star=30), scored(40))
    lowest, caption = trace(figure, "lowest"), figure["layout"]["annotations"][0]

    assert (lowest["x"], lowest["marker"]["symbol"]) == ([2.0], "circle")
    assert trace(figure, "kept")["marker"]["symbol"] == "circle-open"
    assert "removed next" in caption["text"]
    assert caption["x"] == 2.0
    assert caption["y"] == figure["layout"]["yaxis"]["range"][0]
    assert "2.0 s matters least" in figure["layout"]["meta"]["alt"]


def test_below_n_star_nothing_is_removed_next():
    for n_star, fate in ((90, "would be removed"), (41, "would be removed"), (40, "removed next")):
        figure = relevance(make_fitted_run(40, n_star=n_star), scored(40))
        assert fate in figure["layout"]["annotations"][0]["text"]


def test_none_is_removed_next_without_a_limit_or_by_another_rule():
    bolt, *others = [
        relevance(run, scored(40))["layout"]["annotations"][0]["text"]
        for run in (
            make_fitted_run(40),
            make_fitted_run(40, algorithm="gpucb"),
            make_fitted_run(40, algorithm="bolt-oldest"),
        )
    ]

    assert in_order(bolt, "<b>", "would", "removed first", "</b>")
    assert others == ["<b>lowest score</b>"] * 2


def with_removals(run, ids, notes):
    """Return the run with these ids removed in its last pass."""
    columns = run.columns
    removals = [*list(columns.removed)[: len(run) - 1], ids]
    remarks = [*list(columns.notes)[: len(run) - 1], {**columns.notes[len(run) - 1], **notes}]
    return replace(run, columns=replace(columns, removed=removals, notes=remarks))


def test_removals_are_crosses_where_the_record_has_their_scores():
    told = with_removals(make_fitted_run(40, n_star=30), (3, 7), {"scores": [0.02, 0.03]})
    silent = with_removals(make_fitted_run(40, n_star=30), (3, 7), {})
    figure = relevance(told, scored(40))
    crosses = trace(figure, "recently removed")

    assert (crosses["x"], crosses["y"]) == ([0.3, 0.7], [0.02, 0.03])
    assert crosses["marker"]["symbol"] == "x-open"
    assert "recently removed" not in [t["name"] for t in relevance(silent, scored(40))["data"]]


def test_only_the_last_removals_are_shown():
    many = tuple(range(30))
    run = with_removals(make_fitted_run(40, n_star=30), many, {"scores": [0.1] * 30})

    assert len(trace(relevance(run, scored(40)), "recently removed")["x"]) == LAST


def test_a_score_of_zero_stays_on_the_logarithmic_axis():
    run = make_fitted_run(40)
    figure = relevance(run, scored(40, scores=(0.0, *[1.0] * 39)))
    low, high = figure["layout"]["yaxis"]["range"]

    assert min(trace(figure, "kept")["y"]) >= 10.0**low > 0
    assert high - low <= 7
    assert relevance(run, scored(40, scores=(0.0,) * 40))["data"]


def test_ticks_are_powers_of_ten_and_there_are_at_least_two():
    axis = relevance(make_fitted_run(40), scored(40, scores=(0.03,) * 40))["layout"]["yaxis"]

    assert len(axis["tickvals"]) >= 2
    assert axis["ticktext"][1] == "10<sup>\N{MINUS SIGN}2</sup>"


def test_without_scores_the_panel_gives_the_reason():
    assert missing_scores_reason(make_fitted_run(3), None).startswith("No surrogate yet")
    assert missing_scores_reason(make_fitted_run(40), None) == "Computing the scores."
    assert (
        missing_scores_reason(make_fitted_run(40), Relevance(40, reason="no factor")) == "no factor"
    )
    assert not valid(relevance(make_fitted_run(40), None)).data
