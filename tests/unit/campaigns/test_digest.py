"""A campaign's results are read once, kept, and read again when a record has changed."""

from bolt_core.campaigns import campaign, results
from bolt_core.campaigns.campaign import State
from bolt_core.campaigns.digest import Digest
from bolt_core.campaigns.results import FILE
from bolt_core.store import records
from tests.support import campaigns
from tests.support.wording import in_order

LONG = 60.0  # seconds: far more than four short records take


def test_it_comes_to_what_a_report_is_made_of():
    found = campaigns.finished()

    assert Digest(found).read(LONG) == (results.gather(found), 0)


def test_without_time_it_reads_nothing_and_says_how_much_is_left():
    digest = Digest(campaigns.finished())

    none, left = digest.read(0.0)
    assert (none.runs, left) == ((), 4)
    assert digest.read(LONG)[1] == 0


def test_a_second_server_reads_the_stored_file_instead_of_the_records(monkeypatch):
    found = campaigns.finished()
    first, _ = Digest(found).read(LONG)
    monkeypatch.setattr(records, "read", lambda path: 1 / 0)

    assert (found.folder / FILE).exists()
    assert Digest(found).read(LONG) == (first, 0)


def test_a_record_made_anew_is_read_again():
    found = campaigns.finished()
    digest = Digest(found)
    before, _ = digest.read(LONG)
    key = next(iter(found.configs))
    text = found.path(key).read_text().replace('"cpu": ', '"cpu": "another", "was": ', 1)
    found.path(key).write_text(text)
    after, left = digest.read(LONG)

    assert left == 0
    assert [m["runs"] for m in before.made] == [4]
    assert sorted(m["runs"] for m in after.made) == [1, 3]


def test_states_are_the_campaigns_own():
    found = campaigns.finished()
    digest = Digest(found)
    gone, torn = list(found.configs)[:2]
    assert digest.states() == found.states()
    found.path(gone).unlink()
    found.path(torn).write_text("no record")

    assert digest.states() == found.states()
    assert digest.states()[gone] == State.MISSING
    assert len(digest.read(LONG)[0].runs) == 2


def tear_one(found):
    """In its middle: its closing line is whole."""
    path = found.path(next(iter(found.configs)))
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], "{torn", *lines[4:]]) + "\n")
    return path


def test_a_record_torn_in_its_middle_is_passed_over():
    found = campaigns.finished()
    path = tear_one(found)

    found_now, left = Digest(found).read(LONG)
    assert (len(found_now.runs), left) == (3, 0)
    assert results.gather(found) == found_now
    (failure,) = found_now.failed
    assert in_order(failure.reason, "damaged", "remove", path.name, "again")
    horizon = next(iter(found.configs.values())).horizon
    assert failure.setting.endswith(f"horizon {horizon:g} s")


def test_what_failed_does_not_keep_the_rest_from_being_stored():
    found = campaigns.finished()
    tear_one(found)
    first, _ = Digest(found).read(LONG)

    assert results.load(found.folder / FILE) == first


def test_a_folder_that_cannot_be_written_is_no_obstacle(monkeypatch):
    found = campaigns.finished()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(results, "save", full)

    assert len(Digest(found).read(LONG)[0].runs) == 4
    assert not (found.folder / FILE).exists()


def test_a_run_of_a_campaign_is_found_by_its_id_and_nothing_else_is():
    found = campaigns.finished()
    key = next(iter(found.configs))

    assert campaign.record_of(campaign.race_id("small", key)) == found.path(key)
    for asked in (f"campaign:small:{'0' * 12}", f"campaign:../small:{key}", "campaign:small", key):
        assert campaign.record_of(asked) is None
