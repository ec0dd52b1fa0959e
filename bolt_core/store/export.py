"""Downloads of a race: every query as CSV, the records unchanged, and the paper to cite."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from bolt_core.analysis.held_regret import NO_CURVES, HeldCurve
from bolt_core.analysis.spatial_traps import at_corners
from bolt_core.runs.own_problem import is_own_problem, own_values, own_y
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot

if TYPE_CHECKING:
    import pandas as pd

BIBTEX = """@inproceedings{bardou2026metronome,
  title     = {Time-Varying Bayesian Optimization Without a Metronome},
  author    = {Bardou, Anthony and Thiran, Patrick},
  booktitle = {International Conference on Learning Representations},
  year      = {2026}
}
"""
UNITS = {  # headings of columns in seconds; y, value, best and regret are in units of the benchmark
    "t": "t [s]",
    "seconds": "response_time [s]",
    "waited": "waited [s]",
    "lengthscale_time": "lengthscale_time [s]",
}


def frame(race: RaceSnapshot, held: Mapping[str, HeldCurve] = NO_CURVES) -> pd.DataFrame:
    """Return one row per query of every run, with units in the headings.

    `held` has the held regret by run id; the column holds its value up to the end of each pass.
    """
    import pandas as pd

    tables = [_run(run, held.get(run.run_id)) for run in race.runs if len(run)]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def csv(race: RaceSnapshot, held: Mapping[str, HeldCurve] = NO_CURVES) -> bytes:
    """Return `frame` as CSV; numbers survive reading it back bit for bit."""
    text: str = frame(race, held).to_csv(index=False, lineterminator="\n")
    return text.encode()


def jsonl(files: Sequence[Path]) -> bytes:
    """Return the records concatenated, byte for byte; `import_records` reads them back."""
    parts = [path.read_bytes() for path in files]
    return b"".join(part if part.endswith(b"\n") else part + b"\n" for part in parts)


def file_name(race: RaceSnapshot, suffix: str, today: date) -> str:
    """Return the name of a download, such as bolt_eggholder_seed3_2026-11-16.csv."""
    seeds = sorted({run.config.seed for run in race.runs})
    which = f"seed{seeds[0]}" if len(seeds) == 1 else f"seeds{seeds[0]}-{seeds[-1]}"
    plain = "".join(c if c.isalnum() or c == "-" else "-" for c in race.runs[0].config.benchmark)
    return f"bolt_{plain}_{which}_{today:%Y-%m-%d}.{suffix}"


def _speed_factors(run: RunSnapshot) -> list[float]:
    """Return, per pass, how many times as long computing took as the config says."""
    factors = [1.0] * len(run)
    for change in run.speeds:
        factors[change.i :] = [change.factor] * max(len(run) - change.i, 0)
    return factors


def _run(run: RunSnapshot, held: HeldCurve | None) -> pd.DataFrame:
    """Return the rows of one run, after columns that identify it."""
    table = run.to_frame()
    if is_own_problem(run):
        for k, values in enumerate(own_values(run, run.columns["x"])):
            table[f"x_{k + 1}"] = values
        table["y"] = own_y(run)
    so_far = math.nan if held is None else held.averages(run.columns.ends())
    table.insert(list(table.columns).index("regret") + 1, "held_regret", so_far)
    at = list(table.columns).index("lengthscale_space") + 1  # before those per knob
    table.insert(at, "at_corner", at_corners(run.columns["x"]).astype(int))
    table = table.rename(columns=UNITS)
    table["removed"] = [" ".join(map(str, ids)) for ids in table["removed"]]
    about: dict[str, str | int] = {
        "run": run.run_id,
        "algorithm": run.config.algorithm,
        "engine": run.config.engine.name,
        "clock": run.config.clock.kind,
        "seed": run.config.seed,
    }
    for at, (name, value) in enumerate(about.items()):
        table.insert(at, name, value)
    table.insert(len(about), "computing_time_factor", _speed_factors(run))
    if run.contention is not None:  # a column of races on a busy machine only
        table["real_seconds_per_cpu_second"] = run.contention
    return table
