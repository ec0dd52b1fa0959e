"""The problem of a link, if this server has it."""

from bolt_core.common.errors import BoltError, UnknownProblemError
from bolt_core.problems.problem_view import ProblemView
from bolt_ui.server_state import server


def view(problem_id: str) -> ProblemView | None:
    """Return the problem as it is now; None if there is none of that id."""
    try:
        return server().problems.view(problem_id)
    except BoltError:
        return None


def reason(problem_id: str) -> str | None:
    """Return why a problem of this server cannot be shown; None if there is none of that id."""
    try:
        server().problems.view(problem_id)
    except UnknownProblemError:
        return None
    except BoltError as problem:
        return str(problem)
    return None
