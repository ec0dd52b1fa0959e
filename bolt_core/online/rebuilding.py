"""An optimizer from the observations of a file whose last state is torn off.

`undo`, `change` and a long journal write the file anew: all observations first, then the states. If
such a file loses its end, its observations are whole and the state after them is not. They are not
of a call that was interrupted, so they are kept: the dataset is made from what each pass removed,
hyperparameters are inferred anew, and whatever is whole in the torn state is taken from there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bolt_core.common.text import counted
from bolt_core.common.types import IterationRecord

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


def whole_members(line: bytes) -> dict[str, Any]:
    """Return the members of a torn JSON object that are followed by a comma, so are complete."""
    text, members, decoder = line.decode(errors="ignore"), dict[str, Any](), json.JSONDecoder()
    place = 1
    try:
        while True:
            name, place = decoder.raw_decode(text, place)
            value, place = decoder.raw_decode(text, place + len(": "))
            if text[place] != "," or not isinstance(name, str):
                return members
            members[name] = value
            place += len(", ")
    except (ValueError, IndexError, RecursionError):
        return members


def rebuilt_state(
    fresh: Mapping[str, Any], past: Sequence[IterationRecord], torn: Mapping[str, Any], tells: int
) -> dict[str, Any]:
    """Return a state after all of `past`: what is whole in the torn one, and else from the records.

    `fresh` is the state of a new optimizer, and `tells` the number of tells if it is torn off.
    """
    removed = {i for record in past for i in record.removed}
    good = [r.observation for r in past if "failed" not in r.notes]
    kept = sorted((o for o in good if o.i not in removed), key=lambda o: o.t)
    state = {
        **fresh,
        "at": past[-1].observation.t,
        "kept": [o.i for o in kept],
        "response_count": sum(not r.warmup and r.seconds > 0 for r in past),
        "n_star": past[-1].n_star,
        "i": len(past),
        "tells": tells,
        "asks": max((r.notes.get("ask", 0) for r in past), default=0),
    }
    return {name: torn.get(name, value) for name, value in state.items()}


def opening_note(opt: OnlineOptimizer, name: str) -> str | None:
    """Return what had to be done when the journal was opened, as a sentence; `name` is its own."""
    journal = opt._journal
    if journal is None or (journal.copy is None and not journal.dropped_bytes):
        return None
    aside = "" if journal.copy is None else f" The file as it was is kept as {journal.copy.name}."
    if journal.rebuilt_rows:
        rows = counted(journal.rebuilt_rows, "observation")
        return (
            f"{name} is damaged: its last state was torn off. The model was learned anew from its "
            f"{rows}.{aside}"
        )
    return (
        f"{name} ended with {journal.dropped_bytes:,} bytes of an incomplete step, which were "
        f"dropped.{aside}"
    )
