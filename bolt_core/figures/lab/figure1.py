r"""Figure 1 of the paper, computed again: ||u_n||^2 for several kernels and for several R(n).

The paper uses R in Theta(n^3) on the left and an RBF kernel on the right, and prints no constants.
Ours are l_T = 60 s; on the left R(n) = 0.5 s + 100 ns n^3, the first setting of the lab; on the
right R(n) = 0.5 s (1 + g(n) / g(10)) with g = 0, log, n, n^2, n^3, so that all but the constant one
have doubled at n = 10.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from bolt_core.common.types import Array
from bolt_core.figures.lab.setting import CAP, Response, Setting, squared_norms
from bolt_core.figures.lab.size_chart import ACCENT, curve, peak
from bolt_core.figures.shared.chart_dicts import axis, plot
from bolt_core.figures.shared.labels import End, labelled_ends
from bolt_core.figures.shared.symbols import NORM_TITLE, SIZE_TITLE
from bolt_core.theory.dataset_size import Decay, recommended_size
from bolt_core.theory.kernels import LABELS, temporal_correlation

FIRST = Setting()
DOUBLING_SIZE = 10.0  # n at which R(n) = 2 R(0)
DASHES = ("2px 4px", "dot", "dash", "longdash", "solid")  # from the smallest n* to the largest
HEIGHT = 230.0  # of the y axis, about, in pixels
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
        scale = float(self.g(np.array(DOUBLING_SIZE))) or 1.0
        return FIRST.coefficients[0] * (1.0 + self.g(np.asarray(n, dtype=float)) / scale)


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a panel: ||u_n||^2 over n, and n*."""

    label: str
    n: Array
    u: Array
    n_star: int | None


@cache
def by_kernel() -> tuple[Curve, ...]:
    """Return the curves on the left: R(n) in Theta(n^3), one curve per kernel."""
    kernels = {label: temporal_correlation(k, FIRST.lengthscale) for k, label in LABELS.items()}
    return tuple(_curve(label, k_T, FIRST.R, 220) for label, k_T in kernels.items())


@cache
def by_response() -> tuple[Curve, ...]:
    """Return the curves on the right: an RBF kernel, from the steepest R(n) to the constant one."""
    k_T = temporal_correlation("rbf", FIRST.lengthscale)
    return tuple(_curve(label, k_T, Growth(g), 110) for label, g in GROWTHS.items())


def figure1_kernels() -> dict[str, Any]:
    """Return the left panel."""
    curves = by_kernel()
    return _panel(
        curves,
        f"Smoother kernels keep more: {_sizes(curves)}.",
        "R(n) = 0.5 s + 100 ns n\N{SUPERSCRIPT THREE} and l_T = 60 s for every kernel. This is not "
        "a general law: with R(0) = 8 s the order reverses, "
        f"{LABELS['matern12']} keeps 33 and RBF 22.",
    )


def figure1_responses() -> dict[str, Any]:
    """Return the right panel."""
    curves = by_response()
    return _panel(
        curves,
        f"The slower R(n) grows, the more is kept: {_sizes(curves)}.",
        "RBF kernel, l_T = 60 s. Every R(n) begins at 0.5 s, and all but the constant one have "
        "doubled at n = 10.",
    )


def _curve(label: str, k_T: Decay, R: Response, reach: int) -> Curve:
    n_star = recommended_size(k_T, R, seen=CAP // 2)
    sizes = np.unique([*np.linspace(1, reach, 80).round(), n_star or 1])
    return Curve(label, *squared_norms(sizes[sizes <= reach], k_T, R), n_star)


def _panel(curves: Sequence[Curve], takeaway: str, constants: str) -> dict[str, Any]:
    reach = float(max(c.n[-1] for c in curves))
    top = 1.1 * max(float(c.u.max()) for c in curves if c.n_star) or 1.0
    traces = []
    for c, dash in zip(curves, DASHES, strict=True):
        traces.append(curve(c.n, c.u, c.label, dash=dash, hover="%{y:.3~r}"))
        if c.n_star is not None:
            at = c.n == c.n_star
            traces.append(peak(c.n[at], c.u[at], f"n* of {c.label}", key=ACCENT))
    ends = [_end(c, reach, top) for c in curves]
    y_axis = axis(NORM_TITLE, range=[0.0, top], nticks=5)
    layout = {"xaxis": axis(SIZE_TITLE, range=[0, reach]), "yaxis": y_axis}
    layout |= labelled_ends(ends, (0.0, top), HEIGHT, reach, top=12)
    return plot(traces, layout, takeaway, f"{takeaway} {constants}")


def _end(curve: Curve, reach: float, top: float) -> End:
    """Return where a line leaves the panel: on the right, or through the top."""
    inside = curve.u <= top
    x = reach if inside.all() else float(curve.n[np.argmin(inside)])
    size = "all" if curve.n_star is None else f"{curve.n_star:,}"
    return End("", f"{curve.label}: {size}", x, min(float(curve.u[-1]), top))


def _sizes(curves: Sequence[Curve]) -> str:
    sizes = ["everything" if c.n_star is None else f"n* = {c.n_star:,}" for c in curves]
    return ", ".join(f"{c.label} {size}" for c, size in zip(curves, sizes, strict=True))
