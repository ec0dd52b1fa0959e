"""The settings of a race: read from the toolbar's widgets or from a link, and written as a link.

A widget's limits hold in the browser only, so every value is checked here and replaced or clamped
if it is not allowed. Besides the algorithms chosen with the pills, a race can have lanes written as
`bolt;engine=botorch;speed=4;alpha=0.5`: an algorithm, its engine, how many times slower its device
is, and its parameters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard
from urllib.parse import urlencode

from bolt_core import algorithms, benchmarks
from bolt_core.benchmarks.spec import KERNELS
from bolt_core.benchmarks.twin import is_twin
from bolt_core.common import devices
from bolt_core.common.errors import BoltError, ConfigError
from bolt_core.common.options import parse_assignment
from bolt_core.common.text import LONG_RACE, counted, in_natural_unit, sentence
from bolt_core.common.types import (
    ACQUISITIONS,
    ENGINES,
    WARMUP,
    ClockConfig,
    EngineConfig,
    RunConfig,
    Scalar,
)
from bolt_core.runs import expected_duration, limits
from bolt_core.runs.lane_names import lane_key

DEFAULT_BENCHMARK = "eggholder"  # the most erratic of the paper's ten
DEFAULT_ALGORITHMS = ("bolt", "w-dbo", "r-gpucb", "gpucb")
DEFAULT_SLOWDOWN = 40.0  # passes then take about as long as those of stock BoTorch
CLOCKS = ("cpu", "model")  # the wall clock needs the whole machine, so live races do not offer it
NOISES = ("paper", "1pct")
LENGTHSCALES = ("one", "per input")
BENCHMARK_OPTIONS = {"noise": "noise", "ks": "spatial_kernel", "kt": "temporal_kernel"}  # by URL
HORIZON_SECONDS = {"60": 60.0, "120": 120.0, "180": 180.0, "full": math.inf}  # by the URL's `cut`
# The default race was chosen on seeds 0 to 9 so that n* binds and GPUCB visibly slows down and
# loses; tools/default_race.py repeats that on seeds 10 to 19.
DEFAULT_CLOCK, DEFAULT_HORIZON = "model", "120"
MAX_SEEDS, MAX_SEED, MAX_WARMUP, MAX_LANES = 10, 9999, 200, 12
SPEED_RANGE = (0.01, 1000.0)  # how many times slower a device may be
MAX_LINK_LENGTH = 2000  # characters


@dataclass(frozen=True, slots=True)
class Lane:
    """An algorithm with its parameters, on an engine and a device."""

    algorithm: str
    engine: str | None = None  # None: the engine of the race
    speed: float = 1.0  # times slower than the device of the race
    params: Mapping[str, Scalar] = field(default_factory=dict)
    ard: bool | None = None  # a lengthscale per input; None: as in the race

    @classmethod
    def parse(cls, text: str) -> Lane:
        """Return the lane written in `text`; raise ConfigError if a part of it is not valid."""
        key, *parts = (part.strip() for part in text.split(";"))
        spec = algorithms.get(key)
        params = dict(parse_assignment(part) for part in parts if part)
        engine, speed = params.pop("engine", None), params.pop("speed", 1.0)
        ard = params.pop("ard", None)
        if ard is not None and type(ard) is not bool:
            raise ConfigError(f"ard must be true or false, got {ard}")
        if engine is not None and engine not in ENGINES:
            raise ConfigError(f"engine must be one of {', '.join(ENGINES)}; got {engine}")
        low, high = SPEED_RANGE
        if not _is_number(speed) or not low <= speed <= high:
            raise ConfigError(f"speed must be in [{low:g}, {high:g}], got {speed}")
        spec.parse(params)  # raises for an unknown parameter, or one out of bounds
        return cls(key, None if engine is None else str(engine), float(speed), params, ard)

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        values: dict[str, Scalar] = {"engine": self.engine} if self.engine else {}
        values |= {"speed": self.speed} if self.speed != 1.0 else {}
        values |= {} if self.ard is None else {"ard": str(self.ard).lower()}
        values |= self.params
        return ";".join([self.algorithm, *(f"{k}={_shortest(v)}" for k, v in values.items())])


@dataclass(frozen=True, slots=True)
class RaceSettings:
    """The settings of one race; every field has been checked."""

    lanes: tuple[Lane, ...]
    common: RunConfig  # what the runs share; its seed is the first one
    seeds: int = 1  # number of seeds

    def configs(self) -> list[RunConfig]:
        """Return one run per lane and seed; runs with the same seed see the same noise."""
        common = self.common
        return [
            replace(
                common,
                algorithm=lane.algorithm,
                seed=seed,
                clock=slower(common.clock, lane.speed),
                engine=replace(
                    common.engine,
                    name=lane.engine or common.engine.name,
                    ard=common.engine.ard if lane.ard is None else lane.ard,
                ),
                params=lane.params,
            )
            for lane in self.lanes
            for seed in range(common.seed, common.seed + self.seeds)
        ]


def slower(clock: ClockConfig, factor: float) -> ClockConfig:
    """Return the clock of a device that is `factor` times slower."""
    if factor == 1.0:
        return clock
    device = tuple(factor * c for c in clock.device)
    return replace(clock, slowdown=factor * clock.slowdown, device=device)


def read_settings(state: Mapping[str, Any]) -> tuple[RaceSettings, list[str]]:
    """Return the settings in the widgets' state, and a message for each lane that is left out."""
    problems: list[str] = []
    lanes = [*map(Lane, _chosen_algorithms(state)), *_extra_lanes(state, problems)]
    device = devices.device(_one_of(state.get("device"), devices.NAMES, "nominal"))
    slowdown = _clamped(state.get("slowdown"), *SPEED_RANGE, DEFAULT_SLOWDOWN)
    options = {
        option: _one_of(state.get(name), NOISES if name == "noise" else KERNELS, "paper")
        for name, option in BENCHMARK_OPTIONS.items()
    }
    benchmark = _one_of(state.get("bench"), benchmarks.catalog(), DEFAULT_BENCHMARK)
    cut = HORIZON_SECONDS[_one_of(state.get("cut"), HORIZON_SECONDS, DEFAULT_HORIZON)]
    row = benchmarks.get(benchmark).row
    common = RunConfig(
        DEFAULT_ALGORITHMS[0],
        benchmark,
        seed=int(_clamped(state.get("seed"), 0, MAX_SEED, 0)),
        horizon=min(math.inf if runs_whole(benchmark) else cut, row.horizon),
        clock=ClockConfig(_one_of(state.get("clock"), CLOCKS, DEFAULT_CLOCK), slowdown, device),
        engine=EngineConfig(
            _one_of(state.get("engine"), ENGINES, "exact"),
            _one_of(state.get("acq"), ACQUISITIONS, "ucb"),
            ard=_one_of(state.get("ls"), LENGTHSCALES, "one") != "one",
        ),
        warmup=int(_clamped(state.get("warmup"), 1, MAX_WARMUP, WARMUP)),
        options={name: value for name, value in options.items() if value != "paper"},
    )
    seeds = int(_clamped(state.get("seeds"), 1, MAX_SEEDS, 1))
    return RaceSettings(tuple(lanes[:MAX_LANES]), common, seeds), problems


