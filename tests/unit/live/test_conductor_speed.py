"""A change of the device's speed: charged time, scaled samples, records and resumption."""

from itertools import islice

import numpy as np
import pytest

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import ResponseSample
from bolt_core.live.conductor import Conductor
from bolt_core.runs.clocks import CpuClock, ModelClock, WallClock
from bolt_core.runs.loop import iterate, prepare, resume
from bolt_core.store import records
from bolt_core.store.library import Library
from bolt_core.theory.response_time import ResponsePool, fit_response_time
from tests.support.live_races import HEAVY, ended, lane, passes
from tests.support.runs import make_config, make_run


@pytest.fixture
def conductor(tmp_path):
    made = Conductor(tmp_path)
    yield made
    made.shutdown()


def charged(clock, n=10):
    before = clock.now()
    with clock.computing(n):
        sum(range(200_000))
    clock.end_pass(n)
    return clock.now() - before


def test_a_model_clock_charges_by_its_new_speed():
    clock = ModelClock((0.1, 0.01, 0.0, 0.0))
    clock.factor = 4.0

    assert charged(clock) == pytest.approx(4.0 * 0.2)


def test_a_cpu_clock_charges_by_its_new_speed():
    clock = CpuClock()
    alone = charged(clock)
    clock.factor = 1e4

    assert charged(clock) > 100.0 * alone  # the same work, ten thousand times


def test_what_is_declared_costs_the_same_on_any_device():
    clock = CpuClock()
    clock.factor = 100.0
    clock.spend(2.0)

    assert clock.now() == 2.0


def test_a_wall_clock_has_no_other_speed():
    with pytest.raises(ConfigError, match="real time"):
        WallClock().factor = 2.0


def test_only_the_thinking_in_older_samples_is_scaled(trouble):
    run = prepare(make_config(algorithm="thinker", clock=HEAVY))
    passed = list(islice(iterate(run), 20))
    before = run.responses
    change = run.change_speed(3.0)

    assert change == (20, run.clock.now(), 3.0, 3.0)
    assert [s.n for s in run.responses] == [s.n for s in before]
    declared = [0.05 + 3.0 * 0.01 * record.n for record in passed[15:]]  # R(0) and 3 c_1 n
    assert [s.seconds for s in run.responses] == pytest.approx(declared)


def test_changes_of_speed_follow_each_other(trouble):
    run = prepare(make_config(algorithm="thinker", clock=HEAVY))
    passes_, ratios = iterate(run), []
    for factor in (4.0, 2.0, 0.5):
        list(islice(passes_, 18))
        ratios.append(run.change_speed(factor).ratio)
    declared = [0.05 + 0.5 * 0.01 * s.n for s in run.responses]

    assert ratios == [4.0, 0.5, 0.25]
    assert [s.seconds for s in run.responses] == pytest.approx(declared)


def test_the_pool_takes_rescaled_samples_for_the_old_ones():
    samples = [ResponseSample(n, 0.1 + 1e-3 * n) for n in range(15, 60)]
    slower = [ResponseSample(s.n, 2.0 * s.seconds) for s in samples]
    pool = ResponsePool()
    pool.take(samples)
    pool.take(slower)

    assert pool.fit() == fit_response_time(slower)


@pytest.mark.parametrize("algorithm", ["bolt", "w-gpucb"])
def test_a_resumed_run_honours_every_change_bit_for_bit(algorithm):
    """Changes before, at and after the cuts: 30 is the moment of the second."""
    moments = {20: 5.0, 30: 0.3, 40: 2.0}

    def drive(run, upto, speeds):
        passed = iterate(run)
        found = []
        while run.i < upto:
            if run.i in moments and run.i not in {change.i for change in speeds}:
                speeds.append(run.change_speed(moments[run.i]))
            found.append(next(passed))
        return found

    whole = drive(prepare(make_config(algorithm=algorithm, seed=2)), 55, [])
    run, speeds, begun = prepare(make_config(algorithm=algorithm, seed=2)), [], []
    for cut in (18, 30, 44):
        begun += drive(run, cut, speeds)
        known = list(speeds)
        again = resume(run.config, run.state(), begun, known)

        assert again.responses == run.responses
        assert begun + drive(again, 55, known) == whole


def test_a_live_change_is_in_every_record_and_in_every_snapshot(conductor, trouble, tmp_path):
    configs = [lane("thinker", seed=seed, horizon=60.0, clock=HEAVY) for seed in (0, 1)]
    race_id = conductor.start(configs)
    conductor.wait(race_id, passes(60))
    conductor.speed(race_id, 4.0)
    assert conductor.snapshot(race_id).speed == 4.0
    race = conductor.wait(race_id, ended)

    assert Library(tmp_path).open(race_id).speed == 4.0
    for run, told in zip(race.runs, Library(tmp_path).open(race_id).runs, strict=True):
        (change,) = run.speeds
        assert told.speeds == run.speeds
        assert change.ratio == change.factor == 4.0
        assert change.t == run.columns.ends()[change.i - 1]
        thinking = (run.columns["seconds"] - 0.05)[15:]
        factor = np.where(np.arange(len(run))[15:] < change.i, 1.0, 4.0)
        assert thinking == pytest.approx(factor * 0.01 * run.columns["n"][15:])


def test_a_snapshot_tells_what_passes_would_take_at_the_present_speed(conductor):
    race_id = conductor.start([lane("gpucb", horizon=100.0, clock=HEAVY)])
    conductor.wait(race_id, passes(30))
    conductor.pause(race_id)  # so that it cannot end between two changes
    conductor.speed(race_id, 0.5)
    made = len(conductor.wait(race_id, lambda race: True).runs[0])
    conductor.step(race_id)
    conductor.wait(race_id, lambda race: len(race.runs[0]) > made)
    conductor.speed(race_id, 3.0)
    conductor.resume(race_id)
    (run,) = conductor.wait(race_id, ended).runs

    declared = 0.05 + 3.0 * 0.01 * run.columns["n"][15:]
    assert len(run.speeds) == 2
    assert run.seconds_now()[15:] == pytest.approx(declared)


def test_without_a_change_passes_took_what_they_took():
    run = make_run(20)

    assert run.seconds_now().tolist() == run.columns["seconds"].tolist()


def test_a_change_before_the_first_pass_holds_from_the_first_pass(conductor, trouble, tmp_path):
    ids = [conductor.start([lane()]) for _ in range(3)]
    late = conductor.start([lane("thinker", horizon=5.0, clock=HEAVY)])  # in line
    conductor.speed(late, 2.0)
    for race_id in ids:
        conductor.stop(race_id)
    (run,) = conductor.wait(late, ended).runs

    assert run.speeds == ((0, 0.0, 2.0, 2.0),)
    assert records.read(tmp_path / f"{run.run_id}.jsonl").speeds == run.speeds


@pytest.mark.parametrize("factor", [0.0, -1.0, float("inf"), float("nan")])
def test_a_speed_that_is_none_is_an_error(conductor, factor):
    with pytest.raises(ConfigError, match="positive factor"):
        conductor.speed("any", factor)
