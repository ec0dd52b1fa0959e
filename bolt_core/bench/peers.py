"""`bolt bench peers`: Bolt against what its users would take instead, in real time.

    bolt             `Bolt` with its defaults
    xopt             Xopt's time-dependent UCB with its defaults
    xopt-forgets     the same with a forgetting time
    botorch          stock BoTorch with time as an input, on all results
    random           uniform points

Every peer has the same objective, warm-up, noise, cost of a query and real seconds, one process of
its own at a time and one BLAS thread. Xopt runs in the Python that `--python` names. Loading of
packages and one rehearsal are not charged. The result is meaningless on a busy machine.
"""

import math
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bolt_core import benchmarks
from bolt_core.analysis.held_regret import held_regret
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.analysis.seed_statistics import cell
from bolt_core.bench import peers_child
from bolt_core.bench.peers_process import PeerError, PeerProcess, RealTime
from bolt_core.bench.peers_run import Setting, run
from bolt_core.bench.timing import column
from bolt_core.benchmarks.spec import check_horizon
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.text import listed, significant
from bolt_core.common.types import WARMUP
from bolt_core.runs.machine_speed import load

BENCHMARKS = ("eggholder", "hartmann3", "powell")
SECONDS = 60.0
SEEDS = 3
COST = 0.05  # seconds per query, for every benchmark: R(0) of four of the ten in Table 3
FORGETTING_SHARE = 1.0 / 3.0  # of a run
MAX_QUIET_LOAD = 0.5  # load average over the minute before the start
PEERS = tuple(peers_child.PEERS)
WITH_XOPT = frozenset({"xopt", "xopt-forgets"})
CHILD = Path(peers_child.__file__)
PACKAGE_ROOT = CHILD.parents[2]  # the folder with bolt_core

Open = Callable[[str], PeerProcess]


@dataclass(frozen=True, slots=True)
class PeerRun:
    """One run of one peer."""

    benchmark: str
    peer: str
    seed: int
    version: str
    queries: int  # after the warm-up
    average_regret: float | None  # over these queries; None: there is none
    held_regret: float | None
    error: str | None = None  # why it failed


@dataclass(frozen=True, slots=True)
class Row:
    """One peer on one benchmark: means over seeds with standard errors, from three seeds on."""

    benchmark: str = column("benchmark")
    peer: str = column("peer")
    queries: float | None = column("queries")
    average_regret: float | None = column("average")
    average_error: float | None = column("+-")
    held_regret: float | None = column("held")
    held_error: float | None = column("+-")
    failed: int = column("failed")


class Chosen(NamedTuple):
    """The peers that can run, and those that cannot because there is no Python with Xopt."""

    peers: list[str]
    left_out: list[str]


def choose(peers: Sequence[str], python: str | None) -> Chosen:
    """Return which peers can run; an error names a peer or a Python that does not exist."""
    for key in peers or [""]:
        if key not in PEERS:
            raise UnknownNameError("peer", key, PEERS)
    if python is not None and shutil.which(python) is None:
        raise ConfigError(f"--python {python} is not a program; give the path of a Python")
    can = [key for key in peers if python is not None or key not in WITH_XOPT]
    return Chosen(can, [key for key in peers if key not in can])


def check(keys: Sequence[str], seconds: float) -> None:
    """Raise an error that names a benchmark that does not exist or is shorter than the runs."""
    for key in keys or [""]:
        check_horizon(seconds, key, benchmarks.load(key).horizon)


def opener(python: str | None) -> Open:
    """Return a function that starts the process of a peer."""

    def start(peer: str) -> PeerProcess:
        if peer not in WITH_XOPT:
            own = [sys.executable, str(CHILD), peer]
            return PeerProcess(own, {"PYTHONPATH": str(PACKAGE_ROOT)})
        if python is None:
            raise ConfigError(f"{peer} needs the Python of an environment with Xopt (--python)")
        return PeerProcess([python, str(CHILD), peer], {"PYTHONPATH": None, "PYTHONHOME": None})

    return start


def race(
    keys: Sequence[str],
    seeds: int,
    settings: Mapping[str, float],
    peers: Sequence[str],
    open_: Open,
) -> Iterator[PeerRun]:
    """Yield the runs one after another: all peers on one seed, then the next seed."""
    for benchmark in keys:
        for seed in range(seeds):
            setting = Setting(benchmark, seed, **settings)
            for peer in peers:
                yield one_run(peer, setting, open_)


def one_run(peer: str, setting: Setting, open_: Open) -> PeerRun:
    """Run one peer; one that fails has its reason instead of regrets."""
    version = ""
    try:
        with open_(peer) as process:
            version = process.start(setting.request())
            snapshot = run(peer, process, setting, RealTime())
    except PeerError as problem:
        return PeerRun(setting.benchmark, peer, setting.seed, version, 0, None, None, str(problem))
    queries = int((snapshot.columns["warmup"] == 0).sum())
    average = RunOutcome(snapshot).average_regret if queries else None
    held = held_regret(snapshot)
    return PeerRun(setting.benchmark, peer, setting.seed, version, queries, average, held)


def table(runs: Sequence[PeerRun]) -> list[Row]:
    """Return one row per benchmark and peer, in the order of the runs."""
    groups: dict[tuple[str, str], list[PeerRun]] = {}
    for each in runs:
        groups.setdefault((each.benchmark, each.peer), []).append(each)
    return [_row(benchmark, peer, group) for (benchmark, peer), group in groups.items()]


def is_quiet() -> bool:
    """Whether the machine was idle over the last minute."""
    return load() < MAX_QUIET_LOAD


def _row(benchmark: str, peer: str, group: Sequence[PeerRun]) -> Row:
    made = [each for each in group if each.error is None]
    average = _cell([each.average_regret for each in made])
    held = _cell([each.held_regret for each in made])
    queries = _cell([float(each.queries) for each in made])
    failed = len(group) - len(made)
    return Row(benchmark, peer, queries[0], *average, *held, failed)


def _cell(values: Sequence[float | None]) -> tuple[float | None, float | None]:
    """Return mean and standard error of the values that are known."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    if not known:
        return None, None
    statistics = cell(known)
    return statistics.mean, statistics.error


def in_words(run: PeerRun) -> str:
    """Return the outcome of a run for a line of progress."""
    if run.error is not None:
        return f"failed: {run.error}"
    regrets = (run.average_regret, run.held_regret)
    average, held = ("-" if value is None else significant(value) for value in regrets)
    return f"{run.queries} queries, average regret {average}, held regret {held} ({run.version})"


def remarks(settings: Mapping[str, float], left_out: Sequence[str], *, quiet: bool) -> list[str]:
    """Return what to know about a table: its setting, peers that are missing, a busy machine."""
    texts = [
        "Average regret over queries, and held regret over time; lower is better. "
        f"Real time: {settings['seconds']:g} s per run, {settings['cost']:g} s per query, "
        f"after {WARMUP} random queries, which are not counted."
    ]
    if left_out:
        names = f"{listed(left_out)} {'is' if len(left_out) == 1 else 'are'}"
        texts.append(f"{names} left out: --python PATH names the Python with Xopt 3.2.")
    if not quiet:
        texts.append("The machine was busy before the start: discard these figures.")
    return texts
