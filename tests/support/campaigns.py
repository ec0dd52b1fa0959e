"""Small campaigns for tests: a few seconds of the model clock, which run in milliseconds."""

from bolt_core.campaigns import campaign, pools
from bolt_core.campaigns import plan as plans
from bolt_core.store.records import read


def plan(name="small", **changes):
    table = {
        "algorithms": ["random"],
        "benchmarks": ["eggholder", "ackley"],
        "seeds": 2,
        "horizon": 2.5,
        **changes,
    }
    return plans.Plan(name, (plans.grid_from(table),))


def ready(name="small", **changes):
    """Return a campaign on disk whose runs are not started."""
    return campaign.create(plan(name, **changes))


def finished(name="small", **changes):
    found = ready(name, **changes)
    found.run(pools.local(0))
    return found


def contents(found):
    """Return every pass of every run, by key."""
    return {key: list(read(found.path(key)).records) for key in found.configs}
