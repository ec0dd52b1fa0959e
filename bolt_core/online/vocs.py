"""Problems from VOCS (variables, objectives, constraints), as gest-api 0.2 and Xopt 3 write them.

A continuous variable is a real knob, or an integer one if its dtype is int; a discrete variable is
an integer knob if its values are consecutive whole numbers, and otherwise a choice. Constants and
observables are left to the caller. What this optimizer cannot do is refused by its name.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.packages import require
from bolt_core.online import problem_toml

KEYS = ("variables", "objectives", "constraints", "constants", "observables")
OBJECTIVES = {
    "MINIMIZE": "minimize",
    "MAXIMIZE": "maximize",
    "MinimizeObjective": "minimize",
    "MaximizeObjective": "maximize",
}
INTEGER_DTYPES = ("int", "int32", "int64", "<class 'int'>")
REAL_DTYPES = (None, "float", "float32", "float64", "<class 'float'>")


def read(path: str | Path) -> Mapping[str, Any]:
    """Return the VOCS in a yaml or JSON file; of an Xopt file, its part `vocs`."""
    text = problem_toml.read_text(path)
    try:
        data = json.loads(text) if Path(path).suffix == ".json" else from_yaml(text)
    except (ValueError, RecursionError) as problem:
        raise ConfigError(f"it is not valid yaml or JSON: {problem}") from None
    if not isinstance(data, Mapping):
        raise ConfigError("it has no variables and objectives; give a VOCS file")
    return data


def from_yaml(text: str) -> object:
    """Return the document of a yaml text; a ValueError if it is none."""
    require("a yaml file", "yaml")
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as problem:
        raise ValueError(str(problem)) from None


def as_problem(vocs: Mapping[str, Any]) -> dict[str, Any]:
    """Return a VOCS as the JSON object of a problem, for `ProblemSpec.from_json`."""
    if isinstance(vocs.get("vocs"), Mapping):
        vocs = vocs["vocs"]
    for key in vocs:
        if key not in KEYS:
            raise UnknownNameError("key of a VOCS", str(key), KEYS)
    if constraints := _members(vocs, "constraints"):
        raise ConfigError(
            f"constraints are not supported: {', '.join(constraints)}; "
            "remove them, and tell a setting that breaks one as failed"
        )
    variables = _members(vocs, "variables")
    if not variables:
        raise ConfigError("a VOCS needs variables, got none")
    direction, outcome = _objective(_members(vocs, "objectives"))
    knobs = {str(name): _knob(str(name), value) for name, value in variables.items()}
    return {direction: outcome, "knobs": knobs}


def _members(vocs: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    members = vocs.get(key) or {}
    if not isinstance(members, Mapping):
        raise ConfigError(f"{key} of a VOCS must be a table by name, got {members!r}")
    return members


def _objective(objectives: Mapping[str, Any]) -> tuple[str, str]:
    if len(objectives) != 1:
        names = ", ".join(objectives) or "none"
        raise ConfigError(
            f"one objective is supported, got {len(objectives)} ({names}); "
            "keep one, or weigh them into one"
        )
    ((name, value),) = objectives.items()
    kind = value.get("type") if isinstance(value, Mapping) else value
    direction = OBJECTIVES.get(value.upper() if isinstance(value, str) else str(kind))
    if direction is None:
        raise ConfigError(
            f"objective {name!r} is {kind!r}, which is not supported; use MINIMIZE or MAXIMIZE"
        )
    return direction, str(name)


def _knob(name: str, variable: object) -> dict[str, Any]:
    """Return the table of a knob."""
    if isinstance(variable, set | frozenset):
        return _discrete(name, variable)
    if isinstance(variable, list | tuple):
        return _range(name, variable, None)
    kind = variable.get("type") if isinstance(variable, Mapping) else None
    if isinstance(variable, Mapping) and kind == "ContinuousVariable":
        return _range(name, variable.get("domain"), variable.get("dtype"))
    if isinstance(variable, Mapping) and kind == "DiscreteVariable":
        values = variable.get("values")
        if isinstance(values, list | tuple | set | frozenset):
            return _discrete(name, values)
    raise ConfigError(
        f"variable {name!r} is {kind or variable!r}, which is not supported; use a range "
        "[low, high], a ContinuousVariable with domain or a DiscreteVariable with values"
    )


def _range(name: str, domain: object, dtype: object) -> dict[str, Any]:
    if not isinstance(domain, list | tuple) or len(domain) != 2:
        raise ConfigError(f"the domain of variable {name!r} must be [low, high], got {domain!r}")
    kind = getattr(dtype, "__name__", dtype)  # a type or its name
    if kind not in (*INTEGER_DTYPES, *REAL_DTYPES):
        raise ConfigError(
            f"variable {name!r} has dtype {dtype!r}, which is not supported; use float or int, "
            "and one variable per number instead of an array"
        )
    whole = {"type": "integer"} if kind in INTEGER_DTYPES else {}
    return {**whole, "low": domain[0], "high": domain[1]}


def _discrete(name: str, values: Iterable[Any]) -> dict[str, Any]:
    try:
        ordered = sorted(values)
    except TypeError:
        ordered = sorted(values, key=str)
    if not all(type(value) in (bool, int, float, str) for value in ordered):
        raise ConfigError(f"values of variable {name!r} must be texts or numbers, got {ordered!r}")
    first = ordered[0] if ordered else None
    whole = all(type(value) is int for value in ordered)
    if whole and len(ordered) > 1 and ordered == list(range(first, first + len(ordered))):  # type: ignore[operator, arg-type]
        return {"type": "integer", "low": first, "high": ordered[-1]}
    return {"type": "choice", "values": ordered}
