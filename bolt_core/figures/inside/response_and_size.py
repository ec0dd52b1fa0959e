r"""Why BOLT keeps n* observations: R(n) above, ||u_n||^2 below, and a line at n* through both.

One chart with two panels on one n axis. Dots are measured passes, pale if old and dark if new; the
line is the fitted cubic, dashed at sizes that are not measured yet. Below is the curve that BOLT
maximises, with a dot at its maximum, and the same curve a minute ago. Algorithms without an n* have
the upper panel only.
"""

from typing import Any

import numpy as np

from bolt_core.analysis import response_fit
from bolt_core.analysis.downsample import rounded, thin
from bolt_core.common.memoize_last import memoize_last
from bolt_core.common.text import seconds, significant
from bolt_core.figures.inside.removals import oldest_times
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from bolt_core.figures.shared import chart_dicts
from bolt_core.figures.shared.chart_dicts import axis, margins, plot
from bolt_core.figures.shared.palette import line_style
from bolt_core.figures.shared.symbols import NORM, NORM_TITLE, RESPONSE_TITLE, SIZE_TITLE
from bolt_core.figures.shared.traces import Trace, dots, line
from bolt_core.runs.lane_names import label
from bolt_core.runs.own_problem import is_own_problem
from bolt_core.runs.snapshot import RunSnapshot

UPPER, LOWER = [0.54, 1.0], [0.0, 0.43]  # of the height
MIN_R_SQUARED = 0.5  # of a fit that explains most of the response times
SECONDS_HOVER, NORM_HOVER = "%{y:.3~r} s", "%{y:.4~r}"


def response_and_size(run: RunSnapshot) -> dict[str, Any]:
    """Return both panels for an algorithm with R(n) and n*, else the measured passes only."""
    samples, fit = response_fit.response_samples(run), response_fit.newest_fit(run)
    if fit is None or samples.missing:
        traces, layout = [_measured(run, samples)], _measured_layout(samples)
    else:
        traces = [_measured(run, samples), *_fitted(fit), *_norm(run, fit)]
        layout = _fitted_layout(run, fit)
    rule, chip, summary = stale_data_rule(run), fit_chip(run), fit_summary(run)
    passes = f", {chip}" if chip else ""
    alt = f"Response time of {label(run.config.algorithm)}{passes}. {summary}"
    chart = plot(traces, layout, alt, f"{rule} {summary}" if rule else summary)
    chart["layout"]["meta"]["chip"] = chip
    return chart


@memoize_last
def fit_chip(run: RunSnapshot) -> str | None:
    """Return the quality of the fit in a few words; without a fit, the number of full passes."""
    samples, fit = response_fit.response_samples(run), response_fit.newest_fit(run)
    if fit is None or samples.missing:
        return f"{len(samples.n):,} full passes" if len(samples.n) else None
    passes = f"over {len(fit.samples.n):,} passes"
    if fit.response.constant:
        return f"R(n) looks constant {passes}"
    if fit.r_squared is None:
        return f"fit {passes}"
    r_squared = f"{fit.r_squared:.2f}".replace("-", "\N{MINUS SIGN}")
    return f"fit R\N{SUPERSCRIPT TWO} {r_squared} {passes}"


@memoize_last
def fit_summary(run: RunSnapshot) -> str:
    """Return what the two panels show, as a sentence."""
    samples, fit = response_fit.response_samples(run), response_fit.newest_fit(run)
    if stale_data_rule(run):
        dot = "Each dot is a pass: its response time with n observations kept; pale is old."
        return dot + samples.beyond()
    if fit is None or samples.missing:
        return samples.missing or _missing_fit(run)
    earlier = response_fit.earlier_fit(run)
    ago = f" Faint: the curve {seconds(earlier[1])} ago." if earlier else ""
    more = ago + samples.beyond(fit.high) + _pauses(run, fit)
    if fit.n_star is None:
        return f"No limit yet: at the sizes measured, more observations would still help.{more}"
    response = float(fit.response(fit.n_star))
    age = float(run.columns["t"][-1] - oldest_times(run)[-1])
    return (
        f"{NORM} is largest at n* = {fit.n_star:,}, where the response time is {seconds(response)} "
        f"and n* R(n*) is {seconds(fit.n_star * response)}. The oldest observation kept is "
        f"{seconds(age)} old, {significant(age / fit.lengthscale)} lengthscales.{more}"
    )


