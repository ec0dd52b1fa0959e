"""Resuming stored races: the same records as without interruption, one writer per file."""

import json

import pytest

from bolt_core.common.errors import ConfigError, NotYoursError, RecordError
from bolt_core.common.types import RunStatus
from bolt_core.live import admission
from bolt_core.live import conductor as live
from bolt_core.live.conductor import Conductor
from bolt_core.live.race import Race
from bolt_core.live.resume import take_up
from bolt_core.runs import limits
from bolt_core.runs.loop import iterate, prepare
from bolt_core.store import records
from bolt_core.store.library import Library
from bolt_core.store.record_format import to_json
from tests.support.live_races import ended, lane, passes

RACE = [lane("bolt", seed=3, horizon=6.0), lane("random", seed=3, horizon=6.0)]


@pytest.fixture
def conductor(tmp_path):
    made = Conductor(tmp_path)
    yield made
    made.shutdown()


def interrupted(path, lines, torn=""):
    """The file as a killed process leaves it."""
    kept = path.read_bytes().splitlines(keepends=True)[:lines]
    path.write_bytes(b"".join(kept) + torn.encode())


def stopped_at(conductor, configs, version):
    race_id = conductor.start(configs)
    conductor.wait(race_id, passes(version))
    conductor.stop(race_id)
    conductor.wait(race_id, ended)
    return race_id


def lines(passes_):
    """As a file tells them: JSON knows no tuples."""
    return [json.loads(json.dumps(to_json(passed))) for passed in passes_]


WHOLE = {}


def uninterrupted(config_):
    """The same for every test that interrupts it."""
    if config_.key not in WHOLE:
        WHOLE[config_.key] = lines(iterate(prepare(config_)))
    return WHOLE[config_.key]


def test_a_stopped_race_goes_on_as_if_it_had_not_been_stopped(conductor, tmp_path):
    race_id = stopped_at(conductor, RACE, 60)
    before = conductor.snapshot(race_id)
    conductor.resume_stored(race_id, None)
    race = conductor.wait(race_id, ended)

    assert 60 < before.version < race.version
    assert race.status == RunStatus.FINISHED
    for run, told in zip(race.runs, Library(tmp_path).open(race_id).runs, strict=True):
        assert lines(run.records) == lines(told.records) == uninterrupted(run.config)


@pytest.mark.parametrize("left", [1, 9, 40])
def test_a_killed_race_goes_on_from_its_last_state(conductor, tmp_path, monkeypatch, left):
    """Killed after so many lines: before any state, in the warm-up, among the passes."""
    monkeypatch.setattr(records, "STATE_INTERVAL_SECONDS", 0.0)  # a state after every pass
    race_id = stopped_at(conductor, RACE, 60)
    conductor.shutdown()
    for path in tmp_path.glob("*.jsonl"):
        interrupted(path, left, torn='{"kind": "iterat')
    other = Conductor(tmp_path)
    other.resume_stored(race_id, "me")
    race = other.wait(race_id, ended)
    other.shutdown()

    assert other.owns(race_id, "me")
    for run in race.runs:
        assert lines(run.records) == uninterrupted(run.config)
    assert [len(run) for run in Library(tmp_path).open(race_id).runs] == [
        len(run) for run in race.runs
    ]


def test_a_change_of_speed_is_still_in_force_afterwards(conductor, tmp_path):
    race_id = conductor.start([lane("bolt", horizon=20.0)])
    conductor.wait(race_id, passes(20))
    conductor.speed(race_id, 3.0)
    conductor.wait(race_id, lambda race: race.runs[0].speeds)
    conductor.stop(race_id)
    conductor.wait(race_id, ended)
    conductor.resume_stored(race_id)
    (run,) = conductor.wait(race_id, ended).runs

    whole, reference = prepare(run.config), []
    (change,) = run.speeds
    for passed in iterate(whole):
        reference.append(passed)
        if whole.i == change.i:
            whole.change_speed(change.factor)
    assert change.i < len(run)
    assert lines(run.records) == lines(reference)


