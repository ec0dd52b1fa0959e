"""What is answered: a problem, an ask and the best setting as JSON values."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from bolt_core.online.results import Best
from bolt_core.problems.problem_view import PendingSetting, ProblemView


def iso(at: float | datetime) -> str | float:
    """Return a time in UTC as ISO 8601."""
    return at.astimezone(UTC).isoformat() if isinstance(at, datetime) else at


def finite(number: float | None) -> float | None:
    """Return a number; None for one that JSON has no name for."""
    return number if number is not None and math.isfinite(number) else None


def pending_json(ask: PendingSetting) -> dict[str, Any]:
    """Return an ask: its number, its setting, and how long it is worth using."""
    return {
        "ask": ask.id,
        "setting": dict(ask.setting),
        "previous_setting": None if ask.previous is None else dict(ask.previous),
        "at": iso(ask.at),
        "random": ask.is_random,
        "explores": ask.explores,
        "fresh_for_seconds": finite(ask.fresh_for),
        "outside_range": list(ask.outside),
    }


def best_json(best: Best) -> dict[str, Any]:
    """Return the best setting with its mean and standard deviation."""
    return {
        "setting": dict(best.setting),
        "mean": finite(best.mean),
        "sd": finite(best.sd),
        "at": iso(best.at),
    }


def problem_json(view: ProblemView) -> dict[str, Any]:
    """Return everything that is known of a problem, but for its log."""
    status = view.status
    return {
        "id": view.id,
        "name": view.spec.name,
        "problem": view.spec.to_json(),
        "version": view.version,
        "created": iso(view.created),
        "changed": iso(view.changed),
        "told": status.told,
        "failed": status.failed,
        "kept": status.kept,
        "random_settings_left": status.warmup_left,
        "pending": [pending_json(ask) for ask in view.pending],
        "last_setting": None if view.last_setting is None else dict(view.last_setting),
        "best": None if view.best is None else best_json(view.best),
        "fresh_for_seconds": finite(view.fresh_for),
        "lengthscale_time_seconds": finite(view.lengthscale_time),
        "n_star": status.n_star,
        "limit": status.limit,
        "think_within_seconds": finite(status.think_within),
        "status": str(status),
        "can_undo": view.can_undo,
        "simulated": view.simulated,
        "notes": list(view.notes),
    }


def log_json(view: ProblemView) -> dict[str, Any]:
    """Return the log: its columns, and one list of values per row."""
    log = view.log.astype(object)
    rows = [[_cell(cell) for cell in row] for row in log.itertuples(index=False, name=None)]
    return {"columns": list(log.columns), "knobs": list(view.spec.knobs), "rows": rows}


def _cell(cell: Any) -> Any:  # noqa: ANN401 - of a table
    if isinstance(cell, datetime):
        return iso(cell)
    if cell is None or cell is pd.NA or (isinstance(cell, float) and not math.isfinite(cell)):
        return None
    return cell
