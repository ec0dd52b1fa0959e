"""Threads, failed writes and a killed server: what was acknowledged is there, once."""

import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bolt_core.common.errors import BusyError, DamagedProblemError, RecordError
from bolt_core.common.permissions import Permissions
from bolt_core.problems import open_problem
from bolt_core.problems.limits import MAX_COMPUTING
from bolt_core.problems.problems import Problems
from tests.support.problems import ME, SPEC, drive

SETTING = {"feed": 1.0, "stages": 2, "catalyst": "A"}


def test_many_threads_tell_and_look_and_every_tell_is_stored_once(problems):
    ids = [problems.create(SPEC, ME).id for _ in range(2)]

    def client(number):
        id = ids[number % 2]
        for k in range(6):
            key = f"{number}.{k}"
            problems.tell(id, float(k), ME, key=key, setting=SETTING)
            assert not problems.tell(id, float(k), ME, key=key, setting=SETTING).stored
            problems.view(id)
            problems.rows(ME)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(client, range(8)))
    for id in ids:
        values = problems.view(id).log["yield"].tolist()
        assert sorted(values) == sorted([0.0, 1.0, 2.0, 3.0, 4.0, 5.0] * 4)


def test_a_write_that_fails_is_an_error_and_stores_nothing(problems, monkeypatch):
    id, _ = problems.create(SPEC, ME)
    drive(problems, id, 4)
    before = problems.view(id).log

    def full(*_):
        raise OSError(28, "No space left on device")

    for call in (
        lambda: problems.tell(id, 1.0, ME, key="a", setting=SETTING),
        lambda: problems.ask(id, ME),
        lambda: problems.undo(id, ME),
        lambda: problems.correct(id, ME, 1, 7.0),
        lambda: problems.change(id, ME, "feed", {"high": 6}),
        lambda: problems.create(SPEC, ME),
    ):
        with monkeypatch.context() as broken:
            broken.setattr("bolt_core.store.line_file.LineFile._write_line", full)
            broken.setattr("bolt_core.common.files.os.fsync", full)
            with pytest.raises(RecordError, match="No space"):
                call()
        assert problems.view(id).log.equals(before)
    assert problems.tell(id, 1.0, ME, key="a", setting=SETTING).stored
    assert len(problems.ids()) == 1


def test_a_call_waits_and_says_when_too_many_wait(problems, monkeypatch):
    id, _ = problems.create(SPEC, ME)
    view = problems.view(id)
    began, release = threading.Event(), threading.Event()

    def long_step(_):
        began.set()
        release.wait(10)

    monkeypatch.setattr(open_problem, "MAX_WAIT_SECONDS", 0.01)
    thread = threading.Thread(target=lambda: problems._open(id).change(long_step))
    thread.start()
    began.wait(10)
    assert problems.view(id) is view
    assert problems.rows(ME)[0].id == id
    with pytest.raises(BusyError):
        problems.ask(id, ME)
    monkeypatch.setattr(open_problem, "MAX_WAITING_CALLS", 0)
    with pytest.raises(BusyError):
        problems.ask(id, ME)
    release.set()
    thread.join()


def test_calls_of_different_problems_share_the_machine(problems):
    ids = [problems.create(SPEC, ME).id for _ in range(MAX_COMPUTING + 2)]
    computing, largest = [], []

    def step(_):
        computing.append(1)
        largest.append(len(computing))
        time.sleep(0.01)
        computing.pop()

    with ThreadPoolExecutor(len(ids)) as threads:
        list(threads.map(lambda id: problems._open(id).change(step), ids * 2))
    assert 1 <= max(largest) <= MAX_COMPUTING


def test_what_was_acknowledged_is_in_the_file_when_the_call_returns(problems, home, tmp_path):
    id, _ = problems.create(SPEC, ME)
    for k in range(4):
        problems.tell(id, float(k), ME, key=str(k), setting=SETTING)
        shutil.copytree(home, tmp_path / f"as killed after {k}")  # as a new server finds it
        left = Problems(tmp_path / f"as killed after {k}", Permissions(local=True))
        assert left.view(id).log["yield"].tolist() == [0.0, 1.0, 2.0, 3.0][: k + 1]
        assert not left.tell(id, float(k), ME, key=str(k)).stored


def test_a_copy_of_a_folder_is_a_problem_of_its_own(problems, home):
    id, _ = problems.create(SPEC, ME)
    drive(problems, id, 2)
    shutil.copytree(home / id, home / f"{id}-copy", ignore=shutil.ignore_patterns(".*"))
    assert sorted(row.id for row in problems.rows(ME)) == [id, f"{id}-copy"]
    drive(problems, f"{id}-copy", 1)
    assert problems.view(f"{id}-copy").id == f"{id}-copy"
    assert (problems.view(id).told, problems.view(f"{id}-copy").told) == (2, 3)


@pytest.mark.parametrize("damage", ["empty", "torn header", "missing"])
def test_a_damaged_journal_is_an_error_that_no_repeated_call_mends(problems, home, damage):
    id, _ = problems.create(SPEC, ME)
    journal = home / id / "journal.jsonl"
    content = {"empty": b"", "torn header": journal.read_bytes()[:100]}.get(damage)
    problems.shutdown()
    journal.unlink() if content is None else journal.write_bytes(content)
    with pytest.raises(DamagedProblemError, match=id):
        problems.view(id)
    (row,) = problems.rows(ME)
    assert row.error is not None
    assert str(home) not in row.error
    assert "be read" not in row.error  # what the list says before it
    assert (None if content is None else journal.read_bytes()) == content
