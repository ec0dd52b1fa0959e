"""Two checks on real rows of the Intel Lab, which are not part of this package. Run by hand:

    BOLT_LAB_DATA=<folder> python -m tests.support.lab_day

The folder BOLT_LAB_DATA holds `intel_lab_rows_2004-03-06.txt.gz`, original rows of that day, and
`intel_lab46_10min_2004-03-06.csv`, the clean table that another program made of them.
"""

import os
import sys
from pathlib import Path

import numpy as np

from bolt_core.benchmarks import temperature
from bolt_core.benchmarks._intel_lab import read_day

DAY = "2004-03-06"


def main():
    folder = Path(os.environ["BOLT_LAB_DATA"])
    rows = folder / f"intel_lab_rows_{DAY}.txt.gz"
    table = np.loadtxt(folder / f"intel_lab46_10min_{DAY}.csv", delimiter=",", skiprows=1)

    data, report = read_day(rows, DAY), temperature.inspect(rows)
    worst = np.abs(data.values - table[:, 1:]).max()

    sys.stdout.write(f"{report}\nworst difference to the table: {worst:.1e} C\n")
    assert np.array_equal(data.times, table[:, 0])
    assert worst < 1e-12  # the order of a median's sum
    assert report.rmse is not None
    assert report.rmse < 0.13


if __name__ == "__main__":
    main()
