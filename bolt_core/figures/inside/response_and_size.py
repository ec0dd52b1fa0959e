r"""Why BOLT keeps n* observations: R(n) above, ||u_n||^2 below, one rule through both.

One figure with two panels on one n axis. Dots are measured passes, light when old and dark when
new; the line is the fitted cubic, dashed where no size was measured yet. Below, the curve that BOLT
maximises, with a dot at its argmax, and its ghost of a minute ago. Algorithms without an n* have
the upper panel only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import POINTS_PER_TRACE, rounded, thin
from bolt_core.analysis.response_fit import (
    AXIS_HEADROOM,
    ResponseFit,
    ResponseSamples,
    earlier_fit,
    newest_fit,
    response_samples,
)
from bolt_core.common.memoize_last import memoize_last
from bolt_core.common.text import seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from bolt_core.figures.shared.palette import line_style
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

U_SQUARED = "\N{DOUBLE VERTICAL LINE}u\N{DOUBLE VERTICAL LINE}\N{SUPERSCRIPT TWO}"
UPPER, LOWER = [0.54, 1.0], [0.0, 0.43]  # of the height


def response_and_size(run: RunSnapshot) -> dict[str, Any]:
    """Both panels for an algorithm with R(n) and n*; measured passes alone for the others."""
    samples, fit = response_samples(run), newest_fit(run)
    traces = [_dots(run, samples)] if len(samples.n) else []
    if fit is None or samples.missing:
        return {"kind": "plot", "data": traces, "layout": _alone(run, samples)}
    traces += [*_line(fit), *_curve(run, fit)]
    return {"kind": "plot", "data": traces, "layout": _stacked(run, fit)}


@memoize_last
def fit_chip(run: RunSnapshot) -> str | None:
    """How good the fit is, in a few words; before there is one, what it waits for."""
    samples, fit = response_samples(run), newest_fit(run)
    if fit is not None and not samples.missing and fit.response.constant:
        return f"R(n) looks constant over {len(fit.samples.n):,} passes"
    if fit is not None and not samples.missing:
        r2 = fit.r_squared
        good = (
            "" if r2 is None else f"R\N{SUPERSCRIPT TWO} {r2:.2f} ".replace("-", "\N{MINUS SIGN}")
        )
        return f"fit {good}over {len(fit.samples.n):,} passes"
    return f"{len(samples.n):,} full passes" if len(samples.n) else None


@memoize_last
def fit_summary(run: RunSnapshot) -> str:
    """What the two panels come to."""
    samples, fit = response_samples(run), newest_fit(run)
    if stale_data_rule(run):
        said = "Each dot is a pass: how long an answer took with n observations kept; pale is old."
        return said + samples.beyond()
    if fit is None or samples.missing:
        return samples.missing or _no_fit(run)
    above = _faint(run) + samples.beyond(fit.high)
    if fit.n_star is None:
        return f"No limit yet: as far as R(n) is known, more observations would still pay.{above}"
    answer = float(fit.response(fit.n_star))
    oldest = fit.n_star * answer
    said = (
        f"{U_SQUARED} peaks at n* = {fit.n_star:,}: an answer takes {seconds(answer)}, so the "
        f"oldest is {seconds(oldest)} old, {significant(oldest / fit.lengthscale)} lengthscales."
    )
    return said + above


def _faint(run: RunSnapshot) -> str:
    earlier = earlier_fit(run)
    return f" Faint: the curve {seconds(earlier[1])} ago." if earlier else ""


def _no_fit(run: RunSnapshot) -> str:
    if "response" in run.columns.notes[len(run) - 1] and "temporal_kernel" not in (
        run.header or {}
    ):
        return "This record is from before kernels were kept: its n* cannot be drawn again."
    return "R(n) is fitted at the end of the next pass."


def _dots(run: RunSnapshot, samples: ResponseSamples) -> dict[str, Any]:
    order, y = thin(np.arange(float(len(samples.n))), samples.seconds, POINTS_PER_TRACE)
    age = order / max(len(samples.n) - 1, 1)  # 0 the oldest, 1 the newest
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "measured",
        "meta": run.config.algorithm,
        "x": rounded(samples.n[order.astype(int)]),
        "y": rounded(y),
        "marker": {"size": 5, "color": rounded(age, 3), "line": {"width": 0}},
        "hovertemplate": "%{y:.3~r} s",
    }


def _line(fit: ResponseFit) -> list[dict[str, Any]]:
    """Solid as far as was measured, dashed beyond."""
    known, guess = np.linspace(0, fit.seen, 60), np.linspace(fit.seen, fit.reach, 30)
    style = {"type": "scatter", "mode": "lines", "hovertemplate": "%{y:.3~r} s"}
    return [
        style | _points(known, fit.response(known)) | {"name": "fitted", "line": {"width": 2}},
        style
        | _points(guess, fit.response(guess))
        | {"name": "extrapolated", "line": {"width": 2, "dash": "dash"}},
    ]


def _curve(run: RunSnapshot, fit: ResponseFit) -> list[dict[str, Any]]:
    top = fit.argmax
    n, u = fit.curve(fit.n_star, top)
    key = run.config.algorithm
    below = {"type": "scatter", "meta": key, "yaxis": "y2", "hovertemplate": "%{y:.4~r}"}
    traces = [*_ghost(run, fit), below | _points(n, u) | {"mode": "lines", "name": U_SQUARED}]
    traces[-1]["line"] = {"width": line_style(key).width, "simplify": False}
    if top is not None:
        at = n == top
        traces.append(
            below
            | _points(n[at], u[at])
            | {"mode": "markers", "name": "argmax", "marker": {"size": 10}}
        )
    return traces


def _ghost(run: RunSnapshot, fit: ResponseFit) -> list[dict[str, Any]]:
    """The curve as it was, on today's axis: has n* moved because of R or l_T, or not at all?"""
    earlier = earlier_fit(run)
    if earlier is None:
        return []
    was, ago = earlier
    n, u = was.curve(reach=fit.reach)
    style = {"type": "scatter", "mode": "lines", "meta": run.config.algorithm, "yaxis": "y2"}
    faint = {"line": {"width": 1.5, "dash": "dot"}, "opacity": 0.5, "hoverinfo": "skip"}
    return [style | _points(n, u) | faint | {"name": f"{U_SQUARED} {seconds(ago)} ago"}]


