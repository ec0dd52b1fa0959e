"""A problem of the user's own, declared once: knobs, the outcome, and how to optimize it.

It comes from Python, a TOML file, a VOCS file or JSON, and `Bolt(spec)` optimizes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from bolt_core import algorithms
from bolt_core.common.domain import Domain
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.knob_tables import domain_of, knob_from_json, knob_to_json
from bolt_core.common.knobs import Choice, Integer, Knob, Real
from bolt_core.common.text import shortened
from bolt_core.common.types import WARMUP
from bolt_core.online import problem_toml, vocs

MAX_NAME = 100  # characters
MAX_KNOBS = 100
COLUMNS = ("time", "failed", "pending", "ask")  # of `opt.log()`, beside knobs and outcome
DIRECTIONS = ("maximize", "minimize")
MAX_WARMUP = 10_000
OPTIONS = ("algorithm", "seed", "warmup", "think_within")
KEYS = ("name", *DIRECTIONS, "unit", *OPTIONS, "knobs")  # of a problem file


@dataclass(frozen=True, slots=True)
class ProblemSpec:
    """The knobs, the outcome to maximize or minimize, and options of the optimizer.

    >>> spec = ProblemSpec({"feed": Real(0, 8, unit="l/min")}, "cost", maximize=False)
    >>> print(spec.to_toml())
    name = "your problem"
    minimize = "cost"
    <BLANKLINE>
    [knobs.feed]
    low = 0.0
    high = 8.0
    unit = "l/min"
    <BLANKLINE>
    """

    knobs: Mapping[str, Knob]
    outcome: str = "y"
    maximize: bool = True
    unit: str = ""  # of the outcome
    name: str = "your problem"
    algorithm: str = field(default="bolt", kw_only=True)
    seed: int = field(default=0, kw_only=True)
    warmup: int = field(default=WARMUP, kw_only=True)  # random settings before the first choice
    think_within: float | None = field(default=None, kw_only=True)  # seconds

    def __post_init__(self) -> None:
        """Check everything; each error names the knob or the key."""
        if not isinstance(self.knobs, Mapping) or not 1 <= len(self.knobs) <= MAX_KNOBS:
            raise ConfigError(
                f"knobs must be 1 to {MAX_KNOBS} knobs by name, such as "
                f"{{'feed': Real(0, 8)}}; got {self.knobs!r}"
            )
        names = [_checked_name("the name of a knob", name) for name in self.knobs]
        for name in (*names, _checked_name("the name of the outcome", self.outcome)):
            if name in COLUMNS:
                raise ConfigError(f"{name!r} is a column of the log; choose another name")
        if self.outcome in names:
            raise ConfigError(f"{self.outcome!r} is both a knob and the outcome; rename one")
        checked = {name: _checked_knob(name, knob) for name, knob in self.knobs.items()}
        object.__setattr__(self, "knobs", checked)
        _checked_name("the name of the problem", self.name)
        if type(self.maximize) is not bool:
            raise ConfigError(f"maximize must be true or false, got {self.maximize!r}")
        if not isinstance(self.unit, str):
            raise ConfigError(f"unit must be a text, got {self.unit!r}; write it in quotes")
        if self.unit:
            _checked_name("the unit of the outcome", self.unit)
        self._check_options()

    def _check_options(self) -> None:
        if self.algorithm not in algorithms.catalog():
            raise UnknownNameError("algorithm", self.algorithm, algorithms.catalog())
        for name, least in (("seed", 0), ("warmup", 1)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise ConfigError(f"{name} must be a whole number from {least}, got {value!r}")
        if self.warmup > MAX_WARMUP:
            raise ConfigError(
                f"warmup is {self.warmup}, and at most {MAX_WARMUP} settings can be random; give "
                "fewer, such as 15"
            )
        check_think_within(self.think_within)

    @property
    def direction(self) -> str:
        """The key of the outcome: maximize or minimize."""
        return DIRECTIONS[0] if self.maximize else DIRECTIONS[1]

    @property
    def domain(self) -> Domain | None:
        """What can be set, in unit coordinates; None if every knob is real."""
        return domain_of(self.knobs.values())

    @staticmethod
    def from_toml(path: str | Path) -> ProblemSpec:
        """Read a problem file; a ConfigError or UnknownNameError names the file and the key."""
        return problem_toml.named(path, lambda: ProblemSpec.from_json(problem_toml.read(path)))

    @staticmethod
    def from_vocs(source: Any) -> ProblemSpec:  # noqa: ANN401 - see the docstring
        """Return the problem of a VOCS: gest-api's object, a dict, or the path of a file."""
        if hasattr(source, "model_dump"):
            source = source.model_dump()
        if isinstance(source, Mapping):
            return ProblemSpec.from_json(vocs.as_problem(source))
        if isinstance(source, str) and "\n" in source:
            raise ConfigError(
                "a VOCS is a dict or the path of a file, got a text of several lines; "
                "give yaml.safe_load(text)"
            )
        return problem_toml.named(
            source, lambda: ProblemSpec.from_json(vocs.as_problem(vocs.read(source)))
        )

    @staticmethod
    def from_json(data: object) -> ProblemSpec:
        """Return the problem of a JSON object or TOML document; all keys as in the file format."""
        if not isinstance(data, Mapping):
            raise ConfigError(f"a problem is a table with knobs, got {data!r}")
        for key in data:
            if key not in KEYS:
                raise UnknownNameError("key of a problem", str(key), KEYS)
        directions = [key for key in DIRECTIONS if key in data]
        if len(directions) != 1:
            raise ConfigError(
                "a problem needs one of maximize and minimize, with the name of the outcome; "
                f"got {' and '.join(directions) or 'neither'}"
            )
        tables = data.get("knobs")
        if not isinstance(tables, Mapping):
            raise ConfigError("a problem needs knobs; write [knobs.NAME] with low and high")
        options = {key: data[key] for key in ("name", "unit", *OPTIONS) if key in data}
        return ProblemSpec(
            {str(name): knob_from_json(str(name), table) for name, table in tables.items()},
            data[directions[0]],
            directions[0] == "maximize",
            **options,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the problem as a JSON object, which `from_json` reads."""
        defaults = {f.name: f.default for f in fields(self)}
        options = {key: getattr(self, key) for key in ("unit", *OPTIONS)}
        return {
            "name": self.name,
            self.direction: self.outcome,
            **{key: value for key, value in options.items() if value != defaults[key]},
            "knobs": {name: knob_to_json(knob) for name, knob in self.knobs.items()},
        }

    def to_toml(self) -> str:
        """Return the problem as a TOML document, which `from_toml` reads."""
        return problem_toml.dumps(self.to_json())


def check_think_within(seconds: object) -> None:
    """Raise a ConfigError unless it is None or a positive number of seconds."""
    if seconds is not None and not (
        type(seconds) in (int, float) and 0 < seconds < float("inf")  # type: ignore[operator]
    ):
        raise ConfigError(f"think_within must be a positive number of seconds, got {seconds!r}")


def _checked_knob(name: str, knob: object) -> Knob:
    if not isinstance(knob, Real | Integer | Choice):
        raise ConfigError(
            f"knob {name!r} must be Real, Integer or Choice, got {knob!r}; for example Real(0, 8)"
        )
    return knob.check(name)


def _checked_name(what: str, name: object) -> str:
    if isinstance(name, str) and 0 < len(name) <= MAX_NAME and name.isprintable() and name.strip():
        return name
    if isinstance(name, str) and not name.isprintable():
        raise ConfigError(
            f"{what} has a character that cannot be printed, such as a line break, got "
            f"{shortened(repr(name), 80)}; leave it out"
        )
    raise ConfigError(
        f"{what} must be a text of 1 to {MAX_NAME} characters, got {shortened(repr(name), 80)}"
    )
