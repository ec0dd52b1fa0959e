"""Saving to a full disk, and loading damaged files: one clear error each."""

import gzip
import resource

import pytest

from bolt_core import Bolt
from bolt_core.common.errors import RecordError
from tests.support.damaged_records import errors, kept, saved


@pytest.fixture
def room():
    """room(size): from now on no file of this process may grow beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("share", [0.02, 0.5, 0.99])
def test_saving_without_room_names_the_file_and_leaves_the_old_one(tmp_path, room, share):
    path = tmp_path / "plant.jsonl"
    old = saved(path, passes=8)
    opt = Bolt.load(path)
    room(int(share * len(old)))
    with pytest.raises(RecordError, match=r"plant\.jsonl: .*too large"):
        opt.save(path)

    assert [file.name for file in tmp_path.iterdir()] == ["plant.jsonl"]
    assert path.read_bytes() == old


def test_damaged_files_load_or_are_refused_with_their_name():
    results = errors(200, seed=2)

    assert set(results) == {"loads", "refused"}
    assert results["refused"] > 100


def test_damaged_journals_load_or_are_refused_with_their_name():
    results = errors(60, seed=4, write=kept)

    assert set(results) == {"loads", "refused"}


@pytest.mark.parametrize("algorithm", ["r-gpucb", "abo", "w-dbo"])
def test_the_state_of_every_algorithm_is_tried_before_it_is_used(algorithm):
    assert set(errors(40, seed=3, algorithm=algorithm)) == {"loads", "refused"}


@pytest.mark.parametrize("change", [gzip.compress, lambda data: data.replace(b'"kept"', b'"gone"')])
def test_the_error_has_a_remedy(tmp_path, change):
    path = tmp_path / "plant.jsonl"
    path.write_bytes(change(saved(path, passes=8)))
    with pytest.raises(RecordError, match=r"plant\.jsonl.*; load"):
        Bolt.load(path)


def test_loading_does_not_change_how_it_continues(tmp_path):
    """The trial pass of loading leaves no trace."""
    saved(tmp_path / "plant.jsonl", passes=20)
    first = Bolt.load(tmp_path / "plant.jsonl")
    first.save(tmp_path / "again.jsonl")
    second = Bolt.load(tmp_path / "again.jsonl")

    assert first.ask(30.0).tolist() == second.ask(30.0).tolist()
    assert first.dataset == second.dataset
