"""An ask that explores says so, also after the optimizer was opened again, and keeps its limits."""

import pytest

from bolt_core import Bolt, OnlineOptimizer
from tests.support.plant import KNOBS, yield_of
from tools.settable_asks import step_errors

SECONDS_PER_OBSERVATION = 40.0  # a pass takes longer with more of them, so that n* is finite
MAX_ASKS = 60


def asked_until_one_explores(opt):
    """Ask and tell until an ask explores; return the settings, the last without result, and t."""
    settings, t = [], 0.0
    for _ in range(MAX_ASKS):
        t += SECONDS_PER_OBSERVATION * (1 + len(opt.dataset))
        settings.append(opt.ask(t))
        (pending,) = opt.pending
        if pending.explores:
            return settings, t
        opt.tell(settings[-1], t, yield_of(settings[-1], t))
    pytest.fail(f"none of {MAX_ASKS} asks explored")


def test_once_in_a_while_an_ask_explores_within_the_largest_step():
    opt = Bolt(KNOBS, maximize="yield", warmup=5)
    settings, t = asked_until_one_explores(opt)

    assert len(settings) > 5  # of the warm-up, which is random and does not explore
    assert step_errors(settings, KNOBS) == []
    opt.tell(settings[-1], t, yield_of(settings[-1], t))
    explored = [bool(record.notes.get("explored")) for record in opt._inner.records]
    assert explored == [False] * (len(settings) - 1) + [True]
    opt.ask(t + SECONDS_PER_OBSERVATION)
    assert not opt.pending[0].explores


def test_a_pending_ask_still_explores_after_the_file_was_opened_again(tmp_path):
    path = tmp_path / "state.jsonl"
    opt = Bolt(KNOBS, maximize="yield", warmup=5, journal=path)
    asked_until_one_explores(opt)
    opt.close()

    again = OnlineOptimizer.open(path)
    (pending,) = again.pending
    assert pending.explores
    again.close()


def test_bolt_plain_never_explores():
    opt = Bolt(KNOBS, maximize="yield", warmup=5, algorithm="bolt-plain")
    with pytest.raises(pytest.fail.Exception, match="none of"):
        asked_until_one_explores(opt)
