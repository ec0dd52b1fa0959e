"""Checks of the definition of a twin, which may come from a file of someone else."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bolt_core.common.errors import BoltError, ConfigError
from bolt_core.common.knob_tables import knob_from_json
from bolt_core.common.text import shortened
from bolt_core.theory.kernels import SPATIAL

MAX_ROWS = 1_000
MAX_KNOBS = 20
MAX_TEXT = 100  # characters of a name or a unit
MAX_QUERIES = 5_000  # horizon / cost
MAX_SAMPLE = 2**32 - 1
SCALE = (1e-12, 1e12)  # lengthscales, variances, seconds
MAX_MAGNITUDE = 1e100  # of y
SHA256 = re.compile(r"[0-9a-f]{64}")
THETA = ("signal_variance", "lengthscale_space", "lengthscale_time", "noise_variance")


def _is_text(least: int) -> Callable[[Any], bool]:
    return lambda v: isinstance(v, str) and least <= len(v) <= MAX_TEXT and v.isprintable()


def _is_number(low: float, high: float) -> Callable[[Any], bool]:
    return lambda v: type(v) in (int, float) and low <= v <= high


Check = tuple[str, Callable[[Any], bool]]  # what a value must be, in words and as a function
NAME: Check = (f"a text of 1 to {MAX_TEXT} characters", _is_text(1))
UNIT: Check = (f"a text of at most {MAX_TEXT} characters", _is_text(0))
POSITIVE: Check = (f"a number from {SCALE[0]:g} to {SCALE[1]:g}", _is_number(*SCALE))
SPREAD: Check = (  # of an outcome in any unit: a current in amperes may vary by 1e-13
    f"a number from {1 / MAX_MAGNITUDE:g} to {MAX_MAGNITUDE:g}",
    _is_number(1 / MAX_MAGNITUDE, MAX_MAGNITUDE),
)
FROM_ZERO: Check = (f"a number from 0 to {SCALE[1]:g}", _is_number(0.0, SCALE[1]))
TIME: Check = (f"a number up to {SCALE[1]:g}", _is_number(-SCALE[1], SCALE[1]))
SHARE: Check = ("a number from 0 to 1", _is_number(0.0, 1.0))
REAL: Check = (f"a number up to {MAX_MAGNITUDE:g}", _is_number(-MAX_MAGNITUDE, MAX_MAGNITUDE))
KERNEL: Check = (f"one of {', '.join(SPATIAL)}", lambda v: isinstance(v, str) and v in SPATIAL)
FIELDS: Mapping[str, Check] = {
    "name": NAME,
    "log_sha256": (
        "64 hexadecimal digits",
        lambda v: isinstance(v, str) and SHA256.fullmatch(v) is not None,
    ),
    "outcome": NAME,
    "unit": UNIT,
    "maximize": ("true or false", lambda v: type(v) is bool),
    "spatial_kernel": KERNEL,
    "temporal_kernel": KERNEL,
    "y_mean": REAL,
    "y_sd": SPREAD,
    "mean": REAL,
    "horizon": POSITIVE,
    "cost": POSITIVE,
    "sample": (
        f"a whole number from 0 to {MAX_SAMPLE}",
        lambda v: type(v) is int and 0 <= v <= MAX_SAMPLE,
    ),
    "knobs": (
        f"a list of 1 to {MAX_KNOBS} knobs",
        lambda v: isinstance(v, list) and 1 <= len(v) <= MAX_KNOBS,
    ),
    "theta": (
        f"an object with {', '.join(THETA)}",
        lambda v: isinstance(v, Mapping) and set(v) == set(THETA),
    ),
    "Z": ("a list of rows", lambda v: isinstance(v, list)),
    "y": (
        f"a list of 1 to {MAX_ROWS:,} numbers",
        lambda v: isinstance(v, list) and 1 <= len(v) <= MAX_ROWS,
    ),
}


def checked(data: object) -> dict[str, Any]:
    """Return the object with all its fields; a ConfigError names the first value that is wrong."""
    if not isinstance(data, Mapping) or set(data) != set(FIELDS):
        names = sorted(map(str, data)) if isinstance(data, Mapping) else data
        raise _wrong("a twin", f"an object with {', '.join(FIELDS)}", names)
    for name, check in FIELDS.items():
        _check(name, data[name], check)
    if not data["cost"] <= data["horizon"] <= MAX_QUERIES * data["cost"]:
        raise _wrong("horizon", f"1 to {MAX_QUERIES:,} times cost", data["horizon"])
    dimension = _checked_dimension(data["knobs"])
    _check_theta(data["theta"], dimension)
    _check_rows(data["Z"], data["y"], dimension)
    return dict(data)


def _checked_dimension(tables: Sequence[Any]) -> int:
    """Return the number of knobs of a list of tables."""
    names = set()
    for table in tables:
        if not isinstance(table, Mapping) or "name" not in table:
            raise _wrong("a knob", "a table with a name", table)
        _check("the name of a knob", table["name"], NAME)
        try:
            knob_from_json(table["name"], {k: v for k, v in table.items() if k != "name"})
        except BoltError:
            raise
        except (TypeError, ValueError, OverflowError) as problem:
            raise ConfigError(f"a knob cannot be read: {shortened(problem)}") from None
        names.add(table["name"])
    if len(names) < len(tables):
        raise ConfigError("two knobs have the same name; rename one")
    return len(tables)


def _check_theta(theta: Mapping[str, Any], dimension: int) -> None:
    _check("signal_variance", theta["signal_variance"], POSITIVE)
    _check("lengthscale_time", theta["lengthscale_time"], POSITIVE)
    _check("noise_variance", theta["noise_variance"], FROM_ZERO)
    l_S = theta["lengthscale_space"]
    if isinstance(l_S, list) and len(l_S) != dimension:
        raise _wrong("lengthscale_space", f"one number or {dimension}", l_S)
    for value in l_S if isinstance(l_S, list) else [l_S]:
        _check("lengthscale_space", value, POSITIVE)


def _check_rows(Z: Sequence[Any], y: Sequence[Any], dimension: int) -> None:
    if len(Z) != len(y):
        raise _wrong("Z", f"a list of {len(y)} rows, one for each y", Z)
    for value in y:
        _check("y", value, REAL)
    for row in Z:
        if not isinstance(row, list) or len(row) != dimension + 1:
            raise _wrong("a row of Z", f"{dimension} coordinates and a time", row)
        for value in row[:-1]:
            _check("a coordinate in Z", value, SHARE)
        _check("a time in Z", row[-1], TIME)


def _check(name: str, value: object, check: Check) -> None:
    words, passes = check
    if not passes(value):
        raise _wrong(name, words, value)


def _wrong(name: str, what: str, got: object) -> ConfigError:
    if isinstance(got, Sequence) and not isinstance(got, str) and len(got) > 8:
        got = f"{len(got):,} values"
    return ConfigError(f"{name} must be {what}, got {shortened(repr(got), 80)}")
