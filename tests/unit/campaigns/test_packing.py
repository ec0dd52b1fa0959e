"""Finished runs carried to another machine: packed, unpacked, merged, refused, dropped."""

import json
from dataclasses import replace

import pytest

from bolt_core.campaigns import campaign, packing, packs, pools
from bolt_core.campaigns.campaign import State
from bolt_core.campaigns.digest import Digest
from bolt_core.campaigns.results import gather
from bolt_core.campaigns.selection import Selection
from bolt_core.common import checkout, files
from bolt_core.common.errors import BoltError, ConfigError, RecordError
from bolt_core.store import records
from tests.support.campaigns import finished, plan, ready
from tests.support.packed import home_of, packed, report_of, rows, write_rows
from tests.support.wording import in_order

LATER, EARLIER = "2100-01-01T00:00:00+00:00", "2000-01-01T00:00:00+00:00"


class Counting(pools.InProcess):
    """Records which runs are submitted."""

    def __init__(self):
        super().__init__()
        self.keys = []

    def submit(self, config, about):
        self.keys.append(config.key)
        super().submit(config, about)


def changed(pack, key, **changes):
    """Write a pack again with another regret, commit or start of one run, which is another run."""
    lines = rows(pack.path)
    row = next(row for row in lines if row.get("key") == key)
    row["averages"]["over_queries"] += changes.get("regret", 0.0)
    row["commit"] = changes.get("commit", row["commit"])
    row["made"] |= {"run_id": "other", "started": changes.get("started", row["made"]["started"])}
    return write_rows(pack.path.with_name("changed.jsonl"), lines)


def regret_of(made, key):
    return next(r for r in gather(made).runs if r.config.key == key).averages["over_queries"]


def test_another_machine_runs_only_the_rest_and_the_report_is_the_same(tmp_path, monkeypatch):
    finished("small", algorithms=["random", "gpucb"])
    undisturbed = report_of("small")
    home_of("first", monkeypatch, tmp_path)
    part = ready("small", algorithms=["random", "gpucb"])
    part.run(pools.local(0), selection=Selection(seeds=1))
    packing.pack(part, tmp_path / "pack")
    done = {key for key, state in part.states().items() if state == State.FINISHED}
    home_of("second", monkeypatch, tmp_path)

    unpacked = packing.unpack(tmp_path / "pack")
    pool = Counting()
    unpacked.campaign.run(pool)

    assert unpacked.new == len(done) == 4
    assert {*pool.keys} == {*part.configs} - done
    assert unpacked.campaign.plan == part.plan
    assert report_of("small") == undisturbed
    packing.pack(unpacked.campaign, tmp_path / "whole")
    assert len(packs.read(tmp_path / "whole").runs) == 8


def test_several_packs_are_added_and_a_second_time_changes_nothing(tmp_path):
    first, second = packed(tmp_path / "0", seeds=[0]), packed(tmp_path / "1", seeds=[1])
    ready()

    added = [packing.unpack(pack.path).new for pack in (first, second)]
    made = campaign.load("small")
    bytes_before = made.packed_runs.path.read_bytes()
    again = packing.unpack(first.path)

    assert added == [2, 2]
    assert not made.pending()
    assert (again.new, again.replaced, again.present) == (0, 0, 2)
    assert made.packed_runs.path.read_bytes() == bytes_before
    assert Digest(made).read(60.0) == (gather(made), 0)


@pytest.mark.parametrize("with_record", [True, False])
def test_a_different_result_is_refused_and_the_newer_replaces(tmp_path, with_record):
    made = finished()
    key = next(iter(made.configs))
    packing.pack(made, tmp_path / "pack")
    pack = packs.read(tmp_path / "pack")
    if not with_record:
        packing.drop(made, Selection())
        packing.unpack(pack.path)
    own, commit = regret_of(made, key), "fedcba9876543210"
    newer = changed(pack, key, regret=1.0, commit=commit, started=LATER)

    with pytest.raises(RecordError) as error:
        packing.unpack(newer)
    here = pack.runs[key].result.commit
    names = (str(newer), "random", "eggholder", "seed 0", commit[:10], (here or "unknown")[:10])
    assert in_order(str(error.value), *names, "--replace")
    assert regret_of(made, key) == own

    assert packing.unpack(newer, replace=True).replaced == 1
    assert regret_of(made, key) == pytest.approx(own + 1.0)
    assert packing.commits(made)[commit] == 1
    assert not made.path(key).exists()
    older = changed(pack, key, regret=2.0, started=EARLIER)
    assert packing.unpack(older, replace=True).replaced == 0
    assert regret_of(made, key) == pytest.approx(own + 1.0)


