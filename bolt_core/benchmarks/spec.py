"""A benchmark: a moving objective and the cost of a query.

A benchmark module defines BENCHMARK = BenchmarkSpec(...): its row of Table 3, and a function that
makes its landscape. `BenchmarkSpec.build(**options)` returns a `Benchmark`. Its objective is
`value(x, t)`: x in [0, 1]^d, t in seconds, raw units, larger is better.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from bolt_core.common.devices import thinking_time
from bolt_core.common.domain import Domain
from bolt_core.common.errors import ConfigError, PluginError
from bolt_core.common.options import Option, parse_all
from bolt_core.common.registry import check_names
from bolt_core.common.types import Array, Problem, Scalar
from bolt_core.theory.kernels import SPATIAL

NEAR_CONSTANT_FACTOR = 2.0  # R(floor(H / R(0))) up to this many times R(0) is "about R(0)"
REASONABLE_SIZE = 100  # the "reasonable dataset size" at which R(n) of a device is evaluated
QUASI_STATIC_FACTOR = 300.0  # l_T from this many times R(100) is "much larger": splits Table 3
VARIANCE_SAMPLES = 20_000  # for landscapes that do not state their variance

Best: TypeAlias = Callable[[float], tuple[Array, float]]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of the paper's Table 3 (seconds, raw units)."""

    noise_variance: float  # sigma_0^2
    cost: float  # R(0)
    horizon: float  # H
    lengthscale_time: float  # l_T, about
    quasi_static: bool | None = None  # as the paper states; None: not in the paper
    near_constant: bool | None = None


# Noise variance, R(0), H and l_T of the paper's benchmarks, and the two properties that it states.
TABLE_3 = {
    "shekel": TableRow(0.02, 8.0, 600.0, 174.0, quasi_static=False, near_constant=True),
    "hartmann3": TableRow(0.05, 8.0, 600.0, 164.0, quasi_static=False, near_constant=True),
    "ackley": TableRow(0.05, 0.05, 600.0, 216.0, quasi_static=True, near_constant=False),
    "griewank": TableRow(0.30, 0.05, 600.0, 55.0, quasi_static=False, near_constant=False),
    "eggholder": TableRow(0.10, 0.05, 600.0, 22.0, quasi_static=False, near_constant=False),
    "schwefel": TableRow(0.25, 0.05, 600.0, 35.0, quasi_static=False, near_constant=False),
    "hartmann6": TableRow(0.05, 0.10, 600.0, 270.0, quasi_static=True, near_constant=False),
    "powell": TableRow(2.5, 0.01, 600.0, 552.0, quasi_static=True, near_constant=False),
    "temperature": TableRow(0.16, 0.01, 1800.0, 396.0, quasi_static=True, near_constant=False),
    "wlan": TableRow(1.5, 0.10, 600.0, 120.0, quasi_static=False, near_constant=False),
}
NOISE = Option(
    "noise",
    "paper",
    "noise variance: the paper's, or 1 % of the signal variance",
    ("paper", "1pct"),
)
KERNELS = ("paper", *SPATIAL)  # "paper": the kernel in the benchmark's spec
COMMON_OPTIONS = (  # options of every benchmark
    NOISE,
    Option("spatial_kernel", "paper", "k_S of every surrogate", KERNELS),
    Option("temporal_kernel", "paper", "k_T of every surrogate", KERNELS),
)


