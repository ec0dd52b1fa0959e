"""Output of `bolt campaign` on a campaign: its plan, its progress, and failed runs."""

import os
from collections import Counter
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from bolt_core.campaigns import campaign as campaigns
from bolt_core.campaigns import plan
from bolt_core.campaigns.campaign import Campaign, State
from bolt_core.cli._parts import notes, print_facts
from bolt_core.common.errors import BoltError
from bolt_core.common.text import counted, duration
from bolt_core.runs import duration_estimate


def print_plan(campaign: Campaign, as_json: bool) -> None:
    """Print the number of runs of a plan, and its estimated duration."""
    core_seconds, cores = 3600 * campaign.plan.hours(), os.cpu_count() or 1
    configs = campaign.configs.values()
    algorithms = counted(len({c.algorithm for c in configs}), "algorithm")
    benchmarks = counted(len({c.benchmark for c in configs}), "benchmark")
    seeds = plan.seeds_in_words(configs)
    facts = {
        "runs": f"{len(configs)}: {algorithms}, {benchmarks}, {seeds}",
        "estimate": f"{duration(core_seconds)} of one core, {duration(core_seconds / cores)} "
        f"on {cores} if they are idle; within a factor of two",
        "note": campaign.plan.note or "-",
        "folder": str(campaign.folder),
        "next": f"bolt campaign run {campaign.plan.name}",
    }
    data = {"core_hours": core_seconds / 3600, "plan": campaign.plan.to_json()}
    print_facts(facts, counts(campaign) | data if as_json else None)


def counts(campaign: Campaign) -> dict[str, Any]:
    """Return the number of runs by state, and the reasons of failures, as in the JSON output."""
    states = campaign.states()
    count = Counter(states.values())
    return {
        "name": campaign.plan.name,
        "runs": len(states),
        **{str(state): count[state] for state in State},
        "errors": campaign.reasons(states),
    }


def counts_or_error(name: str) -> dict[str, Any]:
    """Return the counts of a campaign, or why it cannot be read."""
    try:
        return counts(campaigns.load(name))
    except BoltError as problem:
        return {"name": name, "broken": f"broken: {problem}"}


def progress_table(campaign: Campaign) -> Table:
    """Return a table with one row per benchmark: runs by state, and the time left."""
    states = campaign.states()
    rows = Table("benchmark", "runs", *map(str, State), "left, one core", box=SIMPLE_HEAD)
    for benchmark in dict.fromkeys(c.benchmark for c in campaign.configs.values()):
        runs = [(c, states[k]) for k, c in campaign.configs.items() if c.benchmark == benchmark]
        count = Counter(state for _, state in runs)
        rest = [config for config, state in runs if state != State.FINISHED]
        left = sum(map(duration_estimate.cpu_seconds, rest))
        numbers = [str(count[state]) for state in State]
        rows.add_row(benchmark, str(len(runs)), *numbers, duration(left) if rest else "-")
    return rows


def print_progress(campaign: Campaign) -> None:
    """Print how many runs are finished, and which failed."""
    count = counts(campaign)
    running = "; a process is running it" if campaign.running else ""
    notes.print(f"{count['finished']} of {count['runs']} runs finished{running}")
    for key, reason in count["errors"].items():
        notes.print(f"failed: {campaigns.run_name(campaign.configs[key])}: {reason}")
