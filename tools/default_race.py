"""Does the default race of the dashboard show what it is meant to show, on other seeds?

    python -m tools.default_race [first seed] [last seed]

Per seed: R(n) of GPUCB at the end divided by R(n) after the warm-up (medians of five passes), its
average regret divided by that of BOLT, and n* and the removals of BOLT at the end. The settings
were chosen on seeds 0 to 9; seeds 10 to 19 check them. The model clock makes the answer repeatable.
"""

import sys
from dataclasses import replace

import numpy as np

from bolt_core.analysis.measured_passes import measured_passes
from bolt_core.analysis.regret import average_over_queries
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.common import runtime
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.runs import loop
from bolt_core.runs.snapshot import RunHistory, RunSnapshot
from bolt_ui.race_settings import read_settings

MIN_SLOWER, MIN_WORSE = 3.0, 1.2  # R at the end over R after the warm-up; regret over BOLT's
END_PASSES = 5


def finished(config: RunConfig) -> RunSnapshot:
    """Return the run of a config, made at once."""
    run = loop.prepare(config)
    history = RunHistory(run.benchmark.dimension)
    for record in loop.iterate(run):
        history.append(record)
    return RunSnapshot(config, RunStatus.FINISHED, history.view())


def effect(seed: int) -> tuple[float, float, int | None, int]:
    """Return how much GPUCB slows down and loses, and n* and the removals of BOLT."""
    configs = {c.algorithm: c for c in read_settings({})[0].configs()}
    gpucb, bolt = (finished(replace(configs[key], seed=seed)) for key in ("gpucb", "bolt"))
    seconds = gpucb.columns["seconds"][measured_passes(gpucb)]
    slower = np.median(seconds[-END_PASSES:]) / np.median(seconds[:END_PASSES])
    regrets = [average_over_queries(run.columns) or np.nan for run in (gpucb, bolt)]
    removed = sum(map(len, bolt.columns.removed[: len(bolt)]))
    return float(slower), regrets[0] / regrets[1], RunOutcome(bolt).final_n_star, removed


def main() -> None:
    """Print one line per seed, and in how many the effect is seen."""
    runtime.configure()
    first, last = (int(text) for text in (*sys.argv[1:3], "10", "19")[:2])
    seen = 0
    for seed in range(first, last + 1):
        slower, worse, n_star, removed = effect(seed)
        holds = slower >= MIN_SLOWER and worse >= MIN_WORSE and n_star is not None and removed > 0
        seen += holds
        sys.stdout.write(
            f"seed {seed}: R x {slower:.1f}, regret x {worse:.2f}, n* {n_star}, "
            f"{removed} removed: {'yes' if holds else 'no'}\n"
        )
        sys.stdout.flush()
    sys.stdout.write(f"{seen} of {last - first + 1}\n")


if __name__ == "__main__":
    main()