def test_equal_numbers_of_another_commit_are_no_difference(tmp_path):
    pack = packed(tmp_path / "pack")
    packing.unpack(pack.path)
    key = next(iter(pack.runs))

    assert packing.unpack(changed(pack, key, commit="0" * 40)).present == 4


def test_a_damaged_or_failed_record_gives_way_to_the_run_of_a_pack(tmp_path):
    made = finished()
    packing.pack(made, tmp_path / "pack")
    key = next(iter(made.configs))
    lines = made.path(key).read_text().splitlines()
    made.path(key).write_text("\n".join([*lines[:3], "{torn", *lines[4:]]) + "\n")

    assert packing.pack(made, tmp_path / "other").damaged.keys() == {key}
    lines = rows(tmp_path / "pack")
    for row in lines[1:]:
        row["made"]["run_id"] = "other"
    assert packing.unpack(write_rows(tmp_path / "others", lines)).new == 1
    assert not gather(made).failed


def test_a_running_campaign_is_not_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(campaign, "LOCK_SECONDS", 0.05)
    pack = packed(tmp_path / "pack")
    made = ready()
    with files.locked(made.folder / campaign.LOCK):
        for change in (lambda: packing.unpack(pack.path), lambda: packing.drop(made, Selection())):
            with pytest.raises(ConfigError, match=r"small.*another process"):
                change()

    assert len(made.pending()) == 4


def test_runs_outside_the_plan_wait_for_a_plan_that_has_them(tmp_path):
    pack = packed(tmp_path / "pack", seeds=2)
    made = ready(seeds=1)
    unpacked = packing.unpack(pack.path)
    assert (unpacked.new, unpacked.unplanned) == (4, 2)
    assert len(gather(made).runs) == 2
    assert not campaign.create(plan(seeds=2), replace=True).pending()

    ready("other", algorithms=["gpucb"])
    with pytest.raises(RecordError, match=r"no run.*other"):
        packing.unpack(pack.path, "other")


@pytest.mark.parametrize(
    "grids",
    [
        [{"algorithms": ["random"], "benchmarks": ["ackley"], "speed": [*range(1, 25_000)]}],
        [{"algorithms": ["random"], "benchmarks": ["ackley"]}] * 101,
        [{"algorithms": ["unknown"], "benchmarks": ["ackley"]}],
        [{"algorithms": ["random"], "benchmarks": ["ackley"], "horizon": 10**400}],
        [7],
        7,
    ],
)
def test_a_plan_that_cannot_be_used_is_refused(tmp_path, grids):
    lines = rows(packed(tmp_path / "pack", seeds=1).path)
    lines[0]["plan"]["grids"] = grids
    path = write_rows(tmp_path / "changed", lines)

    with pytest.raises(RecordError) as error:
        packing.unpack(path)

    assert in_order(str(error.value), str(path), "plan")
    assert not campaign.names()


def test_a_pack_grows_without_reading_records_again(tmp_path, monkeypatch):
    made = finished()
    packing.pack(made, tmp_path / "pack")
    before = (tmp_path / "pack").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(records, "read", lambda path: 1 / 0)
        packing.pack(made, tmp_path / "pack")
    assert (tmp_path / "pack").read_bytes() == before

    packing.drop(made, Selection(benchmarks=("ackley",)))
    with pytest.raises(RecordError, match=r"2 runs.*--replace"):
        packing.pack(made, tmp_path / "pack")
    packing.pack(made, tmp_path / "pack", replace=True)
    assert len(packs.read(tmp_path / "pack").runs) == 2
    (tmp_path / "note").write_text("a text")
    with pytest.raises(RecordError, match=r"note.*--replace"):
        packing.pack(made, tmp_path / "note")
    assert (tmp_path / "note").read_text() == "a text"


