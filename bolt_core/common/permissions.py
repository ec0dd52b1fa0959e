"""Who may start and change what on a server.

A visitor is known by a random token (a cookie). A race belongs to the visitor who started it: its
owner may stop, pause, rename and delete it; others may watch it and start a copy. The operator may
change everything, and is asked for a confirmation where others meet a limit.

The operator is the visitor who presents the operator's token. A server that listens on loopback
only and has no such token treats its user as the operator. In a `shared` server every visitor may
rename and delete what has ended, and a race that was started without a token belongs to everyone.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from bolt_core.common.errors import ConfirmationError, LimitError, NotYoursError
from bolt_core.common.text import listed


@dataclass(frozen=True, slots=True)
class Permissions:
    """The rules of one server."""

    operator_token: str | None = None
    local: bool = False  # every visitor is the operator
    shared: bool = False

    def is_operator(self, token: str | None) -> bool:
        """Whether this token is the operator's."""
        if self.local:
            return True
        if self.operator_token is None or token is None:
            return False
        return hmac.compare_digest(token.encode(), self.operator_token.encode())

    def may_change_all(self, token: str | None) -> bool:
        """Whether this visitor may change every stored race."""
        return self.shared or self.is_operator(token)

    def check_limits(self, token: str | None, exceeded: Sequence[str], *, confirmed: bool) -> None:
        """Raise an error if limits are exceeded: the operator may confirm, others are refused."""
        if not exceeded:
            return
        reasons = listed(list(exceeded))
        if not self.is_operator(token):
            raise LimitError(
                f"this cannot be started here: {reasons}. Choose a smaller race, stop one of "
                "yours, or ask the operator of this server"
            )
        if not confirmed:
            raise ConfirmationError(f"this exceeds the limits of this server: {reasons}")

    def check_token(self, token: str | None) -> None:
        """Raise a `NotYoursError` if nothing could belong to a visitor without a token."""
        if token is None and not self.shared and not self.local:
            raise NotYoursError(
                "this server could not set its cookie, so it would not know that the race is "
                "yours; allow cookies for this site and reload the page"
            )
