"""Lanes: a lane is every run whose config differs in nothing but the seed.

Two runs of one algorithm on two engines, or on two devices, are two lanes: they are never averaged.
A lane is named by its algorithm; where two share one, what sets them apart stands in brackets, as
in "BOLT (botorch engine)": such names are read in lists, where a comma would mislead.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bolt_core import algorithms
from bolt_core.types import RunConfig, Scalar

ONE_SEED = 0
MISSING = object()  # a parameter that was left at its default


def lane_key(config: RunConfig) -> str:
    """The same twelve hex digits for every seed of a lane; short enough for a link."""
    return replace(config, seed=ONE_SEED).key


def lane_of(config: RunConfig) -> Hashable:
    """As `lane_key`, for sorting many runs at once: no JSON, no hash of text."""
    c = config
    return (
        c.algorithm, c.benchmark, c.warmup, c.horizon, c.clock, c.engine,
        tuple(sorted(c.params.items())), tuple(sorted(c.options.items())),
    )  # fmt: skip


def lane_names(configs: Sequence[RunConfig]) -> dict[Hashable, str]:
    """A name for each lane among `configs`, in the order they are met; no two are equal."""
    firsts: dict[Hashable, RunConfig] = {}
    for config in configs:
        firsts.setdefault(lane_of(config), config)
    told = {lane: _traits(config) for lane, config in firsts.items()}
    names = {}
    for lane, config in firsts.items():
        rivals = [told[k] for k, c in firsts.items() if c.algorithm == config.algorithm]
        traits = dict.fromkeys(name for rival in rivals for name in rival)
        differ = [name for name in traits if len({_shown(r, name) for r in rivals}) > 1]
        said = ", ".join(word for n in differ if (word := _shown(told[lane], n)))
        names[lane] = algorithm_label(config.algorithm) + (f" ({said})" if said else "")
    return names


def algorithm_label(key: str) -> str:
    """The paper's spelling, or the key of an algorithm that is not installed here."""
    spec = algorithms.catalog().get(key)
    return spec.label if spec else key


def _traits(config: RunConfig) -> Mapping[str, Any]:
    """All that may set a lane apart, by name."""
    clock, engine = config.clock, config.engine
    return {
        "benchmark": config.benchmark,
        "engine": f"{engine.name} engine",
        "acquisition": f"{engine.acquisition} acquisition",
        "clock": f"{clock.kind} clock",
        "slowdown": _speed(clock.slowdown) if clock.kind == "cpu" else "",
        "device": f"device {_list(clock.device)}" if clock.kind == "model" else "",
        "horizon": "full horizon"
        if config.horizon is None
        else f"cut at {_text(config.horizon)} s",
        "warmup": f"{config.warmup} warm-up queries",
        **{f"params.{name}": value for name, value in config.params.items()},
        **{f"options.{name}": value for name, value in config.options.items()},
    }


def _shown(traits: Mapping[str, Any], name: str) -> str:
    _, dot, own = name.partition(".")
    if not dot:
        return str(traits[name])
    value = traits.get(name, MISSING)
    return f"default {own}" if value is MISSING else f"{own}={_text(value)}"


def _speed(slowdown: float) -> str:
    return "this device" if slowdown == 1.0 else f"{_text(slowdown)}x slower device"


def _list(values: Sequence[float]) -> str:
    return " ".join(_text(value) for value in values)


def _text(value: Scalar) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)