def runs_whole(benchmark: str) -> bool:
    """Whether a race is never cut: the time of a twin is that of a plant, often hours or days."""
    return is_twin(benchmark) and benchmark in benchmarks.catalog()


def query(configs: Sequence[RunConfig]) -> str:
    """Return the query string that sets the toolbar to these runs, as far as it can.

    A link has at most MAX_LINK_LENGTH characters: lanes that do not fit are left out.
    """
    values, extra = _values(configs)
    values["algos"] = ",".join(values["algos"])
    while len(link := _link(values, extra)) > MAX_LINK_LENGTH and extra:
        extra.pop()
    return link


def widget_values(configs: Sequence[RunConfig]) -> dict[str, Any]:
    """Return the state of each widget that sets the toolbar to these runs, as far as it can."""
    values, extra = _values(configs)
    usual = dict.fromkeys(BENCHMARK_OPTIONS, "paper") | {"ls": "one"}
    return {**usual, **values, "lanes": " | ".join(extra)}


def _values(configs: Sequence[RunConfig]) -> tuple[dict[str, Any], list[str]]:
    """Return the settings that all runs share by parameter of the URL, and the other lanes."""
    first = configs[0]
    lanes = list(dict.fromkeys(str(_lane(config, first)) for config in configs))
    pills = [lane for lane in lanes if lane in algorithms.catalog()]
    seeds = {config.seed for config in configs}
    device = [name for name in devices.NAMES if devices.device(name) == first.clock.device]
    values: dict[str, Any] = {
        "bench": first.benchmark,
        "algos": pills,
        "seed": min(seeds),
        "seeds": len(seeds),
        "clock": first.clock.kind,
        "slowdown": first.clock.slowdown,
        "device": (device or devices.NAMES)[0],
        "cut": next((cut for cut, s in HORIZON_SECONDS.items() if s == first.horizon), "full"),
        "warmup": first.warmup,
        "engine": first.engine.name,
        "acq": first.engine.acquisition,
    }
    if first.engine.ard:
        values["ls"] = LENGTHSCALES[1]
    for name, option in BENCHMARK_OPTIONS.items():
        if option in first.options:
            values[name] = first.options[option]
    return values, [lane for lane in lanes if lane not in pills]


