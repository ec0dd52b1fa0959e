"""What a process does until it is killed: `python -m tools.chaos.workload STATE SEED`.

It prints, as JSON lines, what a user was shown or promised, after that was done.
"""

import sys
import time
from pathlib import Path

from bolt_core import Bolt, algorithms
from bolt_core.campaigns import campaign, pools
from bolt_core.campaigns.plan import Plan, grid_from
from bolt_core.common import paths, runtime
from bolt_core.common.types import RunConfig
from bolt_core.live.conductor import Conductor
from bolt_core.store import importing, trash
from bolt_core.store.library import Library
from tools.chaos.processes import say
from tools.chaos.races import lane, passes

RACE_HORIZON, SHORT_HORIZON = 4.0, 1.5  # seconds on the model clock
RACERS = ("bolt", "gpucb", "random")
MADE_FILES = "made"  # a folder with files to import
SAVED = "saved.jsonl"
SAVED_PASSES = 60
CAMPAIGN = "chaos"
POLL_SECONDS = 0.001  # a viewer asks far less often


def race_configs(seed: int) -> list[RunConfig]:
    """Return three lanes that take about a second to compute."""
    return [lane(key, seed, RACE_HORIZON) for key in RACERS]


def nine_configs(seed: int) -> list[RunConfig]:
    """Return one short lane per algorithm of the Arena."""
    kinds = ("paper", "control")
    keys = [key for key, spec in algorithms.catalog().items() if spec.kind in kinds]
    return [lane(key, seed, SHORT_HORIZON) for key in keys]


def race(seed: int) -> None:
    """Run a race and print how far a viewer sees it."""
    _follow([race_configs(seed)])


def loading(seed: int) -> None:
    """Run a race of nine lanes; it is killed while they are being loaded."""
    _follow([nine_configs(seed)])


def queued(seed: int) -> None:
    """Run three races, while two others wait."""
    one_lane = [[lane("random", seed + k, RACE_HORIZON)] for k in range(4)]
    _follow([race_configs(seed), *one_lane])


def _follow(races: list[list[RunConfig]]) -> None:
    conductor = Conductor()
    race_ids = []
    for configs in races:
        race_ids.append(conductor.start(configs))
        say(race=race_ids[-1], runs=len(configs))
    shown: dict[str, int] = {}
    while True:
        snapshots = [conductor.snapshot(race_id) for race_id in race_ids]
        now = {key: n for s in snapshots if s is not None for key, n in passes(s).items()}
        if now != shown:
            shown = now
            say(passes=shown)
        if all(s is not None and s.status.ended for s in snapshots):
            break
        time.sleep(POLL_SECONDS)
    conductor.shutdown()


def importing_files(_: int) -> None:
    """Import one prepared file after the other."""
    for path in sorted((paths.home() / MADE_FILES).iterdir()):
        say(begins=path.name)
        with path.open("rb") as file:
            race_ids = importing.import_records(file, paths.runs())
        say(imported=race_ids, file=path.name)


def deleting(_: int) -> None:
    """Delete and restore stored races in turn, without end."""
    library = Library(paths.runs())
    race_ids = [race.race_id for race in library.races()]
    while True:
        for race_id in race_ids:
            say(begins=race_id)
            trash.delete(library, race_id)
            say(deleted=race_id)
        for race_id in race_ids:
            say(begins=race_id)
            trash.restore(library, race_id)
            say(restored=race_id)


def tell_next(opt: Bolt, step: int) -> None:
    """Make one pass of an optimizer whose objective moves; the caller gives the times."""
    x = opt.ask(float(step))
    opt.tell(x, opt.at, float(-((x[0] - 0.01 * step) ** 2) - x[1] ** 2))


def new_optimizer(seed: int) -> Bolt:
    """Return the optimizer that is saved."""
    return Bolt([(0.0, 1.0), (-1.0, 1.0)], seed=seed, warmup=5)


def saving(seed: int) -> None:
    """Save an optimizer after every pass."""
    opt = new_optimizer(seed)
    for step in range(SAVED_PASSES):
        tell_next(opt, step)
        opt.save(paths.home() / SAVED)
        say(saved=step + 1)


def planned_campaign(seed: int) -> campaign.Campaign:
    """Return a campaign of eight short runs."""
    grid = {"algorithms": "random,gpucb", "benchmarks": "eggholder", "horizon": 8.0}
    seeds = [seed + k for k in range(4)]
    return campaign.create(Plan(CAMPAIGN, (grid_from(grid | {"seeds": seeds}),)))


def run_campaign(seed: int) -> None:
    """Run a campaign in this process."""
    planned = planned_campaign(seed)
    say(planned=len(planned.configs))
    planned.run(pools.InProcess(), lambda outcome: say(finished=outcome.config.key))


STATES = {
    "race": race,
    "loading": loading,
    "queued": queued,
    "importing": importing_files,
    "deleting": deleting,
    "saving": saving,
    "campaign": run_campaign,
}


def main() -> None:
    runtime.configure()
    state, seed = sys.argv[1:]
    Path(paths.runs()).mkdir(parents=True, exist_ok=True)
    STATES[state](int(seed))


if __name__ == "__main__":
    main()
