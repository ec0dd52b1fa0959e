r"""The surrogate as a BoTorch model, with the same kernels, bounds, mean and noise weights.

    ScaleKernel(k_S on x  *  k_T on t),  ConstantMean,  noise sigma_0^2 w_i,  no priors

k_S has one lengthscale, or one per knob (`ard_num_dims`).
Parameters live in logarithms with box constraints (`LogTransformedInterval`), so L-BFGS sees the
same box as the exact engine and no unit of time matters. Call these only under the lock of
`gp.botorch`: GPyTorch keeps its settings in class attributes.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from botorch.models import SingleTaskGP
from botorch.utils.constraints import LogTransformedInterval
from gpytorch.constraints import Interval
from gpytorch.kernels import Kernel, MaternKernel, RBFKernel, RQKernel, ScaleKernel
from gpytorch.likelihoods.gaussian_likelihood import _GaussianLikelihoodBase
from gpytorch.likelihoods.noise_models import HomoskedasticNoise
from gpytorch.means import ConstantMean
from linear_operator.operators import DiagLinearOperator

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.gp.protocol import Bounds, Data, Inference, Model
from bolt_core.theory.kernels import SMOOTHNESS, WIENER

torch.set_num_threads(1)  # runtime.configure() may have run before torch was imported
ANYTHING = (1e-30, 1e30)
FREE = Bounds(signal=ANYTHING, space=ANYTHING, time=ANYTHING, noise=ANYTHING)
SLACK = 1e-6  # relative, around every bound


@dataclass(frozen=True, slots=True)
class Targets:
    """y in the unit of the model, with theta and m in the same unit."""

    y: Array
    theta: Hyperparameters
    mean: float


class WeightedNoise(HomoskedasticNoise):  # type: ignore[misc]
    """sigma_0^2 w_i at the data, sigma_0^2 elsewhere."""

    def __init__(self, weights: torch.Tensor, constraint: Interval) -> None:
        super().__init__(noise_constraint=constraint)
        self.register_buffer("weights", weights)

    def forward(self, *params: Any, shape: Any = None, **kwargs: Any) -> DiagLinearOperator:  # noqa: ANN401
        if shape is not None and shape[-1] == len(self.weights) and len(shape) == 1:
            return DiagLinearOperator(self.noise * self.weights)
        return super().forward(*params, shape=shape, **kwargs)


class WeightedGaussianLikelihood(_GaussianLikelihoodBase):  # type: ignore[misc]
    """Gaussian noise with known relative variances."""

    def __init__(self, weights: torch.Tensor, constraint: Interval) -> None:
        super().__init__(noise_covar=WeightedNoise(weights, constraint))


class WienerKernel(Kernel):  # type: ignore[misc]
    """1 + (min(t, t') - t_0) / l_T: a constant and a Wiener process in time."""

    has_lengthscale = True

    def __init__(self, oldest: float, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        self._oldest = oldest

    def forward(
        self,
        x1: torch.Tensor,
        x2: torch.Tensor,
        diag: bool = False,
        **params: Any,  # noqa: ANN401
    ) -> torch.Tensor:
        del params
        earlier = torch.minimum(x1, x2 if diag else x2.transpose(-1, -2))
        value: torch.Tensor = 1.0 + (earlier - self._oldest).clamp(min=0.0) / self.lengthscale
        return value[..., 0] if diag else value


def standardised(data: Data, inference: Inference) -> Targets:
    """Return the targets in standardised units of y."""
    y = (data.y - inference.y_mean) / inference.y_sd
    return Targets(y, inference.theta, inference.mean)


def raw(data: Data, inference: Inference) -> Targets:
    """Return the targets in raw units of y."""
    theta, scale = inference.theta, inference.y_sd**2
    in_raw = replace(
        theta,
        signal_variance=theta.signal_variance * scale,
        noise_variance=theta.noise_variance * scale,
    )
    return Targets(data.y, in_raw, inference.y_mean + inference.y_sd * inference.mean)


def build(model: Model, data: Data, targets: Targets, bounds: Bounds = FREE) -> SingleTaskGP:
    """Return an unfitted SingleTaskGP with the parameters of `targets`."""
    refuse_choices(model)
    theta, knobs = targets.theta, range(model.dimension)
    per_knob = {"ard_num_dims": model.dimension} if model.ard else {}
    kernel = _kernel(model.spatial_kernel, knobs, bounds.space, **per_knob)
    kernel.initialize(lengthscale=number(theta.lengthscale_space))
    if model.sees_time:
        in_time = _kernel(model.temporal_kernel, [model.dimension], bounds.time, data.oldest)
        in_time.initialize(lengthscale=number(theta.lengthscale_time or 1.0))
        kernel = kernel * in_time
    scaled = ScaleKernel(kernel, outputscale_constraint=_interval(bounds.signal))
    likelihood = WeightedGaussianLikelihood(tensor(data.weights), _interval(bounds.noise))
    mean = ConstantMean()
    gp = SingleTaskGP(
        tensor(data.Z),
        tensor(targets.y)[:, None],
        likelihood=likelihood,
        covar_module=scaled,
        mean_module=mean,
        outcome_transform=None,
    )
    mean.initialize(constant=number(targets.mean))
    scaled.initialize(outputscale=number(theta.signal_variance))
    likelihood.noise_covar.initialize(noise=number(theta.noise_variance))
    return gp


def learned(gp: SingleTaskGP, model: Model) -> tuple[Hyperparameters, float]:
    """Return theta and m of a fitted model, in the unit of its targets."""
    inner = gp.covar_module.base_kernel
    space, time = (inner.kernels[0], inner.kernels[1]) if model.sees_time else (inner, None)
    theta = Hyperparameters(
        gp.covar_module.outputscale.item(),
        tuple(space.lengthscale[0].tolist()) if model.ard else space.lengthscale.item(),
        None if time is None else time.lengthscale.item(),
        gp.likelihood.noise_covar.noise.item(),
    )
    return theta, gp.mean_module.constant.item()


def refuse_choices(model: Model) -> None:
    """Raise a ConfigError if a knob is a choice: these kernels would give its values an order."""
    if model.levels is not None and model.levels.choices:
        knobs = ", ".join(str(k + 1) for k in model.levels.choices)
        raise ConfigError(
            f"the engine botorch has no choices (knob {knobs}); use the engine exact, or integers"
        )


def tensor(values: Array) -> torch.Tensor:
    """Return a copy of an array as a double-precision tensor."""
    return torch.from_numpy(np.array(values, dtype=np.float64))


def number(value: float | tuple[float, ...]) -> torch.Tensor:
    """Return a double-precision tensor; gpytorch would read a Python float as float32."""
    return torch.tensor(value, dtype=torch.float64)


def _interval(box: tuple[float, float]) -> Interval:
    # gpytorch keeps bounds in single precision and wants low < theta < high; the search clips
    low, high = box[0] * (1 - SLACK), box[1] * (1 + SLACK)
    return LogTransformedInterval(low, high, initial_value=math.sqrt(low * high)).double()


def _kernel(
    name: str,
    dimensions: Any,  # noqa: ANN401
    box: tuple[float, float],
    oldest: float = 0.0,
    **further: int,
) -> Kernel:
    constraint = {"lengthscale_constraint": _interval(box)}
    options: dict[str, Any] = {"active_dims": tuple(dimensions), **constraint, **further}
    if name == WIENER.name:
        return WienerKernel(oldest, **options).double()
    if name in SMOOTHNESS:
        return MaternKernel(nu=SMOOTHNESS[name], **options).double()
    if name == "rbf":
        return RBFKernel(**options).double()
    kernel = RQKernel(**options).double()
    kernel.initialize(alpha=number(1.0))
    kernel.raw_alpha.requires_grad_(requires_grad=False)
    return kernel
