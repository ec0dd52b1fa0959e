r"""Figure 1 of the paper, made again: ||u_n||^2 under several kernels, and under several R(n).

The paper gives R in Theta(n^3) on the left and an RBF kernel on the right, but no constants. Ours:
l_T = 60 s; left R(n) = 0.5 s + 100 ns n^3, where the lab starts; right R(n) = 0.5 s (1 + g(n)) with
g = 0, log, n, n^2, n^3, scaled to be 1 at n = 10, so that all but the constant double there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from bolt_core.common.types import Array
from bolt_core.figures.lab.setting import CAP, Setting, squared_norms
from bolt_core.figures.lab.size_chart import ACCENT, TITLE, chart, dot, line
from bolt_core.figures.shared.chart_dicts import axis
from bolt_core.figures.shared.labels import End, end_labels, margin
from bolt_core.theory.dataset_size import Decay, recommended_size
from bolt_core.theory.kernels import LABELS, temporal_correlation

FIRST = Setting()
DOUBLED = 10.0  # n at which R(n) = 2 R(0)
DASHES = ("2px 4px", "dot", "dash", "longdash", "solid")  # from the least to the most kept
PIXELS = 230.0  # between the axes, about
GROWTHS: dict[str, Callable[[Array], Array]] = {
    "\N{GREEK CAPITAL LETTER THETA}(n\N{SUPERSCRIPT THREE})": lambda n: n**3,
    "\N{GREEK CAPITAL LETTER THETA}(n\N{SUPERSCRIPT TWO})": lambda n: n**2,
    "\N{GREEK CAPITAL LETTER THETA}(n)": lambda n: n,
    "\N{GREEK CAPITAL LETTER THETA}(log n)": np.log1p,
    "\N{GREEK CAPITAL LETTER THETA}(1)": np.zeros_like,
}


@dataclass(frozen=True, slots=True)
class Growth:
    """R(n) = R(0) (1 + g(n) / g(10))."""

    g: Callable[[Array], Array]

    def __call__(self, n: float | Array) -> Array:
        sizes = np.asarray(n, dtype=float)
        there = float(self.g(np.array(DOUBLED))) or 1.0
        return FIRST.coefficients[0] * (1.0 + self.g(sizes) / there)


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a panel."""

    label: str
    n: Array
    u: Array
    n_star: int | None


@cache
def by_kernel() -> tuple[Curve, ...]:
    """Left: R(n) in Theta(n^3), from the kernel that keeps least to the one that keeps most."""
    return tuple(
        _curve(label, temporal_correlation(name, FIRST.lengthscale), FIRST.R, 220)
        for name, label in LABELS.items()
    )


@cache
def by_response() -> tuple[Curve, ...]:
    """Right: an RBF kernel, from the fastest growing R(n) to the constant one."""
    k_T = temporal_correlation("rbf", FIRST.lengthscale)
    return tuple(_curve(label, k_T, Growth(g), 110) for label, g in GROWTHS.items())


def figure1_kernels() -> dict[str, Any]:
    """The left panel."""
    curves = by_kernel()
    return _panel(
        curves,
        f"Smoother kernels keep more: {_listed(curves)}.",
        "R(n) = 0.5 s + 100 ns n\N{SUPERSCRIPT THREE}, l_T = 60 s, for every kernel. Not a law: "
        "with R(0) = 8 s the order reverses, Mat\N{LATIN SMALL LETTER E WITH ACUTE}rn-1/2 keeps "
        "33 and RBF 22.",
    )


def figure1_responses() -> dict[str, Any]:
    """The right panel."""
    curves = by_response()
    return _panel(
        curves,
        f"A slower growing R(n) keeps more: {_listed(curves)}.",
        "RBF, l_T = 60 s; every R(n) begins at 0.5 s, and all but the constant one double by "
        "n = 10.",
    )


def _curve(label: str, k_T: Decay, R: Any, reach: int) -> Curve:  # noqa: ANN401 - any R(n)
    n_star = recommended_size(k_T, R, seen=CAP // 2)
    sizes = np.unique([*np.linspace(1, reach, 80).round(), n_star or 1])
    return Curve(label, *squared_norms(sizes[sizes <= reach], k_T, R), n_star)


def _panel(curves: Sequence[Curve], takeaway: str, how: str) -> dict[str, Any]:
    reach = float(max(curve.n[-1] for curve in curves))
    top = 1.1 * max(float(c.u.max()) for c in curves if c.n_star) or 1.0
    traces = []
    for curve, dash in zip(curves, DASHES, strict=True):
        style = line(curve.n, curve.u, curve.label, dash=dash)
        traces.append(style | {"hovertemplate": "%{y:.3~r}"})
        if curve.n_star is not None:
            at = curve.n == curve.n_star
            traces.append(dot(curve.n[at], curve.u[at], f"n* of {curve.label}", ACCENT))
    ends = [_end(curve, reach, top) for curve in curves]
    layout = {
        "xaxis": axis("n, observations kept", range=[0, reach]),
        "yaxis": axis(TITLE, range=[0.0, top], nticks=5),
        "shapes": [],
        "annotations": end_labels(ends, (0.0, top), PIXELS, reach),
        "margin": {"l": 8, "r": margin(ends), "t": 12, "b": 8},
        "meta": {"alt": takeaway, "caption": f"{takeaway} {how}"},
    }
    return chart(traces, layout)


def _end(curve: Curve, reach: float, top: float) -> End:
    """Where the line leaves the panel: on the right, or through the top."""
    inside = curve.u <= top
    x = reach if inside.all() else float(curve.n[np.argmin(inside)])
    size = "all" if curve.n_star is None else f"{curve.n_star:,}"
    return End("", f"{curve.label}: {size}", x, min(float(curve.u[-1]), top))


def _listed(curves: Sequence[Curve]) -> str:
    told = [
        f"{c.label} {'everything' if c.n_star is None else f'n* = {c.n_star:,}'}" for c in curves
    ]
    return ", ".join(told)
