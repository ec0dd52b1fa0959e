"""Knobs as tables of a TOML or JSON file, and back; what can be set, as a domain."""

from collections.abc import Iterable, Mapping
from typing import Any

from bolt_core.common.domain import Domain
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.knobs import Choice, Integer, Knob, Real

KNOB_KEYS: Mapping[str, tuple[str, ...]] = {  # of a table in TOML or JSON, by type
    "real": ("low", "high", "unit", "scale", "max_step"),
    "integer": ("low", "high", "unit", "max_step"),
    "choice": ("values",),
}


def knob_from_json(name: str, table: object) -> Knob:
    """Return the knob of a table as in a problem file; errors name the knob and the key."""
    if not isinstance(table, Mapping):
        raise ConfigError(f"knob {name!r} must be a table with low and high, got {table!r}")
    kind = _kind(name, table)
    if kind == "choice":
        values = table.get("values")
        if not isinstance(values, list | tuple):
            raise ConfigError(f"values of knob {name!r} must be a list, got {values!r}")
        return Choice(*values).check(name)
    for key in ("low", "high"):
        if key not in table:
            raise ConfigError(f"knob {name!r} has no {key}; write {key} = a number")
    options: dict[str, Any] = {key: table[key] for key in KNOB_KEYS[kind] if key in table}
    return (Real(**options) if kind == "real" else Integer(**options)).check(name)


def _kind(name: str, table: Mapping[str, Any]) -> str:
    """Return the type of a knob, whose other keys fit to it."""
    ends = [key for key in ("low", "high") if key in table]
    if "type" not in table and "values" in table and ends:
        raise ConfigError(
            f"knob {name!r} has values and {' and '.join(ends)}; keep values for a choice, or low "
            "and high for a range"
        )
    kind = str(table.get("type", "choice" if "values" in table else "real"))
    if kind not in KNOB_KEYS:
        raise UnknownNameError(f"type of knob {name!r}:", kind, KNOB_KEYS)
    for key in table:
        if key not in ("type", *KNOB_KEYS[kind]):
            raise UnknownNameError(f"key of knob {name!r}", str(key), ("type", *KNOB_KEYS[kind]))
    return kind


def knob_to_json(knob: Knob) -> dict[str, Any]:
    """Return the table of a knob, without values that are the default."""
    if isinstance(knob, Choice):
        return {"type": "choice", "values": list(knob.values)}
    table = {key: getattr(knob, key) for key in KNOB_KEYS[knob.kind]}
    defaults = {"unit": "", "scale": "linear", "max_step": None}
    table = {key: value for key, value in table.items() if value != defaults.get(key, table)}
    return table if knob.kind == "real" else {"type": knob.kind, **table}


def domain_of(knobs: Iterable[Knob]) -> Domain | None:
    """Return what can be set, in unit coordinates; None if every knob is real."""
    listed = tuple(knobs)
    levels = tuple(knob.levels for knob in listed)
    choice = tuple(isinstance(knob, Choice) for knob in listed)
    return Domain(levels, choice) if any(levels) else None
