"""Checks of every value in a record that is read anywhere: type, range and length.

Each check returns what is wrong as text, or None. Imports refuse a record with an error, and lists
show such a file as broken. A value that no code reads is only limited by the length of its line.
"""

import math
from collections.abc import Mapping
from typing import Any

from bolt_core.common.errors import BoltError
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.runs.record_fields import THETA
from bolt_core.store.ids import is_valid_id
from bolt_core.store.run_summary import MAX_SPARK_POINTS, MAX_SPEED_CHANGES
from bolt_core.store.value_checks import (
    MAX_IMPORTED_DIMENSION,
    MAX_INTEGER,
    MAX_SCALARS,
    MAX_SPEED_FACTOR,
    MAX_TEXT_LENGTH,
    MIN_SPEED_FACTOR,
    NUMBERS,
    Check,
    all_real,
    is_bounds,
    is_domain,
    is_knobs,
    is_scalars,
    is_speed,
    one_of,
    optional,
    real,
    reals,
    text,
    whole,
)
from bolt_core.theory.kernels import SPATIAL, TIME_MODELS

MAX_ERROR_LENGTH = 200_000  # characters of the reason for which a run failed
MAX_NOTE_DEPTH = 3  # of lists and objects in each other

ID: Check = ("a valid id", is_valid_id)
BOOL: Check = ("true or false", lambda v: type(v) is bool)
INFERENCE: Mapping[str, Check] = {
    "y_mean": real(),
    "y_sd": real(0.0),
    "mean": real(),
    "jitter": real(0.0),
    "restarted": BOOL,
    "failed": optional(text()),
    "evaluations": whole(0, MAX_INTEGER),
}
SCORES: Check = (
    "numbers above -1",
    lambda v: type(v) is list and all_real(v) and min(v, default=0) > -1,
)
NOTES: Mapping[str, Check] = {"memory": optional(real(1e-300)), "scores": SCORES, "reset": text()}
SCALARS: Check = (f"an object of at most {MAX_SCALARS} texts and numbers", is_scalars)
SECONDS = real(0.0, 1e12)
FACTOR = real(MIN_SPEED_FACTOR, MAX_SPEED_FACTOR)  # of a computing time
HEADER = {
    "run_id": ID,
    "race_id": optional(("a valid id", lambda v: v == "" or is_valid_id(v))),
    "dimension": whole(1, MAX_IMPORTED_DIMENSION),
    "place": optional(whole(0, MAX_INTEGER)),
    "lane": optional(whole(0, MAX_INTEGER)),
    "horizon": optional(SECONDS),
    "cost": optional(SECONDS),
    "noise_variance": optional(real(0.0)),
    "cores": optional(whole(0, MAX_INTEGER)),
    "blas_threads": optional(whole(0, MAX_INTEGER)),
    "versions": optional(SCALARS),
    "bounds": optional((f"a list of pairs of {NUMBERS}", is_bounds)),
    "knobs": optional(("a list of knobs", is_knobs)),
    "minimize": optional(BOOL),
    "config": ("an object", lambda v: type(v) is dict),
    "domain": optional(("levels and choices, one per knob", is_domain)),
    "twin": optional(("an object", lambda v: type(v) is dict)),  # see `record_twins`
}
HEADER_TEXTS = (
    "label", "source", "started", "cpu", "commit", "python", "config_key", "campaign",
)  # fmt: skip
HEADER |= dict.fromkeys(HEADER_TEXTS, optional(text()))
HEADER |= {
    "spatial_kernel": optional(one_of(SPATIAL)),
    "temporal_kernel": optional(one_of(TIME_MODELS)),
}
CONFIG = {
    "algorithm": text(),
    "benchmark": text(),
    "seed": whole(0, MAX_INTEGER),
    "warmup": whole(1, MAX_INTEGER),
    "horizon": optional(SECONDS),
    "clock": ("an object", lambda v: type(v) is dict),
    "engine": SCALARS,
    "params": SCALARS,
    "options": SCALARS,
}
CLOCK = {"kind": text(), "slowdown": FACTOR, "device": reals(4)}
SUMMARY = {
    "iterations": whole(0, MAX_INTEGER),
    "t": real(),
    "n": whole(0, MAX_INTEGER),
    "n_star": optional(whole(0, MAX_INTEGER)),
    "regret": optional(real()),
    "response": optional(real()),
    "spark": (
        f"at most {MAX_SPARK_POINTS} {NUMBERS}",
        lambda v: type(v) is list and len(v) <= MAX_SPARK_POINTS and all_real(v),
    ),
    "speeds": (
        f"at most {MAX_SPEED_CHANGES} pairs of a time and a positive factor",
        lambda v: type(v) is list and len(v) <= MAX_SPEED_CHANGES and all(map(is_speed, v)),
    ),
    "contention": real(0.0, 1e6),
    "corner_share": real(0.0, 1.0),
    "no_structure_share": real(0.0, 1.0),
}
EVENTS: Mapping[str, Mapping[str, Check]] = {
    "speed": {"i": whole(0, MAX_INTEGER), "t": SECONDS, "factor": FACTOR, "ratio": FACTOR},
    "contention": {"ratio": real(0.0, 1e6)},
    "pass_ended": {"seconds": real(0.0)},
}
MIN_POSITIVE = 1e-300
POSITIVE = real(MIN_POSITIVE)
THETA_CHECKS = dict.fromkeys(THETA, POSITIVE) | {"lengthscale_time": optional(POSITIVE)}
PER_KNOB: Check = (
    "positive numbers, one per knob",
    lambda v: type(v) is list and all_real(v) and min(v, default=0.0) >= MIN_POSITIVE,
)
PASS = {
    "t": real(),
    "y": real(),
    "value": real(),
    "best": real(),
    "seconds": real(0.0),
    "waited": real(0.0),
    "warmup": BOOL,
    "n_star": optional(whole(0, MAX_INTEGER)),
}
REQUIRED_IN_PASS = ("t", "y", "seconds", "warmup", "n")
ENDED = tuple(status for status in RunStatus if status.ended)


