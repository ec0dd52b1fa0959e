"""What `bolt campaign` says of a campaign: its plan, its states, what failed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from bolt_core.campaigns import campaign as campaigns
from bolt_core.campaigns import plan
from bolt_core.campaigns.campaign import Campaign, State
from bolt_core.cli._parts import notes, print_facts, print_json
from bolt_core.common.errors import BoltError
from bolt_core.common.text import counted, duration
from bolt_core.runs import duration_estimate


def tell_plan(found: Campaign, as_json: bool) -> None:
    hours, here = found.plan.hours(), os.cpu_count() or 1
    configs = found.configs.values()
    if as_json:
        print_json({**counts(found), "core_hours": hours, "plan": found.plan.to_json()})
        return
    print_facts(
        {
            "runs": f"{len(found.configs)}: "
            + counted(len({c.algorithm for c in configs}), "algorithm")
            + ", "
            + counted(len({c.benchmark for c in configs}), "benchmark")
            + f", {plan.seeds_in_words(configs)}",
            "estimate": f"{duration(3600 * hours)} of one core, {duration(3600 * hours / here)} "
            f"on {here}; within a factor of two",
            "note": found.plan.note or "-",
            "folder": str(found.folder),
            "next": f"bolt campaign run {found.plan.name}",
        }
    )


def counts(found: Campaign) -> dict[str, Any]:
    states = found.states()
    count = Counter(states.values())
    return {
        "name": found.plan.name,
        "runs": len(states),
        **{str(state): count[state] for state in State},
        "errors": found.reasons(states),
    }


def counts_or_trouble(name: str) -> dict[str, Any]:
    try:
        return counts(campaigns.load(name))
    except BoltError as problem:
        return {"name": name, "broken": f"broken: {problem}"}


def table(found: Campaign) -> Table:
    states = found.states()
    rows = Table("benchmark", "runs", *map(str, State), "left, one core", box=SIMPLE_HEAD)
    for benchmark in dict.fromkeys(c.benchmark for c in found.configs.values()):
        own: Mapping[str, State] = {
            k: states[k] for k, c in found.configs.items() if c.benchmark == benchmark
        }
        count = Counter(own.values())
        rest = [found.configs[k] for k, s in own.items() if s != State.FINISHED]
        left = sum(map(duration_estimate.cpu_seconds, rest))
        numbers = [str(count[state]) for state in State]
        rows.add_row(benchmark, str(len(own)), *numbers, duration(left) if rest else "-")
    return rows


def tell_states(found: Campaign) -> None:
    many = counts(found)
    going = "; a process is at it" if found.running else ""
    notes.print(f"{many['finished']} of {many['runs']} runs finished{going}")
    for key, reason in many["errors"].items():
        c = found.configs[key]
        notes.print(f"failed: {c.algorithm} on {c.benchmark}, seed {c.seed}: {reason}")
