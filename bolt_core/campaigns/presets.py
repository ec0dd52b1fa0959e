"""Predefined plans: `tiny`, `paper-quick` and `paper`."""

from collections.abc import Mapping
from typing import Any

from bolt_core.campaigns.plan import Plan, grid_from
from bolt_core.common.errors import ConfigError

BOTH = "eggholder,powell"  # removing observations helps on the first, not on the second
OTHER_REMOVALS = "bolt-oldest,bolt-random,bolt-literal"
ON_DEVICES = "bolt,bolt-keep,bolt-oldest,bolt-random,w-dbo"  # what is removal worth, and W2?
FASTEST_ON_POWELL = {  # with 2,000 observations, such a run takes as long as thirty others
    "algorithms": "bolt",
    "benchmarks": "powell",
    "seeds": 1,
    "speed": [100.0],
    "horizon": 120.0,
}


def _with_ablations(
    seeds: int, variants: str, on_devices: str, device_seeds: int
) -> tuple[Mapping[str, Any], ...]:
    """Return the grids of Table 2 and of the ablations: removal, speed of the device, engine.

    `variants` are those of BOLT that remove or query in another way, `on_devices` the algorithms
    that are run on devices of several speeds.
    """
    device = {"algorithms": on_devices, "horizon": 120.0, "seeds": device_seeds}
    engines = {
        "algorithms": "bolt",
        "clock": "cpu",
        "engine": ["exact", "botorch"],
        "horizon": 60.0,
    }
    return (
        {"algorithms": "paper", "benchmarks": "paper", "seeds": seeds},
        {"algorithms": variants, "benchmarks": "eggholder,schwefel", "seeds": seeds},
        device | {"benchmarks": BOTH, "speed": [0.1, 1.0, 10.0]},
        device | {"benchmarks": "eggholder", "speed": [100.0]},
        FASTEST_ON_POWELL,
        engines | {"benchmarks": BOTH, "seeds": seeds},
    )


PRESETS: Mapping[str, tuple[tuple[Mapping[str, Any], ...], str]] = {
    "tiny": (
        ({"algorithms": "gpucb,bolt", "benchmarks": BOTH, "seeds": 2, "horizon": 15.0},),
        "Two algorithms, two benchmarks, two seeds, cut at 15 s. Smoke test only; not a "
        "scientific result.",
    ),
    "paper-quick": (
        (
            *_with_ablations(3, OTHER_REMOVALS, "bolt", 3),
            {"algorithms": "paper", "benchmarks": "shekel,hartmann3", "seeds": 10},
        ),
        "The paper's experiments with 3 seeds instead of 10. Shekel and Hartmann-3 have all 10: "
        "their runs take seconds, and their first seeds were seen to lie within noise. Of Table 2 "
        "nothing else is shortened. Of the ablations, device speeds are cut at 120 s and engines "
        "at 60 s; the fastest device on Powell has one seed.",
    ),
    "paper": (
        _with_ablations(10, f"{OTHER_REMOVALS},bolt-keep,bolt-plain", ON_DEVICES, 5),
        "The paper's experiments: its horizons, noise and costs, on the paper device, "
        "with SW- and W-GPUCB beside Table 2's seven. Of the ablations, device speeds have 5 seeds "
        "(the fastest on Powell one, of BOLT alone) and are cut at 120 s, and engines at 60 s.",
    ),
}


def preset(which: str, name: str | None = None) -> Plan:
    """Return the plan of a preset, under another name if one is given."""
    if which not in PRESETS:
        raise ConfigError(f"there is no preset {which!r}; choose one of {', '.join(PRESETS)}")
    tables, note = PRESETS[which]
    return Plan(name or which, tuple(map(grid_from, tables)), note)