def _pauses(run: RunSnapshot, fit: response_fit.ResponseFit) -> str:
    """Return what response times of a user's own problem hold, and if n* says little; else ''."""
    if not is_own_problem(run):
        return ""
    words = " Response times include the pauses between measurements."
    if fit.n_star is None or fit.r_squared is None or fit.r_squared >= MIN_R_SQUARED:
        return words
    return f"{words} The fit explains little of them: this n* is a rough guide at best."


def _missing_fit(run: RunSnapshot) -> str:
    has_response = "response" in run.columns.notes[len(run) - 1]
    if has_response and "temporal_kernel" not in (run.header or {}):
        return "This record is from a version that did not store kernels: n* cannot be drawn."
    return "R(n) is fitted at the end of the next pass."


def _measured(run: RunSnapshot, samples: response_fit.ResponseSamples) -> Trace:
    """Return one dot per pass; its colour is its age, from 0 for the oldest to 1 for the newest."""
    order, y = thin(np.arange(float(len(samples.n))), samples.seconds)
    age = rounded(order / max(len(samples.n) - 1, 1), 3)
    look: dict[str, Any] = {"size": 5, "edge": 0, "color": age, "hover": SECONDS_HOVER}
    x = samples.n[order.astype(int)]
    return dots(x, y, "measured", key=run.config.algorithm, **look)


def _fitted(fit: response_fit.ResponseFit) -> list[Trace]:
    """Return R(n): solid at the sizes measured, dashed beyond."""
    known, guess = np.linspace(0, fit.seen, 60), np.linspace(fit.seen, fit.reach, 30)
    return [
        line(known, fit.response(known), "fitted", hover=SECONDS_HOVER),
        line(guess, fit.response(guess), "extrapolated", dash="dash", hover=SECONDS_HOVER),
    ]


def _norm(run: RunSnapshot, fit: response_fit.ResponseFit) -> list[Trace]:
    """Return ||u_n||^2 now and a minute ago, and its maximum."""
    key, best = run.config.algorithm, fit.argmax
    width, traces = line_style(key).width, []
    if (earlier := response_fit.earlier_fit(run)) is not None:
        past, ago = earlier
        faint: dict[str, Any] = {"width": 1.5, "dash": "dot", "opacity": 0.5, "yaxis": "y2"}
        name = f"{NORM} {seconds(ago)} ago"
        traces.append(line(*past.curve(reach=fit.reach), name, key=key, hover="skip", **faint))
    n, u = fit.curve(fit.n_star, best)
    below: dict[str, Any] = {"key": key, "yaxis": "y2", "hover": NORM_HOVER}
    traces.append(line(n, u, NORM, width=width, simplify=False, **below))
    if best is not None:
        traces.append(dots(n[n == best], u[n == best], "argmax", size=10, **below))
    return traces


def _fitted_layout(run: RunSnapshot, fit: response_fit.ResponseFit) -> dict[str, Any]:
    name, shapes = run.config.algorithm, [chart_dicts.shaded(fit.seen, fit.reach, name="beyond")]
    if fit.n_star is None:
        limit = chart_dicts.corner_note("no limit yet", 0.02, LOWER[1], name="none", yanchor="top")
    else:
        text = f"<b>n* = {fit.n_star:,}</b>"
        at_n_star, limit = chart_dicts.named_line(fit.n_star, text, name=name)
        shapes.append(at_n_star)
    place = {"xanchor": "right", "yref": "paper", "yanchor": "bottom"}
    beyond = chart_dicts.note("extrapolated", fit.reach, UPPER[0], name="beyond", **place)
    return {
        "xaxis": axis(SIZE_TITLE, range=[0, fit.reach], anchor="y2"),
        "yaxis": axis(RESPONSE_TITLE, range=[0.0, fit.high], domain=UPPER, nticks=5),
        "yaxis2": axis(NORM_TITLE, rangemode="tozero", domain=LOWER, nticks=5),
        "shapes": shapes,
        "annotations": [limit, beyond],
        "margin": margins(top=22),
    }


def _measured_layout(samples: response_fit.ResponseSamples) -> dict[str, Any]:
    largest = float(samples.n.max()) if len(samples.n) else 0.0
    return {
        "xaxis": axis(SIZE_TITLE, range=[0, max(1.1 * largest, 20)]),
        "yaxis": axis(RESPONSE_TITLE, range=[0.0, response_fit.AXIS_HEADROOM * samples.top]),
        "margin": margins(top=8),
    }
