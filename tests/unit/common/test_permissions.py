"""Who may start and change what on a server."""

import pytest

from bolt_core.common.errors import ConfirmationError, LimitError, NotYoursError
from bolt_core.common.permissions import Permissions

STRICT = Permissions("the-operators")
LOCAL = Permissions(local=True)
SHARED = Permissions(shared=True)


@pytest.mark.parametrize(
    ("rules", "token", "operator"),
    [
        (STRICT, "the-operators", True),
        (STRICT, "the-operator", False),
        (STRICT, "", False),
        (STRICT, "\N{SNOWMAN}", False),
        (STRICT, None, False),
        (SHARED, None, False),
        (SHARED, "any", False),
        (LOCAL, None, True),
        (LOCAL, "any", True),
    ],
)
def test_the_operator_is_known_by_the_token_or_by_being_local(rules, token, operator):
    assert rules.is_operator(token) is operator


def test_beyond_a_limit_a_visitor_is_refused_even_with_a_confirmation():
    for confirmed in (False, True):
        with pytest.raises(LimitError, match="13 lanes") as refused:
            STRICT.check_limits("visitor", ["it has 13 lanes"], confirmed=confirmed)
        assert not isinstance(refused.value, ConfirmationError)


@pytest.mark.parametrize(("rules", "token"), [(STRICT, "the-operators"), (LOCAL, None)])
def test_beyond_a_limit_the_operator_is_asked(rules, token):
    with pytest.raises(ConfirmationError, match="13 lanes"):
        rules.check_limits(token, ["it has 13 lanes"], confirmed=False)
    rules.check_limits(token, ["it has 13 lanes"], confirmed=True)


def test_within_the_limits_nothing_is_asked():
    STRICT.check_limits("visitor", [], confirmed=False)


def test_without_a_token_nothing_can_be_started_where_ownership_counts():
    with pytest.raises(NotYoursError, match="cookies"):
        STRICT.check_token(None)
    STRICT.check_token("visitor")
    SHARED.check_token(None)
    LOCAL.check_token(None)
