"""The loop: Algorithm 1 for any optimizer, benchmark and clock."""

import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from bolt_core import algorithms
from bolt_core.algorithms.spec import Query, Removal
from bolt_core.benchmarks import oracle
from bolt_core.benchmarks.spec import Landscape
from bolt_core.common.errors import ConfigError, ObjectiveError
from bolt_core.common.types import ClockConfig, Hyperparameters, ResponseSample
from bolt_core.runs.loop import iterate, prepare, resume
from tests.support.runs import first_passes, make_config, make_run


class Scripted:
    """An optimizer that does as it is told, and remembers what it was shown."""

    infers = True
    theta = Hyperparameters(1.0, 0.2, 60.0, 0.01)

    def __init__(self, query=lambda t: Query((0.5,)), remove=lambda dataset: ()):
        self.dataset, self.told, self.inferred, self.samples = [], [], [], []
        self._query, self._remove = query, remove

    def ask(self, t):
        return self._query(t)

    def tell(self, observation):
        self.dataset.append(observation)
        self.told.append(observation)

    def infer(self, t):
        self.inferred.append(t)

    def prune(self, t, responses):
        self.samples = list(responses)
        ids = self._remove(self.dataset)
        self.dataset = [o for o in self.dataset if o.i not in ids]
        return Removal(tuple(ids), n_star=7)

    def state(self):
        return {}


def scripted(n, optimizer, **changes):
    run = prepare(make_config(**changes))
    run.optimizer = optimizer
    return list(islice(iterate(run), n))


def test_one_seed_gives_one_run_of_300_iterations():
    assert first_passes(300, seed=7) == first_passes(300, seed=7)


def test_another_seed_gives_another_run():
    assert first_passes(30, seed=7) != first_passes(30, seed=8)


@pytest.mark.parametrize("key", sorted(algorithms.catalog()))
def test_every_algorithm_meets_the_same_warmup_and_the_same_noise(key):
    mine, reference = first_passes(18, algorithm=key, seed=5), scripted(18, Scripted(), seed=5)

    assert [r.observation for r in mine[:15]] == [r.observation for r in reference[:15]]
    noise = [r.observation.y - r.value for r in mine]
    assert noise == pytest.approx([r.observation.y - r.value for r in reference], abs=1e-9)


def test_an_observation_is_stamped_with_the_time_its_pass_began():
    records = first_passes(20)

    assert records[0].observation.t == 0.0
    assert [r.observation.t for r in records[1:]] == pytest.approx(
        np.cumsum([r.seconds for r in records])[:-1]
    )


def test_the_model_clock_charges_the_declared_response_time():
    device = (0.0, 1e-3, 1e-5, 1e-7)
    records = scripted(40, Scripted(), clock=ClockConfig("model", device=device))

    expected = [0.05 + 1e-3 * r.n + 1e-5 * r.n**2 + 1e-7 * r.n**3 for r in records[15:]]
    assert [r.seconds for r in records[15:]] == pytest.approx(expected, rel=1e-9)
    assert [r.seconds for r in records[:15]] == pytest.approx([0.05] * 15)


def test_warmup_infers_only_at_its_end_and_gives_no_response_samples():
    optimizer = Scripted()
    records = scripted(18, optimizer)

    assert len(optimizer.inferred) == 4  # after the 15th warm-up query, and after each ask
    assert optimizer.samples == [ResponseSample(r.n, r.seconds) for r in records[15:17]]


def test_what_a_policy_removes_is_in_the_record_and_out_of_the_dataset():
    records = scripted(20, Scripted(remove=lambda dataset: (dataset[0].i,)))

    assert [r.removed for r in records[15:]] == [(0,), (1,), (2,), (3,), (4,)]
    assert [r.n for r in records[15:]] == [15] * 5
    assert records[-1].n_star == 7


def test_a_query_for_later_waits_and_is_stamped_with_its_moment():
    records = scripted(18, Scripted(query=lambda t: Query((0.5,), at=t + 3.0)))

    assert records[16].observation.t - records[15].observation.t > 3.0
    assert records[15].seconds > 3.0


def test_a_query_beyond_the_horizon_ends_the_run_unobserved():
    records = scripted(40, Scripted(query=lambda t: Query((0.5,), at=t + 1e9)))

    assert len(records) == 15


def test_a_run_ends_at_its_horizon():
    records = first_passes(10**6, horizon=2.0)

    assert records[-1].observation.t < 2.0 <= records[-1].observation.t + records[-1].seconds


def test_regret_is_measured_against_the_oracle_at_the_query_time():
    run = prepare(make_config())
    record = next(iterate(run))

    assert record.best == oracle.best(run.benchmark, record.observation.t)[1]
    assert record.regret == record.best - record.value >= 0


@pytest.mark.parametrize("cut", [3, 15, 40])
def test_a_run_resumed_from_its_state_equals_an_uninterrupted_one(cut):
    run = prepare(make_config(seed=3))
    begun = list(islice(iterate(run), cut))

    went_on = list(islice(iterate(resume(run.config, run.state(), begun)), 60 - cut))

    assert begun + went_on == first_passes(60, seed=3)


def test_a_horizon_longer_than_the_benchmarks_own_is_an_error():
    with pytest.raises(ConfigError, match=r"601 s .* 600 s"):
        prepare(make_config(horizon=601.0))


def test_an_objective_that_gives_nan_is_named():
    run = prepare(make_config())
    broken = Landscape(1, lambda x, t: np.full(x.shape[:-1], np.nan), lambda t: (np.zeros(1), 0.0))
    object.__setattr__(run.benchmark, "landscape", broken)

    with pytest.raises(ObjectiveError, match="eggholder gave nan"):
        next(iterate(run))


def test_a_query_outside_the_box_is_an_error_that_names_it():
    with pytest.raises(ConfigError, match=r"\[0, 1\]\^1.* 1\.5"):
        scripted(16, Scripted(query=lambda t: Query((1.5,))))


def test_a_pass_that_waited_ends_when_its_clock_says_so():
    run = prepare(make_config())
    run.optimizer = Scripted(query=lambda t: Query((0.5,), at=t + 3.0))
    records = list(islice(iterate(run), 20))

    assert make_run(records).columns.ends()[-1] == pytest.approx(run.clock.now())
    assert records[-1].waited == pytest.approx(3.0)


def test_loading_pytorch_is_not_charged_to_the_first_pass():
    """A run that needs PyTorch loads it while it is prepared: without it, it cannot be."""
    script = (
        "from bolt_core.common import runtime; runtime.configure()\n"
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'torch':\n"
        "            raise ImportError(name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "from bolt_core.runs.loop import prepare\n"
        "from bolt_core.common.types import ClockConfig, EngineConfig, RunConfig\n"
        "for engine in EngineConfig(), EngineConfig('exact', 'logei'), EngineConfig('botorch'):\n"
        "    config = RunConfig('gpucb', 'eggholder', clock=ClockConfig('cpu'), engine=engine)\n"
        "    try:\n"
        "        prepare(config)\n"
        "        print('prepared')\n"
        "    except ImportError as error:\n"
        "        print(error.name)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert done.stdout.split() == ["prepared", "torch", "torch"], done.stderr
