"""Who may change a stored race: its owner, its importer, the operator, or everyone."""

import os

import pytest

from bolt_core.common.errors import NotYoursError
from bolt_core.common.permissions import Permissions
from bolt_core.live.conductor import Conductor
from bolt_core.store import export, race_file
from bolt_core.store.library import Library
from bolt_core.store.stored_races import StoredRaces
from tests.support.live_races import ended, lane
from tests.support.stored_races import write_race

STRICT = Permissions("the-operators")


@pytest.fixture
def finished(tmp_path):
    """Return the id of a race that "owner" started, and that has ended, in tmp_path."""
    conductor = Conductor(tmp_path, permissions=STRICT)
    race_id = conductor.start([lane(horizon=5.0)], owner="owner")
    conductor.wait(race_id, ended)
    conductor.shutdown()
    return race_id


def stored(directory, permissions=STRICT):
    return StoredRaces(Library(directory), permissions)


@pytest.mark.parametrize(("token", "may"), [("owner", True), ("other", False), (None, False)])
def test_a_race_belongs_to_the_visitor_who_started_it_also_after_a_restart(
    tmp_path, finished, token, may
):
    assert stored(tmp_path).may_change(finished, token) is may


def test_the_operator_and_visitors_of_a_shared_server_may_change_every_race(tmp_path, finished):
    assert stored(tmp_path).may_change(finished, "the-operators")
    assert stored(tmp_path, Permissions(shared=True)).may_change(finished, "other")
    assert stored(tmp_path, Permissions(local=True)).may_change(finished, None)


def test_others_can_neither_rename_nor_delete_nor_restore(tmp_path, finished):
    races = stored(tmp_path)
    with pytest.raises(NotYoursError, match=finished):
        races.rename(finished, "mine now", (), "other")
    with pytest.raises(NotYoursError, match=finished):
        races.delete(finished, "other")
    assert races.old(0, "other", frozenset()) == []
    races.delete(finished, "owner")
    with pytest.raises(NotYoursError, match=finished):
        races.restore(finished, "other")
    races.restore(finished, "owner")

    assert Library(tmp_path).find(finished) is not None
    assert races.old(0, "owner", frozenset()) == [finished]


def test_an_imported_race_belongs_to_its_importer_and_a_known_one_keeps_its_owner(
    tmp_path, finished
):
    exported = b"".join(path.read_bytes() for path in sorted(tmp_path.glob("*.jsonl")))
    elsewhere = stored(tmp_path / "elsewhere")
    assert elsewhere.import_records(exported, "race.jsonl", "importer").race_ids == [finished]
    for server in (elsewhere, stored(tmp_path / "elsewhere")):  # also after a restart
        assert server.may_change(finished, "importer")
        assert not server.may_change(finished, "other")
    assert exported == export.jsonl(Library(tmp_path / "elsewhere").find(finished).records)

    here = stored(tmp_path)
    assert here.import_records(exported, "race.jsonl", "thief") == ([finished], 0)  # already here
    assert not here.may_change(finished, "thief")


def test_only_its_owner_or_the_operator_continues_a_stopped_race(tmp_path):
    conductor = Conductor(tmp_path, permissions=STRICT)
    race_id = conductor.start([lane(horizon=600.0)], owner="owner")
    conductor.wait(race_id, lambda race: race.version > 2)
    conductor.shutdown()
    conductor = Conductor(tmp_path, permissions=STRICT)
    with pytest.raises(NotYoursError, match=race_id):
        conductor.resume_stored(race_id, "other")
    conductor.resume_stored(race_id, "owner")
    conductor.shutdown()


def test_old_races_are_neither_the_newest_nor_busy(tmp_path):
    library = Library(tmp_path)
    for k in range(4):
        write_race(library, f"r{k}", seeds=1)
        os.utime(tmp_path / f"r{k}-0.jsonl", (k + 1, k + 1))
    races = StoredRaces(library, Permissions(local=True))

    assert races.old(2, None, busy=frozenset({"r0"})) == ["r1"]


def test_races_of_others_do_not_count_among_those_to_keep(tmp_path):
    library = Library(tmp_path)
    for k in range(6):
        write_race(library, f"r{k}", seeds=1)
        os.utime(tmp_path / f"r{k}-0.jsonl", (k + 1, k + 1))
        owner = "mine" if k < 3 else "others"
        race_file.write(tmp_path, race_file.RaceFile.announce(f"r{k}", (), owner))
    races = stored(tmp_path)

    assert races.old(1, "mine", frozenset()) == ["r1", "r0"]  # r2 is kept
    assert races.old(3, "mine", frozenset()) == []
