r"""The embedded data of the Intel Lab: a rank-4 summary of one day, and the floor plan.

    T[s, t] = mean[t] + sum_m course[t, m] loading[m, s],    m = 1..4, at 73 knots,

a least-squares fit to the 10-minute medians (RMSE 0.13 C; the hottest of the 46 sensors is the same
for 90 % of the time). Only fitted numbers are stored: no row of the recording is in this package.
The recording and the places of its sensors: Intel Berkeley, db.csail.mit.edu/labdata.
"""

import json
from functools import cache
from importlib.resources import files

import numpy as np

from bolt_core.benchmarks._lab_field import Field

SUMMARY_DAY = "2004-03-06"


@cache
def summary() -> Field:
    """Return the temperatures of the embedded summary, from 46 sensors at 73 knots."""
    name = f"data/temperature_modes_{SUMMARY_DAY}.json"
    stored = json.loads(files("bolt_core.benchmarks").joinpath(name).read_text("utf-8"))
    modes = np.array(stored["course"]) @ np.array(stored["loading"])
    places = np.column_stack([stored["x_m"], stored["y_m"]]).astype(float)
    temperatures = np.array(stored["mean_c"])[:, None] + modes
    return Field(places, np.array(stored["knots_s"]), temperatures)
