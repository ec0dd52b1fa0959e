"""The headline: made from the data, and right in the odd cases too."""

from dataclasses import replace

from bolt_core.common.types import RunStatus
from bolt_core.figures.arena.headline import headline
from tests.support.helpers import record, snapshot


def run(algorithm, *, regret=1.0, seconds=0.2, n=60, keep=None, **rest):
    """n full passes after one of warm-up, of which the last `keep` are in D."""
    passes = [record(i, regret=regret, warmup=i == 0, seconds=seconds) for i in range(n)]
    if keep is not None:
        passes[-1] = replace(passes[-1], removed=tuple(range(n - keep)))
    return snapshot(passes, algorithm=algorithm, **rest)


def test_the_headline_speaks_of_sizes_and_times(made):
    assert headline([made(15)]) is None
    assert "keeps all 40 observations, answers every 0.100 s" in headline([made(40)])
    two = headline([made(40, regret=lambda i: 9.0), made(40, algorithm="bolt", removed=(1,))])
    assert two.startswith("After 4 s BOLT has the lowest average regret")


def test_who_finished_is_at_the_horizon_however_early_it_last_looked(made):
    waited = replace(made(20), status=RunStatus.FINISHED, header={"horizon": 4.0})

    assert headline([waited]).startswith("After 4 s")


def test_it_tells_who_leads_and_who_is_slow():
    fast = run("bolt", regret=1.0, seconds=0.21, n=402, keep=38)
    slow = run("gpucb", regret=4.0, seconds=1.9, n=306)

    assert headline([slow, fast]) == (
        "After 307 s BOLT has the lowest average regret, 1.00: it keeps 38 of 402 observations "
        "and answers every 0.210 s. GPUCB keeps all 306 and now needs 1.90 s."
    )


def test_a_tie_as_printed_is_shared():
    said = headline([run("bolt", regret=2.0001), run("gpucb", regret=2.0), run("abo", regret=3.0)])

    assert "GPUCB and BOLT share the lowest average regret, 2.00." in said
    assert said.endswith("The others answer about as fast.")


def test_the_slowest_may_lead():
    said = headline([run("gpucb", regret=1.0, seconds=2.0), run("bolt", regret=2.0)])

    assert said.startswith("After 59 s GPUCB has the lowest average regret")
    assert said.endswith("BOLT keeps all 60 and needs only 0.200 s.")


def test_who_failed_is_named_and_never_leads():
    broken = run("bolt", regret=0.0, status=RunStatus.FAILED, error="it broke")

    assert headline([broken, run("gpucb")]).startswith("After 59 s GPUCB keeps all 60")
    assert headline([broken, run("gpucb")]).endswith("BOLT failed.")
    assert headline([broken]) == "BOLT failed at 59.0 s: it broke."


def test_before_the_warm_up_is_over_there_is_nothing_to_say():
    assert headline([]) is None
    assert headline([run("bolt", n=1), run("gpucb", n=1)]) is None


def test_who_is_still_warming_up_is_left_out():
    assert "GPUCB" not in headline([run("bolt"), run("gpucb", n=1)])
