"""`bolt bench peers`: runs in real time with peers that are made up, on a clock that is made up."""

import sys

import numpy as np
import pytest

from bolt_core import benchmarks
from bolt_core.analysis.held_regret import held_regret
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.bench import peers, peers_child
from bolt_core.bench.peers_process import PeerError, PeerProcess
from bolt_core.bench.peers_run import Setting, run
from bolt_core.benchmarks import oracle
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.types import WARMUP

SETTING = Setting("hartmann3", seed=4, seconds=30.0, cost=0.5, forgetting=10.0)
ANSWERS = """
import json, sys
start = json.loads(sys.stdin.readline())
print(json.dumps({"ready": "made up 1"}), flush=True)
for line in sys.stdin:
    rows = json.loads(line)["rows"]
    print(ANSWER, flush=True)
"""


class MadeUpTime:
    """Passes only when it is slept through, or by hand."""

    t = 0.0

    def now(self):
        return self.t

    def sleep_until(self, t):
        self.t = max(self.t, t)


class Thinker:
    """Answers the same point after so many seconds."""

    def __init__(self, clock, seconds, x=(0.25, 0.5)):
        self.clock, self.seconds, self.x = clock, seconds, list(x)
        self.asked = []

    def ask(self, now, rows, within):
        self.asked.append((now, [tuple(row) for row in rows]))
        self.clock.t += min(self.seconds, within)
        return None if self.seconds > within else self.x


def made_up_run(seconds, setting=SETTING):
    clock = MadeUpTime()
    thinker = Thinker(clock, seconds)
    return run("thinker", thinker, setting, clock), thinker


def peer(tmp_path, text):
    """The process of a peer whose program is `text`."""
    (tmp_path / "peer.py").write_text(text)
    return PeerProcess([sys.executable, str(tmp_path / "peer.py")], {})


def answering(tmp_path, answer):
    process = peer(tmp_path, ANSWERS.replace("ANSWER", answer))
    assert process.start(SETTING.request(), within=60.0) == "made up 1"
    return process


def test_queries_take_hold_when_they_are_answered_and_none_after_the_end():
    snapshot, _ = made_up_run(2.0)
    columns = snapshot.columns

    assert columns["warmup"].sum() == WARMUP
    assert columns["t"][:WARMUP] == pytest.approx(0.5 * np.arange(WARMUP))
    assert columns["t"][WARMUP:] == pytest.approx([9.5 + 2.5 * k for k in range(9)])


def test_a_peer_gets_every_result_once_with_its_time():
    snapshot, thinker = made_up_run(2.0)
    columns = snapshot.columns
    sent = [row for _, rows in thinker.asked for row in rows]

    assert [len(rows) for _, rows in thinker.asked] == [WARMUP, *[1] * 8]
    assert [t for t, _, _ in sent] == columns["t"].tolist()[: len(sent)]
    assert [y for _, _, y in sent] == columns["y"].tolist()[: len(sent)]
    assert [now for now, _ in thinker.asked] == pytest.approx([7.5 + 2.5 * k for k in range(9)])


def test_regrets_are_those_of_every_other_run_and_waiting_for_the_first_answer_counts():
    snapshot, _ = made_up_run(2.0)
    benchmark = benchmarks.load("hartmann3")
    times = snapshot.columns["t"][WARMUP:]
    lost = [oracle.best(benchmark, t)[1] - benchmark.value([0.25, 0.5], t) for t in times]
    outcome = RunOutcome(snapshot)

    assert outcome.average_regret == pytest.approx(np.mean(lost))
    assert outcome.warmup_end == pytest.approx(7.5)
    grid = np.linspace(7.5, 30.0, 4001)
    asked, x = snapshot.columns["t"], snapshot.columns["x"]
    held = x[np.searchsorted(asked, grid, side="right") - 1]
    best = np.interp(grid, times, [oracle.best(benchmark, t)[1] for t in times])
    assert held_regret(snapshot) == pytest.approx(
        np.trapezoid(best - benchmark.value(held, grid), grid) / 22.5, rel=0.02
    )


def test_all_peers_have_the_same_warm_up_and_noise_and_seeds_differ():
    quick, slow = (made_up_run(s)[0].columns for s in (0.5, 4.0))
    other = made_up_run(0.5, SETTING._replace(seed=5))[0].columns

    assert np.array_equal(quick["x"][:WARMUP], slow["x"][:WARMUP])
    noise = [(c["y"] - c["value"])[: WARMUP + 3] for c in (quick, slow, other)]
    assert noise[0] == pytest.approx(noise[1])
    assert not np.allclose(noise[0], noise[2])


