"""The runs of a campaign sorted for comparison: one main setting, and the ablations beside it.

A setting is a run's config without algorithm, benchmark and seed. Runs are compared within one
setting only. The main setting is the one with the most cells; of several, the paper's own; then the
first planned. A cell shows the mean over all its seeds. Marks and Overall use the seeds that all
algorithms of a row have, so that an unfinished campaign or a failed run favours no algorithm.

There are two measures: the average regret over queries, as in the paper, and held regret. An
algorithm with runs that stopped asking has no mark, no rank and no part in Overall by the first,
whose averages end with the last query.
"""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from bolt_core import algorithms
from bolt_core.analysis.seed_statistics import Cell, Paired, cell, paired
from bolt_core.campaigns.plan import EXTRA, PAPER, TABLE2
from bolt_core.campaigns.results import Results, RunResult
from bolt_core.common import devices
from bolt_core.common.types import RunConfig

HEADLINE = "over_queries"  # the average regret of Table 2, one of regret.Averages
HELD = "held"  # held regret, the other measure
VARIANTS = ("bolt-oldest", "bolt-random", "bolt-keep", "bolt-literal", "bolt-plain")

Row = dict[str, Cell]  # [algorithm]
CellTable = dict[str, Row]  # [benchmark][algorithm]
PairTable = dict[str, dict[str, Paired | None]]  # [benchmark][algorithm]
ValuesBySeed = dict[str, dict[int, float]]  # [algorithm][seed]
Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Cases:
    """The runs of one report, by benchmark and algorithm."""

    results: Results

    @cached_property
    def main(self) -> tuple[RunResult, ...]:
        """The runs of the main setting."""

        def weight(group: list[RunResult]) -> tuple[int, bool]:
            return len(set(map(cell_of, group))), as_in_paper(group[0].config)

        groups = grouped(self.results.runs, lambda run: setting(run.config))
        main = max(groups.values(), key=weight, default=[])  # of equals, the first planned
        return tuple(main)

    @cached_property
    def benchmarks(self) -> tuple[str, ...]:
        """The benchmarks of the main setting: the paper's in the order of Table 2, then others."""
        return _ordered({run.config.benchmark for run in self.main}, PAPER)

    @cached_property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms of the main setting, those of Table 2 first, without variants."""
        keys = {run.config.algorithm for run in self.main}
        return _ordered({k for k in keys if k == "bolt" or not is_variant(k)}, (*TABLE2, *EXTRA))

    @cached_property
    def reference(self) -> tuple[str, ...]:
        """The algorithms that span the normalisation: those of Table 2, or all."""
        in_table2 = tuple(a for a in self.algorithms if a in TABLE2)
        return in_table2 if len(in_table2) > 1 else self.ranked

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """The algorithms without the baselines, which have no rank."""
        return tuple(a for a in self.algorithms if not algorithms.is_baseline(a))

    @cached_property
    def rivals(self) -> tuple[str, ...]:
        """The algorithms that BOLT is compared with, seed by seed."""
        return tuple(a for a in self.ranked if a != "bolt")

    @cached_property
    def beside_paper(self) -> bool:
        """Whether these runs repeat the paper's experiment, so that its values stand beside."""
        return as_in_paper(self.main[0].config)

    @cached_property
    def _cells(self) -> Mapping[tuple[str, str], list[RunResult]]:
        return grouped(self.main, cell_of)

    def runs(self, benchmark: str, algorithm: str) -> list[RunResult]:
        """Return the runs of a cell."""
        return self._cells.get((benchmark, algorithm), [])

    def by_seed(self, benchmark: str, algorithm: str, average: str = HEADLINE) -> dict[int, float]:
        """Return a measure of a cell's runs by seed, of those that have one.

        `average` is one of regret.Averages, or HELD.
        """
        return by_seed(self.runs(benchmark, algorithm), average)

    def stopped(self, benchmark: str, algorithm: str) -> int:
        """Return how many runs of a cell made no query in the last tenth of the horizon."""
        return sum(run.stopped_asking for run in self.runs(benchmark, algorithm))

    @cached_property
    def held_recorded(self) -> bool:
        """Whether the runs have held regret; files of earlier versions do not."""
        return any(run.held_regret is not None for run in self.main)

    def row(self, benchmark: str, keys: Sequence[str] = (), average: str = HEADLINE) -> Row:
        """Return mean and standard error over all seeds, of every cell that has a value."""
        values = self._values(benchmark, keys, average)
        return {a: cell(list(by_seed.values())) for a, by_seed in values.items()}

    def fair_row(self, benchmark: str, keys: Sequence[str] = (), average: str = HEADLINE) -> Row:
        """Return the row over the seeds that all its cells have, of the cells that are ranked.

        It is empty if there is no such seed, or only one although some cells have more.
        """
        values = self._values(benchmark, keys, average)
        seeds = [set(by_seed) for a, by_seed in values.items() if not algorithms.is_baseline(a)]
        shared = set.intersection(*seeds) if seeds else set()
        if len(shared) == 1 and max(map(len, seeds)) > 1:
            return {}
        fair = {a: [v for s, v in values[a].items() if s in shared] for a in values}
        ranked = {a: v for a, v in fair.items() if v and self._ranked(benchmark, a, average)}
        return {a: cell(shared_values) for a, shared_values in ranked.items()}

    @cached_property
    def complete(self) -> CellTable:
        """Complete rows of the average over queries; see `complete_rows`."""
        return self.complete_rows(HEADLINE)

    def complete_rows(self, average: str) -> CellTable:
        """Return fair rows of the benchmarks on which every algorithm has a value.

        They hold no algorithm that stopped asking there. There is none if there is one algorithm
        only, which is neither best nor worst.
        """
        if len(self.ranked) < 2:
            return {}
        rows = {
            b: self.fair_row(b, average=average)
            for b in self.benchmarks
            if all(self.by_seed(b, a, average) for a in self.ranked)
        }
        return {b: row for b, row in rows.items() if any(a in row for a in self.reference)}

    @cached_property
    def differences(self) -> PairTable:
        """BOLT minus each rival, seed by seed: [benchmark][algorithm]."""
        return self.paired(self.benchmarks, self.rivals)

    def paired(
        self, benchmarks: Sequence[str], others: Sequence[str], average: str = HEADLINE
    ) -> PairTable:
        """Return the differences of BOLT to others over shared seeds; None without such a seed.

        A difference of cells with runs that stopped asking has no interval.
        """
        return {b: {a: self._pair(b, a, average) for a in others} for b in benchmarks}

    def _pair(self, benchmark: str, other: str, average: str) -> Paired | None:
        pair = paired(
            self.by_seed(benchmark, "bolt", average), self.by_seed(benchmark, other, average)
        )
        ranked = all(self._ranked(benchmark, a, average) for a in ("bolt", other))
        return pair if pair is None or ranked else replace(pair, low=None, high=None, stopped=True)

    def _ranked(self, benchmark: str, algorithm: str, average: str) -> bool:
        return average == HELD or not self.stopped(benchmark, algorithm)

    def _values(self, benchmark: str, keys: Sequence[str], average: str) -> ValuesBySeed:
        values = {a: self.by_seed(benchmark, a, average) for a in keys or self.algorithms}
        return {a: by_seed for a, by_seed in values.items() if by_seed}


