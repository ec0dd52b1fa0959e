"""Who makes a call: a visitor of the pages, or a program that presents a bearer token."""

from typing import NamedTuple


class Caller(NamedTuple):
    """What a caller presents.

    A visitor of the pages has a cookie: a random token, or the operator's. A program has the bearer
    token of one problem, or the operator's; its cookies do not count.
    """

    cookie: str | None = None
    bearer: str | None = None
    is_program: bool = False  # calls over HTTP, and not from a page

    @property
    def token(self) -> str | None:
        """The token that may be the operator's."""
        return self.bearer if self.is_program else self.cookie
