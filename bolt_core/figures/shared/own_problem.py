"""Records of `opt.save`: a problem of the user's own, drawn in its own units.

A record holds x in the unit cube; its header has the bounds in the units of the user.
"""

from typing import Any

from bolt_core.common.knobs import Knob
from bolt_core.common.text import display_name
from bolt_core.runs.own_problem import bounds, knobs
from bolt_core.runs.snapshot import RunSnapshot

TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of an axis of x, in the unit cube


def own_problem_name(run: RunSnapshot) -> str:
    """Return the name that the user gave to the problem."""
    return display_name(str((run.header or {}).get("label") or "your problem"))


def own_ticks(run: RunSnapshot, coordinate: int, count: int = len(TICKS)) -> dict[str, Any]:
    """Return the ticks of an axis of one coordinate, labelled in the user's units."""
    pairs = bounds(run)
    if pairs is None:
        return {}
    named = knobs(run)
    if named is not None:
        return knob_ticks(list(named.values())[coordinate], count)
    places = _places(count)
    low, high = pairs[coordinate]
    return {"tickvals": places, "ticktext": [f"{low + u * (high - low):.4g}" for u in places]}


def knob_ticks(knob: Knob, count: int = len(TICKS)) -> dict[str, Any]:
    """Return the ticks of an axis of a knob's unit coordinate, labelled with its values."""
    places = _places(count)
    if knob.levels:  # settable values stand in the middle of their cells
        some = range(0, knob.levels, -(-knob.levels // len(places)))
        places = [(k + 0.5) / knob.levels for k in some]
    values = [knob.from_unit(u) for u in places]
    return {
        "tickvals": places,
        "ticktext": [f"{v:.4g}" if type(v) is float else str(v) for v in values],
    }


def _places(count: int) -> list[float]:
    return list(TICKS if count == len(TICKS) else (0.0, 0.5, 1.0))
