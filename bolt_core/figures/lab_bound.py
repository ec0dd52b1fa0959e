r"""The bound of Theorem 3.6 as n varies: its shape, over the bound that needs no data at all.

sigma <= 1 alone gives R_T <= 2 T sqrt(beta_T) + pi^2 / 6. Every curve is divided by that: below 1
the theorem would promise something, above 1 it does not. a = b = 1 and kappa = 1, the kindest
case; gamma_n is the most that n observations can tell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core import bound
from bolt_core.figures.lab import ACCENT, chart, dot, line
from bolt_core.figures.lab_setting import Setting
from bolt_core.figures.labels import End, end_labels, margin
from bolt_core.figures.words import significant
from bolt_core.kernels import correlation
from bolt_core.types import Array

NOISES = (0.01, 0.1, 1.0)  # sigma_0^2 over lambda
ITERATIONS = (10**3, 10**4, 10**6)  # T
DASHES = ("dot", "dash", "solid")
NAMES = {10**3: "T = 10³", 10**4: "T = 10⁴", 10**6: "T = 10⁶"}
DIMENSION = 1
PIXELS = 230.0


@dataclass(frozen=True, slots=True)
class Shape:
    """The bound at sizes n, over the trivial one."""

    iterations: int
    n: Array
    ratio: Array

    @property
    def best(self) -> int:
        """The size of the lowest, among those drawn."""
        return int(self.n[int(np.argmin(self.ratio))])


def shapes(setting: Setting, noise: float) -> list[Shape]:
    """One for each T that is not below every size drawn."""
    maximum = bound.spectral_maximum(correlation(setting.kernel), setting.lengthscale)
    known = bound.Constants(noise, 1.0, maximum / setting.coefficients[0])
    n, u = setting.curve
    variance = 1.0 - known.variance_factor * u
    found = []
    for T in ITERATIONS:
        beta = bound.confidence_factor(T, DIMENSION)
        trivial = 2 * T * math.sqrt(beta) + bound.BASEL
        kept = [(int(size), float(v)) for size, v in zip(n, variance, strict=True) if size <= T]
        values = [
            bound.regret_bound(
                T,
                size,
                known,
                beta=beta,
                information=bound.most_information(size, known),
                variance=v,
            )
            for size, v in kept
        ]
        found.append(Shape(T, n[: len(kept)], np.array(values) / trivial))
    return found


def bound_curve(setting: Setting, noise: float) -> dict[str, Any]:
    """The bound against n, one line for each T, its lowest marked; n* as the rule."""
    drawn = shapes(setting, noise)
    highest = max(float(shape.ratio.max()) for shape in drawn)
    lowest = min(1.0, *(float(shape.ratio.min()) for shape in drawn))
    room = 0.08 * (highest - lowest) or 0.1
    upright = (lowest - room, highest + room)
    traces = []
    for shape, dash in zip(drawn, DASHES, strict=True):
        name = NAMES[shape.iterations]
        traces.append(line(shape.n, shape.ratio, name, dash=dash) | {"hovertemplate": "%{y:.4~r}"})
        at = shape.n == shape.best
        traces.append(dot(shape.n[at], shape.ratio[at], f"lowest, {name}", ACCENT))
    ends = [End("", NAMES[s.iterations], float(s.n[-1]), float(s.ratio[-1])) for s in drawn]
    reach = float(setting.reach)
    layout = {
        "xaxis": {
            "title": {"text": "n, observations kept"},
            "range": [0, reach],
            "tickformat": ",",
        },
        "yaxis": {"title": {"text": "bound / trivial bound"}, "range": list(upright), "nticks": 6},
        "shapes": [_level(), *_rule(setting)],
        "annotations": [
            *end_labels(ends, upright, PIXELS, reach),
            _level_name(reach),
            *_rule_name(setting),
        ],
        "margin": {"l": 8, "r": margin(ends), "t": 24, "b": 8},
        "meta": {"alt": bound_in_words(setting, noise), "caption": _caption(noise)},
    }
    return chart(traces, layout)


def bound_in_words(setting: Setting, noise: float) -> str:
    """What the bound says here, and what it does not."""
    drawn = shapes(setting, noise)
    promise = _promise(float(drawn[-1].ratio.min()))
    if setting.n_star is None:
        return f"There is no n* here, and so no lowest point to compare with it. {promise}"
    lows = ", ".join(f"{s.best:,} for {NAMES[s.iterations]}" for s in drawn)
    return f"The bound is lowest at n = {lows}; as T grows, at n* = {setting.n_star:,}. {promise}"


def _promise(height: float) -> str:
    """How much the theorem guarantees at its lowest, for the largest T."""
    alone = "what \N{GREEK SMALL LETTER SIGMA} \N{LESS-THAN OR EQUAL TO} 1 alone guarantees"
    if height < 1.0:
        better = significant(100 * (1.0 - height))
        return f"At its lowest it is {better} % below {alone}: a promise, but a small one."
    return (
        f"At its lowest it is {significant(height)} times {alone}: it explains n*, and promises "
        "no small regret."
    )


def _caption(noise: float) -> str:
    return (
        "Shape only: Theorem 3.6 with a = b = 1, \N{GREEK SMALL LETTER KAPPA} = 1, d = 1, "
        f"\N{GREEK SMALL LETTER DELTA} = {bound.DELTA:g}, noise {noise:g} \N{GREEK SMALL LETTER LAMDA}"
        " and the largest \N{GREEK SMALL LETTER GAMMA}\N{LATIN SUBSCRIPT SMALL LETTER N} there can be, "
        "over the bound that uses no data. n* is its minimum only as T goes to infinity with n "
        "fixed; dots are the minima among the sizes drawn, and n = T always comes back to 1."
    )


def _level() -> dict[str, Any]:
    sides = {"x0": 0.0, "x1": 1.0, "xref": "paper", "y0": 1.0, "y1": 1.0}
    return {"name": "trivial", "type": "line", "line": {"width": 1}} | sides


def _level_name(reach: float) -> dict[str, Any]:
    text = {"name": "trivial", "text": "trivial bound", "showarrow": False}
    return text | {"x": 0.02 * reach, "y": 1.0, "xanchor": "left", "yanchor": "bottom"}


def _rule(setting: Setting) -> list[dict[str, Any]]:
    if setting.n_star is None:
        return []
    sides = {"x0": setting.n_star, "x1": setting.n_star, "y0": 0.0, "y1": 1.0, "yref": "paper"}
    return [{"name": ACCENT, "type": "line", "line": {"width": 1.5, "dash": "dot"}} | sides]


def _rule_name(setting: Setting) -> list[dict[str, Any]]:
    if setting.n_star is None:
        return []
    place = {"x": setting.n_star, "y": 1.0, "yref": "paper", "yanchor": "bottom"}
    text = f"<b>n* = {setting.n_star:,}</b>"
    return [{"name": ACCENT, "text": text, "showarrow": False} | place]
