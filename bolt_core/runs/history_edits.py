"""Changes to the last rows of a history that is not shared with readers of earlier rows.

A pass of the user's own problem ends with the next `ask`, after its observation was recorded, and
a history of months keeps the notes of recent passes only.
"""

from collections.abc import Collection

from bolt_core.runs.snapshot import TABLE_ROWS, RunHistory


def end_pass(history: RunHistory, seconds: float) -> None:
    """Set the response time of the last pass."""
    history._table[TABLE_ROWS["seconds"], history.length - 1] = seconds


def forget_notes(history: RunHistory, row: int, kept: Collection[str]) -> None:
    """Forget the notes of a pass, except for the members `kept`."""
    notes = history._notes[row]
    history._notes[row] = {name: notes[name] for name in kept if name in notes}
