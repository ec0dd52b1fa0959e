"""The first section: what ran, by which clock, where and when; what is missing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from bolt_core.campaigns.plan import seeds_in_words
from bolt_core.campaigns.results import RunResult
from bolt_core.common import devices
from bolt_core.common.text import counted
from bolt_core.report.builders.ablations import on_both_engines, swept
from bolt_core.report.model.blocks import ABOUT, Section
from bolt_core.report.model.cases import Cases
from bolt_core.runs.lane_names import label

COMMIT = 10  # letters of a commit's name that are enough to find it
SHOWN = 5  # failures told one by one
IDLE = ("plotly", "streamlit")  # packages that no number depends on


def section(cases: Cases) -> Section:
    runs, planned = cases.results.runs, cases.results.planned
    words = [f"{len(runs)} of {planned} planned runs are finished.", *_failed(cases)]
    if not cases.main:
        return Section(ABOUT, "What ran", (*words, "There is nothing to report yet."))
    config = cases.main[0].config
    seeds = seeds_in_words(run.config for run in cases.main)
    variants = {r.config.algorithm for r in cases.main} - set(cases.algorithms)
    words += [
        f"Tables and figures are of {counted(len(cases.main), 'run')} of the main setting"
        f": {counted(len(cases.algorithms), 'algorithm')}"
        + (f" and {counted(len(variants), 'variant')} of BOLT" if variants else "")
        + f", {counted(len(cases.benchmarks), 'benchmark')}, {seeds}; "
        f"noise as {_noise(config.options)}; {config.engine.name} engine; "
        f"{config.engine.acquisition.upper()} acquisition; {config.warmup} warm-up queries; "
        + (f"cut at {config.horizon:g} s." if config.horizon else "each benchmark's own horizon."),
        f"Time: {devices.clock_in_words(config.clock)}.",
        *_others(cases),
    ]
    notes = (*_made(cases.results.made), *_sources(cases.main))
    return Section(ABOUT, "What ran", tuple(words), notes=notes)


def _failed(cases: Cases) -> list[str]:
    """They are in no mean: whoever fails where it is hard must not look good for it."""
    lost = cases.results.failed
    if not lost:
        return []
    first = [
        f"{label(f.algorithm)} on {label(f.benchmark)}, seed {f.seed} ({f.reason})"
        for f in lost[:SHOWN]
    ]
    more = f"; and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
    return [f"Failed, and in no table: {'; '.join(first)}{more}."]


def _others(cases: Cases) -> list[str]:
    """Runs of other settings: in an ablation, or in no table."""
    runs = cases.results.runs
    main = {run.config.key for run in cases.main}
    ablated = {r.config.key for r in (*swept(runs), *on_both_engines(runs))} - main
    rest = len(runs) - len(main | ablated)
    said = [f"{len(ablated)} others are in the ablations below."] if ablated else []
    if rest:
        said.append(
            f"{rest} of other settings are in no table; a campaign of their own would show them."
        )
    return [" ".join(said)] if said else []


def _noise(options: Mapping[str, Any]) -> str:
    noise = options.get("noise", "paper")
    return {"paper": "in the paper's Table 3", "1pct": "1 % of the signal"}.get(noise, str(noise))


def _made(machines: Sequence[Mapping[str, Any]]) -> list[str]:
    """When and where; the commits of one machine and its packages together."""
    alike: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for facts in machines:
        alike[
            json.dumps([facts.get(k) for k in ("cpu", "blas_threads", "python", "versions")])
        ] += [facts]
    return [_machine(group) for group in alike.values()]


def _machine(group: Sequence[Mapping[str, Any]]) -> str:
    one = group[0]
    days = sorted({d for g in group for d in (g.get("first"), g.get("last")) if d})
    when = f"Made {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else "Made"
    threads = one.get("blas_threads")
    packages = [f"{k} {v}" for k, v in sorted((one.get("versions") or {}).items()) if v]
    used = ", ".join(p for p in packages if not p.startswith(IDLE))
    commits = ", ".join(
        f"{str(g.get('commit') or 'unknown')[:COMMIT]} ({g['runs']} runs)"
        for g in sorted(group, key=lambda g: -g["runs"])
    )
    return (
        f"{when} on {one.get('cpu')}"
        + (f", {threads} BLAS {'thread' if threads == 1 else 'threads'} a run" if threads else "")
        + f", with Python {one.get('python')}"
        + (f", {used}" if used else "")
        + f". Commit: {commits}."
    )


def _sources(runs: tuple[RunResult, ...]) -> list[str]:
    """Whatever is not a closed form says what it is."""
    found = {run.config.benchmark: run.source for run in runs if run.source != "closed form"}
    return [f"{label(benchmark)}: {source}." for benchmark, source in sorted(found.items())]
