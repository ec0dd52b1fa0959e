"""Lines reach the system at once and the disk soon; a write that fails is tried again."""

import errno
import json
import os
import threading
import time

import pytest

from bolt_core.common.errors import RecordError
from bolt_core.live import conductor as live
from bolt_core.live.conductor import Conductor
from bolt_core.store import line_file
from bolt_core.store.line_file import SYNC_THREAD, LineFile
from tests.support.live_races import lane, passes
from tests.support.threads import sleeps

LINES = [b'{"kind": "iteration", "i": %d}\n' % i for i in range(50)]


def eventually(condition, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def synced(monkeypatch):
    """The sizes that files had when they were synced; synced.error is raised if it is set."""

    class Sizes(list):
        error, seconds = None, 0.0

    SYNC_THREAD.drain(5.0)  # what other tests left
    sizes = Sizes()

    def fsync(fd):
        time.sleep(sizes.seconds)
        if sizes.error:
            raise sizes.error
        sizes.append(os.fstat(fd).st_size)

    monkeypatch.setattr(os, "fsync", fsync)
    yield sizes
    sizes.error, sizes.seconds = None, 0.0
    SYNC_THREAD.drain(5.0)


def test_a_line_is_written_at_once_and_synced_although_no_other_comes(tmp_path, synced):
    lines = LineFile(tmp_path / "a.jsonl", keep_trying=True)
    lines.write(LINES[0])

    assert (tmp_path / "a.jsonl").read_bytes() == LINES[0]
    assert line_file.SYNC_AFTER_SECONDS <= 1.0
    eventually(lambda: len(LINES[0]) in synced)  # a race of an earlier test may still sync, too
    lines.abandon()


def test_writing_never_waits_for_a_slow_disk(tmp_path, synced):
    synced.seconds = 1.0
    many = [LineFile(tmp_path / f"{k}.jsonl", keep_trying=True) for k in range(3)]
    began = time.monotonic()
    for lines in many:
        lines.write(LINES[0])
        lines.close()

    assert time.monotonic() - began < 0.5
    synced.seconds = 0.0
    eventually(lambda: len(synced) == 3)


def test_what_a_failed_sync_may_have_lost_is_written_again(tmp_path, synced):
    path = tmp_path / "a.jsonl"
    lines = LineFile(path, keep_trying=True)
    synced.error = OSError(errno.ENOSPC, "No space left on device")
    lines.write(LINES[0])
    eventually(lambda: lines.problem is not None)
    path.write_bytes(b"\0" * len(LINES[0]))  # the system dropped the page
    synced.error = None
    lines.write(LINES[1])
    eventually(lambda: lines.problem is None)
    lines.close()

    assert path.read_bytes() == LINES[0] + LINES[1]


def test_without_patience_a_failure_is_raised(tmp_path, synced):
    lines = LineFile(tmp_path / "a.jsonl")
    lines.write(LINES[0])
    synced.error = OSError(errno.EIO, "Input/output error")
    with pytest.raises(OSError, match="Input/output"):
        lines.close()


def test_of_states_that_cannot_be_written_only_the_last_is_kept(tmp_path, monkeypatch):
    (tmp_path / "not a folder").write_text("")
    path = tmp_path / "not a folder" / "a.jsonl"
    lines = LineFile(path, keep_trying=True)
    states = [line_file.STATE + b', "i": %d}\n' % i for i in range(5)]
    lines.write(LINES[0])
    for state in states:
        lines.write(state)
    (tmp_path / "not a folder").unlink()
    eventually(lambda: lines.problem is None)
    lines.close()

    assert path.read_bytes() == LINES[0] + states[-1]


def test_a_file_that_continues_is_cut_only_when_it_is_written(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(LINES[:3]))
    for _ in range(2):
        lines = LineFile(path, continues=True, keep_trying=True)
        lines.cut_after(len(LINES[0]))
        with pytest.raises(RecordError, match="another process"):
            LineFile(path, continues=True)
        lines.abandon()
    assert path.read_bytes() == b"".join(LINES[:3])
    lines = LineFile(path, continues=True)
    lines.cut_after(len(LINES[0]))
    lines.write(LINES[7])
    lines.close()

    assert path.read_bytes() == LINES[0] + LINES[7]


def test_the_record_of_a_paused_race_is_forced_to_disk(tmp_path, synced, monkeypatch):
    monkeypatch.setattr(live, "PAUSE_TIMEOUT_SECONDS", 20.0)
    conductor = Conductor(tmp_path)
    race_id = conductor.start([lane()])
    conductor.wait(race_id, passes(20))
    conductor.pause(race_id)
    path = tmp_path / f"{conductor.snapshot(race_id).runs[0].run_id}.jsonl"
    assert sleeps(next(t for t in threading.enumerate() if t.name == "bolt-conductor"))

    eventually(lambda: synced[-1:] == [path.stat().st_size])
    assert json.loads(path.read_text().splitlines()[-1])["kind"] in ("iteration", "state")
    assert sleeps(next(t for t in threading.enumerate() if t.name == "bolt-sync"))
    conductor.shutdown()
