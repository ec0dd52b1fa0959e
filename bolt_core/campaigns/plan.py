"""The plan of a campaign: algorithms x benchmarks x seeds x clock x speed x noise x engine.

A plan has one or more such grids, from flags, from a preset or from a TOML file:

    name = "mine"
    [[grid]]
    algorithms = ["bolt", "w-dbo"]     # or "table2", "paper", "all"
    benchmarks = "paper"               # or a list
    seeds = 3                          # 0, 1, 2; or a list
    clock = "model"                    # clock, speed, noise and engine: a value or a list
    speed = [0.1, 1, 10]               # of the device; the paper's on the model clock

Other choices keep RunConfig's defaults, so that a run of `bolt run` with the same choices has the
same config key and can be adopted.
"""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeGuard

from bolt_core import algorithms, benchmarks
from bolt_core.benchmarks.spec import NOISE, check_horizon
from bolt_core.common import devices
from bolt_core.common.errors import ConfigError
from bolt_core.common.options import split_words
from bolt_core.common.types import ClockConfig, EngineConfig, RunConfig
from bolt_core.runs import duration_estimate

TABLE2 = ("gpucb", "et-gpucb", "r-gpucb", "tv-gpucb", "abo", "w-dbo", "bolt")
EXTRA = ("sw-gpucb", "w-gpucb")  # of Table 1, not in Table 2
PAPER = (
    "shekel", "hartmann3", "ackley", "griewank", "eggholder", "schwefel", "hartmann6", "powell",
    "temperature", "wlan",
)  # fmt: skip
MAX_SEEDS = 1000
MAX_RUNS, MAX_GRIDS = 20_000, 100  # of a plan
AXES = ("seeds", "engine", "noise", "clock", "speed", "benchmarks", "algorithms")  # of a grid
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Grid:
    """All combinations of the choices; a speed of 10 is a device ten times as fast."""

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
    ard: bool = False  # a lengthscale per input

    def __post_init__(self) -> None:
        for name in AXES:
            if not getattr(self, name):
                raise ConfigError(f"{name} is empty; a plan needs at least one")
        _check_size((self,))
        for speed in self.speed:
            if not 0 < speed < float("inf"):
                raise ConfigError(f"speed must be positive and finite, got {speed}")
        for noise in self.noise:
            NOISE.parse(noise)
        for algorithm in self.algorithms:
            algorithms.get(algorithm)
        for benchmark in self.benchmarks:
            check_horizon(self.horizon, benchmark, benchmarks.get(benchmark).row.horizon)
        self.configs()  # raises an error for any other invalid choice

    @property
    def size(self) -> int:
        """The number of runs."""
        return math.prod(len(getattr(self, name)) for name in AXES)

    def configs(self) -> list[RunConfig]:
        """Return every run of the grid, all cells of a seed before the next seed."""
        return [
            RunConfig(
                algorithm=algorithm,
                benchmark=benchmark,
                seed=seed,
                horizon=self.horizon,
                clock=_clock(clock, speed, self.device),
                engine=EngineConfig(engine, self.acquisition, self.ard),
                options={} if noise == NOISE.default else {"noise": noise},
            )
            for seed, engine, noise, clock, speed, benchmark, algorithm in itertools.product(
                *(getattr(self, name) for name in AXES)
            )
        ]