def test_a_peer_that_never_answers_has_a_held_regret_and_no_average():
    snapshot, _ = made_up_run(100.0)

    assert len(snapshot) == WARMUP
    assert RunOutcome(snapshot).average_regret is None
    assert held_regret(snapshot) > 0


def test_a_process_answers_with_one_blas_thread_and_is_ended(tmp_path):
    threads = "[float(__import__('os').environ['OMP_NUM_THREADS']), len(rows)]"
    with answering(tmp_path, f"json.dumps({{'x': {threads}}})") as process:
        assert process.ask(0.5, [(0.0, [0.1, 0.2], 1.0)], 60.0) == [1.0, 1.0]

    assert process._process.returncode is not None


def test_an_answer_that_does_not_come_is_none(tmp_path):
    with answering(tmp_path, "__import__('time').sleep(600)") as process:
        assert process.ask(0.0, [], 0.05) is None


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("'hello'", "hello"),
        ("json.dumps({'x': [0.5]})", "0.5"),
        ("json.dumps({'x': [0.5, 1.5]})", "1.5"),
        ("json.dumps({'x': [0.5, float('nan')]})", "NaN"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_what_is_no_query_is_an_error_that_shows_it(tmp_path, answer, words):
    with answering(tmp_path, answer) as process, pytest.raises(PeerError, match=words):
        process.ask(0.0, [], 60.0)


def test_a_peer_that_cannot_start_says_why(tmp_path):
    with pytest.raises(PeerError, match="no-such-python"):
        PeerProcess([str(tmp_path / "no-such-python")], {})
    missing = peer(tmp_path, "import no_such_package")
    with missing, pytest.raises(PeerError, match="no_such_package"):
        missing.start(SETTING.request(), within=60.0)
    silent = peer(tmp_path, "import time; time.sleep(600)")
    with silent, pytest.raises(PeerError, match="ready"):
        silent.start(SETTING.request(), within=0.05)


def test_a_failed_peer_is_a_row_and_the_others_go_on(tmp_path):
    settings = {"seconds": 1.0, "cost": 0.0, "forgetting": 0.2}
    slow = "__import__('time').sleep(0.2) or json.dumps({'x': [0.5] * start['dimension']})"

    def open_(key):
        return peer(tmp_path, ANSWERS.replace("ANSWER", "1 / 0" if key == "bad" else slow))

    runs = list(peers.race(["hartmann3"], 2, settings, ["bad", "good"], open_))
    bad, good = peers.table(runs)

    assert [(r.peer, r.seed) for r in runs] == [("bad", 0), ("good", 0), ("bad", 1), ("good", 1)]
    assert (bad.failed, bad.average_regret, bad.held_regret) == (2, None, None)
    assert (good.failed, good.benchmark) == (0, "hartmann3")
    assert "ZeroDivisionError" in peers.in_words(runs[0])


def test_a_table_has_means_with_standard_errors_from_three_seeds_on():
    runs = [peers.PeerRun("powell", "bolt", s, "", 10 * s, s + 1.0, 2.0 * s) for s in range(3)]
    (row,), (fewer,) = peers.table(runs), peers.table(runs[:2])

    assert (row.queries, row.average_regret, row.held_regret) == (10.0, 2.0, 2.0)
    assert row.average_error == pytest.approx(1 / 3**0.5)
    assert row.held_error == pytest.approx(2 / 3**0.5)
    assert (fewer.average_regret, fewer.average_error) == (1.5, None)


def test_peers_of_xopt_need_a_python_that_has_it():
    assert peers.choose(peers.PEERS, None).left_out == ["xopt", "xopt-forgets"]
    assert peers.choose(["xopt"], sys.executable).peers == ["xopt"]
    with pytest.raises(UnknownNameError, match="nobody"):
        peers.choose(["nobody"], None)
    with pytest.raises(ConfigError, match="python"):
        peers.opener(None)("xopt")


@pytest.mark.parametrize("key", ["bolt", "botorch", "random"])
def test_a_peer_of_this_environment_learns_and_asks(key):
    start = peers_child.Start(dimension=2, seed=0, warmup=8, forgetting=5.0)
    optimizer = peers_child.PEERS[key](start)
    rng = np.random.default_rng(0)
    rows = [
        (0.1 * k, x.tolist(), -float(np.sum((x - 0.3) ** 2)))
        for k, x in enumerate(rng.random((25, 2)))
    ]
    optimizer.tell(rows[:24])
    optimizer.tell(rows[24:])
    asked = np.array(optimizer.ask(lambda: 3.0))

    assert asked.shape == (2,)
    assert ((asked >= 0) & (asked <= 1)).all()
    if key != "random":
        assert np.abs(asked - 0.3).max() < 0.35
