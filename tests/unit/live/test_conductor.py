"""The conductor: concurrent, queued, stopped and failing races."""

import threading
import time

import pytest

from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.types import ClockConfig, RunConfig, RunStatus
from bolt_core.live import admission
from bolt_core.live import conductor as live
from bolt_core.live.conductor import Conductor
from bolt_core.live.race import Race
from bolt_core.runs import loop
from bolt_core.store import records
from bolt_core.store.library import Library
from bolt_core.store.line_file import LineFile
from tests.support.threads import sleeps

MODEL = ClockConfig("model")
WAITING = {RunStatus.QUEUED, RunStatus.STARTING}


def lane(algorithm="random", *, benchmark="eggholder", seed=0, horizon=2.0, clock=MODEL):
    return RunConfig(algorithm, benchmark, seed=seed, horizon=horizon, clock=clock)


@pytest.fixture
def conductor(tmp_path):
    made = Conductor(tmp_path / "runs")
    yield made
    made.shutdown()


def ended(race):
    return race.status.ended


def test_start_announces_the_race_before_any_work(conductor, monkeypatch):
    gate, prepare = threading.Event(), loop.prepare
    monkeypatch.setattr(loop, "prepare", lambda config: gate.wait(20) and prepare(config))
    race = conductor.snapshot(conductor.start([lane()]))
    gate.set()

    assert race.status == RunStatus.STARTING
    assert race.version == 0


def test_a_race_grows_and_finishes_at_its_horizon(conductor):
    race_id = conductor.start([lane(seed=0), lane(seed=1)])
    early = conductor.wait(race_id, lambda race: race.version > 20)
    race = conductor.wait(race_id, ended)

    assert 20 < early.version < race.version
    assert race.status == RunStatus.FINISHED
    assert race.t == race.horizon == 2.0


def test_a_live_run_is_the_run_the_loop_would_make(conductor):
    race = conductor.wait(conductor.start([lane(seed=4)]), ended)

    assert list(race.runs[0].records) == list(loop.iterate(loop.prepare(lane(seed=4))))


def test_every_run_leaves_a_record_that_names_its_race(conductor, tmp_path):
    race_id = conductor.start([lane(seed=0), lane(seed=1)])
    race = conductor.wait(race_id, ended)
    files = sorted((tmp_path / "runs").glob("*.jsonl"))

    assert {path.stem for path in files} == {run.run_id for run in race.runs}
    assert {records.read(path).header["race_id"] for path in files} == {race_id}
    assert Library(tmp_path / "runs").open(race_id).version == race.version


def test_a_race_that_never_ran_is_not_on_disk(tmp_path):
    (tmp_path / "torn.jsonl").write_text("{")

    assert Library(tmp_path).open("20260101T000000Z-aaaa") is None


def test_stop_ends_a_race_and_its_files(conductor, tmp_path):
    race_id = conductor.start([lane(horizon=600.0)])
    conductor.wait(race_id, lambda race: race.version > 5)
    conductor.stop(race_id)
    race = conductor.wait(race_id, ended)
    path = tmp_path / "runs" / f"{race.runs[0].run_id}.jsonl"

    assert race.status == RunStatus.STOPPED
    assert records.read(path).status == RunStatus.STOPPED


def test_stopping_says_so_at_once(conductor, trouble):
    race_id = conductor.start([lane("sleepy")])
    assert trouble.asleep.wait(20)
    conductor.stop(race_id)

    assert conductor.snapshot(race_id).status == RunStatus.STOPPING


def test_three_races_are_live_and_the_rest_wait_in_order(conductor):
    ids = [conductor.start([lane(horizon=600.0)]) for _ in range(5)]
    races = [conductor.snapshot(race_id) for race_id in ids]

    assert [race.position for race in races] == [None, None, None, 1, 2]
    assert [race.status == RunStatus.QUEUED for race in races] == [False] * 3 + [True] * 2


def test_the_queue_moves_up_when_a_race_ends(conductor):
    ids = [conductor.start([lane(horizon=600.0)]) for _ in range(5)]
    conductor.stop(ids[1])
    conductor.wait(ids[3], lambda race: race.status not in WAITING)

    assert conductor.snapshot(ids[4]).position == 1


