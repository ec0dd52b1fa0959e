"""A journal for a server, made from a record of anyone: a state of the shell, or of `opt.save`.

The copy has named knobs and datetimes in UTC, whatever the record has: coordinates of plain bounds
become the knobs x_1, x_2 and so on; real time, seconds and times without a zone become datetimes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bolt_core.common.errors import RecordError
from bolt_core.common.knobs import Real
from bolt_core.common.types import EngineConfig, RunConfig
from bolt_core.online import saved_record, saving
from bolt_core.online.journal import Journal
from bolt_core.online.optimizer import OnlineOptimizer
from bolt_core.online.pending import MAX_PENDING
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.online.saved_record import SavedRun
from bolt_core.store import records

MAX_DATASET = 2000  # observations in D; learning from more takes a server too long


def adopt_record(source: Path, target: Path) -> list[str]:
    """Write the journal `target` from the record `source`; return remarks on what was assumed."""
    with saved_record.damage_reported(source):
        saved = saved_record.read(source)
        if saved.state is None and len(records.read(source)):
            raise RecordError("it has observations, but no complete state after them")
        config, header = saved.snapshot.config, saved.snapshot.header or {}
        _check_size(saved)
        if config.engine.name != EngineConfig().name:
            raise saved_record.OtherAlgorithmError(
                f"it uses the engine {config.engine.name!r}, which is too slow for a server; "
                "continue it in Python with Bolt.open"
            )
        spec = _named(config, header)
        options = saving.options_of(config, {**header, "problem": spec.to_json()})
        opt = OnlineOptimizer(spec, **options)
        saving.resume(opt, saved)
        remark = _use_datetimes(opt, saved)
        journal = Journal.create(target, opt._inner.config, {**opt._header(), "journal": True})
        opt._journal = journal
        try:
            saving.rewrite(opt, {})
        finally:
            opt.close()
    return [remark] if remark else []


def _check_size(saved: SavedRun) -> None:
    """Refuse a state that would keep a server busy for minutes, before it is used."""
    states = [*saved.earlier, *([] if saved.state is None else [saved.state])]
    kept = max((len(state["kept"]) for state in states), default=0)
    if kept > MAX_DATASET:
        raise RecordError(
            f"its dataset has {kept:,} observations, and a server takes {MAX_DATASET:,}; start "
            "anew from its log"
        )
    if any(len(state.get("pending", ())) > MAX_PENDING for state in states):
        raise RecordError(f"it has more than {MAX_PENDING} pending asks")


def _named(config: RunConfig, header: Mapping[str, Any]) -> ProblemSpec:
    """Return the problem of a record, with knobs x_1, x_2 and so on for plain bounds."""
    problem = saving.problem_of(config, header)
    if isinstance(problem, ProblemSpec):
        return problem
    knobs = {f"x_{k + 1}": Real(low, high) for k, (low, high) in enumerate(problem)}
    return ProblemSpec(
        knobs,
        maximize=not header["minimize"],
        name=header["label"],
        algorithm=config.algorithm,
        seed=config.seed,
        warmup=config.warmup,
        think_within=header.get("think_within"),
    )


def _use_datetimes(opt: OnlineOptimizer, saved: SavedRun) -> str:
    """Turn the times of an optimizer into datetimes; return what was assumed, or nothing."""
    wall = None if saved.state is None else saved.state["timeline"].get("wall")
    saved_at = datetime.now(UTC) if wall is None else datetime.fromisoformat(wall)
    times = opt._inner.history.view()["t"].tolist()
    latest = opt._inner.latest
    known = [*times, *([latest] if math.isfinite(latest) else [])]
    try:
        remark = opt._timeline.use_datetimes(max(known, default=0.0), saved_at)
        for t in (min(known, default=0.0), max(known, default=0.0)):
            opt._timeline.to_caller_time(t)
    except OverflowError:
        raise RecordError("a time of the record lies too far from today to be a date") from None
    return remark
