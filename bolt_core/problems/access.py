"""Who may create and change the problems of a server, and how many."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from bolt_core.common.errors import LimitError, NotYoursError
from bolt_core.common.permissions import Permissions
from bolt_core.problems.caller import Caller
from bolt_core.problems.limits import (
    MAX_MEASUREMENTS,
    MAX_NEW_PER_MINUTE,
    MAX_PROBLEMS,
    MAX_PROBLEMS_PER_VISITOR,
)
from bolt_core.problems.problem_file import ProblemFile
from bolt_core.problems.rates import Rates


class Access:
    """The rules. Visitors of the pages are known by a cookie, programs by a bearer token.

    A program needs the token of the problem, or the operator's; on a server that listens on
    loopback only it may create problems without one. `shared` opens all problems to the visitors of
    the pages, not to programs.
    """

    def __init__(self, permissions: Permissions) -> None:
        self._permissions = permissions
        self._rates = Rates(MAX_NEW_PER_MINUTE)

    def is_operator(self, by: Caller) -> bool:
        """Whether this caller may exceed limits; on a local server every caller may."""
        return self._permissions.is_operator(by.token)

    def may_change(self, problem: ProblemFile, by: Caller) -> bool:
        """Whether this caller may change a problem."""
        if by.is_program:
            return problem.token.matches(by.bearer) or self._has_operator_token(by)
        return self._permissions.may_change_all(by.cookie) or problem.owned_by(by.cookie)

    def _has_operator_token(self, by: Caller) -> bool:
        rules = self._permissions
        return rules.operator_token is not None and rules.is_operator(by.token)

    def check(self, problem: ProblemFile, by: Caller) -> None:
        """Raise a NotYoursError unless this caller may change a problem."""
        if not self.may_change(problem, by):
            raise NotYoursError(
                "this problem belongs to another user; only its owner, the holder of its token or "
                "the operator of this server may change it. You can watch it, and create your own"
            )

    def check_create(self, by: Caller, problems: Iterable[ProblemFile]) -> None:
        """Raise an error unless this caller may create a problem beside those that exist."""
        if by.is_program and not (self._permissions.local or self._has_operator_token(by)):
            raise NotYoursError(
                "creating a problem over HTTP needs the operator's token, because this server can "
                "be reached from other machines; create it on the page, or ask the operator"
            )
        if not by.is_program and by.cookie is None:
            self._check_cookie()
        if self.is_operator(by):
            return
        existing = list(problems)
        own = sum(problem.owned_by(by.cookie) for problem in existing)
        if own >= MAX_PROBLEMS_PER_VISITOR:
            raise LimitError(
                f"you have {own} problems, and the limit is {MAX_PROBLEMS_PER_VISITOR}; delete one"
            )
        if len(existing) >= MAX_PROBLEMS:
            raise LimitError(
                f"this server has {len(existing)} problems, and the limit is {MAX_PROBLEMS}; ask "
                "its operator to delete some"
            )

    def count_new(self, by: Caller) -> None:
        """Count a problem that is being created; a RateError if there are too many."""
        if not self.is_operator(by):
            self._rates.count(hashlib.sha256((by.token or "").encode()).hexdigest())

    def _check_cookie(self) -> None:
        if not (self._permissions.shared or self._permissions.local):
            raise NotYoursError(
                "this server could not set its cookie, so it would not know that the problem is "
                "yours; allow cookies for this site and reload the page"
            )

    def check_size(self, by: Caller, measurements: int) -> None:
        """Raise a LimitError if a problem would have too many measurements."""
        if measurements > MAX_MEASUREMENTS and not self.is_operator(by):
            raise LimitError(
                f"a problem may have {MAX_MEASUREMENTS:,} measurements on this server, not "
                f"{measurements:,}; download its journal and continue it in Python with Bolt.open"
            )
