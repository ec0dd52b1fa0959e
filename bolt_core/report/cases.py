"""A campaign's runs sorted for comparison: one main setting, and the ablations beside it.

A setting is all of a config but algorithm, benchmark and seed. Runs are only ever compared within
one; the main setting is the one with most runs, the first planned if there are several.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from bolt_core import algorithms, devices
from bolt_core.comparison import BASELINE, Cell, cell
from bolt_core.plans import EXTRA, PAPER, TABLE2
from bolt_core.results import Results, RunResult
from bolt_core.types import RunConfig

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
        counts = Counter(setting(run.config) for run in self.results.runs)
        if not counts:
            return ()
        chosen = max(counts, key=counts.__getitem__)  # the first of equals: dicts keep order
        return tuple(run for run in self.results.runs if setting(run.config) == chosen)

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
        """May the paper's values stand beside these? Not beside cut runs or other noise."""
        config = self.main[0].config
        return config.horizon is None and config.options.get("noise", "paper") == "paper"

    def of(self, benchmark: str, algorithm: str) -> list[RunResult]:
        """The runs of a cell."""
        cell_of = (benchmark, algorithm)
        return [r for r in self.main if (r.config.benchmark, r.config.algorithm) == cell_of]

    def by_seed(self, benchmark: str, algorithm: str) -> dict[int, float]:
        runs = self.of(benchmark, algorithm)
        return {r.config.seed: v for r in runs if (v := r.averages[HEADLINE]) is not None}

    def table(self, keys: Sequence[str] | None = None, kind_of: str = HEADLINE) -> Table:
        """Mean and error of every cell that has a value."""
        return {
            b: {a: c for a in keys or self.algorithms if (c := _cell(self.of(b, a), kind_of))}
            for b in self.benchmarks
        }

    def complete(self, table: Table) -> Table:
        """The benchmarks on which every algorithm of the table has come to an end."""
        needed = [a for a in self.algorithms if a != BASELINE]
        return {b: r for b, r in table.items() if needed and all(a in r for a in needed)}


def setting(config: RunConfig) -> str:
    plain = asdict(config)
    for name in ("algorithm", "benchmark", "seed"):
        del plain[name]
    return json.dumps(plain, sort_keys=True)


def speed(config: RunConfig) -> float | None:
    """How many times as fast as the paper device; None: another device, or another clock."""
    own, paper = config.clock.device, devices.device("paper")
    ratios = {round(p / c, 9) for c, p in zip(own, paper, strict=True) if c and p}
    same_zeros = all(bool(c) == bool(p) for c, p in zip(own, paper, strict=True))
    return ratios.pop() if config.clock.kind == "model" and same_zeros and ratios else None


def kind(key: str) -> str:
    spec = algorithms.catalog().get(key)
    return spec.kind if spec else "paper"


def means(table: Mapping[str, Mapping[str, Cell]]) -> dict[str, dict[str, float]]:
    return {b: {a: c.mean for a, c in row.items()} for b, row in table.items()}


def _cell(runs: Sequence[RunResult], which: str) -> Cell | None:
    known = [v for run in runs if (v := run.averages[which]) is not None]
    return cell(known) if known else None


def _ordered(there: set[str], first: Sequence[str]) -> tuple[str, ...]:
    return (*(k for k in first if k in there), *sorted(there - set(first)))
