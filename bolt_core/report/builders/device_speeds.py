"""The section on devices of several speeds: what is removal worth, and W2?"""

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from bolt_core.analysis.seed_statistics import Cell, cell, paired
from bolt_core.campaigns.results import Curve, RunResult
from bolt_core.common.text import counted, listed
from bolt_core.report import speed_charts
from bolt_core.report.builders.pairs import INTERVAL, MARKS, MEASURES, OTHERWISE_EQUAL
from bolt_core.report.campaign_charts import why_unmarked
from bolt_core.report.campaign_tables import MEAN_AND_ERROR, as_printed, differences, plain_table
from bolt_core.report.model.ablation_runs import (
    MEDIANS,
    OUTCOMES,
    at_several_speeds,
    cut,
    mean,
    mean_limit,
    outcomes,
    regrets,
    speeds,
    within,
)
from bolt_core.report.model.blocks import Chart, Section, Table, printed_mean, whole
from bolt_core.report.model.cases import (
    HEADLINE,
    Cases,
    PairTable,
    by_seed,
    cell_of,
    grouped,
    speed,
)
from bolt_core.report.verdicts import Verdict, findings, verdict
from bolt_core.runs.lane_names import label

Case = tuple[str, float]  # benchmark, speed


def section(cases: Cases) -> Section | None:
    """Return regret, dataset size and n* against the speed of the declared device."""
    runs = at_several_speeds(cases.results.runs)
    if not runs:
        return None
    rivals = [a for a in dict.fromkeys(run.config.algorithm for run in runs) if a != "bolt"]
    compared = pairs(cases, runs, rivals)
    by_speed = " ".join([*_regrets_in_words(runs), *_queries_in_words(runs)])
    sizes = " ".join(_limits_in_words(runs))
    return Section(
        "ablation-speed",
        "Ablation: the speed of the device",
        (
            f"The same algorithms on devices of several speeds{cut(runs)}; the paper device has "
            f"speed 1. An observation costs the same on all. Regrets: {MEAN_AND_ERROR}."
            f"{MEDIANS} They are over all passes of a run, also those in which the dataset "
            f"still grows to n*.{_how_to_read(compared)}",
        ),
        (
            _outcome_table(runs),
            *(differences(table, rivals, measure) for measure, table in compared.items()),
        ),
        (*_regret_charts(runs), *_size_charts(runs)),
        findings=tuple(
            filter(None, [*findings(compared, rivals, within(runs)), f"{by_speed} {sizes}".strip()])
        ),
    )


def _by_case(runs: Sequence[RunResult]) -> dict[Case, list[RunResult]]:
    """Return the runs by benchmark and speed, speeds rising on each benchmark."""
    return {
        (benchmark, s): [run for run in members if speed(run.config) == s]
        for benchmark, members in grouped(runs, lambda run: run.config.benchmark).items()
        for s in speeds(members)
    }


def _outcome_table(runs: Sequence[RunResult]) -> Table:
    rows = [
        (label(benchmark), f"{s:g}", label(a), *outcomes(members))
        for (benchmark, s), group in _by_case(runs).items()
        for a, members in grouped(group, lambda run: run.config.algorithm).items()
    ]
    return plain_table(("benchmark", "speed", "algorithm", *OUTCOMES), rows)


def pairs(cases: Cases, runs: Sequence[RunResult], rivals: Sequence[str]) -> dict[str, PairTable]:
    """Return BOLT minus the others by measure, benchmark and speed, where there are any."""
    by_measure: dict[str, PairTable] = {measure: {} for measure in MEASURES.values()}
    for (benchmark, s), group in _by_case(runs).items():
        here = Cases(replace(cases.results, runs=tuple(group)))
        for average, measure in MEASURES.items():
            row = here.paired([benchmark], rivals, average)[benchmark]
            if any(row.values()):
                by_measure[measure][f"{label(benchmark)}, speed {s:g}"] = row
    return {measure: table for measure, table in by_measure.items() if table}


def _regrets_in_words(runs: Sequence[RunResult]) -> Iterator[str]:
    """Yield how the average regret of BOLT follows the speed, and what is shown of it by seed."""
    bolt = [run for run in runs if run.config.algorithm == "bolt"]
    for benchmark, members in grouped(bolt, lambda run: run.config.benchmark).items():
        cells = _cells(members, HEADLINE)
        most = max((cell.count for _, cell in cells), default=0)
        means = listed(
            [
                printed_mean(cell.mean)
                + (f" ({counted(cell.count, 'seed')})" if cell.count < most else "")
                for _, cell in cells
            ]
        )
        at = _speeds_in_words([s for s, _ in cells])
        steps = "; ".join(_steps_in_words(members, [s for s, _ in cells]))
        shown = f"; seed by seed, {steps}" if steps else ""
        yield f"On {label(benchmark)} the average regret of BOLT is {means}, at {at}{shown}."


def _steps_in_words(runs: Sequence[RunResult], rising: Sequence[float]) -> Iterator[str]:
    """Yield whether regret falls or rises from one speed to the next, where seeds allow to say."""
    by_speed = {s: by_seed([r for r in runs if speed(r.config) == s], HEADLINE) for s in rising}
    words: dict[Verdict, str] = {
        "lower": "it falls {}",
        "higher": "it rises {}",
        "open": "zero is in the interval of the difference {}",
    }
    steps: dict[str, list[str]] = {}
    for slow, fast in itertools.pairwise(rising):
        pair = paired(by_speed[fast], by_speed[slow])
        if pair is not None and (shown := words.get(verdict(pair))):
            difference = " ".join(as_printed(pair))
            steps.setdefault(shown, []).append(f"from {slow:g} to {fast:g} ({difference})")
    for shown, where in steps.items():
        yield shown.format(listed(where))


