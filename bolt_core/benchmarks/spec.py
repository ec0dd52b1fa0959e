"""A benchmark: a moving objective and the price of looking at it.

A benchmark module defines BENCHMARK = BenchmarkSpec(...): what Table 3 says of it, and a function
that makes its landscape. `BenchmarkSpec.build(**options)` gives a ready `Benchmark`, whose
`value(x, t)` is the primitive: x in [0, 1]^d, t in seconds, raw units, larger is better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from bolt_core.common.devices import thinking_time
from bolt_core.common.errors import ConfigError
from bolt_core.common.options import Option, parse_all
from bolt_core.common.types import Array, Problem, Scalar
from bolt_core.theory.kernels import SPATIAL

NEAR_CONSTANT = 2.0  # R(floor(H / R(0))) within this factor of R(0) counts as "about R(0)"
REASONABLE_SIZE = 100  # the "reasonable dataset size" at which a device's R(n) is looked at
QUASI_STATIC = 300.0  # l_T this many times R(100) counts as "much larger": splits Table 3
VARIANCE_SAMPLES = 20_000  # for landscapes that do not state their variance

Best: TypeAlias = Callable[[float], tuple[Array, float]]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of the paper's Table 3 (seconds, raw units)."""

    noise_variance: float  # sigma_0^2
    cost: float  # R(0)
    horizon: float  # H
    lengthscale_time: float  # l_T, about
    quasi_static: bool | None = None  # as the paper says; None for benchmarks of ours
    near_constant: bool | None = None


NOISE = Option(
    "noise",
    "paper",
    "noise variance: the paper's, or 1 % of the signal variance",
    ("paper", "1pct"),
)
KERNELS = ("paper", *SPATIAL)  # "paper": the kernel of the benchmark's own row
COMMON = (  # options of every benchmark
    NOISE,
    Option("spatial_kernel", "paper", "k_S that every surrogate is told of", KERNELS),
    Option("temporal_kernel", "paper", "k_T that every surrogate is told of", KERNELS),
)


@dataclass(frozen=True, slots=True)
class Landscape:
    """A moving function on the unit cube, and what is known about it."""

    dimension: int
    f: Callable[[Array, Array], Array]  # x (..., d) in [0, 1]^d, t (...) seconds -> (...)
    best: Best | None = None  # t -> (x*, f*); None: the oracle searches
    variance: float | None = None  # Var f, x and t uniform; None: estimated when needed
    source: str = "closed form"  # what the numbers come from, for people
    row: TableRow | None = None  # where options change the spec's; None: they do not


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A landscape with its noise, its price and its horizon: ready to be optimised."""

    key: str
    label: str
    landscape: Landscape
    row: TableRow
    noise_variance: float
    problem: Problem
    options: Mapping[str, Scalar]

    @property
    def dimension(self) -> int:
        return self.landscape.dimension

    @property
    def cost(self) -> float:
        return self.row.cost

    @property
    def horizon(self) -> float:
        return self.row.horizon

    @property
    def source(self) -> str:
        return self.landscape.source

    def value(self, x: ArrayLike, t: ArrayLike) -> Array:
        """f(x, t), noiseless: x of shape (..., d), t of shape (...); a scalar for one point."""
        places, times = np.asarray(x, dtype=float), np.asarray(t, dtype=float)
        if places.ndim == 0 or places.shape[-1] != self.dimension:
            raise ConfigError(
                f"{self.key} takes x with {self.dimension} coordinates, got shape {places.shape}"
            )
        if not np.all((places >= 0) & (places <= 1)):
            raise ConfigError(f"x must lie in [0, 1]^{self.dimension}, got {_worst(places)}")
        if not np.all((times >= 0) & (times <= self.horizon)):
            raise ConfigError(f"t must lie in [0, {self.horizon:g}] s, got {_worst(times)}")
        values: Array = np.asarray(self.landscape.f(places, times))[()]
        return values


@dataclass(frozen=True, slots=True)
class BenchmarkSpec:
    """One row of Table 3, plus the way to build it. Put one in a file of benchmarks/."""

    key: str
    label: str
    dimension: int  # d with the default options
    row: TableRow
    landscape: Callable[..., Landscape]  # called with this spec's own options by name
    options: Sequence[Option] = ()
    spatial_kernel: str = "matern52"
    temporal_kernel: str = "matern32"
    in_paper: bool = True
    notes: Sequence[str] = ()  # honest remarks for whoever reads a result

    def build(self, **options: Scalar) -> Benchmark:
        """A ready benchmark; noise and kernels are options of every one."""
        chosen = parse_all(f"option of {self.key}", (*COMMON, *self.options), options)
        landscape = self.landscape(**{o.name: chosen[o.name] for o in self.options})
        row = landscape.row or self.row
        noise = row.noise_variance
        if chosen[NOISE.name] == "1pct":
            noise = 0.01 * (landscape.variance or estimated_variance(landscape, row.horizon))
        own = {"spatial_kernel": self.spatial_kernel, "temporal_kernel": self.temporal_kernel}
        told = {name: k if (k := str(chosen[name])) != "paper" else own[name] for name in own}
        problem = Problem(landscape.dimension, **told)
        return Benchmark(self.key, self.label, landscape, row, noise, problem, chosen)


def moving(
    g: Callable[[Array], Array], low: float, high: float, horizon: float
) -> Callable[[Array, Array], Array]:
    """f(x, t) = -g(z) with z = low + (high - low) (x, t / H): Appendix C's way to add time."""

    def f(x: Array, t: Array) -> Array:
        shape = np.broadcast_shapes(x.shape[:-1], t.shape)
        unit = np.empty((*shape, x.shape[-1] + 1))
        unit[..., :-1], unit[..., -1] = x, t / horizon
        return -g(low + (high - low) * unit)

    return f


def estimated_variance(landscape: Landscape, horizon: float) -> float:
    """Var f over uniform x and t, from a fixed sample."""
    rng = np.random.default_rng(0)
    x = rng.random((VARIANCE_SAMPLES, landscape.dimension))
    return float(np.var(landscape.f(x, horizon * rng.random(VARIANCE_SAMPLES))))


def check_horizon(horizon: float | None, benchmark: str, longest: float) -> None:
    """Raise a ConfigError if a run would be longer than its benchmark, `longest` seconds."""
    if horizon is not None and horizon > longest:
        raise ConfigError(
            f"horizon {horizon:g} s is longer than {benchmark}'s own {longest:g} s; "
            "take that or less"
        )


def near_constant(row: TableRow, device: tuple[float, ...]) -> bool:
    """R(floor(H / R(0))) ~ R(0): thinking is cheap even with all the data H allows (Section 2)."""
    most = math.floor(row.horizon / row.cost)
    return row.cost + thinking_time(device, most) <= NEAR_CONSTANT * row.cost


def quasi_static(row: TableRow, device: tuple[float, ...]) -> bool:
    """l_T >> R(n) at a reasonable n: the objective stands still while one looks (Section 2)."""
    response = row.cost + thinking_time(device, REASONABLE_SIZE)
    return row.lengthscale_time >= QUASI_STATIC * response


def _worst(values: Array) -> float:
    """The value furthest from any box; NaN if there is one."""
    flat = values.ravel()
    return float(flat[np.argmax(np.where(np.isnan(flat), np.inf, np.abs(flat - 0.5)))])
