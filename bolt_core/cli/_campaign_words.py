"""Output of `bolt campaign` on a campaign: its plan, its progress, and failed runs."""

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from bolt_core.campaigns import campaign as campaigns
from bolt_core.campaigns import packing, plan
from bolt_core.campaigns.campaign import Campaign, State
from bolt_core.campaigns.expected_time import expected_time
from bolt_core.cli._parts import notes, print_facts
from bolt_core.common.errors import BoltError
from bolt_core.common.text import counted
from bolt_core.common.types import RunConfig
from bolt_core.runs import expected_duration
from bolt_core.runs.machine_speed import METER


def print_plan(campaign: Campaign, as_json: bool) -> None:
    """Print the number of runs of a plan, how long those that are left take, and what is next."""
    configs, pending = campaign.configs.values(), campaign.pending()
    algorithms = counted(len({c.algorithm for c in configs}), "algorithm")
    benchmarks = counted(len({c.benchmark for c in configs}), "benchmark")
    seeds = plan.seeds_in_words(configs)
    facts = {
        "runs": f"{len(configs)}: {algorithms}, {benchmarks}, {seeds}",
        "estimate": _time_left(pending, len(configs)),
        "note": campaign.plan.note or "-",
        "folder": str(campaign.folder),
        "next": f"bolt campaign {'run' if pending else 'report'} {campaign.plan.name}",
    }
    data = {"core_hours": campaign.plan.hours(), "plan": campaign.plan.to_json()}
    print_facts(facts, counts(campaign) | data if as_json else None)


def _time_left(pending: Sequence[RunConfig], planned: int) -> str:
    """Return how long the pending runs take, in words."""
    if not pending:
        return "nothing is left: all runs are finished"
    cores = os.cpu_count() or 1
    METER.measure_now()
    alone, together = (expected_time(pending, workers) for workers in (1, cores))
    left = f" for the {counted(len(pending), 'run')} left" if len(pending) < planned else ""
    return (
        f"about {together}{left} on {cores} cores at their present load, {alone} on one; corrected "
        "as runs end"
    )


def counts(campaign: Campaign) -> dict[str, Any]:
    """Return the number of runs by state, and the reasons of failures, as in the JSON output."""
    states = campaign.states()
    count = Counter(states.values())
    commits = packing.commits(campaign)
    return {
        "name": campaign.plan.name,
        "runs": len(states),
        **{str(state): count[state] for state in State},
        "errors": campaign.reasons(states),
        "packed": sum(key in states for key in campaign.packed()),
        "commits": {commit or "unknown": runs for commit, runs in commits.most_common()},
    }


def counts_or_error(name: str) -> dict[str, Any]:
    """Return the counts of a campaign, or why it cannot be read."""
    try:
        return counts(campaigns.load(name))
    except BoltError as problem:
        return {"name": name, "broken": f"broken: {problem}"}


def progress_table(campaign: Campaign) -> Table:
    """Return a table with one row per benchmark: runs by state, and the time left."""
    METER.measure_now()
    states = campaign.states()
    rows = Table("benchmark", "runs", *map(str, State), "left, one core", box=SIMPLE_HEAD)
    for benchmark in dict.fromkeys(c.benchmark for c in campaign.configs.values()):
        runs = [(c, states[k]) for k, c in campaign.configs.items() if c.benchmark == benchmark]
        count = Counter(state for _, state in runs)
        rest = [config for config, state in runs if state != State.FINISHED]
        left = f"about {expected_duration.expected(rest)}" if rest else "-"
        numbers = [str(count[state]) for state in State]
        rows.add_row(benchmark, str(len(runs)), *numbers, left)
    return rows


def print_progress(campaign: Campaign) -> None:
    """Print how many runs are finished, and which failed."""
    count = counts(campaign)
    packed = f", {count['packed']} of them from packs" if count["packed"] else ""
    running = "; a process is running it" if campaign.running else ""
    notes.print(f"{count['finished']} of {count['runs']} runs finished{packed}{running}")
    for key, reason in count["errors"].items():
        notes.print(f"failed: {campaigns.run_name(campaign.configs[key])}: {reason}")


def print_commits(campaign: Campaign) -> None:
    """Print how many finished runs each commit of the code has made."""
    for commit, runs in counts(campaign)["commits"].items():
        notes.print(f"commit {packing.short_commit(commit)}: {counted(runs, 'run')}")