@dataclass(frozen=True, slots=True)
class Landscape:
    """A moving function on the unit cube, with its optimum and variance if known."""

    dimension: int
    f: Callable[[Array, Array], Array]  # x (..., d) in [0, 1]^d, t (...) seconds -> (...)
    best: Best | None = None  # t -> (x*, f*); None: the oracle searches
    variance: float | None = None  # Var f, x and t uniform; None: estimated when needed
    source: str = "closed form"  # where the values come from, for readers of a result
    row: TableRow | None = None  # repoints the row of the spec, if options change it
    domain: Domain | None = None  # what can be set; None: all of the cube
    twin: Mapping[str, Any] | None = None  # JSON of the twin of a log, for the header of a record


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A landscape with its noise, its cost and its horizon: ready to be optimised."""

    key: str
    label: str
    landscape: Landscape
    row: TableRow
    noise_variance: float
    problem: Problem
    options: Mapping[str, Scalar]

    @property
    def dimension(self) -> int:
        """d, the number of inputs without time."""
        return self.landscape.dimension

    @property
    def cost(self) -> float:
        """R(0), the cost of one query in seconds."""
        return self.row.cost

    @property
    def horizon(self) -> float:
        """H in seconds."""
        return self.row.horizon

    @property
    def source(self) -> str:
        """Where the values come from."""
        return self.landscape.source

    def value(self, x: ArrayLike, t: ArrayLike) -> Array:
        """Return f(x, t) without noise: x (..., d), t (...) in seconds; a scalar for one point."""
        points, times = np.asarray(x, dtype=float), np.asarray(t, dtype=float)
        if points.ndim == 0 or points.shape[-1] != self.dimension:
            raise ConfigError(
                f"{self.key} takes x with {self.dimension} coordinates, got shape {points.shape}"
            )
        if not np.all((points >= 0) & (points <= 1)):
            raise ConfigError(f"x must lie in [0, 1]^{self.dimension}, got {_worst(points)}")
        if not np.all((times >= 0) & (times <= self.horizon)):
            raise ConfigError(f"t must lie in [0, {self.horizon:g}] s, got {_worst(times)}")
        values: Array = np.asarray(self.landscape.f(points, times))[()]
        return values


@dataclass(frozen=True, slots=True)
class BenchmarkSpec:
    """One row of Table 3, and the function that builds the landscape."""

    key: str
    label: str
    dimension: int  # d with the default options
    row: TableRow
    landscape: Callable[..., Landscape]  # called with this spec's own options by name
    options: Sequence[Option] = ()
    spatial_kernel: str = "matern52"
    temporal_kernel: str = "matern32"
    in_paper: bool = True
    notes: Sequence[str] = ()  # caveats for readers of a result

    def check(self) -> None:
        """Raise a PluginError if a field cannot be used."""
        row = self.row
        check_names(self.key, self.label)
        if type(self.dimension) is not int or self.dimension < 1:
            raise PluginError(f"dimension must be a whole number from 1, got {self.dimension!r}")
        if not isinstance(row, TableRow):
            raise PluginError(f"row must be a TableRow, got {row!r}")
        numbers = (row.noise_variance, row.cost, row.horizon, row.lengthscale_time)
        if not all(math.isfinite(v) and v >= 0 for v in numbers) or not (row.cost and row.horizon):
            raise PluginError(f"the numbers of its row must be finite and positive, got {row}")
        if not callable(self.landscape):
            raise PluginError(f"landscape must be a function, got {self.landscape!r}")
        for kernel in (self.spatial_kernel, self.temporal_kernel):
            if kernel not in SPATIAL:
                raise PluginError(f"a kernel must be one of {', '.join(SPATIAL)}; got {kernel!r}")

    def build(self, **options: Scalar) -> Benchmark:
        """Return the benchmark with these options; every benchmark has noise and kernel options."""
        chosen = parse_all(f"option of {self.key}", (*COMMON_OPTIONS, *self.options), options)
        landscape = self.landscape(**{o.name: chosen[o.name] for o in self.options})
        row = landscape.row or self.row
        noise = row.noise_variance
        if chosen[NOISE.name] == "1pct":
            noise = 0.01 * (landscape.variance or estimated_variance(landscape, row.horizon))
        kernels = {"spatial_kernel": self.spatial_kernel, "temporal_kernel": self.temporal_kernel}
        for name in kernels:
            if chosen[name] != "paper":
                kernels[name] = str(chosen[name])
        problem = Problem(
            landscape.dimension,
            kernels["spatial_kernel"],
            kernels["temporal_kernel"],
            landscape.domain,
        )
        return Benchmark(self.key, self.label, landscape, row, noise, problem, chosen)


def moving(
    g: Callable[[Array], Array], low: float, high: float, horizon: float
) -> Callable[[Array, Array], Array]:
    """Return f(x, t) = -g(z) with z = low + (high - low) (x, t / H), as in Appendix C."""

    def f(x: Array, t: Array) -> Array:
        shape = np.broadcast_shapes(x.shape[:-1], t.shape)
        unit = np.empty((*shape, x.shape[-1] + 1))
        unit[..., :-1], unit[..., -1] = x, t / horizon
        return -g(low + (high - low) * unit)

    return f


def estimated_variance(landscape: Landscape, horizon: float) -> float:
    """Return Var f over uniform x and t, from a fixed sample."""
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
    """Whether R(floor(H / R(0))) ~ R(0): computing is cheap even with the most data (Section 2)."""
    max_size = math.floor(row.horizon / row.cost)
    return row.cost + thinking_time(device, max_size) <= NEAR_CONSTANT_FACTOR * row.cost


def quasi_static(row: TableRow, device: tuple[float, ...]) -> bool:
    """Whether l_T >> R(n) at a reasonable n: f hardly moves during a pass (Section 2)."""
    response = row.cost + thinking_time(device, REASONABLE_SIZE)
    return row.lengthscale_time >= QUASI_STATIC_FACTOR * response


def _worst(values: Array) -> float:
    """Return the value furthest outside; NaN if there is one."""
    flat = values.ravel()
    return float(flat[np.argmax(np.where(np.isnan(flat), np.inf, np.abs(flat - 0.5)))])
