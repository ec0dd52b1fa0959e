"""What viewers see of a race: charts built once for all of them, sent as what has changed."""

from bolt_core.frames.maker import Ask, Frames, UnknownRaceError

__all__ = ["Ask", "Frames", "UnknownRaceError"]