def test_a_queued_race_can_be_stopped(conductor):
    ids = [conductor.start([lane(horizon=600.0)]) for _ in range(5)]
    conductor.stop(ids[3])
    race = conductor.wait(ids[3], ended)

    assert race.status == RunStatus.STOPPED
    assert conductor.snapshot(ids[4]).position == 1


def test_a_full_queue_refuses(conductor, monkeypatch):
    monkeypatch.setattr(admission, "MAX_WAITING_RACES", 1)
    for _ in range(4):
        conductor.start([lane(horizon=600.0)])

    with pytest.raises(ConfigError, match="already waiting"):
        conductor.start([lane()])


def test_old_races_are_forgotten_but_stay_on_disk(conductor, monkeypatch, tmp_path):
    monkeypatch.setattr(admission, "MAX_ENDED_RACES_IN_MEMORY", 1)
    ids = []
    for _ in range(3):
        ids.append(conductor.start([lane(horizon=0.2)]))
        conductor.wait(ids[-1], ended)

    assert conductor.snapshot(ids[0]) is None
    assert conductor.snapshot(ids[2]) is not None
    assert Library(tmp_path / "runs").open(ids[0]).status == RunStatus.FINISHED


@pytest.mark.parametrize("algorithm", ["faulty", "quitter"])
def test_one_failing_run_leaves_the_others_alone(conductor, trouble, algorithm):
    race = conductor.wait(conductor.start([lane(), lane(algorithm), lane(seed=1)]), ended)

    assert [run.status for run in race.runs] == ["finished", "failed", "finished"]
    assert race.status == RunStatus.FINISHED
    assert race.t == 2.0


def test_a_failed_run_keeps_its_rows_and_its_traceback(conductor, trouble, tmp_path):
    race = conductor.wait(conductor.start([lane("faulty")]), ended)
    run = race.runs[0]
    on_disk = records.read(tmp_path / "runs" / f"{run.run_id}.jsonl")

    assert race.status == RunStatus.FAILED
    assert len(run) == 15
    first = run.error.splitlines()[0]
    assert first.split(": ") == ["ZeroDivisionError", "no surrogate today"]
    assert "Traceback" in run.error
    assert (on_disk.status, on_disk.error) == (RunStatus.FAILED, run.error)


@pytest.mark.parametrize(("benchmark", "reason"), [("nan", "gave nan"), ("raises", "unplugged")])
def test_a_broken_objective_fails_its_race_and_no_other(conductor, trouble, benchmark, reason):
    sound = conductor.start([lane()])
    race = conductor.wait(conductor.start([lane(benchmark=benchmark)]), ended)

    assert reason in race.runs[0].error.splitlines()[0]
    assert conductor.wait(sound, ended).status == RunStatus.FINISHED


def test_what_cannot_be_prepared_fails_with_its_reason(conductor):
    race = conductor.wait(conductor.start([lane(horizon=1.0), lane(horizon=1e6)]), ended)

    assert "longer than" in race.runs[1].error


def test_an_unknown_algorithm_is_refused_before_the_race_is_announced(conductor):
    with pytest.raises(UnknownNameError, match="no-such-thing"):
        conductor.start([lane("no-such-thing")])
    assert conductor.statuses() == {}


def test_a_directory_that_cannot_be_written_leaves_a_warning(tmp_path):
    (tmp_path / "file").write_text("")
    conductor = Conductor(tmp_path / "file")
    race = conductor.wait(conductor.start([lane()]), ended)
    conductor.shutdown()

    assert race.status == RunStatus.FINISHED
    assert "not being saved" in race.warning


def test_a_full_disk_leaves_a_warning_and_the_run_goes_on(conductor, monkeypatch):
    def full(lines, file, line):
        raise OSError(28, "No space left on device")

    race_id = conductor.start([lane(horizon=600.0)])
    conductor.wait(race_id, lambda race: race.version > 5)
    monkeypatch.setattr(LineFile, "_write_line", full)
    warned = conductor.wait(race_id, lambda race: race.warning is not None)
    later = conductor.wait(race_id, lambda race: race.version > warned.version + 20)

    assert "No space left" in warned.warning
    assert later.status == RunStatus.RUNNING