@pytest.mark.parametrize("with_records", [True, False])
def test_dropped_runs_are_run_again_and_no_others(tmp_path, with_records):
    made = finished()
    if not with_records:
        made = packing.unpack(packed(tmp_path / "pack").path).campaign
    digest = Digest(made)
    assert len(digest.read(60.0)[0].runs) == 4
    before = report_of("small")

    assert packing.drop(made, Selection(benchmarks=("ackley",), seeds=1)) == 1
    pool = Counting()
    assert len(digest.read(60.0)[0].runs) == 3
    made.run(pool)

    assert [made.configs[key].benchmark for key in pool.keys] == ["ackley"]
    assert len(list((made.folder / packing.DROPPED).glob("*"))) == with_records
    assert report_of("small") == before


def test_runs_of_code_without_a_change_are_dropped(tmp_path, monkeypatch):
    pack = packed(tmp_path / "pack", algorithms=["random"], benchmarks=["ackley"], seeds=3)
    lines = rows(pack.path)
    for row, commit in zip(lines[1:], ("aaaa", "bbbb", None), strict=True):
        row["commit"] = commit
    made = packing.unpack(write_rows(tmp_path / "commits", lines)).campaign
    monkeypatch.setattr(checkout, "check_revision", lambda change: None)
    monkeypatch.setattr(checkout, "contains", lambda commit, change: commit == "bbbb")

    assert packing.drop(made, Selection(), before="bbbb") == 2
    assert packing.commits(made) == {"bbbb": 1}


def test_without_a_finished_run_or_a_folder_no_pack_is_written(tmp_path):
    made = ready("small", algorithms=["random"])

    with pytest.raises(ConfigError, match="campaign run small"):
        packing.pack(made, tmp_path / "pack")
    with pytest.raises(ConfigError, match="nowhere does not"):
        packing.pack(made, tmp_path / "nowhere" / "pack")
    assert not (tmp_path / "pack").exists()
    assert not (tmp_path / "nowhere").exists()


def test_a_selection_outside_the_plan_is_refused():
    made = ready()
    for wrong in ({"algorithms": ("blot",)}, {"benchmarks": ("powell",)}, {"seeds": 0}):
        with pytest.raises(BoltError):
            packing.drop(made, Selection(**wrong))
    with pytest.raises(ConfigError):
        Selection.from_words(" , ", None, None)


def test_a_damaged_file_of_unpacked_runs_is_an_error_with_its_remedy(tmp_path):
    made = packing.unpack(packed(tmp_path / "pack").path).campaign
    made.packed_runs.path.write_bytes(b"\x1f\x8bnonsense")

    with pytest.raises(RecordError, match=r"unpacked.jsonl.gz.*remove"):
        made.states()
    with pytest.raises(RecordError):
        Digest(made)


def test_a_record_with_a_strange_header_is_left_out(tmp_path):
    made = finished()
    path = made.path(next(iter(made.configs)))
    header, *rest = path.read_text().splitlines()
    strange = json.dumps(json.loads(header) | {"started": "yesterday"})
    path.write_text("\n".join([strange, *rest]) + "\n")

    assert list(packing.pack(made, tmp_path / "pack").damaged) == [path.stem]
    assert len(packs.read(tmp_path / "pack").runs) == 3


def test_the_result_in_a_pack_is_that_of_the_record(tmp_path):
    made = finished(algorithms=["gpucb"])
    packing.pack(made, tmp_path / "pack")
    runs = packs.read(tmp_path / "pack").runs

    assert [runs[run.config.key].result for run in gather(made).runs] == list(gather(made).runs)
    assert replace(gather(made), runs=()) == replace(
        gather(packing.unpack(tmp_path / "pack", "copy").campaign), runs=(), name="small"
    )
