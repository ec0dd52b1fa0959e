"""The section on the two GP engines: what is a faster one worth?"""

from collections.abc import Iterator, Sequence

from bolt_core.analysis.seed_statistics import paired
from bolt_core.campaigns.results import RunResult
from bolt_core.common.types import ENGINES
from bolt_core.report.builders.pairs import INTERVAL, MEASURES
from bolt_core.report.campaign_tables import MEAN_AND_ERROR, as_printed, plain_table
from bolt_core.report.model.ablation_runs import MEDIANS, OUTCOMES, cut, on_both_engines, outcomes
from bolt_core.report.model.blocks import Section
from bolt_core.report.model.cases import Cases, by_seed, cell_of, grouped
from bolt_core.report.verdicts import Verdict, verdict
from bolt_core.runs.lane_names import label

FIRST, SECOND = ENGINES
IN_WORDS: dict[Verdict, str] = {
    "lower": f"lower with {FIRST} than with {SECOND}",
    "higher": f"higher with {FIRST} than with {SECOND}",
    "open": f"not shown to differ between {FIRST} and {SECOND}",
}


def section(cases: Cases) -> Section | None:
    """Return one algorithm on two engines: the value of a faster one."""
    runs = on_both_engines(cases.results.runs)
    if not runs:
        return None
    rows = [
        (label(b), label(a), name, *outcomes(_on(cell, name)))
        for (b, a), cell in grouped(runs, cell_of).items()
        for name in ENGINES
    ]
    clock = runs[0].config.clock
    slowed = "" if clock.slowdown == 1.0 else f", times {clock.slowdown:g}"
    return Section(
        "ablation-engine",
        "Ablation: the GP engine, on the cpu clock",
        (
            "The same algorithm on two engines. A pass takes its CPU time on the machine that made "
            f"the run{slowed}{cut(runs)}. A faster engine makes more queries, and R(n) and n* "
            f"change with it. Regrets: {MEAN_AND_ERROR}.{MEDIANS}",
        ),
        (plain_table(("benchmark", "algorithm", "engine", *OUTCOMES), rows),),
        findings=tuple(_in_words(runs)),
    )


def _on(runs: Sequence[RunResult], engine: str) -> list[RunResult]:
    return [run for run in runs if run.config.engine.name == engine]


def _in_words(runs: Sequence[RunResult]) -> Iterator[str]:
    """Yield whether the first engine has a lower regret than the second, where seeds allow it."""
    parts = []
    for (benchmark, algorithm), cell in grouped(runs, cell_of).items():
        for average, measure in MEASURES.items():
            pair = paired(*(by_seed(_on(cell, name), average) for name in ENGINES))
            if pair is not None and (shown := IN_WORDS.get(verdict(pair))):
                parts.append(
                    f"on {label(benchmark)} the {measure} of {label(algorithm)} is {shown} "
                    f"({' '.join(as_printed(pair))}, lower on {pair.wins} of {pair.seeds} seeds)"
                )
    if parts:
        yield f"Seed by seed, {'; '.join(parts)}. In brackets: {FIRST} minus {SECOND}, {INTERVAL}."
