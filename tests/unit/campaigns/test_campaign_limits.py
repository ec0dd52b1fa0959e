"""The CPU time of a campaign is limited, and the operator may stop any campaign."""

import pytest

from bolt_core.campaigns import background
from bolt_core.campaigns.background import Background
from bolt_core.common.errors import ConfirmationError, LimitError, NotYoursError
from bolt_core.common.permissions import Permissions
from tests.support import campaigns

OPERATOR = "the-operators"
LONG = {"algorithms": ["gpucb"], "benchmarks": ["powell"], "seeds": 50, "horizon": 600.0}


class Process:
    """A process that runs until it is asked to end."""

    stdin = None

    def poll(self):
        return None


@pytest.fixture
def made(monkeypatch):
    """Campaigns of a server with an operator; no process is started."""
    monkeypatch.setattr(background, "_start_process", lambda folder, name, workers: Process())
    return Background(Permissions(OPERATOR))


def test_a_long_campaign_is_refused_and_the_operator_is_asked(made):
    campaigns.ready("long", **LONG)
    for confirmed in (False, True):
        with pytest.raises(LimitError, match="30 min") as refused:
            made.start("long", "visitor", confirmed=confirmed)
        assert not isinstance(refused.value, ConfirmationError)
    with pytest.raises(ConfirmationError, match="30 min"):
        made.start("long", OPERATOR)
    assert made.job is None

    assert made.start("long", OPERATOR, confirmed=True).running


def test_the_owner_and_the_operator_may_stop_a_campaign(made):
    campaigns.ready("short", algorithms=["random"], benchmarks=["eggholder"], seeds=1, horizon=2.0)
    made.start("short", "visitor")

    assert made.may_stop("visitor")
    assert made.may_stop(OPERATOR)
    for other in ("other", None):
        assert not made.may_stop(other)
        with pytest.raises(NotYoursError, match="short"):
            made.stop(other)
