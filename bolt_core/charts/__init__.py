"""Live charts for any number of viewers: built once for all, sent as differences."""

from bolt_core.charts.server import ChartRequest, ChartServer, UnknownRaceError

__all__ = ["ChartRequest", "ChartServer", "UnknownRaceError"]
