r"""The bound of Theorem 3.6 as n varies: its shape, over the bound that needs no data at all.

sigma <= 1 alone gives R_T <= 2 T sqrt(beta_T) + pi^2 / 6. Every curve is divided by that: below 1
the theorem promises something, above 1 it does not. a = b = 1 and kappa = 1, the kindest case;
gamma_n is the most that n observations can tell, with which n = T gives 1 whatever the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.common.text import significant
from bolt_core.common.types import Array
from bolt_core.figures.lab.setting import Setting
from bolt_core.figures.lab.size_chart import ACCENT, chart, dot, line, rule, rule_name
from bolt_core.figures.shared.labels import End, end_labels, margin
from bolt_core.theory import regret_bound
from bolt_core.theory.dataset_size import squared_norm_u
from bolt_core.theory.kernels import correlation

NOISES = (0.01, 0.1, 1.0)  # sigma_0^2 over lambda
ITERATIONS = {10**3: "T = 10³", 10**4: "T = 10⁴", 10**6: "T = 10⁶"}
DASHES = ("dot", "dash", "solid")
DIMENSION = 1
PIXELS = 230.0  # between the axes, about
NEAR = 1.6  # times the trivial bound: drawn with it; beyond, the curve would lie flat


@dataclass(frozen=True)
class Shape:
    """The bound for one T, over the trivial one."""

    setting: Setting
    noise: float
    iterations: int

    @property
    def name(self) -> str:
        return ITERATIONS[self.iterations]

    @property
    def known(self) -> regret_bound.Constants:
        k_T = correlation(self.setting.kernel)
        largest = regret_bound.spectral_maximum(k_T, self.setting.lengthscale)
        return regret_bound.Constants(self.noise, 1.0, largest / self.setting.coefficients[0])

    def curve(self) -> tuple[Array, Array]:
        """(n, ratio) at the sizes the lab draws, as far as T goes."""
        n, u = self.setting.curve
        kept = n <= self.iterations
        return n[kept], np.array(
            [self.at(int(s), v) for s, v in zip(n[kept], u[kept], strict=True)]
        )

    def at(self, n: int, u_squared: float | None = None) -> float:
        known = self.known
        if u_squared is None:
            u_squared = squared_norm_u(n, self.setting.k_T, self.setting.R)
        beta = regret_bound.confidence_factor(self.iterations, DIMENSION)
        value = regret_bound.regret_bound(
            self.iterations,
            n,
            known,
            beta=beta,
            information=regret_bound.most_information(n, known),
            variance=1.0 - known.variance_factor * float(u_squared),
        )
        return value / (2 * self.iterations * math.sqrt(beta) + regret_bound.BASEL)

    def lowest(self) -> tuple[int, float]:
        """The size of least bound among 1 .. reach, to the integer, and its ratio."""
        n, ratio = self.curve()
        at = int(np.argmin(ratio))
        low, high = int(n[max(at - 1, 0)]), int(n[min(at + 1, len(n) - 1)])
        while high - low > 2:  # one valley between the neighbours of the lowest point drawn
            third = (high - low) // 3
            if self.at(low + third) <= self.at(high - third):
                high -= third
            else:
                low += third
        best = min(range(low, high + 1), key=self.at)
        return best, self.at(best)

    def size_in_words(self, best: int) -> str:
        """A lowest point at the edge of the picture may lie beyond it."""
        further = best >= self.setting.reach and best < self.iterations
        return f"{best:,} or more" if further else f"{best:,}"


def shapes(setting: Setting, noise: float) -> list[Shape]:
    return [Shape(setting, noise, T) for T in ITERATIONS]


def bound_curve(setting: Setting, noise: float) -> dict[str, Any]:
    """The bound against n, one line for each T, its lowest marked; n* as the rule."""
    traces: list[dict[str, Any]] = []
    ends, values = [], []
    for shape, dash in zip(shapes(setting, noise), DASHES, strict=True):
        n, ratio = shape.curve()
        best, least = shape.lowest()
        traces.append(line(n, ratio, shape.name, dash=dash) | {"hovertemplate": "%{y:.4~r}"})
        mark = dot(np.array([float(best)]), np.array([least]), f"lowest, {shape.name}", ACCENT)
        traces.append(mark)
        ends.append(End("", shape.name, float(n[-1]), float(ratio[-1])))
        values += [least, *ratio.tolist()]
    near = min(values) < NEAR
    upright = _range([*values, *([1.0] if near else [])])
    reach = float(setting.reach)
    layout = {
        "xaxis": {
            "title": {"text": "n, observations kept"},
            "range": [0, reach],
            "tickformat": ",",
        },
        "yaxis": {"title": {"text": "bound / trivial bound"}, "range": upright, "nticks": 6},
        "shapes": [*([_level()] if near else []), *rule(setting)],
        "annotations": [
            *end_labels(ends, (upright[0], upright[1]), PIXELS, reach),
            _level_name(near),
            *rule_name(setting),
        ],
        "margin": {"l": 8, "r": margin(ends), "t": 24, "b": 8},
        "meta": {"alt": bound_summary(setting, noise), "caption": _caption(noise)},
    }
    return chart(traces, layout)


def bound_summary(setting: Setting, noise: float) -> str:
    """What the bound says here, and what it does not."""
    found = [(shape, *shape.lowest()) for shape in shapes(setting, noise)]
    promise = _promise(found[-1][2])
    if setting.n_star is None:
        return f"There is no n* here, and so no lowest point to compare with it. {promise}"
    lows = ", ".join(f"{shape.size_in_words(best)} for {shape.name}" for shape, best, _ in found)
    return f"The bound is lowest at n = {lows}; as T grows, at n* = {setting.n_star:,}. {promise}"


def _promise(height: float) -> str:
    """How much the theorem guarantees at its lowest, for the largest T."""
    alone = "what \N{GREEK SMALL LETTER SIGMA} \N{LESS-THAN OR EQUAL TO} 1 alone guarantees"
    if height < 1.0:
        better = significant(100 * (1.0 - height))
        return f"At its lowest it is {better} % below {alone}: a promise, but a small one."
    return (
        f"At its lowest it is {significant(height)} times {alone}: it explains n* but "
        "guarantees no small regret."
    )


def _caption(noise: float) -> str:
    return (
        "Shape only: Theorem 3.6 with a = b = 1, \N{GREEK SMALL LETTER KAPPA} = 1, d = 1, "
        f"\N{GREEK SMALL LETTER DELTA} = {regret_bound.DELTA:g}, noise {noise:g} of the "
        "signal variance and the most information n observations can carry, over the bound that "
        "uses no data. n* minimises it only as T goes to infinity with n fixed. Dots: its minima "
        "among the sizes drawn; n = T, keeping all, always comes back to 1."
    )


def _range(values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 0.05
    return [low - room, high + room]


def _level() -> dict[str, Any]:
    sides = {"x0": 0.0, "x1": 1.0, "xref": "paper", "y0": 1.0, "y1": 1.0}
    return {"name": "trivial", "type": "line", "line": {"width": 1}} | sides


def _level_name(near: bool) -> dict[str, Any]:
    """The trivial bound, or that it lies below the panel."""
    text = {"name": "trivial", "showarrow": False, "x": 0.01, "xref": "paper", "xanchor": "left"}
    if near:
        return text | {"text": "trivial bound", "y": 1.0, "yanchor": "bottom"}
    low = {"y": 0.0, "yref": "paper", "yanchor": "bottom"}
    return text | {"text": "\N{DOWNWARDS ARROW} trivial bound at 1, far below"} | low