def test_a_disk_that_fills_at_the_very_end_does_not_undo_the_run(conductor, monkeypatch):
    def full(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    race_id = conductor.start([lane(horizon=0.2)])
    race = conductor.wait(race_id, lambda race: race.status.ended and race.warning)

    assert race.status == RunStatus.FINISHED
    assert "No space left" in race.warning


def test_shutdown_ends_the_thread_and_closes_files_as_stopped(tmp_path, monkeypatch):
    assert live.SHUTDOWN_TIMEOUT_SECONDS <= 2.0  # seconds
    monkeypatch.setattr(live, "SHUTDOWN_TIMEOUT_SECONDS", 60.0)  # even on a busy machine
    conductor = Conductor(tmp_path)
    race_id = conductor.start([lane(horizon=600.0, seed=seed) for seed in range(3)])
    conductor.wait(race_id, lambda race: race.version > 60)
    conductor.shutdown()

    assert not any(thread.name == "bolt-conductor" for thread in threading.enumerate())
    assert {run.status for run in Library(tmp_path).open(race_id).runs} == {RunStatus.STOPPED}


def test_shutdown_does_not_wait_for_a_pass_that_hangs(trouble, tmp_path, monkeypatch):
    monkeypatch.setattr(live, "SHUTDOWN_TIMEOUT_SECONDS", 0.1)
    conductor, before = Conductor(tmp_path), threading.enumerate()
    race_id = conductor.start([lane("sleepy")])
    assert trouble.asleep.wait(20)
    conductor.shutdown()

    assert Library(tmp_path).open(race_id).status == RunStatus.STOPPED
    computing = [thread for thread in threading.enumerate() if thread not in before]
    assert computing
    trouble.awake.set()
    for thread in computing:
        thread.join(5)
    assert conductor.snapshot(race_id).version == 15  # the pass that came too late is not kept


def test_a_closed_conductor_starts_nothing(conductor):
    conductor.shutdown()

    with pytest.raises(Exception, match="shut down"):
        conductor.start([lane()])


def test_the_run_furthest_behind_goes_next(trouble, tmp_path):
    slow = ClockConfig("model", device=(0.0, 0.01, 0.0, 0.0))
    race = Race([lane("thinker", horizon=600.0, clock=c) for c in (MODEL, slow)], tmp_path)
    for _ in range(300):
        while not all(run.ready for run in race.runs):  # a pass in a thread of its own goes on
            time.sleep(0.001)
        race.advance()
    quick, heavy = race.runs
    clocks, longest = [quick.now, heavy.now], heavy.snapshot().columns["seconds"].max()
    race.end()

    assert abs(clocks[0] - clocks[1]) <= longest
    assert len(quick.snapshot()) > len(heavy.snapshot())


def test_races_share_the_thread(conductor):
    ids = [conductor.start([lane(horizon=600.0)]) for _ in range(2)]
    conductor.wait(ids[0], lambda race: race.version > 800)
    first, second = (conductor.snapshot(race_id).version for race_id in ids)

    assert 0.5 < first / second < 2.0


def test_an_idle_conductor_uses_no_cpu(conductor):
    conductor.wait(conductor.start([lane(horizon=0.2)]), ended)
    thread = next(t for t in threading.enumerate() if t.name == "bolt-conductor")

    assert sleeps(thread)


def test_a_wall_clock_is_refused(conductor):
    with pytest.raises(ConfigError, match="--clock wall"):
        conductor.start([lane(clock=ClockConfig("wall"))])


def test_a_race_needs_runs_on_one_benchmark(conductor):
    with pytest.raises(ConfigError, match="at least one"):
        conductor.start([])
    with pytest.raises(ConfigError, match="one benchmark"):
        conductor.start([lane(), lane(benchmark="powell")])
