"""The section on the two GP engines: what is a faster one worth?"""

from bolt_core.common.types import ENGINES
from bolt_core.report.campaign_tables import MEAN_AND_ERROR, plain_table
from bolt_core.report.model.ablation_runs import NO_LIMIT, OUTCOMES, cut, on_both_engines, outcomes
from bolt_core.report.model.blocks import Section
from bolt_core.report.model.cases import Cases, cell_of, grouped
from bolt_core.runs.lane_names import label


def section(cases: Cases) -> Section | None:
    """Return one algorithm on two engines: the value of a faster one."""
    runs = on_both_engines(cases.results.runs)
    if not runs:
        return None
    rows = [
        (label(b), label(a), name, *outcomes([r for r in cell if r.config.engine.name == name]))
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
            f"change with it. Regrets: {MEAN_AND_ERROR}.{NO_LIMIT}",
        ),
        (plain_table(("benchmark", "algorithm", "engine", *OUTCOMES), rows),),
    )
