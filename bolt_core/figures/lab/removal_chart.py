r"""Theorem 3.8 on ten observations: how much the acquisition changes when some are left out.

    ||alpha_D - alpha_D'||_2 <= L_T W_2(GP_D, GP_D'),    L_T = sqrt(1 + beta),

over S x [now, now + 2 l_T] with d = 1. The paper states it for one observation; its proof only uses
that there are two surrogates, so several may be left out here. Both sides, and the scores of the
observations that are kept, use the same Gauss-Legendre nodes; k_T and l_T are those of the lab.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bolt_core.common.text import listed, significant
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.figures.lab.setting import Setting
from bolt_core.figures.lab.size_chart import ACCENT, curve, tiny
from bolt_core.figures.shared.chart_dicts import axis, margins, plot
from bolt_core.figures.shared.traces import band
from bolt_core.gp.posterior import Posterior, condition
from bolt_core.gp.protocol import BETA, Data, Inference
from bolt_core.theory.kernels import Covariance, correlation
from bolt_core.theory.regret_bound import AcquisitionGap, acquisition_gap
from bolt_core.theory.wasserstein import Nodes, RemovalScores
from bolt_core.theory.wasserstein.nodes import HORIZON

NOW = 120.0  # seconds
PLACES = np.array([0.12, 0.80, 0.45, 0.64, 0.24, 0.92, 0.36, 0.72, 0.07, 0.54])  # x
TIMES = np.array([6.0, 19.0, 30.0, 42.0, 55.0, 66.0, 77.0, 90.0, 101.0, 113.0])  # seconds
VALUES = np.array([0.55, -0.75, 0.95, 0.35, 0.70, -1.10, 1.25, -0.60, -0.35, 0.80])  # y
NOISE = 0.02  # sigma_0^2, with lambda = 1
SPATIAL_LENGTHSCALE = 0.15  # l_S
NODES = (32, 16)  # Gauss-Legendre nodes in x and in time
LEFT, RIGHT = 56, 16  # margins in pixels: the x axes of the chart and of the dataset line up
CURVE_POINTS = 81


@dataclass(frozen=True)
class LeftOut:
    """The ten observations, with some of them left out."""

    setting: Setting
    out: tuple[int, ...] = ()  # rows

    @cached_property
    def k(self) -> Covariance:
        """Covariance with the temporal kernel of the setting."""
        theta = Hyperparameters(1.0, SPATIAL_LENGTHSCALE, self.setting.lengthscale, NOISE)
        return Covariance(correlation("matern52"), correlation(self.setting.kernel), theta)

    @property
    def kept(self) -> list[int]:
        """Rows that are not left out."""
        return [i for i in range(len(TIMES)) if i not in self.out]

    @property
    def beta(self) -> float:
        """Exploration factor 0.2 d log(2 n), as in the algorithms."""
        return float(BETA * np.log(2 * len(TIMES)))

    @cached_property
    def nodes(self) -> Nodes:
        """Integration nodes over x and the next two lengthscales."""
        (x, wx), (t, wt) = (np.polynomial.legendre.leggauss(count) for count in NODES)
        length = HORIZON * self.setting.lengthscale
        places, times = np.meshgrid((x + 1) / 2, NOW + length * (t + 1) / 2, indexing="ij")
        weights = np.multiply.outer(wx / 2, length * wt / 2)
        return Nodes(np.column_stack([places.ravel(), times.ravel()]), weights.ravel())

    @cached_property
    def before(self) -> Posterior:
        """Surrogate of all ten observations."""
        return self._posterior(list(range(len(TIMES))))

    @cached_property
    def after(self) -> Posterior:
        """Surrogate of the observations kept."""
        return self._posterior(self.kept)

    @cached_property
    def gap(self) -> AcquisitionGap:
        """Both sides of the inequality; both are 0 if no observation is left out."""
        Z = self.nodes.Z
        both = self.before.predict(Z), self.after.predict(Z)
        return acquisition_gap(*both, self.nodes.weights, self.beta)

    @cached_property
    def scores(self) -> dict[int, float]:
        """W_2 of leaving out one more observation, by row of those kept."""
        if not self.kept:
            return {}
        after = self.after
        scores = RemovalScores(self.k, after.Z, after.inverse(), after.a, self.nodes).scores()
        return dict(zip(self.kept, scores.tolist(), strict=True))

    def _posterior(self, rows: list[int]) -> Posterior:
        data = Data.of(PLACES[rows, None], TIMES[rows], VALUES[rows])
        return condition(self.k, data, Inference(self.k.theta))


def checked_rows(values: Collection[object]) -> tuple[int, ...]:
    """Return the valid rows among values from a link or the browser, sorted and without repeats."""
    rows = {value for value in values if isinstance(value, int) and not isinstance(value, bool)}
    return tuple(sorted(row for row in rows if 0 <= row < len(TIMES)))


def posterior_now(left: LeftOut) -> dict[str, Any]:
    """Return mean and standard deviation over x, with all ten and without those left out."""
    shown = [(left.before, "with all ten", "", "dash")]
    if left.out:
        shown.append((left.after, "without those left out", ACCENT, "solid"))
    traces = []
    for posterior, name, key, dash in shown:
        x, mean, sd = _at_present(posterior)
        area = band(x, mean - sd, mean + sd, f"{name}, \N{PLUS-MINUS SIGN}1 sd", key=key)
        traces += [area, curve(x, mean, name, key=key, dash=dash)]
    layout = {
        "xaxis": axis("x", range=[0.0, 1.0]),
        "yaxis": axis("posterior now", range=[-2.3, 2.3], nticks=5, automargin=False),
        "margin": margins(left=LEFT, right=RIGHT, top=8),
    }
    return plot(
        [trace | {"hovertemplate": "%{y:.2f}"} for trace in traces],
        layout,
        f"Posterior of the surrogate now, over x. {removal_summary(left)}",
        "Mean and one standard deviation now. Dashed: with all ten observations; solid: without "
        "those left out.",
    )


def removal_summary(left: LeftOut) -> str:
    """Return how much the acquisition changes, and how much the theorem allows."""
    if not left.out:
        least = min(left.scores, key=lambda i: left.scores[i])
        return (
            f"All ten observations are kept. Number {least + 1} matters least: without it, the "
            f"surrogate would change by W\N{SUBSCRIPT TWO} = {tiny(left.scores[least])}."
        )
    gap = left.gap
    change = f"Without {_named(left.out)}, the acquisition function changes by {tiny(gap.change)}"
    if gap.limit < 1e-6:
        return f"{change}: what is left out no longer matters."
    share = significant(100 * gap.change / gap.limit)
    return (
        f"{change}, {share} % of the limit of the theorem, L_T W\N{SUBSCRIPT TWO} = "
        f"{tiny(gap.limit)}."
    )


def _at_present(posterior: Posterior) -> tuple[Array, Array, Array]:
    """Return x, mean and standard deviation now."""
    x = np.linspace(0.0, 1.0, CURVE_POINTS)
    return x, *posterior.predict(np.column_stack([x, np.full(CURVE_POINTS, NOW)]))


def _named(out: tuple[int, ...]) -> str:
    if len(out) == len(TIMES):
        return "any of the ten"
    noun = "observation" if len(out) == 1 else "observations"
    return f"{noun} {listed([str(row + 1) for row in out])}"
