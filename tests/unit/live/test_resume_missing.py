"""Races that a crash cut off early come back whole: killed `bolt run`, loading lanes, the queue."""

import json
import os

import pytest

from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.types import ClockConfig, RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.live.race import Race
from bolt_core.runs.loop import iterate, prepare
from bolt_core.store import race_file, trash
from bolt_core.store.library import Library
from bolt_core.store.listing import listing
from bolt_core.store.record_format import to_json
from bolt_core.store.records import read
from tests.support.live_races import ended, lane
from tests.support.runs import write_run

TWO = [lane("random", seed=3, horizon=3.0), lane("random", seed=4, horizon=3.0)]


def lines(passes):
    return [json.loads(json.dumps(to_json(passed))) for passed in passes]


def killed_run(directory, n=20, **changes):
    """The record of a `bolt run` that was killed after n passes, without its closing line."""
    path = directory / "alone.jsonl"
    write_run(path, n, horizon=3.0, status=RunStatus.STOPPED, **changes)
    kept = path.read_bytes().splitlines(keepends=True)[:-1]
    path.write_bytes(b"".join(kept))
    return path, read(path).run_id


@pytest.fixture
def conductor(tmp_path):
    made = Conductor(tmp_path)
    yield made
    made.shutdown()


def test_a_killed_bolt_run_continues_as_a_race_of_one(conductor, tmp_path):
    path, race_id = killed_run(tmp_path)
    conductor.resume_stored(race_id)
    (run,) = conductor.wait(race_id, ended).runs

    assert run.status == RunStatus.FINISHED
    assert lines(read(path).records) == lines(iterate(prepare(run.config)))


@pytest.mark.parametrize("trouble", ["wall clock", "unknown algorithm", "not built"])
def test_a_resumption_that_fails_leaves_the_file_as_it_was(
    conductor, tmp_path, trouble, monkeypatch
):
    path, race_id = killed_run(tmp_path)
    changes = {
        "wall clock": {"clock": {"kind": "wall", "slowdown": 1.0, "device": [0, 0, 0, 0]}},
        "unknown algorithm": {"algorithm": "gone"},
    }.get(trouble, {})
    header, rest = path.read_bytes().split(b"\n", 1)
    about = json.loads(header)
    about["config"] |= changes
    path.write_bytes(json.dumps(about).encode() + b"\n" + rest + b'{"kind": "iterat')
    before = path.read_bytes()
    if trouble == "unknown algorithm":
        conductor.resume_stored(race_id)
        assert conductor.wait(race_id, ended).status == RunStatus.FAILED
    else:
        if trouble == "not built":
            monkeypatch.setattr(Race, "__init__", lambda *a, **k: pytest.exit)
        with pytest.raises((ConfigError, TypeError)):
            conductor.resume_stored(race_id)

    assert path.read_bytes() == before


def test_lanes_that_had_no_record_are_reported_and_run_from_the_start(conductor, tmp_path):
    race = Race(TWO, tmp_path)
    race.announce("me")
    for _ in range(20):
        race.runs[0].advance()
    race.runs[0]._writer.abandon()  # the process is killed while the second lane loads
    race.hold(None)
    stored = Library(tmp_path).open(race.race_id)
    (row,) = listing(Library(tmp_path).races(), {}, 0.0)

    assert [run.config for run in stored.runs] == TWO
    assert stored.status == row.status == RunStatus.INTERRUPTED
    assert "1 run had not started" in stored.warning
    assert row.problem == stored.warning
    conductor.resume_stored(race.race_id)
    after = conductor.wait(race.race_id, ended)
    for run, config in zip(Library(tmp_path).open(race.race_id).runs, TWO, strict=True):
        assert lines(run.records) == lines(iterate(prepare(config)))
    assert after.status == RunStatus.FINISHED
    assert Library(tmp_path).open(race.race_id).warning is None


def test_a_queued_race_comes_back_under_its_link_and_can_be_started(tmp_path):
    first = Conductor(tmp_path)
    for _ in range(3):
        first.start([lane()])
    race_id = first.start(TWO, owner="me")
    assert first.snapshot(race_id).status == RunStatus.QUEUED
    with pytest.raises(RecordError, match="is running"):
        Conductor(tmp_path).resume_stored(race_id)  # another server
    with pytest.raises(RecordError, match="is running"):
        trash.delete(Library(tmp_path), race_id)
    first.shutdown()  # SIGTERM; kill -9 leaves the same file
    stored = Library(tmp_path).open(race_id)

    assert stored.status == RunStatus.INTERRUPTED
    assert "not started" in stored.warning
    assert [run.config for run in stored.runs] == TWO
    second = Conductor(tmp_path)
    second.resume_stored(race_id, "me")
    assert second.wait(race_id, ended).status == RunStatus.FINISHED
    second.shutdown()


def test_the_race_file_is_deleted_and_restored_with_the_race(conductor, tmp_path):
    race_id = conductor.start(TWO, owner="me")
    conductor.wait(race_id, ended)
    conductor.shutdown()
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.json*")}
    library = Library(tmp_path)
    assert library.find(race_id).plan.owned_by("me")
    trash.delete(library, race_id)

    assert library.find(race_id) is None
    assert not list(tmp_path.glob("*.json*"))
    trash.restore(library, race_id)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.json*")} == before
    assert len(before) == 3


def test_a_race_whose_file_cannot_be_written_starts_with_a_warning(tmp_path, monkeypatch):
    def full(directory, race):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(race_file, "write", full)
    conductor = Conductor(tmp_path)
    race_id = conductor.start(TWO)
    assert "No space left" in conductor.wait(race_id, ended).warning
    conductor.shutdown()


def test_a_damaged_record_is_a_failed_run_with_its_reason(conductor, tmp_path):
    race_id = conductor.start(TWO)
    conductor.wait(race_id, ended)
    conductor.shutdown()
    path = Library(tmp_path).find(race_id).runs[1].path
    data = path.read_bytes().split(b"\n")
    data[3] = data[3][:20]
    path.write_bytes(b"\n".join(data))
    os.utime(path, (1, 1))
    stored = Library(tmp_path).open(race_id)

    assert [run.status for run in stored.runs] == ["finished", "failed"]
    assert "line 4" in stored.runs[1].error


def test_the_wall_clock_is_refused_when_a_race_is_taken_up(conductor, tmp_path):
    _, race_id = killed_run(tmp_path, clock=ClockConfig("wall"), n=1)
    with pytest.raises(ConfigError, match="wall clock"):
        conductor.resume_stored(race_id)


def test_a_record_that_names_a_data_file_cannot_be_continued(conductor, tmp_path):
    path, race_id = killed_run(tmp_path)
    header, rest = path.read_bytes().split(b"\n", 1)
    about = json.loads(header)
    about["config"]["options"] = {"path": "/dev/zero"}
    path.write_bytes(json.dumps(about).encode() + b"\n" + rest)

    with pytest.raises(ConfigError, match="path=/dev/zero"):
        conductor.resume_stored(race_id)
