r"""Acquisition functions: GP-UCB in closed form, the others through BoTorch.

    ucb     mu + sqrt(beta) sigma
    ei      E max(f - f+, 0)
    logei   log of the same, without its flat regions
    pi      P(f > f+)

f+ is the largest posterior mean at the observed points, at the time of the query: where f moves, an
old y is not a valid incumbent.
"""

import numpy as np

from bolt_core.common.domain import Region
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.packages import require
from bolt_core.common.types import ACQUISITIONS, Array
from bolt_core.gp import TORCH_PACKAGES
from bolt_core.gp.protocol import Model, Surrogate


def incumbent(surrogate: Surrogate, t: float) -> float:
    """Return f+ in raw units."""
    mu, _ = surrogate.posterior(surrogate.data.Z[:, :-1], t)
    return float(mu.max())


def check(name: str, model: Model) -> None:
    """Raise a ConfigError if an acquisition cannot be maximised over what can be set."""
    if name not in ACQUISITIONS:
        raise UnknownNameError("acquisition", name, ACQUISITIONS)
    if name != "ucb" and model.levels is not None:
        knobs = ", ".join(str(k + 1) for k in model.levels.discrete)
        raise ConfigError(
            f"the acquisition {name} is for real knobs only, and knob {knobs} has levels; use ucb"
        )


def maximise(
    surrogate: Surrogate,
    name: str,
    t: float,
    rng: np.random.Generator,
    *,
    window: float = 0.0,
    region: Region | None = None,
) -> tuple[Array, float]:
    """Return the argmax over [0, 1]^d x [t, t + window]: x (d,) and its time.

    x can be set, and lies in the region if there is one.
    """
    check(name, surrogate.model)
    if name == "ucb" or len(surrogate.data) == 0:  # without data all of them are flat
        return surrogate.maximise_ucb(t, rng, window=window, region=region)
    require(f"the acquisition {name}", *TORCH_PACKAGES)
    from bolt_core.gp.improvement import maximise_improvement  # imports torch

    when = (t, window, region)
    return maximise_improvement(surrogate, name, when, incumbent(surrogate, t), rng)
