r"""The lab's own chart: R(n) above, ||u_n||^2 below, one rule at n* through both; and why.

No run stands behind it: R and k_T are what the sliders say.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import plain
from bolt_core.common.text import seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.lab.setting import CAP, Setting
from bolt_core.figures.shared.palette import line_style
from bolt_core.theory.kernels import LABELS

ACCENT = "bolt"  # whose colour n* has everywhere
NORM = "\N{DOUBLE VERTICAL LINE}u\N{DOUBLE VERTICAL LINE}\N{SUPERSCRIPT TWO}"
TITLE = "\N{DOUBLE VERTICAL LINE}u<sub>n</sub>\N{DOUBLE VERTICAL LINE}<sup>2</sup>"
UPPER, LOWER = [0.56, 1.0], [0.0, 0.46]  # of the height
POWERS = (
    (1.0, "s"),
    (1e-3, "ms n"),
    (1e-6, "µs n\N{SUPERSCRIPT TWO}"),
    (1e-9, "ns n\N{SUPERSCRIPT THREE}"),
)
# Axes whose labels are not measured: that takes a third of the drawing.
FIXED = {"automargin": False, "ticklabeloverflow": "allow"}
NEARLY = 0.99  # of the limit: more data hardly pays


def size_lab(setting: Setting) -> dict[str, Any]:
    """Both panels."""
    n, u = setting.curve
    sizes = np.linspace(0, setting.reach, 60)
    traces = [
        line(sizes, setting.R(sizes), "R(n)") | {"hovertemplate": "%{y:.3~r} s"},
        line(n, u, NORM, key=ACCENT) | {"yaxis": "y2", "hovertemplate": "%{y:.4~r}"},
    ]
    if setting.n_star is not None:
        at = n == setting.n_star
        traces.append(dot(n[at], setting.R(n[at]), "R(n*)") | {"marker": {"size": 8}})
        traces.append(dot(n[at], u[at], "argmax", ACCENT) | {"yaxis": "y2"})
    return chart(traces, _layout(setting, float(u.max())))


def headline(setting: Setting) -> str:
    """The answer in three words."""
    if setting.stale:
        return "Nothing keeps"
    if setting.R.constant:
        return "Keep everything"
    if setting.n_star is None:
        return f"No limit up to n = {CAP:,}"
    return f"Keep n* = {setting.n_star:,}"


def size_summary(setting: Setting) -> str:
    """Why."""
    if setting.stale:
        first = float(setting.R(1))
        return (
            f"An answer takes at least {seconds(first)}, "
            f"{significant(first / setting.lengthscale)} lengthscales: an observation says nothing "
            "any more when the next one comes. A faster answer or a longer l_T would change that."
        )
    if setting.R.constant:
        return (
            f"R(n) is constant: an answer takes {seconds(float(setting.R(0)))} however much is "
            f"kept, so one more observation ages no other, and {NORM} never turns. {_flat(setting)}"
        )
    if setting.n_star is None:
        brought, cost = setting.balance(CAP - 1)
        return (
            f"At n = {CAP:,} one more observation still brings {figure(brought)} to {NORM}, and "
            f"the ageing of the others costs {figure(cost)}. R(n) grows too slowly to matter here."
        )
    return _why(setting, setting.n_star)


def _why(setting: Setting, n: int) -> str:
    answer = float(setting.R(n))
    brought, cost = setting.balance(n)
    others = f"the ageing of the other {n:,}" if n > 1 else "the ageing of the only other"
    return (
        f"An answer then takes {seconds(answer)}, so the oldest is {seconds(n * answer)} old, "
        f"{significant(n * answer / setting.lengthscale)} lengthscales. One more observation would "
        f"bring {figure(brought)} to {NORM}, and {others} would cost {figure(cost)}: more than it "
        "brings."
    )


def _flat(setting: Setting) -> str:
    n, u = setting.curve
    enough = int(n[np.argmax(u >= NEARLY * u[-1])])
    if setting.kernel == "rq" or setting.reach >= CAP:
        return f"At n = {setting.reach:,} it still grows."
    return f"From about n = {enough:,} on it hardly grows: what is older says nothing."


def figure(value: float) -> str:
    """Three digits that matter, down to where nobody counts."""
    return significant(value) if value >= 1e-4 else "less than 0.0001"


def described(setting: Setting) -> str:
    """The setting in one line, for captions and alternative texts."""
    terms = [
        f"{c / scale:,.6g} {power}"
        for c, (scale, power) in zip(setting.coefficients, POWERS, strict=True)
        if c
    ]
    kernel, l_T = LABELS[setting.kernel], setting.lengthscale
    return f"{kernel}, l_T = {l_T:g} s, R(n) = {' + '.join(terms)}"


def line(x: Array, y: Array, name: str, *, key: str = "", dash: str = "solid") -> dict[str, Any]:
    """A curve; in ink, or in the colour of `key`."""
    width = line_style(key).width if key else 2.0
    style = {"width": width, "dash": dash, "simplify": False}
    trace = {"type": "scatter", "mode": "lines", "name": name, "x": plain(x), "y": plain(y)}
    return trace | {"line": style} | ({"meta": key} if key else {})


def dot(x: Array, y: Array, name: str, key: str = "") -> dict[str, Any]:
    trace = {"type": "scatter", "mode": "markers", "name": name, "x": plain(x), "y": plain(y)}
    look = {"marker": {"size": 10}, "hoverinfo": "skip", "cliponaxis": False}
    return trace | look | ({"meta": key} if key else {})


def chart(traces: list[dict[str, Any]], layout: dict[str, Any]) -> dict[str, Any]:
    """A figure none of whose traces grows with time."""
    return {"kind": "plot", "data": traces, "layout": layout, "times": [None] * len(traces)}


def _layout(setting: Setting, top: float) -> dict[str, Any]:
    answer = 1.08 * float(setting.R(setting.reach))
    return {
        "xaxis": {
            "title": {"text": "n, observations kept"},
            "range": [0, setting.reach],
            "anchor": "y2",
            "tickformat": ",",
            **FIXED,
        },
        "yaxis": {
            "title": {"text": "R(n), seconds"},
            "range": [0.0, answer],
            "domain": UPPER,
            "nticks": 5,
            **FIXED,
        },
        "yaxis2": {
            "title": {"text": TITLE},
            "range": [0.0, 1.0 if setting.stale else 1.12 * top],  # fresh data would count 1
            "domain": LOWER,
            "nticks": 5,
            **FIXED,
        },
        "shapes": rule(setting),
        "annotations": [*rule_name(setting), *_instead(setting)],
        "margin": {"l": 58, "r": 20, "t": 24, "b": 44},
        "meta": {
            "alt": f"{described(setting)}. {headline(setting)}. {size_summary(setting)}",
            "caption": f"{described(setting)}. Above: how long an answer takes with n "
            f"observations kept. Below: how much n observations, the i-th newest of them i R(n) "
            f"seconds old, still say about now.",
        },
    }


def rule(setting: Setting) -> list[dict[str, Any]]:
    """The line at n*, if there is one."""
    if setting.n_star is None:
        return []
    sides = {"x0": setting.n_star, "x1": setting.n_star, "y0": 0.0, "y1": 1.0, "yref": "paper"}
    return [{"name": ACCENT, "type": "line", "line": {"width": 1.5, "dash": "dot"}} | sides]


def rule_name(setting: Setting) -> list[dict[str, Any]]:
    if setting.n_star is None:
        return []
    place = {"x": setting.n_star, "y": 1.0, "yref": "paper", "yanchor": "bottom"}
    text = f"<b>n* = {setting.n_star:,}</b>"
    return [{"name": ACCENT, "text": text, "showarrow": False} | place]


def _instead(setting: Setting) -> list[dict[str, Any]]:
    """What stands in the lower panel where there is no n*."""
    if setting.n_star is not None:
        return []
    said = "nothing keeps" if setting.stale else "it never turns"
    if not setting.stale and not setting.R.constant:
        said = "no limit here"
    place = {"x": 0.02, "xref": "paper", "xanchor": "left", "y": LOWER[1], "yref": "paper"}
    text = {"name": ACCENT, "text": f"<b>{said}</b>", "showarrow": False, "yanchor": "top"}
    return [text | place]
