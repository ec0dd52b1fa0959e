"""A problem file that was edited while its optimizer runs: what can be applied, and what cannot.

Ranges, units and step limits of knobs, and the name, unit and think_within of the problem are
applied. Other differences belong to another problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bolt_core.common.errors import ConfigError
from bolt_core.common.knob_tables import KNOB_KEYS
from bolt_core.common.knobs import Knob
from bolt_core.online import saving
from bolt_core.online.knob_space import KnobSpace
from bolt_core.online.range_change import FIXED, Recoding

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer
    from bolt_core.online.problem_spec import ProblemSpec

APPLIED = ("name", "unit", "think_within")  # of the problem
KEPT = ("direction", "outcome", "algorithm", "seed", "warmup")


def adopt(opt: OnlineOptimizer, spec: ProblemSpec) -> list[str]:
    """Apply an edited problem to its optimizer; return each change in words.

    A ConfigError names the first difference that cannot be applied; nothing is changed then.
    """
    old = opt.spec
    if old is None:
        raise ConfigError("the saved optimizer has plain bounds and no names")
    _check_names(old.knobs, spec.knobs)  # first: other knobs are most of another problem
    for key in KEPT:
        _check_equal(key, getattr(old, key), getattr(spec, key))
    knobs = {name: spec.knobs[name] for name in old.knobs}  # in the order of the saved points
    changes = [
        change for name in knobs for change in _knob_changes(name, old.knobs[name], knobs[name])
    ]
    changes += [
        f"{key}: {_shown(getattr(old, key))} \N{RIGHTWARDS ARROW} {_shown(getattr(spec, key))}"
        for key in APPLIED
        if getattr(old, key) != getattr(spec, key)
    ]
    if changes:
        change_problem(opt, replace(spec, knobs=knobs))
    return changes


def change_problem(opt: OnlineOptimizer, spec: ProblemSpec) -> None:
    """Replace the problem by one with the same knobs, options and outcome, but other ranges."""
    if opt.spec is None:
        raise ConfigError("plain bounds cannot change; declare knobs with names instead")
    recoding = Recoding.between(list(opt.spec.knobs.values()), list(spec.knobs.values()))
    now, past, undo, old = saving.state_of(opt), opt._inner.records, opt._undo.copy(), opt.spec
    state = now if recoding.is_identity else recoding.state(now)
    _use_spec(opt, spec)
    if not recoding.is_identity:
        opt._undo.clear()
        saving.restore(opt, state, [recoding.record(record) for record in past])
    try:
        saving.rewrite(opt, saving.header_of(opt))
    except BaseException:
        _use_spec(opt, old)
        saving.restore(opt, now, past)
        opt._undo = undo
        raise


def _use_spec(opt: OnlineOptimizer, spec: ProblemSpec) -> None:
    opt.spec, opt.space = spec, KnobSpace(spec.knobs)
    opt.name, opt.think_within = spec.name, spec.think_within


def _check_names(old: Mapping[str, Knob], new: Mapping[str, Knob]) -> None:
    added = [repr(name) for name in new if name not in old]
    removed = [repr(name) for name in old if name not in new]
    if added or removed:
        parts = [("added", added), ("removed", removed)]
        words = " and ".join(f"{', '.join(names)} {verb}" for verb, names in parts if names)
        raise ConfigError(f"knobs cannot be added or removed while it runs: {words}")


def _knob_changes(name: str, old: Knob, new: Knob) -> list[str]:
    """Return what changed of a knob, in words."""
    _check_equal(f"type of knob {name!r}", old.kind, new.kind)
    changes = []
    for key in KNOB_KEYS[old.kind]:
        before, after = getattr(old, key), getattr(new, key)
        if key in FIXED:
            _check_equal(f"{key} of knob {name!r}", before, after)
        elif before != after:
            changes.append(f"{name}: {key} {_shown(before)} \N{RIGHTWARDS ARROW} {_shown(after)}")
    return changes


def _check_equal(what: str, before: object, after: object) -> None:
    if before != after:
        raise ConfigError(
            f"{what} cannot change while it runs: {_shown(before)} to {_shown(after)}"
        )


def _shown(value: Any) -> str:  # noqa: ANN401 - of a declaration
    if value is None or value == "":
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)
