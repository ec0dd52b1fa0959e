"""Records of `opt.save` among the runs."""

from bolt_core.runs.snapshot import RunSnapshot


def is_own_problem(run: RunSnapshot) -> bool:
    """Return whether `opt.save` wrote it: the user's own problem, on the user's own times."""
    return "bounds" in (run.header or {}) and run.config.clock.kind == "wall"