@dataclass(frozen=True, slots=True)
class Plan:
    """A name, a note on its purpose, and its grids."""

    name: str
    grids: tuple[Grid, ...]
    note: str = ""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ConfigError(
                f"a campaign's name is letters, digits, '-', '_' and '.', got {self.name!r}"
            )

        _check_size(self.grids)

    def configs(self) -> list[RunConfig]:
        """Return every run once, lowest seeds first, so that early results compare all."""
        configs = {c.key: c for grid in self.grids for c in grid.configs()}
        return sorted(configs.values(), key=lambda config: config.seed)

    def hours(self) -> float:
        """Return the estimated hours of one core of the reference machine."""
        return sum(map(duration_estimate.cpu_seconds, self.configs())) / 3600.0

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON values."""
        data = {"schema": 1, **asdict(self)}
        for grid in data["grids"]:
            if not grid["ard"]:
                del grid["ard"]  # so that plans of earlier versions keep their JSON
        return data

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Plan:
        """Return the plan that `to_json` gave."""
        tables = data["grids"]
        if len(tables) > MAX_GRIDS:
            raise ConfigError(f"a plan has at most {MAX_GRIDS} grids, got {len(tables)}")
        grids = tuple(grid_from(table) for table in tables)
        return Plan(str(data["name"]), grids, str(data.get("note", "")))


def seeds_in_words(configs: Iterable[RunConfig]) -> str:
    """Return '3 seeds', or '3 to 10 seeds' if cells have different numbers of seeds."""
    cells: dict[tuple[str, str], set[int]] = {}
    for c in configs:
        cells.setdefault((c.algorithm, c.benchmark), set()).add(c.seed)
    counts = sorted({len(seeds) for seeds in cells.values()})
    span = " to ".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
    return f"{span} {'seed' if counts[-1] == 1 else 'seeds'}"


def read_toml(path: Path, name: str | None = None) -> Plan:
    """Return a plan from a file; `name` overrides the name in the file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise ConfigError(f"cannot read {path}: {problem.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ConfigError(f"{path} is not TOML: {problem}") from None
    if unknown := sorted(set(data) - {"name", "note", "grid"}):
        raise ConfigError(
            f"{path}: unknown {', '.join(unknown)}; at the top stand name, note and [[grid]]"
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


def grid_from(table: object) -> Grid:
    """Return a grid from plain values: lists, single values, names of groups, a number of seeds."""
    if not isinstance(table, Mapping):
        raise ConfigError(f"a grid is a table, got {table!r}; write [[grid]]")
    if unknown := sorted(set(table) - set(READERS)):
        raise ConfigError(f"a grid has no {', '.join(unknown)}; it has {', '.join(READERS)}")
    for needed in ("algorithms", "benchmarks"):
        if needed not in table:
            raise ConfigError(
                f"a grid needs {needed}: a list of keys (see `bolt list`), or a group"
            )
    choices = {name: value for name, value in table.items() if value is not None}
    return Grid(**{name: READERS[name](name, value) for name, value in choices.items()})


def _check_size(grids: Iterable[Grid]) -> None:
    if (runs := sum(grid.size for grid in grids)) > MAX_RUNS:
        raise ConfigError(f"a plan has at most {MAX_RUNS} runs, got {runs}; choose fewer")


def _algorithms(name: str, value: object) -> tuple[str, ...]:
    """Return the keys of a list or of a group: table2 (seven), paper (and SW-, W-GPUCB), all."""
    every = tuple(algorithms.catalog())
    return _keys(name, value, {"table2": TABLE2, "paper": (*TABLE2, *EXTRA), "all": every})


def _benchmarks(name: str, value: object) -> tuple[str, ...]:
    """Return the keys of a list or of a group: paper (ten), all (but the twins of logs)."""
    return _keys(name, value, {"paper": PAPER, "all": tuple(benchmarks.without_twins())})


def _keys(name: str, value: object, groups: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    if isinstance(value, str):
        value = groups.get(value, value)
    return tuple(dict.fromkeys(_words(name, value)))


def _clock(kind: str, speed: float, device: str) -> ClockConfig:
    if kind == "model":
        return ClockConfig("model", device=tuple(c / speed for c in devices.device(device)))
    if kind == "wall" and speed != 1.0:
        raise ConfigError(f"the wall clock has this machine's speed, got {speed:g}; take 1")
    return ClockConfig(kind, 1.0 / speed)


def _seeds(name: str, value: object) -> tuple[int, ...]:
    several = range(value) if _whole(value) and value <= MAX_SEEDS else value
    if not isinstance(several, range | list | tuple) or not all(map(_whole, several)):
        raise ConfigError(
            f"{name} is how many (1 to {MAX_SEEDS}) or a list of whole numbers, got {value!r}"
        )
    return tuple(dict.fromkeys(several))


def _whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _several(value: object) -> Sequence[Any]:
    """Return the values of a list, the words of a text with commas, or one value as a list."""
    if isinstance(value, str):
        return split_words(value)
    return value if isinstance(value, list | tuple) else [value]


def _words(name: str, value: object) -> tuple[str, ...]:
    return tuple(_word(name, each) for each in _several(value))


def _word(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{name} takes words, got {value!r}")
    return value


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{name} must be true or false, got {value!r}")
    return value


def _numbers(name: str, value: object) -> tuple[float, ...]:
    return tuple(_number(name, each) for each in _several(value))


def _number(name: str, value: object) -> float:
    with suppress(ValueError):
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return float(value)
    raise ConfigError(f"{name} must be a number, got {value!r}")


READERS: Mapping[str, Callable[[str, object], Any]] = {
    "algorithms": _algorithms,
    "benchmarks": _benchmarks,
    "seeds": _seeds,
    "clock": _words,
    "speed": _numbers,
    "noise": _words,
    "engine": _words,
    "device": _word,
    "acquisition": _word,
    "horizon": _number,
    "ard": _flag,
}
