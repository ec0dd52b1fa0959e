"""What to race, as the toolbar and the URL say it, checked before it is used.

Limits of a widget hold in the browser only: whatever arrives here is clamped to what can be.
A lane beyond the algorithm pills is written `bolt;engine=botorch;speed=4;alpha=0.5`: an algorithm,
its engine, how many times slower its device is, and its parameters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard
from urllib.parse import urlencode

from bolt_core import algorithms, benchmarks
from bolt_core.benchmarks.spec import KERNELS
from bolt_core.common import devices
from bolt_core.common.errors import BoltError, ConfigError
from bolt_core.common.options import parse_assignment
from bolt_core.common.types import (
    ACQUISITIONS,
    ENGINES,
    WARMUP,
    ClockConfig,
    EngineConfig,
    RunConfig,
    Scalar,
)

SLOWDOWN = 15.0  # about the speed of stock BoTorch
CLOCKS = ("cpu", "model")
NOISES = ("paper", "1pct")
OPTIONS = {"noise": "noise", "ks": "spatial_kernel", "kt": "temporal_kernel"}  # URL: benchmark's
CUTS = {"60": 60.0, "180": 180.0, "full": math.inf}  # seconds
FIRST = "eggholder"  # the most erratic of the ten
FAVOURITES = ("bolt", "w-dbo", "r-gpucb", "gpucb")
SEEDS, LARGEST_SEED, LONGEST_WARMUP, MOST_LANES = 10, 9999, 200, 12
SPEEDS = (0.01, 1000.0)  # how many times slower a device may be
LONGEST = 2000  # characters of a link
OVERHEAD = 1.5e-3  # seconds a query costs beside the algorithm: objective, oracle, record


@dataclass(frozen=True, slots=True)
class Lane:
    """An algorithm with its parameters, on an engine, on a device."""

    algorithm: str
    engine: str | None = None  # None: everybody's
    speed: float = 1.0  # times slower than everybody's device
    params: Mapping[str, Scalar] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Lane:
        """From the URL or the form; a ConfigError names what cannot be."""
        key, *parts = (part.strip() for part in text.split(";"))
        spec = algorithms.get(key)
        told = dict(parse_assignment(part) for part in parts if part)
        engine, speed = told.pop("engine", None), told.pop("speed", 1.0)
        if engine is not None and engine not in ENGINES:
            raise ConfigError(f"engine must be one of {', '.join(ENGINES)}; got {engine}")
        if not _is_number(speed) or not SPEEDS[0] <= speed <= SPEEDS[1]:
            raise ConfigError(f"speed must be in [{SPEEDS[0]:g}, {SPEEDS[1]:g}], got {speed}")
        spec.parse(told)  # an unknown parameter, or one out of bounds, is said here
        return cls(key, None if engine is None else str(engine), float(speed), told)

    def __str__(self) -> str:
        told: dict[str, Scalar] = {"engine": self.engine} if self.engine else {}
        told |= {"speed": self.speed} if self.speed != 1.0 else {}
        return ";".join(
            [self.algorithm, *(f"{k}={_short(v)}" for k, v in (told | dict(self.params)).items())]
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """A race to be. Every field has been checked."""

    benchmark: str = FIRST
    lanes: tuple[Lane, ...] = ()
    seeds: int = 1
    seed: int = 0  # the first
    cut: float = 60.0  # seconds; infinite for the benchmark's own horizon
    clock: ClockConfig = field(default_factory=lambda: ClockConfig("cpu", SLOWDOWN))
    engine: EngineConfig = field(default_factory=EngineConfig)
    warmup: int = WARMUP
    options: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def horizon(self) -> float:
        return min(self.cut, benchmarks.get(self.benchmark).row.horizon)

    def configs(self) -> list[RunConfig]:
        """Every lane with every seed: same seed, same noise for all."""
        return [
            RunConfig(
                lane.algorithm,
                self.benchmark,
                seed=seed,
                warmup=self.warmup,
                horizon=self.horizon,
                clock=slower(self.clock, lane.speed),
                engine=replace(self.engine, name=lane.engine or self.engine.name),
                params=lane.params,
                options=self.options,
            )
            for lane in self.lanes
            for seed in range(self.seed, self.seed + self.seeds)
        ]


def slower(clock: ClockConfig, times: float) -> ClockConfig:
    """The clock of a device that is `times` slower."""
    if times == 1.0:
        return clock
    device = tuple(times * c for c in clock.device)
    return replace(clock, slowdown=times * clock.slowdown, device=device)


def checked(state: Mapping[str, Any]) -> tuple[Choice, list[str]]:
    """What the widgets hold as a choice, and what of it had to be left out, in words."""
    troubles: list[str] = []
    board = _one_of(state.get("bench"), benchmarks.catalog(), FIRST)
    keys = [key for key in _algorithms(state) if key in algorithms.catalog()]
    extra = _extra(state.get("lanes") or "", troubles)
    kind = _one_of(state.get("clock"), CLOCKS, "cpu")
    device = devices.device(_one_of(state.get("device"), devices.NAMES, "nominal"))
    choice = Choice(
        benchmark=board,
        lanes=tuple([*map(Lane, keys), *extra][:MOST_LANES]),
        seeds=_whole(state.get("seeds"), 1, SEEDS, 1),
        seed=_whole(state.get("seed"), 0, LARGEST_SEED, 0),
        cut=CUTS.get(str(state.get("cut", "60")), 60.0),
        clock=ClockConfig(kind, _number(state.get("slowdown"), SPEEDS, SLOWDOWN), device),
        engine=EngineConfig(
            _one_of(state.get("engine"), ENGINES, "exact"),
            _one_of(state.get("acq"), ACQUISITIONS, "ucb"),
        ),
        warmup=_whole(state.get("warmup"), 1, LONGEST_WARMUP, WARMUP),
        options=_options(state),
    )
    return choice, troubles


def query(configs: Sequence[RunConfig]) -> str:
    """The link that gives these runs, as near as the toolbar can; lanes too many are left out."""
    first = configs[0]
    lanes = list(dict.fromkeys(str(_lane(config, first)) for config in configs))
    plain = [lane for lane in lanes if lane in algorithms.catalog()]
    extra = [lane for lane in lanes if lane not in plain]
    seeds = {config.seed for config in configs}
    device = [name for name in devices.NAMES if devices.device(name) == first.clock.device]
    told: dict[str, object] = {
        "bench": first.benchmark,
        "algos": ",".join(plain),
        "seed": min(seeds),
        "seeds": len(seeds),
        "clock": first.clock.kind,
        "slowdown": _short(first.clock.slowdown),
        "device": (device or devices.NAMES)[0],
        "cut": next((cut for cut, s in CUTS.items() if s == first.horizon), "full"),
        "warmup": first.warmup,
        "engine": first.engine.name,
        "acq": first.engine.acquisition,
        **{
            name: first.options[option]
            for name, option in OPTIONS.items()
            if option in first.options
        },
    }
    while len(link := _link(told, extra)) > LONGEST and extra:
        extra.pop()
    return link


def _lane(config: RunConfig, usual: RunConfig) -> Lane:
    """How a run differs from the usual one."""
    engine = None if config.engine.name == usual.engine.name else config.engine.name
    speed = float(f"{config.clock.slowdown / usual.clock.slowdown:.12g}")  # 0.7, not 0.7000000001
    return Lane(config.algorithm, engine, speed, config.params)


def _link(told: Mapping[str, object], extra: Sequence[str]) -> str:
    lanes = {"lanes": "|".join(extra)} if extra else {}
    return urlencode({**told, **lanes}, safe=",;=")


def expectation(choice: Choice) -> str:
    """How long a press will take, before it is made."""
    runs = len(choice.lanes) * choice.seeds
    if not runs:
        return "Choose at least one algorithm."
    each = f"{choice.horizon:g} s on its own clock"
    what = f"One run of {each}" if runs == 1 else f"{runs} runs, each of {each}"
    if choice.clock.kind == "model":
        return f"{what}, as fast as this machine computes."
    queries = choice.horizon / benchmarks.get(choice.benchmark).row.cost
    slow = [choice.clock.slowdown * lane.speed for lane in choice.lanes]
    most = sum(choice.seeds * (choice.horizon / s + queries * OVERHEAD) for s in slow)
    return f"{what}: about {_about(most)} here if the machine is idle."


def _options(state: Mapping[str, Any]) -> dict[str, Scalar]:
    """What differs from the benchmark's usual."""
    told = {
        option: _one_of(state.get(name), NOISES if name == "noise" else KERNELS, "paper")
        for name, option in OPTIONS.items()
    }
    return {name: value for name, value in told.items() if value != "paper"}


