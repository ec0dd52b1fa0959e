"""The twin of a log, made of the verdict on it.

The twin is conditioned on the rows to which the model was fitted, so that it passes through them
within the fitted noise. A race on it replays the recorded period with the log's own spacing; see
`benchmarks.twin.race_length` for long and short logs.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bolt_core.benchmarks.twin import (
    MAX_KNOBS,
    MAX_ROWS,
    MAX_TEXT,
    TABLE_SUFFIX,
    TwinDefinition,
    race_length,
)
from bolt_core.common.errors import ConfigError
from bolt_core.common.text import shortened
from bolt_core.common.types import Array
from bolt_core.logs.log import Log
from bolt_core.logs.verdict import Verdict

DIGITS = 10  # of a number in a definition: as exact as any instrument, and half as long


def twin_of(
    log: Log,
    verdict: Verdict,
    seed: int = 0,
    *,
    name: str | None = None,
    period: float | None = None,
) -> TwinDefinition:
    """Return the twin of a log; `seed` chooses one of the functions that agree with it.

    `period` is the time between two queries of a race in seconds; None: as in the log, but at most
    300 queries.
    """
    learned = verdict.inference
    if learned is None:
        raise ConfigError(
            f"{log.name} has {len(log)} rows, too few to fit a process of which a twin is made"
        )
    if len(log.spec.knobs) > MAX_KNOBS:
        raise ConfigError(
            f"a twin has at most {MAX_KNOBS} knobs, got {len(log.spec.knobs)}; leave some out"
        )
    rows = verdict.rows[-MAX_ROWS:]
    sign = 1.0 if log.spec.maximize else -1.0
    race = race_length(log.span, log.spacing, period)
    begin = float(log.times[0]) + race.begin
    theta = learned.theta
    l_S = theta.lengthscale_space
    return TwinDefinition(
        name=name or _name_of(log),
        log_sha256=log.sha256,
        knobs=log.spec.knobs,
        outcome=log.spec.outcome,
        unit=log.spec.unit,
        maximize=log.spec.maximize,
        spatial_kernel=verdict.spatial_kernel,
        temporal_kernel=verdict.temporal_kernel,
        theta=replace(
            theta,
            signal_variance=_short(theta.signal_variance),
            lengthscale_space=tuple(map(_short, l_S)) if isinstance(l_S, tuple) else _short(l_S),
            lengthscale_time=_short(verdict.lengthscale or theta.lengthscale_time or log.span),
            noise_variance=_short(theta.noise_variance),
        ),
        y_mean=_short(sign * learned.y_mean),
        y_sd=_short(learned.y_sd),
        mean=_short(sign * learned.mean),
        Z=_rounded(np.column_stack([log.X[rows], log.times[rows] - begin])),
        y=_rounded(sign * log.y[rows]),
        horizon=_short(race.horizon),
        cost=_short(race.cost),
        sample=seed,
    )


def _name_of(log: Log) -> str:
    """Return the name of the file without its ending, as far as the name of a twin can have it."""
    stem = TABLE_SUFFIX.sub("", log.name)
    printable = "".join(c if c.isprintable() else " " for c in stem)
    return shortened(printable, MAX_TEXT) or "log"


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _rounded(values: Array) -> Array:
    return np.array([_short(value) for value in values.ravel()]).reshape(values.shape)
