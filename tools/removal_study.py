"""What removal leaves in the dataset: ages, places, and what is known at the optimum.

    python -m tools.removal_study BOLT_HOME/campaigns/NAME/runs/*.jsonl --out study.jsonl
    python -m tools.removal_study --table study.jsonl --first bolt --second bolt-random

The first form reads records and writes one line per run, with means over MOMENTS passes after the
warm-up: size of D, age of what is kept and of what was removed, distance of what was removed to
x*_t and to the query, the share of D within l_S of x*_t, the surrogate's standard deviation at
x*_t and its error there (both over the standard deviation of y), and theta. The second form prints
the paired differences between two algorithms over seeds with t intervals.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.analysis.seed_statistics import paired
from bolt_core.analysis.surrogate_from_record import surrogate
from bolt_core.common.types import Array
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store import records

MOMENTS = 120  # passes per run at which the surrogate is rebuilt
IDENTITY = ("algorithm", "benchmark", "seed")


def study(run: RunSnapshot) -> dict[str, Any]:
    """Return the figures of one run."""
    config, columns = run.config, run.columns
    warm = int(np.sum(columns["warmup"][: len(run)]))
    figures = {
        "algorithm": config.algorithm,
        "benchmark": config.benchmark,
        "seed": config.seed,
        "average_regret": RunOutcome(run).average_regret,
        "queries": len(run),
        "median_n_star": RunOutcome(run).median_n_star,
    }
    passes = np.unique(np.linspace(warm + 20, len(run), MOMENTS).astype(int))
    moments = [at_moment(run.upto(int(k))) for k in passes]
    known = [moment for moment in moments if moment]
    names = sorted({name for moment in known for name in moment})
    figures |= {
        name: float(np.nanmean([moment.get(name, np.nan) for moment in known])) for name in names
    }
    return figures | removal_figures(run, warm)


def at_moment(run: RunSnapshot) -> dict[str, float]:
    """Return what the dataset and the surrogate of the last pass know."""
    gp = surrogate(run)
    if gp is None:
        return {}
    last = run.records[-1]
    now, best = last.observation.t, np.array(last.best_x)
    mean, sd = gp.posterior(best[None], now)
    ages = now - gp.data.Z[:, -1]
    l_S = float(np.min(gp.inference.theta.lengthscale_space))
    near = np.linalg.norm(gp.data.Z[:, :-1] - best, axis=1) < l_S
    scale = gp.inference.y_sd
    return {
        "size": float(len(gp.data)),
        "median_age": float(np.median(ages)),
        "oldest_age": float(ages.max()),
        "share_near_optimum": float(near.mean()),
        "count_near_optimum": float(near.sum()),
        "median_age_near_optimum": float(np.median(ages[near])) if near.any() else np.nan,
        "sd_at_optimum": float(sd[0]) / scale,
        "error_at_optimum": abs(float(mean[0]) - last.best) / scale,
        "y_sd": scale,
        "l_S": l_S,
        "l_T": float(gp.inference.theta.lengthscale_time or np.nan),
        "noise": gp.inference.theta.noise_variance,
        "signal": gp.inference.theta.signal_variance,
        "distance_of_query": float(np.linalg.norm(np.array(last.observation.x) - best)),
    }


def removal_figures(run: RunSnapshot, warm: int) -> dict[str, float]:
    """Return the ages and places of what was removed."""
    ages, to_best, to_query, regret = [], [], [], []
    past = run.records
    mean_y = np.mean([r.observation.y for r in past])
    for record in past[warm:]:
        for i in record.removed:
            o = past[i].observation
            ages.append(record.observation.t - o.t)
            to_best.append(distance(o.x, record.best_x))
            to_query.append(distance(o.x, record.observation.x))
            regret.append(o.y - mean_y)
    if not ages:
        return {}
    return {
        "removals": float(len(ages)),
        "removed_age": float(np.mean(ages)),
        "removed_age_sd": float(np.std(ages)),
        "removed_to_optimum": float(np.mean(to_best)),
        "removed_to_query": float(np.mean(to_query)),
        "removed_value": float(np.mean(regret)),
    }


def distance(x: Sequence[float] | Array, other: Sequence[float] | Array) -> float:
    """Return the Euclidean distance of two places."""
    return float(np.linalg.norm(np.asarray(x) - np.asarray(other)))


def table(rows: Iterable[Mapping[str, Any]], first: str, second: str) -> Iterable[str]:
    """Yield one line per benchmark and figure: means of both sides and the paired difference."""
    rows = list(rows)
    names = [name for name in rows[0] if name not in IDENTITY]
    yield f"| benchmark | figure | {first} | {second} | difference [95 %] | seeds |"
    yield "|---|---|---|---|---|---|"
    for benchmark in sorted({row["benchmark"] for row in rows}):
        for name in names:
            a, b = (
                {
                    row["seed"]: float(row[name])
                    for row in rows
                    if (row["benchmark"], row["algorithm"]) == (benchmark, side)
                    and row.get(name) is not None
                    and np.isfinite(row[name])
                }
                for side in (first, second)
            )
            difference = paired(a, b)
            if difference is None or difference.low is None or difference.high is None:
                continue
            yield (
                f"| {benchmark} | {name} | {np.mean(list(a.values())):.4g} "
                f"| {np.mean(list(b.values())):.4g} | {difference.mean:+.3g} "
                f"[{difference.low:+.3g}, {difference.high:+.3g}] | {difference.seeds} |"
            )


def main() -> None:
    """Study records, or print the table of a study."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("records", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, default=Path("study.jsonl"))
    parser.add_argument("--table", type=Path)
    parser.add_argument("--first", default="bolt")
    parser.add_argument("--second", default="bolt-random")
    options = parser.parse_args()
    if options.table is not None:
        rows = [json.loads(line) for line in options.table.read_text().splitlines()]
        sys.stdout.write("\n".join(table(rows, options.first, options.second)) + "\n")
        return
    with options.out.open("a") as out:
        for path in options.records:
            out.write(json.dumps(study(records.read(path))) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
