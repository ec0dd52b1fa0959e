"""A plain GP in torch, for autograd: dense formulas, distances from differences.

GPyTorch takes distances from |x|^2 + |x'|^2 - 2 x'x, which leaves 1e-8 where they are 0. Matern-1/2
has a kink there, so its covariances are wrong by as much: that kernel needs this second oracle.
"""

import math

import numpy as np
import torch
from gpytorch.mlls import ExactMarginalLogLikelihood

from bolt_core.gp import botorch_model

FORMULAS = {
    "matern12": lambda r: torch.exp(-r),
    "matern32": lambda r: (1 + 3**0.5 * r) * torch.exp(-(3**0.5) * r),
    "matern52": lambda r: (1 + 5**0.5 * r + 5 * r**2 / 3) * torch.exp(-(5**0.5) * r),
    "rbf": lambda r: torch.exp(-(r**2) / 2),
    "rq": lambda r: 1 / (1 + r**2 / 2),
    "none": torch.ones_like,
}


def safe_distance(x, other):
    squared = ((x[:, None] - other[None]) ** 2).sum(-1)
    apart = squared > 0
    return torch.where(apart, torch.where(apart, squared, 1.0).sqrt(), 0.0)


def covariance(z, other, pair, values):
    """lambda k_S k_T; `values` = lambda, l_S, l_T, sigma_0^2 (l_T ignored by "none")."""
    lam, l_S, l_T, _ = values
    r_S = safe_distance(z[:, :-1], other[:, :-1]) / l_S
    r_T = safe_distance(z[:, -1:], other[:, -1:]) / l_T
    return lam * FORMULAS[pair[0]](r_S) * FORMULAS[pair[1]](r_T)


def loss(Z, y, weights, pair, log_values):
    """The negative log likelihood, the mean profiled out inside."""
    values = torch.exp(log_values)
    A = covariance(Z, Z, pair, values) + torch.diag(values[3] * weights)
    ones = torch.ones_like(y)
    m = ones @ torch.linalg.solve(A, y) / (ones @ torch.linalg.solve(A, ones))
    fit = (y - m) @ torch.linalg.solve(A, y - m)
    return 0.5 * (fit + torch.logdet(A) + len(y) * math.log(2 * math.pi))


def posterior(points, Z, residual, weights, pair, values):
    """Mean of f less m, and its variance."""
    A = covariance(Z, Z, pair, values) + torch.diag(values[3] * weights)
    K = covariance(points, Z, pair, values)
    solved = torch.linalg.solve(A, K.T)
    return solved.T @ residual, values[0] - (K * solved.T).sum(1)


def loss_and_gradient(model, data, targets):
    """Return the negative log likelihood of GPyTorch and its gradient in log parameters."""
    gp = botorch_model.build(model, data, targets)
    gp.train()
    mll = ExactMarginalLogLikelihood(gp.likelihood, gp)
    loss = -mll(gp(*gp.train_inputs), gp.train_targets) * len(data)
    loss.backward()
    kernels = gp.covar_module.base_kernel
    by_length = kernels.kernels if model.sees_time else [kernels]
    raw = [gp.covar_module.raw_outputscale, *(k.raw_lengthscale for k in by_length)]
    raw.append(gp.likelihood.noise_covar.raw_noise)  # raw means logarithm here
    return loss.item(), np.concatenate([p.grad.numpy().ravel() for p in raw])
