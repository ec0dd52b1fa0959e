"""Who holds a file: one at a time, seen by anybody, and looking changes nothing."""

import subprocess
import sys

import pytest

from bolt_core.common import file_lock

HOLD = "import sys; from bolt_core.common import file_lock\nfrom pathlib import Path\n" + (
    "with file_lock.held(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
)


def test_one_holds_it_and_anybody_sees_that(tmp_path):
    file = tmp_path / "lock"
    with file_lock.held(file):
        assert file_lock.is_held(file)
        with pytest.raises(BlockingIOError), file_lock.held(file, wait=0.05):
            pass
    assert not file_lock.is_held(file)
    with file_lock.held(file):
        pass


def test_looking_creates_nothing_and_two_who_look_do_not_see_each_other(tmp_path):
    file = tmp_path / "lock"
    assert not file_lock.is_held(file)
    assert not file.exists()
    with file_lock.held(file):
        pass
    with file.open("rb") as looking:
        file_lock.fcntl.flock(looking, file_lock.fcntl.LOCK_SH)
        assert not file_lock.is_held(file)


def test_a_process_that_is_killed_lets_go(tmp_path):
    file = tmp_path / "lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout.readline() == b"held\n"
    assert file_lock.is_held(file)
    holder.kill()
    holder.communicate()

    assert not file_lock.is_held(file)


def test_a_file_that_cannot_be_read_is_not_held(tmp_path):
    assert not file_lock.is_held(tmp_path / "no" / "such" / "folder")
    assert not file_lock.is_held(tmp_path)
