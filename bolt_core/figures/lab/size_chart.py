r"""Chart of the n* lab: R(n) above, ||u_n||^2 below, a line at n* through both, and the reason.

R and k_T are those of the sliders; no run is needed.
"""

from typing import Any

import numpy as np

from bolt_core.common.text import seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.lab.setting import CAP, Setting
from bolt_core.figures.shared.chart_dicts import axis, corner_note, margins, named_line, plot
from bolt_core.figures.shared.palette import line_style
from bolt_core.figures.shared.symbols import NORM, NORM_TITLE, RESPONSE_TITLE, SIZE_TITLE
from bolt_core.figures.shared.traces import Trace, dots, line
from bolt_core.theory.kernels import LABELS

ACCENT = "bolt"  # n* has the colour of BOLT in every chart
UPPER, LOWER = [0.56, 1.0], [0.0, 0.46]  # of the height
POWERS = ((1.0, "s"), (1e-3, "ms n"), (1e-6, "µs n²"), (1e-9, "ns n³"))
# Axes whose labels the browser does not measure, which would take a third of the drawing time.
FIXED = {"automargin": False, "ticklabeloverflow": "allow"}
FLAT_SHARE = 0.99  # of the largest value: from here on a curve is called flat


def size_lab(setting: Setting) -> dict[str, Any]:
    """Return the chart with both panels."""
    n, u = setting.curve
    sizes = np.linspace(0, setting.reach, 60)
    traces = [
        curve(sizes, setting.R(sizes), "R(n)", hover="%{y:.3~r} s"),
        curve(n, u, NORM, key=ACCENT, yaxis="y2", hover="%{y:.4~r}"),
    ]
    if setting.n_star is not None:
        at = n == setting.n_star
        traces += [
            peak(n[at], setting.R(n[at]), "R(n*)", size=8),
            peak(n[at], u[at], "argmax", key=ACCENT, yaxis="y2"),
        ]
    slowest = 1.08 * float(setting.R(setting.reach))
    shapes, names = n_star_mark(setting)
    top = 1.0 if setting.stale else 1.12 * float(u.max())  # a fresh observation would count 1
    layout = {
        "xaxis": axis(SIZE_TITLE, range=[0, setting.reach], anchor="y2", tickformat=",", **FIXED),
        "yaxis": axis(RESPONSE_TITLE, range=[0.0, slowest], domain=UPPER, nticks=5, **FIXED),
        "yaxis2": axis(NORM_TITLE, range=[0.0, top], domain=LOWER, nticks=5, **FIXED),
        "shapes": shapes,
        "annotations": [*names, *_no_n_star_note(setting)],
        "margin": margins(left=58, right=20, top=24, bottom=44),
    }
    alt = f"{_description(setting)}. {headline(setting)}. {size_summary(setting)}"
    caption = (
        f"{_description(setting)}. Above: response time with n observations kept. Below: what n "
        "observations tell about the present, where the i-th newest is i R(n) seconds old."
    )
    return plot(traces, layout, alt, caption)


def headline(setting: Setting) -> str:
    """Return the answer of the lab in a few words."""
    if setting.stale:
        return "Observations are outdated at once"
    if setting.R.constant:
        return "Keep everything"
    if setting.n_star is None:
        return f"No limit up to n = {CAP:,}"
    return f"Keep n* = {setting.n_star:,}"


def size_summary(setting: Setting) -> str:
    """Return the reason for the headline."""
    if setting.stale:
        first = float(setting.R(1))
        return (
            f"The response time is at least {seconds(first)}, "
            f"{significant(first / setting.lengthscale)} lengthscales: an observation tells "
            "nothing about f at the next query. A shorter response time or a longer l_T would "
            "change that."
        )
    if setting.R.constant:
        return (
            f"R(n) is constant: a query takes {seconds(float(setting.R(0)))} whatever is kept, so "
            f"one more observation makes no other older, and {NORM} has no maximum. "
            f"{_flat_from(setting)}"
        )
    if setting.n_star is None:
        gain, cost = setting.balance(CAP - 1)
        return (
            f"At n = {CAP:,} one more observation still adds {tiny(gain)} to {NORM}, and the "
            f"ageing of the others costs {tiny(cost)}. R(n) grows too slowly to matter here."
        )
    n = setting.n_star
    response = float(setting.R(n))
    gain, cost = setting.balance(n)
    others = f"the other {n:,}" if n > 1 else "the only other"
    return (
        f"The response time is then {seconds(response)}, and if the newest are kept, the oldest "
        f"of them is {seconds(n * response)} old, "
        f"{significant(n * response / setting.lengthscale)} lengthscales. One more observation "
        f"would add {tiny(gain)} to {NORM}, but the ageing of {others} would cost {tiny(cost)}."
    )


def tiny(value: float) -> str:
    """Return three significant digits, or that the value is below 0.0001."""
    return significant(value) if value >= 1e-4 or value == 0 else "less than 0.0001"


def curve(x: Array, y: Array, name: str, *, key: str = "", **style: Any) -> Trace:  # noqa: ANN401
    """Return a line of the lab, as wide as its algorithm's and never simplified by plotly."""
    width = line_style(key).width if key else 2.0
    look: dict[str, Any] = {"width": width, "dash": "solid", "simplify": False} | style
    return line(x, y, name, key=key, **look)


def peak(x: Array, y: Array, name: str, **style: Any) -> Trace:  # noqa: ANN401
    """Return a dot on a curve, where it has its maximum or minimum."""
    look: dict[str, Any] = {"size": 10, "hover": "skip", "cliponaxis": False} | style
    return dots(x, y, name, **look)


def n_star_mark(setting: Setting) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the line at n* and its name, as shapes and annotations; both empty without an n*."""
    if setting.n_star is None:
        return [], []
    mark, text = named_line(setting.n_star, f"<b>n* = {setting.n_star:,}</b>", name=ACCENT)
    return [mark], [text]


def _no_n_star_note(setting: Setting) -> list[dict[str, Any]]:
    """Return the text in the lower panel where there is no n*."""
    if setting.n_star is not None:
        return []
    stale, constant = "all data are stale", "no maximum"
    text = stale if setting.stale else constant if setting.R.constant else "no limit here"
    return [corner_note(f"<b>{text}</b>", 0.02, LOWER[1], name=ACCENT, yanchor="top")]


def _flat_from(setting: Setting) -> str:
    n, u = setting.curve
    if setting.kernel == "rq" or setting.reach >= CAP:
        return f"At n = {setting.reach:,} it still grows."
    size = int(n[np.argmax(u >= FLAT_SHARE * u[-1])])
    return f"From about n = {size:,} on it hardly grows: older observations tell nothing."


def _description(setting: Setting) -> str:
    """Return the setting in one line."""
    pairs = zip(setting.coefficients, POWERS, strict=True)
    R = " + ".join(f"{c / scale:,.6g} {power}" for c, (scale, power) in pairs if c)
    return f"{LABELS[setting.kernel]}, l_T = {setting.lengthscale:g} s, R(n) = {R}"
