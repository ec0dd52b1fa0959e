r"""Theorem 3.8 on ten observations: how far the acquisition moves when some of them are left out.

    ||alpha_D - alpha_D'||_2 <= L_T W_2(GP_D, GP_D'),    L_T = sqrt(1 + beta),

over S x [now, now + 2 l_T] with d = 1. The paper states it for one observation less; its proof uses
only that there are two surrogates, so several may be out here. Both sides and the scores of those
that are in stand on the same Gauss-Legendre nodes; k_T and l_T are the lab's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import plain
from bolt_core.common.text import significant
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.figures.lab.setting import Setting
from bolt_core.figures.lab.size_chart import ACCENT, chart, line
from bolt_core.gp.posterior import Posterior, condition
from bolt_core.gp.protocol import BETA, Data, Inference
from bolt_core.theory.kernels import Covariance, correlation
from bolt_core.theory.regret_bound import AcquisitionGap, acquisition_gap
from bolt_core.theory.wasserstein import Nodes, RemovalScores
from bolt_core.theory.wasserstein.nodes import HORIZON

NOW = 120.0  # seconds
PLACES = np.array([0.12, 0.80, 0.45, 0.64, 0.24, 0.92, 0.36, 0.72, 0.07, 0.54])
TIMES = np.array([6.0, 19.0, 30.0, 42.0, 55.0, 66.0, 77.0, 90.0, 101.0, 113.0])  # seconds
VALUES = np.array([0.55, -0.75, 0.95, 0.35, 0.70, -1.10, 1.25, -0.60, -0.35, 0.80])
NOISE = 0.02  # sigma_0^2, with lambda = 1
SPACE = 0.15  # l_S
GRID = (32, 16)  # Gauss-Legendre nodes in place and in time
LEFT, RIGHT = 56, 16  # pixels: the places stand above each other in chart and dataset
LINE = 81  # points of the posterior now


@dataclass(frozen=True)
class LeftOut:
    """The ten observations, some of them out."""

    setting: Setting
    out: tuple[int, ...] = ()

    @cached_property
    def k(self) -> Covariance:
        theta = Hyperparameters(1.0, SPACE, self.setting.lengthscale, NOISE)
        return Covariance(correlation("matern52"), correlation(self.setting.kernel), theta)

    @property
    def kept(self) -> list[int]:
        return [i for i in range(len(TIMES)) if i not in self.out]

    @property
    def beta(self) -> float:
        """As the algorithms have it: 0.2 d log(2 n)."""
        return float(BETA * np.log(2 * len(TIMES)))

    @cached_property
    def nodes(self) -> Nodes:
        (x, wx), (t, wt) = (np.polynomial.legendre.leggauss(count) for count in GRID)
        length = HORIZON * self.setting.lengthscale
        places, times = np.meshgrid((x + 1) / 2, NOW + length * (t + 1) / 2, indexing="ij")
        weights = np.multiply.outer(wx / 2, length * wt / 2)
        return Nodes(np.column_stack([places.ravel(), times.ravel()]), weights.ravel())

    @cached_property
    def before(self) -> Posterior:
        return self._given(list(range(len(TIMES))))

    @cached_property
    def after(self) -> Posterior:
        return self._given(self.kept)

    @cached_property
    def gap(self) -> AcquisitionGap:
        """Both sides of the inequality; 0 and 0 while everybody is in."""
        Z = self.nodes.Z
        both = self.before.predict(Z), self.after.predict(Z)
        return acquisition_gap(*both, self.nodes.weights, self.beta)

    @cached_property
    def scores(self) -> dict[int, float]:
        """W_2 of leaving out one more, for each that is in."""
        if not self.kept:
            return {}
        after = self.after
        found = RemovalScores(self.k, after.Z, after.inverse(), after.a, self.nodes).scores()
        return dict(zip(self.kept, found.tolist(), strict=True))

    def now(self, posterior: Posterior) -> tuple[Array, Array, Array]:
        """Place, mean and standard deviation at this moment."""
        x = np.linspace(0.0, 1.0, LINE)
        return x, *posterior.predict(np.column_stack([x, np.full(LINE, NOW)]))

    def _given(self, rows: list[int]) -> Posterior:
        data = Data.of(PLACES[rows, None], TIMES[rows], VALUES[rows])
        return condition(self.k, data, Inference(self.k.theta))


def checked_rows(values: Collection[object]) -> tuple[int, ...]:
    """Who is out, from a link or the browser: known numbers only, each once, in order."""
    found = {value for value in values if isinstance(value, int) and not isinstance(value, bool)}
    return tuple(sorted(i for i in found if 0 <= i < len(TIMES)))


def posterior_now(left: LeftOut) -> dict[str, Any]:
    """Mean and one standard deviation over the places, with everybody and without who is out."""
    x, mean, sd = left.now(left.before)
    traces = [_band(x, mean, sd, "with all ten"), line(x, mean, "with all ten", dash="dash")]
    if left.out:
        x, mean, sd = left.now(left.after)
        without = "without who is out"
        traces.append(_band(x, mean, sd, without, ACCENT))
        traces.append(line(x, mean, without, key=ACCENT))
    for trace in traces:
        trace["hovertemplate"] = "%{y:.2f}"
    layout = {
        "xaxis": {"title": {"text": "place x"}, "range": [0.0, 1.0]},
        "yaxis": {
            "title": {"text": "posterior now"},
            "range": [-2.3, 2.3],
            "nticks": 5,
            "automargin": False,
        },
        "shapes": [],
        "annotations": [],
        "margin": {"l": LEFT, "r": RIGHT, "t": 8, "b": 8},
        "meta": {
            "alt": f"The surrogate now, over the place. {removal_summary(left)}",
            "caption": "Mean and one standard deviation at this moment. Dashed: with all ten; "
            "solid: without those that are out.",
        },
    }
    return chart(traces, layout)


def removal_summary(left: LeftOut) -> str:
    if not left.out:
        least = min(left.scores, key=lambda i: left.scores[i])
        return (
            f"All ten are in. Number {least + 1} matters least: leaving it out would move the "
            f"surrogate by W\N{SUBSCRIPT TWO} = {tiny(left.scores[least])}."
        )
    gap = left.gap
    who = f"Without {_named(left.out)} the acquisition moves by {tiny(gap.change)}"
    if gap.limit < 1e-6:
        return f"{who}: these observations had nothing left to say."
    share = significant(100 * gap.change / gap.limit)
    return (
        f"{who}, and may not move by more than L_T W\N{SUBSCRIPT TWO} = {tiny(gap.limit)}: "
        f"{share} % of what the theorem allows."
    )


def tiny(value: float) -> str:
    """Three digits, or that it is next to nothing."""
    return significant(value) if value >= 1e-4 or value == 0 else "less than 0.0001"


def _named(out: tuple[int, ...]) -> str:
    numbers = [str(i + 1) for i in out]
    if len(numbers) == 1:
        return f"number {numbers[0]}"
    if len(numbers) == len(TIMES):
        return "any of the ten"
    return f"numbers {', '.join(numbers[:-1])} and {numbers[-1]}"


def _band(x: Array, mean: Array, sd: Array, name: str, key: str = "") -> dict[str, Any]:
    edge = np.concatenate([mean + sd, (mean - sd)[::-1]])
    trace = {
        "type": "scatter",
        "mode": "lines",
        "name": f"{name}, \N{PLUS-MINUS SIGN}1 sd",
        "x": plain(np.concatenate([x, x[::-1]])),
        "y": plain(edge),
        "fill": "toself",
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    return trace | ({"meta": key} if key else {})