def first_error(values: Mapping[str, Any], checks: Mapping[str, Check]) -> str | None:
    """Return the first value that fails its check; a missing value is not checked."""
    for name, (words, passes) in checks.items():
        if name in values and not passes(values[name]):
            return f"{name} must be {words}, got {_short(values[name])}"
    return None


def header_error(header: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the header of a record."""
    for name in ("run_id", "dimension", "config"):
        if name not in header:
            return f"its header has no {name}"
    if reason := first_error(header, HEADER):
        return reason
    domain, dimension = header.get("domain"), header["dimension"]
    if domain is not None and len(domain["levels"]) != dimension:
        return f"its domain has {len(domain['levels'])} knobs instead of {dimension}"
    return config_error(header["config"])


def config_error(config: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the configuration of a run."""
    for name in ("algorithm", "benchmark", "clock", "engine"):
        if name not in config:
            return f"its config has no {name}"
    if reason := first_error(config, CONFIG) or first_error(config["clock"], CLOCK):
        return reason
    try:
        RunConfig.from_json(config)
    except (BoltError, KeyError, TypeError, ValueError, OverflowError) as problem:
        return f"its config is not valid: {str(problem)[:MAX_TEXT_LENGTH]}"
    return None


def summary_error(summary: object) -> str | None:
    """Return what is wrong with the summary in a state line or closing line; {} is valid."""
    if not isinstance(summary, dict) or (summary and "iterations" not in summary):
        return "its summary is not an object with a number of iterations"
    if reason := first_error(summary, SUMMARY):
        return f"its summary is not valid: {reason}"
    return None


def line_error(line: Mapping[str, Any], passes: int, dimension: int) -> str | None:
    """Return what is wrong with a line after the header, which follows `passes` passes."""
    kind = line.get("kind")
    if kind == "iteration":
        return pass_error(line, passes, dimension)
    if kind == "event":
        return first_error(line, EVENTS.get(str(line.get("name")), {}))
    if kind == "state":
        if line.get("i") != passes:
            return (
                f"i of a state must be {passes}, the passes before it, got {_short(line.get('i'))}"
            )
        return _summary_in(line)
    if kind == "end":
        status = one_of(ENDED)
        error = optional(text(MAX_ERROR_LENGTH))
        return first_error(line, {"status": status, "error": error}) or _summary_in(line)
    return f"kind must be iteration, event, state or end, got {_short(kind)}"


def pass_error(line: Mapping[str, Any], i: int, dimension: int) -> str | None:
    """Return what is wrong with pass `i`."""
    if line.get("i") != i:
        return f"iteration {_short(line.get('i'))} instead of {i}"
    for name in ("x", "best_x"):
        point = line.get(name, ()) if name == "x" else line.get(name, [0.0] * dimension)
        if type(point) is not list or len(point) != dimension or not all_real(point):
            return f"{name} must be {dimension} {NUMBERS}, got {_short(point)}"
    for name in REQUIRED_IN_PASS:
        if name not in line:
            return f"{name} is missing"
    if type(line["n"]) is not int or not 0 <= line["n"] <= i:
        return f"n must be a whole number from 0 to {i}, got {_short(line['n'])}"
    return first_error(line, PASS) or _theta_error(line, dimension) or _detail_error(line, i)


def _detail_error(line: Mapping[str, Any], i: int) -> str | None:
    removed, notes = line.get("removed", []), line.get("notes", {})
    if type(removed) is not list or not all(type(k) is int and 0 <= k <= i for k in removed):
        return f"removed must be a list of earlier passes, got {_short(removed)}"
    if len(removed) > i + 1:
        return f"removed has {len(removed)} ids after {i + 1} passes"
    return _notes_error(notes, fitted=line.get("theta") is not None)


def _theta_error(line: Mapping[str, Any], dimension: int) -> str | None:
    theta = line.get("theta")
    if theta is None:
        return None
    if type(theta) is not dict or set(theta) != set(THETA):
        return f"theta must have {', '.join(THETA)}, got {_short(theta)}"
    l_S = theta["lengthscale_space"]
    if type(l_S) is not list:
        return first_error(theta, THETA_CHECKS)
    if len(l_S) != dimension:
        return f"lengthscale_space must be {dimension} {NUMBERS}, got {_short(l_S)}"
    return first_error(theta, THETA_CHECKS | {"lengthscale_space": PER_KNOB})


def _notes_error(notes: object, *, fitted: bool) -> str | None:
    """Return what is wrong with the notes of a pass, as far as charts and surrogates read them."""
    if type(notes) is not dict:
        return f"notes must be an object, got {_short(notes)}"
    if "response" in notes:
        fit, floor = notes["response"], notes.get("response_floor")
        if type(fit) is not list or not fit or not all_real([*fit, floor]):
            return f"R(n) in notes must be {NUMBERS}, got {_short(fit)}"
    if "inference" in notes:
        learned = notes["inference"]
        if type(learned) is not dict or not fitted or not {"y_mean", "y_sd"} <= set(learned):
            return f"inference in notes needs theta, y_mean and y_sd, got {_short(learned)}"
        if reason := first_error(learned, INFERENCE):
            return f"inference in notes: {reason}"
    reason = first_error(notes, NOTES)
    return reason and f"notes: {reason}"


def count_values(values: dict[str, Any] | list[Any], depth: int = 1) -> float:
    """Return how many values a JSON object or list holds; infinity if it is nested too deeply."""
    members = values.values() if isinstance(values, dict) else values
    nested = [member for member in members if isinstance(member, list | dict)]
    if nested and depth > MAX_NOTE_DEPTH:
        return math.inf
    return len(values) + sum(count_values(member, depth + 1) for member in nested)


def _summary_in(line: Mapping[str, Any]) -> str | None:
    return summary_error(line["summary"]) if "summary" in line else None


def _short(value: object) -> str:
    return repr(value)[:40]