def _algorithms(state: Mapping[str, Any]) -> Iterable[str]:
    """In the order of the registry; before the pills are first drawn, the usual ones."""
    chosen = favourites() if "algos" not in state else state["algos"] or ()
    return [key for key in algorithms.catalog() if key in {*chosen, *(state.get("variants") or ())}]


def favourites() -> list[str]:
    known = algorithms.catalog()
    return [key for key in FAVOURITES if key in known] or list(known)[:1]


def _extra(text: str, troubles: list[str]) -> list[Lane]:
    found = []
    for part in filter(None, (part.strip() for part in text.split("|"))):
        try:
            found.append(Lane.parse(part))
        except BoltError as problem:
            troubles.append(f"The lane {part} is left out: {problem}")
    return found


def _short(value: Scalar) -> str:
    """So that `parse_assignment` reads the same value again, with no more digits than it needs."""
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _one_of(value: object, allowed: Iterable[str], usual: str) -> str:
    return value if isinstance(value, str) and value in allowed else usual


def _whole(value: object, low: int, high: int, usual: int) -> int:
    return int(min(max(value, low), high)) if _is_number(value) else usual


def _number(value: object, within: tuple[float, float], usual: float) -> float:
    return min(max(float(value), within[0]), within[1]) if _is_number(value) else usual


def _is_number(value: object) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return not math.isnan(value)


def _about(seconds: float) -> str:
    if seconds < 90:
        return f"{5 * math.ceil(seconds / 5)} s"
    return f"{math.ceil(seconds / 60)} min"
