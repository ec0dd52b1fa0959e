"""Whether a journal that exists is of the problem that an optimizer was declared with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bolt_core.online.range_change import same_problem
from bolt_core.online.saved_record import OtherAlgorithmError, SavedRun

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


def check_same(opt: OnlineOptimizer, saved: SavedRun, path: Path) -> None:
    """Raise an error that names the difference if a file is of another problem."""
    header, config = saved.snapshot.header or {}, saved.snapshot.config
    ours = {} if opt.spec is None else opt.spec.to_json()
    difference = same_problem(ours, header.get("problem", {}))
    if difference is None and header["bounds"] != opt.space.pairs:
        difference = f"bounds are {header['bounds']} there and {opt.space.pairs} here"
    if difference is None and config.to_json() != opt._inner.config.to_json():
        difference = "engine, kernels or parameters differ"
    if difference is not None:
        raise OtherAlgorithmError(
            f"{path} is of another problem: {difference}; continue it as it is with Bolt.open, or "
            "choose another file"
        )
