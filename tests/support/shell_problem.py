"""A problem file for the commands of a shell, and what they print."""

import csv
import io
from datetime import UTC, datetime

PROBLEM = """\
name = "Reactor"
maximize = "yield"
unit = "%"
warmup = 3
[knobs.feed]      # of the pump
low = 0.0
high = 8.0        # its limit
unit = "l/min"
[knobs.stages]
type = "integer"
low = 1
high = 6
[knobs.catalyst]
type = "choice"
values = ["A", "B"]
"""
BEGAN = datetime(2026, 5, 3, 12, 0, tzinfo=UTC)
SETTING = ["--setting", "feed=3.2", "--setting", "stages=4", "--setting", "catalyst=B"]


def rows(call):
    return list(csv.DictReader(io.StringIO(call("log", plain=True))))
