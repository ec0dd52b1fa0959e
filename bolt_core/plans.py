"""What a campaign runs: algorithms x benchmarks x seeds x clock x speed x noise x engine.

A plan is one or more such grids, from flags, from a preset or from a TOML file:

    name = "mine"
    [[grid]]
    algorithms = ["bolt", "w-dbo"]     # or "table2", "paper", "all"
    benchmarks = "paper"               # or a list
    seeds = 3                          # 0, 1, 2; or a list
    clock = "model"                    # clock, speed, noise and engine: a value or a list
    speed = [0.1, 1, 10]               # of the device; the paper's on the model clock

What is not said keeps RunConfig's default, so that a run made by hand with the same choices has
the same config key and can be adopted.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from bolt_core import algorithms, benchmarks, devices, forecast
from bolt_core.errors import ConfigError
from bolt_core.objective import NOISE
from bolt_core.types import ClockConfig, EngineConfig, RunConfig

TABLE2 = ("gpucb", "et-gpucb", "r-gpucb", "tv-gpucb", "abo", "w-dbo", "bolt")
EXTRA = ("sw-gpucb", "w-gpucb")  # of Table 1, not in Table 2
PAPER = (
    "shekel", "hartmann3", "ackley", "griewank", "eggholder", "schwefel", "hartmann6", "powell",
    "temperature", "wlan",
)  # fmt: skip
MOST_SEEDS = 1000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Grid:
    """Everything with everything; a speed of 10 is a device ten times as fast."""

    algorithms: tuple[str, ...]
    benchmarks: tuple[str, ...]
    seeds: tuple[int, ...] = (0,)
    clock: tuple[str, ...] = ("model",)
    speed: tuple[float, ...] = (1.0,)
    noise: tuple[str, ...] = ("paper",)
    engine: tuple[str, ...] = ("exact",)
    device: str = "paper"
    acquisition: str = "ucb"
    horizon: float | None = None

    def __post_init__(self) -> None:
        for name in ("algorithms", "benchmarks", "seeds", "clock", "speed", "noise", "engine"):
            if not getattr(self, name):
                raise ConfigError(f"{name} is empty; a plan needs at least one")
        for speed in self.speed:
            if not 0 < speed < float("inf"):
                raise ConfigError(f"speed must be positive and finite, got {speed}")
        for noise in self.noise:
            NOISE.parse(noise)
        for key in self.algorithms:
            algorithms.get(key)
        for key in self.benchmarks:
            own = benchmarks.get(key).row.horizon
            if self.horizon is not None and self.horizon > own:
                raise ConfigError(
                    f"horizon {self.horizon:g} s is longer than {key}'s own {own:g} s; "
                    "take that or less"
                )

    def configs(self) -> list[RunConfig]:
        """Every run of the grid, all cells of a seed before the next seed."""
        return [
            RunConfig(
                algorithm=algorithm,
                benchmark=benchmark,
                seed=seed,
                horizon=self.horizon,
                clock=_clock(clock, speed, self.device),
                engine=EngineConfig(engine, self.acquisition),
                options={} if noise == NOISE.default else {"noise": noise},
            )
            for seed, engine, noise, clock, speed, benchmark, algorithm in itertools.product(
                self.seeds,
                self.engine,
                self.noise,
                self.clock,
                self.speed,
                self.benchmarks,
                self.algorithms,
            )
        ]


@dataclass(frozen=True, slots=True)
class Plan:
    """A name, what it is for, and its grids."""

    name: str
    grids: tuple[Grid, ...]
    note: str = ""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ConfigError(
                f"a campaign's name is letters, digits, '-', '_' and '.', got {self.name!r}"
            )

    def configs(self) -> list[RunConfig]:
        """Every run once, lowest seeds first: what is there early compares everybody."""
        found = {c.key: c for grid in self.grids for c in grid.configs()}
        return sorted(found.values(), key=lambda config: config.seed)

    def hours(self) -> float:
        """Of one core, about."""
        return sum(map(forecast.cpu_seconds, self.configs())) / 3600.0

    def to_json(self) -> dict[str, Any]:
        return {"schema": 1, **asdict(self)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Plan:
        grids = tuple(grid_from(table) for table in data["grids"])
        return Plan(str(data["name"]), grids, str(data.get("note", "")))


def preset(which: str, name: str | None = None) -> Plan:
    """tiny, paper-quick or paper, under a name of one's own if wanted."""
    if which not in PRESETS:
        raise ConfigError(f"there is no preset {which!r}; choose one of {', '.join(PRESETS)}")
    table, note = PRESETS[which]
    return Plan(name or which, (grid_from(table),), note)


