"""A process of its own that runs a race of all nine algorithms and tells how far each has come.

Run as `python -m tests.support.nine_lanes HORIZON [ALGORITHM ...]`: it prints the race's id
first, then counts of passes as JSON, until somebody kills it or the race ends.
"""

import json
import sys

from bolt_core import algorithms
from bolt_core.common import runtime
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.live.conductor import Conductor

NINE = [key for key, spec in algorithms.catalog().items() if spec.kind in ("paper", "control")]


def main(horizon, runners):
    runtime.configure()
    clock = ClockConfig("model")
    configs = [RunConfig(key, "eggholder", seed=5, horizon=horizon, clock=clock) for key in runners]
    conductor = Conductor()  # of BOLT_HOME, as the app's
    race_id = conductor.start(configs)
    print(race_id, flush=True)  # noqa: T201
    race = conductor.snapshot(race_id)
    while not race.status.ended:
        race = conductor.wait(race_id, lambda now, then=race: _moved(then, now))
        passes_by_algorithm = {run.config.algorithm: len(run) for run in race.runs}
        print(json.dumps({"passes": passes_by_algorithm, "warning": race.warning}), flush=True)  # noqa: T201
    conductor.shutdown()


def _moved(then, now):
    return now.version > then.version or now.status.ended


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:] or NINE)
