"""A campaign's runs sorted for comparison: one main setting, and the ablations beside it.

A setting is all of a config but algorithm, benchmark and seed. Runs are only ever compared within
one; the main setting is the one with most cells, of several the paper's own, then the first
planned. A cell shows the mean over all its seeds. Who is best, and Overall, is judged over the
seeds that all algorithms of a row have: half a campaign, or a failed run, must not make a lucky
seed a winner.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from bolt_core import algorithms
from bolt_core.analysis.seed_statistics import BASELINE, Cell, cell
from bolt_core.campaigns.plan import EXTRA, PAPER, TABLE2
from bolt_core.campaigns.results import Results, RunResult
from bolt_core.common import devices
from bolt_core.common.types import RunConfig

HEADLINE = "over_queries"
VARIANTS = ("bolt-oldest", "bolt-random", "bolt-literal")
Table = dict[str, dict[str, Cell]]  # [benchmark][algorithm]


@dataclass(frozen=True)
class Cases:
    """The runs of one report."""

    results: Results

    @cached_property
    def main(self) -> tuple[RunResult, ...]:
        """The runs of the main setting."""
        groups: dict[str, list[RunResult]] = defaultdict(list)
        for run in self.results.runs:
            groups[setting(run.config)].append(run)
        if not groups:
            return ()

        def weight(group: list[RunResult]) -> tuple[int, bool]:
            return len({cell_of(run.config) for run in group}), as_in_paper(group[0].config)

        chosen: list[RunResult] = max(groups.values(), key=weight)  # dicts keep order: the first
        return tuple(chosen)

    @cached_property
    def benchmarks(self) -> tuple[str, ...]:
        """Of the main setting: the paper's in Table 2's order, then others."""
        return _ordered({run.config.benchmark for run in self.main}, PAPER)

    @cached_property
    def algorithms(self) -> tuple[str, ...]:
        """Of the main setting, Table 2's first; variants have their own section."""
        there = {run.config.algorithm for run in self.main}
        shown = {key for key in there if key == "bolt" or kind(key) != "variant"}
        return _ordered(shown, (*TABLE2, *EXTRA))

    @cached_property
    def reference(self) -> tuple[str, ...]:
        """Who spans the normalisation: Table 2's seven, or whoever is there."""
        seven = tuple(a for a in self.algorithms if a in TABLE2)
        return seven if len(seven) > 1 else tuple(a for a in self.algorithms if a != BASELINE)

    @cached_property
    def beside_paper(self) -> bool:
        """May the paper's values stand beside these? Not beside runs of another experiment."""
        return as_in_paper(self.main[0].config)

    @cached_property
    def _cells(self) -> Mapping[tuple[str, str], list[RunResult]]:
        found: dict[tuple[str, str], list[RunResult]] = defaultdict(list)
        for run in self.main:
            found[cell_of(run.config)].append(run)
        return dict(found)

    def of(self, benchmark: str, algorithm: str) -> list[RunResult]:
        """The runs of a cell."""
        return self._cells.get((benchmark, algorithm), [])

    def by_seed(self, benchmark: str, algorithm: str, kind_of: str = HEADLINE) -> dict[int, float]:
        runs = self.of(benchmark, algorithm)
        return {r.config.seed: v for r in runs if (v := r.averages[kind_of]) is not None}

    def row(
        self, benchmark: str, keys: Sequence[str] | None = None, kind_of: str = HEADLINE
    ) -> dict[str, Cell]:
        """Mean and error of every cell of a benchmark that has a value, over all its seeds."""
        found = self._values(benchmark, keys, kind_of)
        return {a: cell(list(values.values())) for a, values in found.items()}

    def fair_row(
        self, benchmark: str, keys: Sequence[str] | None = None, kind_of: str = HEADLINE
    ) -> dict[str, Cell]:
        """The same over the seeds that all of them have.

        Empty: there is no such seed, or one only though some have more: too little to judge by.
        """
        found = self._values(benchmark, keys, kind_of)
        counted = [set(values) for a, values in found.items() if a != BASELINE]
        shared = set.intersection(*counted) if counted else set()
        if len(shared) == 1 and max(map(len, counted)) > 1:
            return {}
        fair = {a: [v for s, v in found[a].items() if s in shared] for a in found}
        return {a: cell(values) for a, values in fair.items() if values}

    def complete(self) -> Table:
        """Fair rows of the benchmarks on which every algorithm has come to an end."""
        needed = [a for a in self.algorithms if a != BASELINE]
        rows = {b: self.fair_row(b) for b in self.benchmarks}
        enough = len(needed) > 1  # one alone is neither best nor worst
        return {b: row for b, row in rows.items() if enough and all(a in row for a in needed)}

    def _values(
        self, benchmark: str, keys: Sequence[str] | None, kind_of: str
    ) -> dict[str, dict[int, float]]:
        found = {a: self.by_seed(benchmark, a, kind_of) for a in keys or self.algorithms}
        return {a: values for a, values in found.items() if values}


def cell_of(config: RunConfig) -> tuple[str, str]:
    return config.benchmark, config.algorithm


def setting(config: RunConfig) -> str:
    plain = asdict(config)
    for name in ("algorithm", "benchmark", "seed"):
        del plain[name]
    return json.dumps(plain, sort_keys=True)


def as_in_paper(config: RunConfig) -> bool:
    """The paper's horizon, noise and acquisition; on the model clock, its device."""
    plain = config.horizon is None and config.options.get("noise", "paper") == "paper"
    clock = config.clock
    timed = speed(config) == 1.0 if clock.kind == "model" else clock.slowdown == 1.0
    return plain and timed and config.engine.acquisition == "ucb"


def speed(config: RunConfig) -> float | None:
    """How many times as fast as the paper device; None: another device, or another clock."""
    own, paper = config.clock.device, devices.device("paper")
    ratios = {round(p / c, 9) for c, p in zip(own, paper, strict=True) if c and p}
    same_zeros = all(bool(c) == bool(p) for c, p in zip(own, paper, strict=True))
    alike = config.clock.kind == "model" and same_zeros and len(ratios) == 1
    return ratios.pop() if alike else None


def kind(key: str) -> str:
    spec = algorithms.catalog().get(key)
    return spec.kind if spec else "paper"


def means(table: Mapping[str, Mapping[str, Cell]]) -> dict[str, dict[str, float]]:
    return {b: {a: c.mean for a, c in row.items()} for b, row in table.items()}


def _ordered(there: set[str], first: Sequence[str]) -> tuple[str, ...]:
    return (*(k for k in first if k in there), *sorted(there - set(first)))
