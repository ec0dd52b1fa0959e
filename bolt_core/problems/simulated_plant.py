"""A simulated plant to try the loop with: three knobs, a best setting that drifts, and noise.

The yield of a reactor depends on feed, temperature and the number of stages. Its catalyst ages and
the season turns, so that the best feed and temperature move: over a period of two hours by about a
third of their ranges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from bolt_core.common.knobs import Integer, Real, Value
from bolt_core.online.problem_spec import ProblemSpec

SPEC = ProblemSpec(
    {
        "feed": Real(0, 8, unit="l/min"),
        "temperature": Real(40, 90, unit="\N{DEGREE SIGN}C"),
        "stages": Integer(1, 6),
    },
    "yield",
    unit="%",
    name="Simulated reactor",
    warmup=6,
)
BEST_YIELD = 80.0  # %
NOISE_SD = 0.4  # %
DRIFT_SECONDS = 7200.0  # period of the drift


def best_setting(seconds: float) -> tuple[float, float, int]:
    """Return the best feed, temperature and number of stages at a time of the plant."""
    phase = 2.0 * math.pi * seconds / DRIFT_SECONDS
    return 4.0 + 1.4 * math.sin(phase), 66.0 + 8.0 * math.cos(0.7 * phase), 4


def true_yield(setting: Mapping[str, Value], seconds: float) -> float:
    """Return the yield in percent, without noise, at a time of the plant."""
    feed, temperature, stages = best_setting(seconds)
    loss = (
        ((float(setting["feed"]) - feed) / 2.5) ** 2
        + ((float(setting["temperature"]) - temperature) / 16.0) ** 2
        + ((float(setting["stages"]) - stages) / 3.0) ** 2
    )
    return BEST_YIELD * math.exp(-0.5 * loss)


def measured_yield(setting: Mapping[str, Value], seconds: float, seed: int) -> float:
    """Return the yield with the noise of this plant and time: the same for the same arguments."""
    stream = np.random.default_rng([seed, round(1000.0 * max(seconds, 0.0))])
    return true_yield(setting, seconds) + NOISE_SD * float(stream.standard_normal())
