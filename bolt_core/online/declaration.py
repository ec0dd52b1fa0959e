"""What a user passes to `Bolt` as a problem: knobs by name, a ProblemSpec, or plain bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from bolt_core.common.errors import ConfigError
from bolt_core.common.knobs import Knob
from bolt_core.common.types import WARMUP
from bolt_core.online.bounds import Box
from bolt_core.online.knob_space import KnobSpace
from bolt_core.online.problem_spec import ProblemSpec, check_think_within

Bounds: TypeAlias = ProblemSpec | Mapping[str, Knob] | Sequence[tuple[float, float]]
DEFAULTS: Mapping[str, Any] = {
    "algorithm": "bolt",
    "seed": 0,
    "warmup": WARMUP,
    "name": "your problem",
    "think_within": None,
}


def declared(
    bounds: Bounds, maximize: object, minimize: object, options: Mapping[str, Any]
) -> tuple[ProblemSpec | None, Box | KnobSpace, dict[str, Any]]:
    """Return the spec (None for plain bounds), the space, and the options with their defaults.

    An option that is None was not given.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if maximize is not None and minimize is not False:
        raise ConfigError("give one of maximize and minimize, not both")
    if not isinstance(bounds, ProblemSpec | Mapping):
        return None, Box.of(bounds), _plain(maximize, minimize, given)
    spec = _spec(bounds, maximize, minimize, given)
    chosen = {name: getattr(spec, name) for name in DEFAULTS}
    return spec, KnobSpace(spec.knobs), {**chosen, "minimize": not spec.maximize}


def _plain(maximize: object, minimize: object, given: Mapping[str, Any]) -> dict[str, Any]:
    if type(minimize) is not bool or maximize is not None or "unit" in given:
        raise ConfigError(
            "plain bounds have no names: use minimize=True or False, or declare knobs, such as "
            "Bolt({'feed': Real(0, 8)}, maximize='yield')"
        )
    check_think_within(given.get("think_within"))
    return {**DEFAULTS, **given, "minimize": minimize}


def _spec(
    bounds: ProblemSpec | Mapping[str, Knob],
    maximize: object,
    minimize: object,
    given: Mapping[str, Any],
) -> ProblemSpec:
    if isinstance(bounds, ProblemSpec):
        if maximize is not None or minimize is not False:
            raise ConfigError("the problem says what to maximize; leave out maximize and minimize")
        return replace(bounds, **given) if given else bounds
    outcome = "y" if type(minimize) is bool else minimize
    if maximize is not None:
        outcome = maximize
    direction = maximize is not None or minimize is False
    return ProblemSpec(bounds, outcome, direction, **given)  # type: ignore[arg-type]
