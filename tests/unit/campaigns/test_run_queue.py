"""The order of a campaign's runs: seed by seed, cheap first, timed runs alone."""

import random

from bolt_core.campaigns import campaign, pools
from bolt_core.campaigns.pools import dask_pool
from bolt_core.campaigns.pools.run_queue import RunQueue, runs_alone
from bolt_core.campaigns.pools.worker import Outcome
from bolt_core.campaigns.selection import Selection
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.runs.duration_estimate import cpu_seconds
from tests.support.campaigns import ready

MODEL, CPU = ClockConfig("model"), ClockConfig("cpu")


def runs(kinds):
    return [RunConfig("random", "ackley", seed=i, clock=clock) for i, clock in enumerate(kinds)]


def test_a_timed_run_has_nothing_beside_it_and_nothing_overtakes():
    rng = random.Random(3)
    for slots in (1, 2, 4):
        queue, running, started = RunQueue(), [], []
        every = runs(rng.choice((MODEL, MODEL, CPU)) for _ in range(40))
        for config in every:
            queue.add((config, {}))
        while queue or running:
            while task := queue.next(running, slots):
                running.append(task[0])
                started.append(task[0])
            assert 1 <= len(running) <= slots
            assert len(running) == 1 or not any(map(runs_alone, running))
            full = len(running) == slots or not queue
            assert full or any(map(runs_alone, (*running, every[len(started)])))
            running.remove(rng.choice(running))
        assert started == every


class Future:
    """A run under way on a worker that is not there."""

    status = "pending"

    def __init__(self, config):
        self.config = config

    def result(self):
        return Outcome(self.config, b"", 1.0)


class Workers:
    """Takes the place of Dask: notes which runs are under way together, and ends the newest."""

    def __init__(self, *_, **__):
        self.under_way, self.together = [], []

    def submit(self, execute, config, *_, **__):
        self.under_way.append(Future(config))
        self.together.append([future.config for future in self.under_way])
        return self.under_way[-1]

    def __iter__(self):
        while self.under_way:
            yield self.under_way.pop()

    def ignore(self, *_, **__):
        """Stand for everything else that is asked of a client or of a queue."""

    add = register_plugin = cancel = close = ignore


def test_workers_start_runs_in_order_and_a_timed_run_alone(monkeypatch):
    workers = Workers()
    monkeypatch.setattr(dask_pool, "LocalCluster", Workers)
    monkeypatch.setattr(dask_pool, "Client", lambda cluster: workers)
    monkeypatch.setattr(dask_pool, "as_completed", lambda: workers)
    every = runs([MODEL, MODEL, MODEL, CPU, MODEL, MODEL])
    with pools.local(2) as pool:
        for config in every:
            pool.submit(config, {})
        ended = [outcome.config for outcome in pool.outcomes()]

    assert sorted(ended, key=every.index) == every
    assert [together[-1] for together in workers.together] == every
    assert [len(together) for together in workers.together] == [1, 2, 2, 1, 1, 2]


def test_all_cells_of_a_seed_come_before_the_next_and_the_quickest_first():
    made = ready(
        "order",
        algorithms=["gpucb", "random"],
        benchmarks=["hartmann3", "eggholder"],
        clock=["cpu", "model"],
        horizon=None,
        seeds=3,
    )
    pending = made.pending()
    order = [(c.seed, c.clock.kind == "cpu", cpu_seconds(c)) for c in pending]

    assert order == sorted(order)
    assert len(pending) == 24
    assert len({cost for *_, cost in order}) > 2
    assert made.pending(Selection(seeds=2)) == pending[:16]
    chosen = made.pending(Selection(algorithms=("gpucb",), benchmarks=("eggholder",)))
    assert chosen == [c for c in pending if (c.algorithm, c.benchmark) == ("gpucb", "eggholder")]


def test_five_seeds_first_and_the_others_later():
    made = ready(seeds=[7, 3, 5])
    made.run(pools.local(0), selection=Selection(seeds=2))

    assert {c.seed for c in made.pending()} == {7}
    assert not made.pending(Selection(seeds=2))
    campaign.load("small").run(pools.local(0))
    assert not made.pending()
