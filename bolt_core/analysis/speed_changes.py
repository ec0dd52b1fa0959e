"""Changes of the device's speed while a race ran: they are part of its result.

The runs of a race change their speed between two passes, so at slightly different times; a change
is noted once per race, when its first run made it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bolt_core.common.devices import speed_label
from bolt_core.common.text import listed
from bolt_core.runs.snapshot import RunSnapshot


class RaceSpeedChange(NamedTuple):
    """From time t on, computing takes `factor` times as long as the configs of the race say."""

    t: float  # seconds on the clock of the first run that changed
    factor: float
    race: str = ""  # the name of the race among races that are compared

    def __str__(self) -> str:
        """Return for example "slowed 4x at 12 s"."""
        return f"{speed_label(self.factor)} at {self.t:.0f} s"


def speed_changes(runs: Sequence[RunSnapshot]) -> list[RaceSpeedChange]:
    """Return the changes of each race, in order."""
    noted: list[RaceSpeedChange] = []
    for race in dict.fromkeys(run.race for run in runs):
        members = [run for run in runs if run.race == race]
        factor = 1.0
        for change in sorted(
            (change for run in members for change in run.speeds), key=lambda change: change.t
        ):
            if change.factor != factor:
                factor = change.factor
                noted.append(RaceSpeedChange(change.t, factor, race))
    return noted


def speed_sentence(runs: Sequence[RunSnapshot]) -> str:
    """Return what was done to the device, in a sentence; empty if nothing was."""
    changes = [
        f"{change} in {change.race}" if change.race else str(change)
        for change in speed_changes(runs)
    ]
    return f"The optimizer was {listed(changes)}." if changes else ""
