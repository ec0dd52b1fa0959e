"""The headline: made from the data, also for ties, failures and a single lane."""

import re
from dataclasses import replace

from bolt_core.common.types import RunStatus
from bolt_core.figures.arena.headline import headline
from tests.support.runs import make_record, make_run
from tests.support.wording import in_order


def run(algorithm, *, regret=1.0, seconds=0.2, n=60, keep=None, notes=None, **rest):
    """Return n - 1 full passes after one of warm-up; the last `keep` observations are kept."""
    passes = [make_record(i, regret=regret, warmup=i == 0, seconds=seconds) for i in range(n)]
    if keep is not None:
        passes[-1] = replace(passes[-1], removed=tuple(range(n - keep)), notes=notes or {})
    return make_run(passes, algorithm=algorithm, **rest)


def test_one_lane_has_its_regret_size_and_response_time():
    assert headline([make_run(15)]) is None
    text = headline([make_run(40)])
    assert text.startswith("After 4 s Random")
    assert "all 40 observations" in text
    assert "0.100 s" in text


def test_the_lowest_regret_leads():
    text = headline(
        [make_run(40, regret=9.0), make_run(40, algorithm="bolt", removed=lambda i: (i,))]
    )
    assert text.startswith("After 4 s BOLT ")


def test_a_finished_run_is_at_the_horizon():
    waited = replace(make_run(20), status=RunStatus.FINISHED, header={"horizon": 4.0})

    assert headline([waited]).startswith("After 4 s")


def test_the_leader_and_the_slowest_lane_are_described():
    fast = run("bolt", regret=1.0, seconds=0.21, n=402, keep=38)
    slow = run("gpucb", regret=4.0, seconds=1.9, n=306)
    text = headline([slow, fast])

    assert text.startswith("After 307 s BOLT ")
    assert in_order(text, " 1.00.", " 38 of 402 ", " 0.210 s.", "GPUCB", "all 306", " 1.90 s.")
    assert text.endswith(" 1.90 s.")


def test_a_tie_as_printed_is_shared():
    text = headline([run("bolt", regret=2.0001), run("gpucb", regret=2.0), run("abo", regret=3.0)])

    assert in_order(text, "GPUCB and BOLT", "share", " 2.00.")
    assert "similar" in text


def test_the_slowest_may_lead():
    text = headline([run("gpucb", regret=1.0, seconds=2.0), run("bolt", regret=2.0)])

    assert text.startswith("After 59 s GPUCB ")
    assert in_order(text, "BOLT", "all 60", " 0.200 s.")
    assert text.endswith(" 0.200 s.")


def test_a_lane_that_has_just_reset_is_called_so():
    reset = run("r-gpucb", regret=2.0, seconds=0.1, keep=1, notes={"reset": "block full"})
    text = headline([run("gpucb", regret=1.0, seconds=2.0), reset])

    assert re.search(r"R-GPUCB.*reset.*\b1 of 60", text)


def test_a_failed_lane_is_named_and_never_leads():
    broken = run("bolt", regret=0.0, status=RunStatus.FAILED, error="it broke")

    assert headline([broken, run("gpucb")]).startswith("After 59 s GPUCB")
    assert headline([broken, run("gpucb")]).endswith("BOLT failed.")
    assert headline([broken]).startswith("BOLT failed ")
    assert headline([broken]).endswith(" 59.0 s: it broke.")


def test_there_is_no_headline_before_the_warm_up_is_over():
    assert headline([]) is None
    assert headline([run("bolt", n=1), run("gpucb", n=1)]) is None


def test_a_lane_in_its_warm_up_is_left_out():
    assert "GPUCB" not in headline([run("bolt"), run("gpucb", n=1)])