def test_runs_that_had_ended_stay_as_they_are(conductor, trouble, tmp_path):
    configs = [lane("faulty", seed=0), lane("random", horizon=0.3), lane("random", horizon=300.0)]
    race_id = conductor.start(configs)
    conductor.wait(race_id, lambda race: sum(run.status.ended for run in race.runs) == 2)
    conductor.stop(race_id)
    before = conductor.wait(race_id, ended)
    conductor.resume_stored(race_id)
    conductor.wait(race_id, passes(before.version + 5))
    conductor.stop(race_id)
    after = conductor.wait(race_id, ended)

    assert [run.status for run in after.runs] == ["failed", "finished", "stopped"]
    assert [run.config for run in after.runs] == configs
    assert after.runs[0].error == before.runs[0].error
    assert list(after.runs[1].records) == list(before.runs[1].records)
    assert [run.status for run in Library(tmp_path).open(race_id).runs] == [
        run.status for run in after.runs
    ]


def test_a_run_that_waits_for_the_others_does_not_hold_the_race_back(tmp_path):
    race = Race([lane("random"), lane("random", seed=1)], tmp_path)
    ahead, behind = race.runs
    for _ in range(5):
        ahead.advance()
    assert race.status == RunStatus.STARTING
    for _ in range(2):  # it is prepared, and makes one pass
        behind.advance()
    race.end()
    resumed = take_up(race.race_id, tmp_path, limits.check_live)
    resumed.advance()

    assert [run.status for run in resumed.runs] == [RunStatus.STARTING, RunStatus.WARMING_UP]
    assert resumed.status == RunStatus.WARMING_UP
    resumed.end()


def test_a_resumed_race_waits_in_line_like_any_other(conductor):
    race_id = stopped_at(conductor, [lane()], 20)
    for _ in range(3):
        conductor.start([lane()])
    conductor.resume_stored(race_id)
    waiting = conductor.snapshot(race_id)
    conductor.stop(race_id)

    assert (waiting.status, waiting.position) == (RunStatus.QUEUED, 1)
    assert waiting.version > 20  # its passes are on screen while it waits
    assert conductor.wait(race_id, ended).status == RunStatus.STOPPED
    conductor.resume_stored(race_id)  # nothing was lost: it can be taken up again


def test_a_race_that_goes_on_cannot_be_taken_up(conductor):
    race_id = conductor.start([lane()])

    with pytest.raises(ConfigError, match="has not ended"):
        conductor.resume_stored(race_id)


def test_two_servers_never_write_one_file(conductor, tmp_path):
    race_id = conductor.start([lane()])
    conductor.wait(race_id, passes(20))
    other = Conductor(tmp_path)

    with pytest.raises(RecordError, match="another server"):
        other.resume_stored(race_id)
    after = conductor.wait(race_id, passes(conductor.snapshot(race_id).version + 5))
    assert after.warning is None


def test_what_is_not_there_or_over_cannot_be_taken_up(conductor):
    finished = conductor.start([lane(horizon=0.2)])
    conductor.wait(finished, ended)

    with pytest.raises(ConfigError, match="no unfinished run"):
        conductor.resume_stored(finished)
    with pytest.raises(ConfigError, match="not on this machine"):
        conductor.resume_stored("20260101T000000Z-aaaa")


def test_a_race_of_another_user_in_memory_is_not_resumed(conductor):
    race_id = conductor.start([lane()], owner="alice")
    conductor.stop(race_id, by="alice")
    conductor.wait(race_id, ended)

    with pytest.raises(NotYoursError):
        conductor.resume_stored(race_id, "bob")


def test_a_refused_resumption_leaves_the_files_free(conductor, tmp_path, monkeypatch):
    race_id = stopped_at(conductor, [lane()], 20)
    room, take_up = admission.MAX_WAITING_RACES, live.take_up

    def slowly(*arguments):
        """The queue fills up while the files are read."""
        monkeypatch.setattr(admission, "MAX_WAITING_RACES", 0)
        return take_up(*arguments)

    monkeypatch.setattr(live, "take_up", slowly)
    with pytest.raises(ConfigError, match="already waiting"):
        conductor.resume_stored(race_id)
    monkeypatch.setattr(admission, "MAX_WAITING_RACES", room)
    monkeypatch.setattr(live, "take_up", take_up)
    conductor.resume_stored(race_id)

    assert conductor.wait(race_id, passes(25)).version > 25


def test_a_disk_that_cannot_be_forced_leaves_a_warning_told_once(conductor, monkeypatch):
    def full(fd):
        raise OSError(28, "No space left on device")

    race_id = conductor.start([lane()])
    conductor.wait(race_id, passes(5))
    monkeypatch.setattr("os.fsync", full)
    warned = conductor.wait(race_id, lambda race: race.warning is not None)
    later = conductor.wait(race_id, passes(warned.version + 20))

    assert later.warning == warned.warning
    assert later.status == RunStatus.RUNNING
