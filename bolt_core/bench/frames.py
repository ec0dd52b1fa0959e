"""`bolt bench frames`: the cost of one tick of the dashboard, per page and per chart.

A synthetic race grows by a few passes. The server builds each chart, finds what has changed and
encodes it once per tick, however many viewers there are; each viewer receives the compressed patch.
The charts of a page are built from one snapshot and share intermediate results, so a page costs
less than the sum of its charts.
"""

import gzip
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core import algorithms
from bolt_core.bench.timing import Stopwatch, column
from bolt_core.charts import chart_registry
from bolt_core.charts.cached_chart import encode
from bolt_core.charts.chart_registry import View
from bolt_core.charts.delta import difference
from bolt_core.common.types import (
    ClockConfig,
    Hyperparameters,
    IterationRecord,
    Observation,
    RunConfig,
    RunStatus,
)
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import Columns, RunHistory, RunSnapshot

PAGES = {
    "Arena": ("headline", "regret", "leaderboard", "size", "response", "landscape", "metronome"),
    "Inside": ("fit", "scores", "history", "departures", "theta", "posterior", "steps"),
}
TICKS = 10
PASSES_PER_TICK = 5
BOLT_SIZE = 60  # observations in the dataset of BOLT


@dataclass(frozen=True, slots=True)
class Row:
    """Median CPU milliseconds and compressed kilobytes of one chart, or of a page's charts."""

    chart: str = column("chart")
    build: float = column("build (ms)")
    patch: float = column("patch (ms)")
    sent: float = column("sent per tick (kB)")
    whole: float = column("first look (kB)")


def run(lanes: int = 9, passes: int = 5000, seed: int = 0) -> list[Row]:
    """Return one row per page, then one per chart."""
    rng = np.random.default_rng(seed)
    keys = [key for key, spec in algorithms.catalog().items() if spec.kind in ("paper", "control")]
    last = passes + PASSES_PER_TICK * TICKS
    histories = {key: history(key, last, rng) for key in keys[:lanes]}
    shown: dict[str, tuple[str, ...]] = {f"{page}, all": names for page, names in PAGES.items()}
    shown |= {name: (name,) for name in chart_registry.CHARTS}

    def looks() -> list[RaceSnapshot]:  # new snapshots for each row, without cached results
        return [race(histories, passes + PASSES_PER_TICK * tick) for tick in range(TICKS + 1)]

    return [_row(title, names, looks()) for title, names in shown.items()]


def _row(title: str, names: Sequence[str], looks: Sequence[RaceSnapshot]) -> Row:
    build, patch = Stopwatch(), Stopwatch()
    page, sent = _page(names, looks[0]), []
    for look in looks[1:]:
        with build.lap():
            new = _page(names, look)
        with patch.lap():
            step = encode(difference(page, new))
        sent.append(_packed(step))
        page = new
    whole = _packed(encode(page))
    return Row(title, 1e3 * build.median, 1e3 * patch.median, float(np.median(sent)), whole)


def _page(names: Sequence[str], look: RaceSnapshot) -> dict[str, object]:
    return {name: chart_registry.build(name, look, View()) for name in names}


def _packed(body: bytes) -> float:
    return len(gzip.compress(body, 5)) / 1e3


def race(histories: dict[str, Columns], length: int) -> RaceSnapshot:
    """Return the race after `length` passes of each run."""
    horizon = max(float(c.ends()[-1]) for c in histories.values())  # no run outlives it
    about = {"horizon": horizon, "spatial_kernel": "matern52", "temporal_kernel": "matern32"}
    runs = [
        RunSnapshot(
            RunConfig(key, "eggholder", clock=ClockConfig("model")),
            RunStatus.RUNNING,
            Columns(length, c.table[:, :length], c.points[:, :length], c.removed, c.notes),
            run_id=key,
            header=about,
        )
        for key, c in histories.items()
    ]
    return RaceSnapshot("bench", RunStatus.RUNNING, tuple(runs), 500.0, horizon)


def history(key: str, passes: int, rng: np.random.Generator) -> Columns:
    """Return a run whose regret is noise; BOLT keeps the newest observations, others keep all."""
    history, kept, t = RunHistory(2), 0, 0.0
    notes = {"response": (0.1, 1e-4, 0.0, 1e-8), "response_floor": 0.05} if key == "bolt" else {}
    for i in range(passes):
        seconds = 0.1 + 1e-4 * kept + 0.01 * float(rng.random())
        removed = (i - BOLT_SIZE,) if key == "bolt" and kept >= BOLT_SIZE else ()
        lost = 500.0 * float(rng.random())
        warm = i < 15
        history.append(
            IterationRecord(
                Observation(i, (0.5, 0.5), t, -lost), -lost, 0.0, (0.2, 0.3), kept, seconds, warm,
                theta=None if warm else Hyperparameters(1.0, 0.3, 20.0, 0.01),
                n_star=BOLT_SIZE if notes and not warm else None, removed=removed, notes=notes,
            )
        )  # fmt: skip
        kept += 1 - len(removed)
        t += seconds
    return history.view()
