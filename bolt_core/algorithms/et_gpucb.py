r"""ET-GPUCB: forget everything when an observation surprises (Brunzema et al., 2025).

With the posterior BEFORE (x_t, y_t) is added, and t counting observations since the last reset,

    reset  <=>  |y_t - mu(x_t)| > q_t (sigma(x_t) + sigma_0),   q_t^2 = 2 ln(pi^2 t^2 / (3 delta))

and the surprising observation begins the new D. By the union bound, a static f triggers a false
reset with probability at most delta. As the paper of BOLT does, sigma_0^2 is learned on line, which
hides some drift in the noise; `et-gpucb-fixed-noise` keeps the value found at the end of warm-up.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bolt_core.gp_optimizer import Forecast, Moment, Policy, gp_with
from bolt_core.optimizer import AlgorithmSpec, Removal
from bolt_core.options import param
from bolt_core.types import Observation

FEWEST = 2  # observations in D before a surprise is believed


@dataclass(frozen=True, slots=True)
class Params:
    """What one may choose."""

    delta: float = param(0.1, "probability of a false reset of a static f", low=1e-6, high=0.999)


def threshold(t: int, delta: float) -> float:
    """q_t, in standard deviations."""
    return math.sqrt(2.0 * math.log(math.pi**2 * t**2 / (3.0 * delta)))


class EventTriggeredReset(Policy):
    """Empties D when the newest observation is not believable under it."""

    forecasts = True
    kept = ("_since", "_noise_sd")

    def __init__(self, params: Params, *, fix_noise: bool = False) -> None:
        self._delta = params.delta
        self._fix_noise = fix_noise
        self._since = 0  # observations since the last reset
        self._noise_sd: float | None = None  # sigma_0 at the end of warm-up, raw units

    def arrival(
        self, observation: Observation, forecast: Forecast | None, n: int
    ) -> Mapping[str, Any] | None:
        self._since += 1
        if forecast is None or n < FEWEST:
            return None
        if self._fix_noise and self._noise_sd is None:
            self._noise_sd = forecast.noise_sd
        noise_sd = forecast.noise_sd if self._noise_sd is None else self._noise_sd
        surprise = abs(observation.y - forecast.mean)
        limit = threshold(self._since, self._delta) * (forecast.sd + noise_sd)
        if surprise <= limit:
            return None
        self._since = 1
        return {"reset": f"surprise of {surprise:.4g} beyond {limit:.4g}"}

    def clean(self, moment: Moment) -> Removal:
        del moment
        return Removal(notes={"since_reset": self._since})


def _spec(key: str, label: str, kind: str, *, fix_noise: bool) -> AlgorithmSpec:
    return AlgorithmSpec(
        key=key,
        label=label,
        year=2025,
        kind=kind,
        assumes_objective="Markov model",
        assumes_response_time="R(n) constant",
        stale_data="event-based reset",
        guarantee="linear upper bound",
        build=gp_with(partial(EventTriggeredReset, fix_noise=fix_noise), "none"),
        params=Params,
    )


ALGORITHMS = (
    _spec("et-gpucb", "ET-GPUCB", "paper", fix_noise=False),
    _spec("et-gpucb-fixed-noise", "ET-GPUCB, fixed noise", "variant", fix_noise=True),
)