def _lane(config: RunConfig, usual: RunConfig) -> Lane:
    """Return how a run differs from the race's usual engine and device."""
    engine = None if config.engine.name == usual.engine.name else config.engine.name
    speed = float(f"{_times_slower(config.clock, usual.clock):.12g}")  # 0.7, not 0.7000000001
    ard = None if config.engine.ard == usual.engine.ard else config.engine.ard
    return Lane(config.algorithm, engine, speed, config.params, ard)


def _times_slower(clock: ClockConfig, usual: ClockConfig) -> float:
    """Return by which factor a device is slower than the usual one; 1 if no factor says it.

    The model clock does not use `slowdown`: its devices are compared by their coefficients.
    """
    if clock.kind != "model":
        return clock.slowdown / usual.slowdown
    factor = sum(clock.device) / (sum(usual.device) or 1.0)
    pairs = zip(clock.device, usual.device, strict=True)
    return factor if factor and all(math.isclose(c, factor * u) for c, u in pairs) else 1.0


def _link(values: Mapping[str, Any], extra: Sequence[str]) -> str:
    lanes = {"lanes": "|".join(extra)} if extra else {}
    slowdown = {"slowdown": _shortest(values["slowdown"])}
    return urlencode({**values, **slowdown, **lanes}, safe=",;=")


def expectation(configs: Sequence[RunConfig], live_races: int = 0) -> str:
    """Return in words what a race simulates and how long it takes beside so many live races."""
    if not configs:
        return "Choose at least one algorithm."
    lanes, seeds = {lane_key(config) for config in configs}, {config.seed for config in configs}
    alike = len(lanes) > len({config.algorithm for config in configs})
    runs = counted(len(lanes), "lane" if alike else "algorithm")
    runs += f" with {len(seeds)} seeds" if len(seeds) > 1 else ""
    each = " each" if len(configs) > 1 else ""
    takes = expected_duration.expected(configs, live_races=live_races)
    beyond = "".join(f" {sentence(clause)}" for clause in limits.exceeded_cpu(configs))
    horizon = configs[0].horizon or 0.0
    simulated = f"{horizon:g} simulated seconds"
    if horizon >= LONG_RACE:
        simulated = f"{in_natural_unit(horizon)} simulated"
    return f"{runs}, {simulated}{each}. Takes about {takes}.{beyond}"


def _chosen_algorithms(state: Mapping[str, Any]) -> list[str]:
    """Return the chosen keys in the registry's order; the default ones before the first choice."""
    chosen = default_algorithms() if "algos" not in state else state["algos"] or ()
    return [key for key in algorithms.catalog() if key in {*chosen, *(state.get("variants") or ())}]


def default_algorithms() -> list[str]:
    """Return the keys of the algorithms that are chosen at first."""
    registered = algorithms.catalog()
    return [key for key in DEFAULT_ALGORITHMS if key in registered] or list(registered)[:1]


def _extra_lanes(state: Mapping[str, Any], problems: list[str]) -> list[Lane]:
    lanes = []
    for text in filter(None, map(str.strip, (state.get("lanes") or "").split("|"))):
        try:
            lanes.append(Lane.parse(text))
        except BoltError as problem:
            problems.append(f"The lane {text} is left out: {problem}")
    return lanes


def _shortest(value: Scalar) -> str:
    """Return the shortest text that `parse_assignment` reads as the same value."""
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _one_of(value: object, allowed: Iterable[str], default: str) -> str:
    return value if isinstance(value, str) and value in allowed else default


def _clamped(value: object, low: float, high: float, default: float) -> float:
    return min(max(value, low), high) if _is_number(value) else default


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not (isinstance(value, bool) or math.isnan(value))
