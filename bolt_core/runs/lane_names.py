"""Names of lanes. A lane is an algorithm with its parameters, engine and device; seeds share it.

One algorithm can have two lanes in a race, for example on two engines. Their names then contain
what differs, and only that: "BOLT, exact engine" and "BOLT, botorch engine".
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from bolt_core import algorithms, benchmarks
from bolt_core.common import devices
from bolt_core.common.errors import BoltError
from bolt_core.common.text import display_name
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.runs.snapshot import RunSnapshot

VARIANT_OF_BOLT = "BOLT, "  # begins the labels of BOLT's variants


def lane_key(run: RunSnapshot | RunConfig) -> str:
    """Return a key that is equal for the seeds of a lane and different for two lanes."""
    return replace(_config(run), seed=0).key


def lane_names(runs: Iterable[RunSnapshot | RunConfig]) -> dict[str, str]:
    """Return the name of each lane by its key, in order, with what differs within an algorithm."""
    firsts = {lane_key(run): _config(run) for run in runs}
    said = {key: _traits(config) for key, config in firsts.items()}
    names = {}
    for key, config in firsts.items():
        rivals = [said[k] for k, c in firsts.items() if c.algorithm == config.algorithm]
        differ = [word for trait, word in said[key].items() if _differs(trait, rivals)]
        names[key] = ", ".join([label(config.algorithm), *differ])
    return names


def short_lane_names(configs: Sequence[RunConfig]) -> list[str]:
    """Return a short name of each lane for small charts, one config per lane: "x10 slower".

    What all lanes share is left out: the algorithm, the device that they are multiples of, and BOLT
    before the name of a variant.
    """
    said = [_traits(config) for config in configs]
    bases = {_device_and_pace(config.clock)[0] for config in configs}
    several = len({config.algorithm for config in configs}) > 1
    names = []
    for config, own in zip(configs, said, strict=True):
        base, pace = _device_and_pace(config.clock)
        own = own | {"device": pace} if len(bases) == 1 else own
        rivals = [s for s, c in zip(said, configs, strict=True) if c.algorithm == config.algorithm]
        differ = [word for trait, word in own.items() if _differs(trait, rivals)]
        algorithm = [label(config.algorithm).removeprefix(VARIANT_OF_BOLT)] if several else []
        names.append(", ".join(filter(None, [*algorithm, *differ])) or base)
    return names


def label(key: str) -> str:
    """Return the paper's spelling of an algorithm or benchmark; the key if it is not installed.

    A chart reads <a href=...> in a name as a link, so a key from a file is shown without <>.
    """
    spec = algorithms.catalog().get(key) or benchmarks.catalog().get(key)
    return spec.label if spec else display_name(key)


def _differs(trait: str, rivals: Sequence[dict[str, str]]) -> bool:
    return len({rival.get(trait) for rival in rivals}) > 1


def _config(run: RunSnapshot | RunConfig) -> RunConfig:
    return run if isinstance(run, RunConfig) else run.config


def _traits(config: RunConfig) -> dict[str, str]:
    """Return everything in which two lanes of an algorithm can differ, as text."""
    horizon = "full" if config.horizon is None else f"{config.horizon:g} s"
    choices = {**_params(config), **config.options}
    return {
        "engine": f"{config.engine.name} engine",
        "acquisition": f"{config.engine.acquisition} acquisition",
        "lengthscales": "a lengthscale per input" if config.engine.ard else "one lengthscale",
        "clock": f"{config.clock.kind} clock",
        "device": " ".join(filter(None, _device_and_pace(config.clock))),
        "warmup": f"{config.warmup} warm-up queries",
        "horizon": f"{horizon} horizon",
        **{
            f"choice {name}": f"{display_name(name)}={_short(value)}"
            for name, value in choices.items()
        },
    }


def _params(config: RunConfig) -> dict[str, Any]:
    """Return the parameters with defaults, so that a given value differs from an omitted one."""
    try:
        return asdict(algorithms.get(config.algorithm).parse(config.params))
    except (BoltError, TypeError):  # not installed, or from another version
        return dict(config.params)


def _device_and_pace(clock: ClockConfig) -> tuple[str, str]:
    """Return the device of a clock and, if it is a multiple of a known one, how many times."""
    if clock.kind != "model":
        same = clock.kind == "wall" or clock.slowdown == 1.0
        return ("this machine", "") if same else ("device", _pace(clock.slowdown))
    for name in devices.NAMES:
        if ratio := _times(clock.device, devices.device(name)):
            return f"{name} device", _pace(ratio)
    return "device " + ",".join(f"{c:g}" for c in clock.device), ""


def _times(device: Sequence[float], known: Sequence[float]) -> float | None:
    """Return k if device = k known, else None."""
    top = max(known)
    ratio = device[list(known).index(top)] / top
    near = all(abs(a - ratio * b) <= 1e-9 * abs(a) for a, b in zip(device, known, strict=True))
    return ratio if near and ratio > 0 else None


def _pace(ratio: float) -> str:
    if abs(ratio - 1.0) < 1e-9:
        return ""
    times, word = (ratio, "slower") if ratio > 1 else (1.0 / ratio, "faster")
    return f"x{round(times, 2):g} {word}"


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else display_name(str(value))