def regret_of(run: RunResult, average: str) -> float | None:
    """Return a run's regret by a measure: HELD, or the name of an average over queries."""
    return run.held_regret if average == HELD else run.averages[average]


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return the items by key, groups and members in the order in which they come."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def by_seed(runs: Iterable[RunResult], average: str) -> dict[int, float]:
    """Return a measure by seed, of the runs that have one."""
    values = {run.config.seed: regret_of(run, average) for run in runs}
    return {seed: value for seed, value in values.items() if value is not None}


def cell_of(run: RunResult) -> tuple[str, str]:
    """Return the cell of a run: (benchmark, algorithm)."""
    return run.config.benchmark, run.config.algorithm


def setting(config: RunConfig) -> str:
    """Return all choices of a run but algorithm, benchmark and seed, as a key."""
    same = {"algorithm": "", "benchmark": "", "seed": 0}
    return json.dumps(config.to_json() | same, sort_keys=True)


def as_in_paper(config: RunConfig) -> bool:
    """Whether a run has the paper's horizon, noise, acquisition, lengthscale, declared device."""
    clock = config.clock
    return (
        config.horizon is None
        and config.options.get("noise", "paper") == "paper"
        and (speed(config) == 1.0 if clock.kind == "model" else clock.slowdown == 1.0)
        and config.engine.acquisition == "ucb"
        and not config.engine.ard
    )


def speed(config: RunConfig) -> float | None:
    """Return how many times as fast as the paper device a run's device is.

    None: the device is no multiple of the paper device, or the clock is not the model clock.
    """
    if config.clock.kind != "model":
        return None
    slower = devices.multiple(config.clock.device, devices.device("paper"))
    return None if slower is None else round(1.0 / slower, 9)


def is_variant(key: str) -> bool:
    """Whether an algorithm is a variant of another one."""
    spec = algorithms.catalog().get(key)
    return spec is not None and spec.kind == "variant"


def means(table: Mapping[str, Mapping[str, Cell]]) -> dict[str, dict[str, float]]:
    """Return the means of a table of cells."""
    return {b: {a: c.mean for a, c in row.items()} for b, row in table.items()}


def _ordered(keys: set[str], first: Sequence[str]) -> tuple[str, ...]:
    return (*(k for k in first if k in keys), *sorted(keys - set(first)))
