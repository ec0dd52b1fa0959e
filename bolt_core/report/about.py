"""The first section: what ran, by which clock, where; what is missing."""

from __future__ import annotations

from bolt_core import devices
from bolt_core.report.blocks import Section, number
from bolt_core.report.cases import Cases
from bolt_core.results import RunResult
from bolt_core.types import ClockConfig


def section(cases: Cases) -> Section:
    runs, planned = cases.results.runs, cases.results.planned
    words = [f"{len(runs)} of {planned} planned runs are finished."]
    if not cases.main:
        return Section("about", "What ran", (*words, "There is nothing to report yet."))
    config = cases.main[0].config
    seeds = sorted({run.config.seed for run in cases.main})
    words.append(
        f"Tables and figures are of the {len(cases.main)} runs of the main setting: "
        f"{len(cases.benchmarks)} benchmarks, {len({r.config.algorithm for r in cases.main})} "
        f"algorithms, {len(seeds)} seeds; {clock_words(config.clock)}; noise "
        f"{config.options.get('noise', 'paper')}; engine {config.engine.name}; acquisition "
        f"{config.engine.acquisition}; {config.warmup} warm-up queries; "
        + (f"cut at {config.horizon:g} s." if config.horizon else "each benchmark's own horizon.")
    )
    return Section("about", "What ran", tuple(words), notes=(*_made(cases), *_sources(cases.main)))


def clock_words(clock: ClockConfig) -> str:
    """How the time was told."""
    if clock.kind == "cpu":
        return f"cpu clock, slowdown {clock.slowdown:g}"
    if clock.kind == "wall":
        return "wall clock"
    named = "the paper device" if clock.device == devices.device("paper") else "a declared device"
    terms = " + ".join(
        f"{number(c)}{'' if j == 0 else ' n' if j == 1 else f' n^{j}'}"
        for j, c in enumerate(clock.device)
        if c
    )
    return f"model clock, {named}: R(n) - R(0) = {terms or '0'} s"


def _made(cases: Cases) -> list[str]:
    found = []
    for facts in cases.results.made:
        versions = facts.get("versions") or {}
        packages = ", ".join(f"{k} {v}" for k, v in sorted(versions.items()) if v)
        found.append(
            f"{facts['runs']} runs on {facts.get('cpu')}, {facts.get('blas_threads')} BLAS thread, "
            f"Python {facts.get('python')}, commit {facts.get('commit') or 'unknown'}: {packages}."
        )
    return found


def _sources(runs: tuple[RunResult, ...]) -> list[str]:
    """Whatever is not a closed form says what it is."""
    found = {run.config.benchmark: run.source for run in runs if run.source != "closed form"}
    return [f"{benchmark}: {source}." for benchmark, source in sorted(found.items())]
