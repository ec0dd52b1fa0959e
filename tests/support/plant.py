"""A drifting plant with knobs of every kind, and a caller who drives an optimizer on it."""

import math

from bolt_core import Choice, Integer, Real

KNOBS = {
    "feed": Real(0, 8, unit="l/min", max_step=1),
    "rate": Real(1e-4, 1e-1, scale="log", max_step=3),
    "stages": Integer(1, 6, max_step=2),
    "catalyst": Choice("A", "B", "C"),
}
PERIOD_SECONDS = 60.0


def yield_of(setting, t):
    """Return the yield, 0 at best: feed drifts, the others have one best value each."""
    feed = (setting["feed"] - 4.0 - 2.0 * math.sin(t / 3000.0)) ** 2
    rate = (math.log10(setting["rate"]) + 2.0) ** 2
    return -feed - rate - 0.2 * (setting["stages"] - 3) ** 2 - 2.0 * (setting["catalyst"] != "B")


def drive_plant(opt, minutes):
    """Ask and tell once per minute; return the settings with their times."""
    asked = []
    for minute in minutes:
        t = max(minute * PERIOD_SECONDS, max((o.t for o in opt.dataset), default=0.0))
        setting = opt.ask(t)  # ABO may have waited beyond the minute
        opt.tell(setting, None, yield_of(setting, opt.at))
        asked.append((setting, opt.at))
    return asked
