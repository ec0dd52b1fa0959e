"""What ran, on which clock, where and when, and what is missing."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bolt_core.campaigns.packing import short_commit
from bolt_core.campaigns.plan import seeds_in_words
from bolt_core.common import devices
from bolt_core.common.text import counted, listed
from bolt_core.report.builders.figures import CLOSED_FORM
from bolt_core.report.model.ablation_runs import at_several_speeds, on_both_engines
from bolt_core.report.model.blocks import ABOUT, Section
from bolt_core.report.model.cases import Cases, grouped
from bolt_core.runs.lane_names import label

MAX_FAILURES = 5  # listed one by one
UI_PACKAGES = ("plotly", "streamlit")  # no number depends on them
SCORING_IS_FREE = "This clock charges nothing for scoring the observations to be removed"
TWO_FITS = ("r-gpucb", "sw-gpucb", "w-gpucb")  # they learn their drift rate with a second one
NOISE = {"paper": "in the paper's Table 3", "1pct": "1 % of the signal"}


def section(cases: Cases) -> Section:
    """Return the plan's own words, what ran, and what failed or is missing."""
    runs, planned = cases.results.runs, cases.results.planned
    planned_words = "" if len(runs) >= planned else "Planned: "
    note = [f"{planned_words}{cases.results.note}"] if cases.results.note else []
    words = [*note, f"{len(runs)} of {planned} planned runs are finished.", *_failures(cases)]
    if not cases.main:
        return Section(ABOUT, "What ran", (*words, "There is nothing to report yet."))
    config = cases.main[0].config
    seeds = seeds_in_words(run.config for run in cases.main)
    noise = str(config.options.get("noise", "paper"))
    words += [
        f"Tables and figures show {counted(len(cases.main), 'run')} of the main setting"
        f": {counted(len(cases.algorithms), 'algorithm')} on "
        f"{counted(len(cases.benchmarks), 'benchmark')}{_variants(cases)}, {seeds}; "
        f"noise as {NOISE.get(noise, noise)}; {config.engine.name} engine; "
        f"{config.engine.acquisition.upper()} acquisition; "
        + ("a lengthscale per input; " if config.engine.ard else "")
        + f"{config.warmup} warm-up queries; "
        + (f"cut at {config.horizon:g} s." if config.horizon else "each benchmark's own horizon."),
        f"Time: {devices.clock_in_words(config.clock)}."
        + (_charges(cases) if config.clock.kind == "model" else ""),
        *_other_settings(cases),
    ]
    notes = (*_machines(cases.results.made), *_commits(cases), *_sources(cases))
    return Section(ABOUT, "What ran", tuple(words), notes=notes)


def _charges(cases: Cases) -> str:
    """Return what the model clock charges beyond one fit per pass, and what it does not."""
    present = [label(key) for key in TWO_FITS if key in cases.algorithms]
    charged = f"; it charges {listed(present)} for a second fit in some passes" if present else ""
    return f" {SCORING_IS_FREE}{charged}."


def _variants(cases: Cases) -> str:
    """Return how many variants of BOLT ran in the main setting, and on which benchmarks."""
    runs = [run for run in cases.main if run.config.algorithm not in cases.algorithms]
    if not runs:
        return ""
    count = len({run.config.algorithm for run in runs})
    where = listed([*map(label, dict.fromkeys(run.config.benchmark for run in runs))])
    return f" and {counted(count, 'variant')} of BOLT on {where}"


def _failures(cases: Cases) -> list[str]:
    """Return a sentence on runs that failed, which are part of no mean."""
    failures = cases.results.failed
    if not failures:
        return []
    reasons = [
        f"{label(f.algorithm)} on {label(f.benchmark)}, seed {f.seed}"
        + (f", {f.setting}" if f.setting else "")
        + f" ({f.reason})"
        for f in failures[:MAX_FAILURES]
    ]
    if len(failures) > MAX_FAILURES:
        reasons.append(f"and {len(failures) - MAX_FAILURES} more")
    return [f"Failed, and in no table: {'; '.join(reasons)}."]


def _other_settings(cases: Cases) -> list[str]:
    """Return how many runs of other settings are in an ablation, or in no table."""
    runs = cases.results.runs
    main = {run.config.key for run in cases.main}
    ablated = {r.config.key for r in (*at_several_speeds(runs), *on_both_engines(runs))} - main
    unused = len(runs) - len(main | ablated)
    parts = [f"{counted(len(ablated), 'run')} in the ablations below"] if ablated else []
    if unused:
        parts.append(f"{counted(unused, 'run')} in no table; a separate campaign would show them")
    return [f"Other settings: {', '.join(parts)}."] if parts else []


def _commits(cases: Cases) -> list[str]:
    """Return how many runs each commit of the code has made, if there are several.

    A commit that made only a part of the algorithms is named with them: their rows are of other
    code than the rest.
    """
    counts: Counter[str | None] = Counter()
    for facts in cases.results.made:
        counts[facts.get("commit")] += facts["runs"]
    if len(counts) < 2:
        return []
    every = {run.config.algorithm for run in cases.results.runs}
    parts = []
    for commit, runs in counts.most_common():
        of_commit = {r.config.algorithm for r in cases.results.runs if r.commit == commit}
        names = ""
        if 0 < len(of_commit) < len(every):
            names = f", of {listed(sorted(map(label, of_commit)))}"
        parts.append(f"{short_commit(commit)} ({counted(runs, 'run')}{names})")
    return [f"The runs are of {len(counts)} commits of the code: {', '.join(parts)}."]


def _machines(machines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return when and where the runs were made; one sentence per machine and set of packages."""
    names = ("cpu", "blas_threads", "python", "versions")
    groups = grouped(machines, lambda facts: json.dumps([facts.get(name) for name in names]))
    return [_machine(group) for group in groups.values()]


def _machine(group: Sequence[Mapping[str, Any]]) -> str:
    facts = group[0]
    days = sorted({day for g in group for day in (g.get("first"), g.get("last")) if day})
    when = f"Made {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else "Made"
    threads = facts.get("blas_threads")
    versions = sorted((facts.get("versions") or {}).items())
    packages = [f"{k} {v}" for k, v in versions if v and not k.startswith(UI_PACKAGES)]
    commits = ", ".join(
        f"{short_commit(g.get('commit'))} ({counted(g['runs'], 'run')})"
        for g in sorted(group, key=lambda g: -g["runs"])
    )
    parts = [f"{when} on {facts.get('cpu')}"]
    parts += [f"{counted(threads, 'BLAS thread')} per run"] if threads else []
    parts += [f"with Python {facts.get('python')}", *packages]
    return f"{', '.join(parts)}. Commit: {commits}."


def _sources(cases: Cases) -> list[str]:
    """Return the source of every benchmark that is not a closed form."""
    sources = {r.config.benchmark: r.source for r in cases.main if r.source != CLOSED_FORM}
    return [f"{label(benchmark)}: {source}." for benchmark, source in sorted(sources.items())]
