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
    made = ready(name, **changes)
    made.run(pools.local(0))
    return made


def contents(made):
    """Return every pass of every run, by key."""
    return {key: list(read(made.path(key)).records) for key in made.configs}
