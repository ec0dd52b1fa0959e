"""Predefined plans: `tiny`, `paper-quick` and `paper`."""

from collections.abc import Mapping
from typing import Any

from bolt_core.campaigns.plan import Plan, grid_from
from bolt_core.common.errors import ConfigError

BOTH = "eggholder,powell"  # removing observations helps on the first, not on the second
OTHER_REMOVALS = "bolt-oldest,bolt-random,bolt-literal"


def _with_ablations(seeds: int, largest: int, variants: str) -> tuple[Mapping[str, Any], ...]:
    """Return the grids of Table 2 and of the ablations: removal, speed of the device, engine.

    `largest` is the number of seeds of BOLT on Powell on the fastest device: with 2,000
    observations such a run takes as long as thirty others. `variants` are those of BOLT that remove
    or query in another way.
    """
    device = {"algorithms": "bolt", "horizon": 120.0}
    engines = {
        "algorithms": "bolt",
        "clock": "cpu",
        "engine": ["exact", "botorch"],
        "horizon": 60.0,
    }
    return (
        {"algorithms": "paper", "benchmarks": "paper", "seeds": seeds},
        {"algorithms": variants, "benchmarks": "eggholder,schwefel", "seeds": seeds},
        device | {"benchmarks": BOTH, "seeds": seeds, "speed": [0.1, 1.0, 10.0]},
        device | {"benchmarks": "eggholder", "seeds": seeds, "speed": [100.0]},
        device | {"benchmarks": "powell", "seeds": largest, "speed": [100.0]},
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
            *_with_ablations(3, largest=1, variants=OTHER_REMOVALS),
            {"algorithms": "paper", "benchmarks": "shekel,hartmann3", "seeds": 10},
        ),
        "The paper's experiments with 3 seeds instead of 10. Shekel and Hartmann-3 have all 10: "
        "their runs take seconds, and their first seeds were seen to lie within noise. Of Table 2 "
        "nothing else is shortened. Of the ablations, device speeds are cut at 120 s and engines "
        "at 60 s; the fastest device on Powell has one seed.",
    ),
    "paper": (
        _with_ablations(10, largest=10, variants=f"{OTHER_REMOVALS},bolt-keep,bolt-around"),
        "The paper's experiments: its horizons, noise and costs, on the paper device, "
        "with SW- and W-GPUCB beside Table 2's seven. Of the ablations, "
        "device speeds are cut at 120 s and engines at 60 s.",
    ),
}


def preset(which: str, name: str | None = None) -> Plan:
    """Return the plan of a preset, under another name if one is given."""
    if which not in PRESETS:
        raise ConfigError(f"there is no preset {which!r}; choose one of {', '.join(PRESETS)}")
    tables, note = PRESETS[which]
    return Plan(name or which, tuple(map(grid_from, tables)), note)
