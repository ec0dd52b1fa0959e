"""What viewers see of a race: charts built once for all of them, sent as what has changed."""

from bolt_core.charts.server import Ask, Frames, UnknownRaceError

__all__ = ["Ask", "Frames", "UnknownRaceError"]
