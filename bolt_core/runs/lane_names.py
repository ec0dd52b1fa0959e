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
    differ = _differing(list(firsts.values()))
    return {
        key: ", ".join([label(config.algorithm), *words])
        for (key, config), words in zip(firsts.items(), differ, strict=True)
    }


def short_lane_names(configs: Sequence[RunConfig]) -> list[str]:
    """Return a short name of each lane for small charts, one config per lane.

    An algorithm that all lanes share is left out, and BOLT before the name of a variant.
    """
    several = len({config.algorithm for config in configs}) > 1
    names = []
    for config, words in zip(configs, _differing(configs), strict=True):
        algorithm = [short_label(config.algorithm)] if several else []
        names.append(", ".join([*algorithm, *words]) or _device_and_pace(config.clock)[0])
    return names


def _differing(configs: Sequence[RunConfig]) -> list[list[str]]:
    """Return for each lane the words in which it differs from others of its algorithm.

    Of devices that are multiples of one, the one itself is not mentioned.
    """
    said = [_traits(config) for config in configs]
    differ = []
    for config, own in zip(configs, said, strict=True):
        rivals = [(c, s) for c, s in zip(configs, said, strict=True)
                  if c.algorithm == config.algorithm]  # fmt: skip
        bases = {_device_and_pace(rival.clock)[0] for rival, _ in rivals}
        shown = own | ({"device": _device_and_pace(config.clock)[1]} if len(bases) == 1 else {})
        differs = {t for t in own if len({traits.get(t) for _, traits in rivals}) > 1}
        differ.append([word for trait, word in shown.items() if word and trait in differs])
    return differ


def label(key: str) -> str:
    """Return the paper's spelling of an algorithm or benchmark; the key if it is not installed.

    A chart reads <a href=...> in a name as a link, so a key from a file is shown without <>.
    """
    spec = algorithms.catalog().get(key) or benchmarks.catalog().get(key)
    return spec.label if spec else display_name(key)


def short_label(key: str) -> str:
    """Return the name of an algorithm where room is scarce: BOLT's variants without "BOLT"."""
    return label(key).removeprefix(VARIANT_OF_BOLT)


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
        return ("this machine", "") if same else ("device", devices.pace(clock.slowdown))
    unknown = "device " + ",".join(f"{c:g}" for c in clock.device)
    return devices.known_device(clock.device) or (unknown, "")


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else display_name(str(value))
