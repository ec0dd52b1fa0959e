"""The peers of `bolt bench peers` that need Xopt, in their processes."""

import sys

import pytest

from bolt_core.bench import peers, peers_child
from bolt_core.bench.peers_run import Setting

ROWS = [[0.05 * k, [k / 15, 1 - k / 15], -((k / 15 - 0.5) ** 2)] for k in range(15)]


@pytest.mark.parametrize("key", sorted(peers.WITH_XOPT))
def test_a_peer_of_xopt_answers_queries(key):
    setting = Setting("hartmann3", seed=0, seconds=60.0, cost=0.05, forgetting=20.0)
    with peers.opener(sys.executable)(key) as process:
        version = process.start(setting.request())
        x = process.ask(1.0, ROWS, 300.0)
        again = process.ask(9.0, [[1.0, x, -0.1]], 300.0)

    assert version.startswith("xopt 3.2")
    assert len(x) == len(again) == 2


def test_one_of_them_forgets():
    start = peers_child.Start(dimension=2, seed=0, warmup=15, forgetting=20.0)
    made = {key: peers_child.PEERS[key](start)._generator for key in peers.WITH_XOPT}

    assert made["xopt"].forgetting_time is None
    assert made["xopt-forgets"].forgetting_time == 20.0