def _queries_in_words(runs: Sequence[RunResult]) -> Iterator[str]:
    """Yield how many more queries BOLT makes than its variant that keeps all."""
    ratios = {}
    for case, group in _by_case(runs).items():
        queries = {
            a: mean([run.iterations for run in group if run.config.algorithm == a])
            for a in ("bolt", "bolt-keep")
        }
        if all(map(math.isfinite, queries.values())):
            ratios[case] = queries["bolt"] / queries["bolt-keep"]
    for benchmark in dict.fromkeys(b for b, _ in ratios):
        here = {s: ratio for (b, s), ratio in ratios.items() if b == benchmark}
        shares = [f"{ratio:.2f}" for ratio in here.values()]
        times = f"{listed(shares)} times "
        if set(shares) == {"1.00"}:
            times = "" if set(here.values()) == {1.0} else "about "
        yield (
            f"On {label(benchmark)} BOLT makes {times}as many queries as its variant that keeps "
            f"all, at {_speeds_in_words(here)}."
        )


def _limits_in_words(runs: Sequence[RunResult]) -> Iterator[str]:
    """Yield how n* of BOLT follows the speed, for benchmarks on which it is known twice."""
    bolt = [run for run in runs if run.config.algorithm == "bolt"]
    for benchmark, members in grouped(bolt, lambda run: run.config.benchmark).items():
        by_speed = _at_speeds(members, mean_limit)
        if len(by_speed) > 1:
            sizes = listed([whole(size) for size in by_speed.values()])
            at = _speeds_in_words(by_speed)
            yield f"On {label(benchmark)} the median n* of BOLT is {sizes}, at {at}."


def _speeds_in_words(speeds_known: Collection[float]) -> str:
    return f"speed{'s' * (len(speeds_known) > 1)} {listed([f'{s:g}' for s in speeds_known])}"


def _how_to_read(compared: Mapping[str, PairTable]) -> str:
    if not compared:
        return ""
    unmarked = why_unmarked(
        p for t in compared.values() for row in t.values() for p in row.values()
    )
    return f" Then BOLT minus the other at the same seed: {INTERVAL}. {MARKS}{unmarked}"


def _regret_charts(runs: Sequence[RunResult]) -> Iterator[Chart]:
    """Yield both regrets against the speed, for benchmarks on which algorithms can be compared."""
    for benchmark, on_benchmark in grouped(runs, lambda run: run.config.benchmark).items():
        by_algorithm = grouped(on_benchmark, lambda run: run.config.algorithm)
        for key, measure in MEASURES.items():
            lines = [(a, _cells(each, key)) for a, each in by_algorithm.items()]
            lines = [(a, cells) for a, cells in lines if len(cells) > 1]
            if len(lines) > 1:
                figure = speed_charts.regrets(benchmark, measure, lines)
                title = f"{label(benchmark)}: {measure} against speed"
                yield Chart(f"ablation-speed-{measure.split()[0]}-{benchmark}", title, figure)


def _cells(runs: Sequence[RunResult], measure: str) -> list[tuple[float, Cell]]:
    """Return the mean regret at each speed at which there is one."""
    by_speed = {
        s: regrets([run for run in runs if speed(run.config) == s], measure) for s in speeds(runs)
    }
    return [(s, cell(values)) for s, values in by_speed.items() if values]


def _size_charts(runs: Sequence[RunResult]) -> Iterator[Chart]:
    """Yield the dataset sizes and n* against the speed, for each benchmark that has any.

    Variants that remove down to the same n* have about the size of BOLT, and are left out.
    """
    lines: dict[str, list[tuple[str, str, Curve]]] = {}
    for (benchmark, algorithm), members in grouped(runs, cell_of).items():
        if algorithm in OTHERWISE_EQUAL:
            continue
        sizes = {"n": _at_speeds(members, _mean_size)}
        if algorithm == "bolt":  # its variants compute n* in the same way
            sizes["n*"] = _at_speeds(members, mean_limit)
        for what, by_speed in sizes.items():
            if by_speed:  # a run may end within its warm-up
                curve = (list(by_speed), list(by_speed.values()))
                lines.setdefault(benchmark, []).append((algorithm, what, curve))
    for benchmark, curves in lines.items():
        limited = any(what == "n*" for _, what, _ in curves)
        shown = (
            "n, and n* of BOLT dotted, against speed"
            if limited
            else "n against speed; n* set no limit"
        )
        figure = speed_charts.sizes(benchmark, curves)
        yield Chart(f"ablation-speed-{benchmark}", f"{label(benchmark)}: {shown}", figure)


def _at_speeds(
    runs: Sequence[RunResult], value: Callable[[list[RunResult]], float]
) -> dict[float, float]:
    """Return a value by speed, where it is finite."""
    values = {s: value([r for r in runs if speed(r.config) == s]) for s in speeds(runs)}
    return {s: v for s, v in values.items() if math.isfinite(v)}


def _mean_size(runs: Sequence[RunResult]) -> float:
    return mean([run.size for run in runs])