def _points(x: Array, y: Array) -> dict[str, Any]:
    return {"x": rounded(x), "y": rounded(y)}


def _stacked(run: RunSnapshot, fit: ResponseFit) -> dict[str, Any]:
    return {
        "xaxis": {
            "title": {"text": "n, observations kept"},
            "range": [0, fit.reach],
            "anchor": "y2",
        },
        "yaxis": {
            "title": {"text": "R(n), seconds"},
            "range": [0.0, fit.high],
            "domain": UPPER,
            "nticks": 5,
        },
        "yaxis2": {
            "title": {
                "text": "\N{DOUBLE VERTICAL LINE}u<sub>n</sub>\N{DOUBLE VERTICAL LINE}<sup>2</sup>"
            },
            "rangemode": "tozero",
            "domain": LOWER,
            "nticks": 5,
        },
        "shapes": [_beyond(fit), *_rule(run, fit)],
        "annotations": [*_rule_name(run, fit), _beyond_name(fit)],
        "margin": {"l": 8, "r": 12, "t": 22, "b": 8},
        "meta": {"alt": _alt(run)} | _below(run),
    }


def _beyond(fit: ResponseFit) -> dict[str, Any]:
    """A pale ground where R is a guess."""
    sides = {"x0": fit.seen, "x1": fit.reach, "y0": 0.0, "y1": 1.0, "yref": "paper"}
    return {"name": "beyond", "type": "rect", "layer": "below", "line": {"width": 0}} | sides


def _beyond_name(fit: ResponseFit) -> dict[str, Any]:
    text = {"name": "beyond", "text": "extrapolated", "showarrow": False}
    return text | {
        "x": fit.reach,
        "xanchor": "right",
        "y": UPPER[0],
        "yref": "paper",
        "yanchor": "bottom",
    }


def _rule(run: RunSnapshot, fit: ResponseFit) -> list[dict[str, Any]]:
    if fit.n_star is None:
        return []
    sides = {"x0": fit.n_star, "x1": fit.n_star, "y0": 0.0, "y1": 1.0, "yref": "paper"}
    line = {"line": {"width": 1.5, "dash": "dot"}}
    return [{"name": run.config.algorithm, "type": "line"} | sides | line]


def _rule_name(run: RunSnapshot, fit: ResponseFit) -> list[dict[str, Any]]:
    if fit.n_star is None:
        place = {"x": 0.02, "xref": "paper", "xanchor": "left", "y": LOWER[1], "yref": "paper"}
        text = {"name": "none", "text": "no limit yet", "showarrow": False, "yanchor": "top"}
        return [text | place]
    place = {"x": fit.n_star, "y": 1.0, "yref": "paper", "yanchor": "bottom"}
    return [
        {"name": run.config.algorithm, "text": f"<b>n* = {fit.n_star:,}</b>", "showarrow": False}
        | place
    ]


def _alone(run: RunSnapshot, samples: ResponseSamples) -> dict[str, Any]:
    """The upper panel without a fit."""
    most = float(samples.n.max()) if len(samples.n) else 0.0
    slowest = float(samples.seconds.max()) if len(samples.n) else 1.0
    name = label(run.config.algorithm)
    took = f": {len(samples.n):,} passes, the slowest {seconds(slowest)}" if len(samples.n) else ""
    return {
        "xaxis": {"title": {"text": "n, observations kept"}, "range": [0, max(1.1 * most, 20)]},
        "yaxis": {"title": {"text": "R(n), seconds"}, "range": [0.0, AXIS_HEADROOM * samples.top]},
        "shapes": [],
        "annotations": [],
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "meta": {"alt": f"Response time of {name}{took}. {fit_summary(run)}"} | _below(run),
    }


def _below(run: RunSnapshot) -> dict[str, Any]:
    """The caption, and how good the fit is."""
    instead = stale_data_rule(run)
    caption = f"{instead} {fit_summary(run)}" if instead else fit_summary(run)
    return {"caption": caption, "chip": fit_chip(run)}


def _alt(run: RunSnapshot) -> str:
    return f"Response time of {label(run.config.algorithm)}, {fit_chip(run)}. {fit_summary(run)}"