def read_toml(path: Path, name: str | None = None) -> Plan:
    """A plan from a file; `name` wins over the file's own."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise ConfigError(f"cannot read {path}: {problem.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ConfigError(f"{path} is not TOML: {problem}") from None
    known = {"name", "note", "grid"}
    if strange := sorted(set(data) - known):
        raise ConfigError(
            f"{path}: unknown {', '.join(strange)}; at the top stand name, note and [[grid]]"
        )
    tables = data.get("grid")
    tables = [tables] if isinstance(tables, dict) else tables
    if not isinstance(tables, list) or not tables:
        raise ConfigError(f"{path} has no [[grid]]; it says which algorithms and benchmarks to run")
    try:
        grids = tuple(grid_from(table) for table in tables)
    except ConfigError as problem:
        raise ConfigError(f"{path}: {problem}") from None
    return Plan(str(name or data.get("name") or path.stem), grids, str(data.get("note", "")))


def grid_from(table: Mapping[str, Any]) -> Grid:
    """A grid from plain values: lists, single values, names for groups, a number of seeds."""
    names = [field.name for field in fields(Grid)]
    if strange := sorted(set(table) - set(names)):
        raise ConfigError(f"a grid has no {', '.join(strange)}; it has {', '.join(names)}")
    for needed in ("algorithms", "benchmarks"):
        if needed not in table:
            raise ConfigError(f"a grid needs {needed}: a list of keys (see `bolt list`), or a group")
    found: dict[str, Any] = {
        "algorithms": algorithm_keys(table["algorithms"]),
        "benchmarks": benchmark_keys(table["benchmarks"]),
    }
    if "seeds" in table:
        found["seeds"] = _seeds(table["seeds"])
    for name in ("clock", "noise", "engine"):
        if name in table:
            found[name] = tuple(_words(name, table[name]))
    if "speed" in table:
        found["speed"] = tuple(_number("speed", v) for v in _several(table["speed"]))
    for name in ("device", "acquisition"):
        if name in table:
            (found[name],) = _words(name, [table[name]])
    if table.get("horizon") is not None:
        found["horizon"] = _number("horizon", table["horizon"])
    return Grid(**found)


def algorithm_keys(given: str | Sequence[str]) -> tuple[str, ...]:
    """Keys, or a group: table2 (seven), paper (with SW- and W-GPUCB), all."""
    known = algorithms.catalog()
    groups = {"table2": TABLE2, "paper": (*TABLE2, *EXTRA), "all": tuple(known)}
    return _keys("algorithms", given, groups)


def benchmark_keys(given: str | Sequence[str]) -> tuple[str, ...]:
    """Keys, or a group: paper (ten), all."""
    return _keys("benchmarks", given, {"paper": PAPER, "all": tuple(benchmarks.catalog())})


def _keys(
    name: str, given: str | Sequence[str], groups: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    if isinstance(given, str):
        if given in groups:
            return groups[given]
        given = [word.strip() for word in given.split(",") if word.strip()]
    return tuple(dict.fromkeys(_words(name, given)))


def _clock(kind: str, speed: float, device: str) -> ClockConfig:
    if kind == "model":
        return ClockConfig("model", device=tuple(c / speed for c in devices.device(device)))
    if kind == "wall" and speed != 1.0:
        raise ConfigError(f"the wall clock has this machine's speed, got {speed:g}; take 1")
    return ClockConfig(kind, 1.0 / speed)


def _seeds(given: object) -> tuple[int, ...]:
    wrong = ConfigError(
        f"seeds is how many (1 to {MOST_SEEDS}) or a list of whole numbers >= 0, got {given!r}"
    )
    if isinstance(given, int) and not isinstance(given, bool):
        if not 1 <= given <= MOST_SEEDS:
            raise wrong
        return tuple(range(given))
    if not isinstance(given, list | tuple) or not all(
        isinstance(s, int) and not isinstance(s, bool) and s >= 0 for s in given
    ):
        raise wrong
    return tuple(dict.fromkeys(given))


def _several(given: object) -> Iterable[Any]:
    return given if isinstance(given, list | tuple) else [given]


def _words(name: str, given: object) -> list[str]:
    words = list(_several(given))
    for word in words:
        if not isinstance(word, str):
            raise ConfigError(f"{name} takes words, got {word!r}")
    return words


def _number(name: str, given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise ConfigError(f"{name} must be a number, got {given!r}")
    return float(given)


PRESETS: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "tiny": (
        {"algorithms": "gpucb,bolt", "benchmarks": "eggholder,powell", "seeds": 2, "horizon": 15.0},
        "Two algorithms, two benchmarks, two seeds, cut at 15 s: does it all work? No result.",
    ),
    "paper-quick": (
        {"algorithms": "paper", "benchmarks": "paper", "seeds": 3},
        "The paper's experiments with 3 seeds instead of 10; nothing else is shortened.",
    ),
    "paper": (
        {"algorithms": "paper", "benchmarks": "paper", "seeds": 10},
        "The paper's experiments: its horizons, noise and costs, on a declared device of the "
        "speed of stock BoTorch, with SW- and W-GPUCB beside Table 2's seven.",
    ),
}
