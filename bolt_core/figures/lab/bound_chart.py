r"""Regret bound of Theorem 3.6 over n, relative to the bound that uses no data.

sigma <= 1 alone gives R_T <= 2 T sqrt(beta_T) + pi^2 / 6, the trivial bound. Every curve is divided
by it: below 1 the theorem guarantees something, above 1 it does not. a = b = 1 and kappa = 1, the
most favourable case. gamma_n is the largest information gain of n observations, with which the
ratio is 1 at n = T, whatever the other constants are.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.common.text import significant
from bolt_core.common.types import Array
from bolt_core.figures.lab.setting import Setting
from bolt_core.figures.lab.size_chart import ACCENT, curve, n_star_mark, peak
from bolt_core.figures.shared.chart_dicts import axis, note, plot
from bolt_core.figures.shared.labels import End, labelled_ends
from bolt_core.figures.shared.symbols import SIZE_TITLE
from bolt_core.theory import regret_bound
from bolt_core.theory.dataset_size import squared_norm_u
from bolt_core.theory.kernels import correlation

NOISES = (0.01, 0.1, 1.0)  # sigma_0^2 / lambda
ITERATIONS = {10**3: "T = 10³", 10**4: "T = 10⁴", 10**6: "T = 10⁶"}
DASHES = ("dot", "dash", "solid")
DIMENSION = 1
HEIGHT = 230.0  # of the y axis, about, in pixels
TRIVIAL_SHOWN = 1.6  # the trivial bound is drawn if a curve comes below this; else it is far away


@dataclass(frozen=True)
class BoundCurve:
    """The bound for one number of iterations T, relative to the trivial bound."""

    setting: Setting
    noise: float
    iterations: int

    @property
    def name(self) -> str:
        """T, as text."""
        return ITERATIONS[self.iterations]

    @property
    def constants(self) -> regret_bound.Constants:
        """Constants of the theorem in this setting."""
        k_T = correlation(self.setting.kernel)
        largest = regret_bound.spectral_maximum(k_T, self.setting.lengthscale)
        return regret_bound.Constants(self.noise, 1.0, largest / self.setting.coefficients[0])

    def curve(self) -> tuple[Array, Array]:
        """Return (n, ratio) at the sizes that the lab draws, up to T."""
        n, u = self.setting.curve
        kept = n <= self.iterations
        ratios = [self.at(int(size), norm) for size, norm in zip(n[kept], u[kept], strict=True)]
        return n[kept], np.array(ratios)

    def at(self, n: int, u_squared: float | None = None) -> float:
        """Return the ratio at n; `u_squared` is ||u_n||^2 if it is known already."""
        constants = self.constants
        if u_squared is None:
            u_squared = squared_norm_u(n, self.setting.k_T, self.setting.R)
        beta = regret_bound.confidence_factor(self.iterations, DIMENSION)
        information = regret_bound.most_information(n, constants)
        variance = 1.0 - constants.variance_factor * float(u_squared)
        bound = regret_bound.regret_bound(
            self.iterations, n, constants, beta=beta, information=information, variance=variance
        )
        return bound / (2 * self.iterations * math.sqrt(beta) + regret_bound.BASEL)

    def lowest(self) -> tuple[int, float]:
        """Return the size from 1 to the end of the axis with the lowest bound, and its ratio."""
        n, ratio = self.curve()
        at = int(np.argmin(ratio))
        low, high = int(n[max(at - 1, 0)]), int(n[min(at + 1, len(n) - 1)])
        while high - low > 2:  # there is one minimum between the neighbours of the lowest point
            third = (high - low) // 3
            if self.at(low + third) <= self.at(high - third):
                high -= third
            else:
                low += third
        best = min(range(low, high + 1), key=self.at)
        return best, self.at(best)

    def size_text(self, best: int) -> str:
        """Return the size of the lowest bound; at the end of the axis it may lie beyond."""
        further = self.setting.reach <= best < self.iterations
        return f"{best:,} or more" if further else f"{best:,}"


def bound_curves(setting: Setting, noise: float) -> list[BoundCurve]:
    """Return the curves of the chart, by increasing T."""
    return [BoundCurve(setting, noise, T) for T in ITERATIONS]


def bound_curve(setting: Setting, noise: float) -> dict[str, Any]:
    """Return the chart: one line per T with its minimum marked, and the line at n*."""
    traces, ends, ratios = [], [], []
    for bound, dash in zip(bound_curves(setting, noise), DASHES, strict=True):
        n, ratio = bound.curve()
        best, least = bound.lowest()
        traces += [
            curve(n, ratio, bound.name, dash=dash, hover="%{y:.4~r}"),
            peak(np.array([float(best)]), np.array([least]), f"lowest, {bound.name}", key=ACCENT),
        ]
        ends.append(End("", bound.name, float(n[-1]), float(ratio[-1])))
        ratios += [least, *ratio.tolist()]
    if near := min(ratios) < TRIVIAL_SHOWN:
        ratios.append(1.0)
    low, high = min(ratios), max(ratios)
    room = 0.08 * (high - low) or 0.05
    span, reach = (low - room, high + room), float(setting.reach)
    shapes, names = n_star_mark(setting)
    layout: dict[str, Any] = {
        "xaxis": axis(SIZE_TITLE, range=[0, reach], tickformat=","),
        "yaxis": axis("bound / trivial bound", range=list(span), nticks=6),
        "shapes": [*([_trivial_line()] if near else []), *shapes],
    }
    layout |= labelled_ends(ends, span, HEIGHT, reach, top=24)
    layout["annotations"] += [_trivial_note(near), *names]
    return plot(traces, layout, bound_summary(setting, noise), _caption(noise))


def bound_summary(setting: Setting, noise: float) -> str:
    """Return where the bound is lowest, and how much it guarantees there."""
    lowest = [(bound, *bound.lowest()) for bound in bound_curves(setting, noise)]
    guarantee = _guarantee(lowest[-1][2])
    if setting.n_star is None:
        return f"There is no n* in this setting to compare the bound with. {guarantee}"
    sizes = ", ".join(f"{bound.size_text(best)} for {bound.name}" for bound, best, _ in lowest)
    limit = f"as T grows, it approaches n* = {setting.n_star:,}"
    return f"Among the sizes drawn, the bound is lowest at n = {sizes}; {limit}. {guarantee}"


def _guarantee(ratio: float) -> str:
    trivial = "what \N{GREEK SMALL LETTER SIGMA} \N{LESS-THAN OR EQUAL TO} 1 alone guarantees"
    if ratio < 1.0:
        better = significant(100 * (1.0 - ratio))
        return f"At its lowest it is {better} % below {trivial}: a small guarantee."
    return (
        f"At its lowest it is {significant(ratio)} times {trivial}: it explains n* but guarantees "
        "no small regret."
    )


def _caption(noise: float) -> str:
    return (
        "Only the shape has a meaning: Theorem 3.6 with a = b = 1, "
        "\N{GREEK SMALL LETTER KAPPA} = 1, d = 1, "
        f"\N{GREEK SMALL LETTER DELTA} = {regret_bound.DELTA:g}, noise {noise:g} of the "
        "signal variance and the largest information gain of n observations, divided by the bound "
        "that uses no data. n* minimises the bound only as T goes to infinity with n fixed. Dots: "
        "minima among the sizes drawn. At n = T, where everything is kept, the ratio is 1."
    )


def _trivial_line() -> dict[str, Any]:
    sides = {"x0": 0.0, "x1": 1.0, "xref": "paper", "y0": 1.0, "y1": 1.0}
    return {"name": "trivial", "type": "line", "line": {"width": 1}} | sides


def _trivial_note(near: bool) -> dict[str, Any]:
    """Return the name of the trivial bound, or that it lies below the panel."""
    place = {"name": "trivial", "xref": "paper", "xanchor": "left", "yanchor": "bottom"}
    if near:
        return note("trivial bound", 0.01, 1.0, **place)
    return note("↓ trivial bound at 1, far below", 0.01, 0.0, yref="paper", **place)
