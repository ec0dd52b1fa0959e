"""Numbers, durations and lists as text."""

from __future__ import annotations

import math


def significant(value: float | None) -> str:
    """Three digits that matter; whole numbers stay whole."""
    if value is None or not math.isfinite(value):
        return "unknown"
    places = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:,.{max(places, 0)}f}".replace("-", "\N{MINUS SIGN}")


def seconds(value: float | None) -> str:
    return f"{significant(value)} s"


def duration(seconds: float) -> str:
    """For people: 45 s, 12 min, 3.4 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
