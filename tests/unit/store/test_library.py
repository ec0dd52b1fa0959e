"""Runs on disk: listed, named, taken in, put aside."""

import json
import os

import pytest

from bolt_core.analysis import regret
from bolt_core.common.errors import BoltError, RecordError
from bolt_core.common.types import RunStatus
from bolt_core.online.optimizer import Bolt
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import importing, records, trash
from bolt_core.store.library import TAIL, Library
from bolt_core.store.records import RecordWriter
from bolt_core.store.run_summary import SPARK, RunSummary
from tests.support.helpers import config, first, record, write


@pytest.fixture
def shelf(tmp_path):
    return Library(tmp_path / "runs")


def put(shelf, name, n=20, **changes):
    write(shelf.directory / f"{name}.jsonl", n, **changes)
    return shelf.directory / f"{name}.jsonl"


def race(shelf, race_id, n=20, seeds=2):
    for seed in range(seeds):
        passes = first(n, seed=seed)
        about = {"race_id": race_id, "lane": 0, "dimension": 1, "horizon": 600.0}
        path = shelf.directory / f"{race_id}-{seed}.jsonl"
        run_id = f"{race_id}-{seed}"
        with RecordWriter(path, config(seed=seed), header=about, run_id=run_id) as writer:
            for one in passes:
                writer.append(one)


def test_a_tally_says_what_the_columns_say(tmp_path):
    write(tmp_path / "a.jsonl", 60)
    run = records.read(tmp_path / "a.jsonl")
    tally = RunSummary()
    for one in run.records:
        tally.add(one)
    told = tally.summary()

    assert told["regret"] == pytest.approx(regret.averages(run.columns).over_queries)
    assert (told["iterations"], told["n"]) == (60, run.sizes()[-1])
    assert told["t"] == run.columns.ends()[-1]
    assert told["response"] == pytest.approx(run.columns["seconds"][15:].mean())


@pytest.mark.parametrize("n", [0, 1, SPARK - 1, SPARK, 1000, 50_000])
def test_a_spark_stays_short_and_ends_near_the_end(n):
    tally = RunSummary()
    for i in range(n):
        tally.add(record(i, regret=float(i)))
    spark = tally.summary()["spark"]

    assert len(spark) < SPARK
    assert spark == sorted(spark)
    if n:
        assert spark[-1] >= 0.9 * tally.summary()["regret"]


def test_nobody_knows_the_regret_of_a_problem_of_ones_own():
    tally = RunSummary()
    tally.add(record(0, regret=float("nan")))

    assert tally.summary()["regret"] is None
    assert json.dumps(tally.summary(), allow_nan=False)


def test_a_list_knows_races_by_their_records(shelf):
    race(shelf, "r1")
    put(shelf, "alone")
    os.utime(shelf.directory / "alone.jsonl", (1, 1))
    found = shelf.races()

    assert [len(r.runs) for r in found] == [2, 1]
    assert found[0].race_id == "r1"
    assert found[0].status == RunStatus.FINISHED
    assert [run.config.seed for run in found[0].runs] == [0, 1]
    assert found[1].race_id == found[1].runs[0].run_id
    assert found[0].runs[0].summary["iterations"] == 20


def test_opening_gives_what_the_records_give(shelf):
    race(shelf, "r1")
    opened = shelf.open("r1")

    assert isinstance(opened, RaceSnapshot)
    assert [len(run) for run in opened.runs] == [20, 20]
    assert opened.horizon == 600.0
    assert shelf.open("nothing") is None


def test_a_list_of_long_files_reads_only_their_ends(shelf, monkeypatch):
    path = put(shelf, "long", 800)
    assert path.stat().st_size > 2 * TAIL
    opened = []
    original = type(path).open

    def counting(self, *arguments, **options):
        opened.append(self.name)
        return original(self, *arguments, **options)

    monkeypatch.setattr(type(path), "read_bytes", lambda self: pytest.fail(f"read {self} whole"))
    monkeypatch.setattr(type(path), "open", counting)
    found = shelf.races()

    assert found[0].runs[0].summary["iterations"] == 800
    assert opened.count("long.jsonl") == 2  # its first line, its tail


def test_a_file_is_looked_at_again_only_when_it_changed(shelf, monkeypatch):
    put(shelf, "a")
    shelf.races()
    monkeypatch.setattr(
        "bolt_core.store.library.read_header", lambda path: pytest.fail(f"read {path} again")
    )

    assert len(shelf.races()) == 1


def test_a_run_cut_off_shows_its_last_state(shelf):
    path = put(shelf, "cut", 30)
    lines = path.read_bytes().splitlines()
    state = {"kind": "state", "i": 29, "summary": {"iterations": 29}}
    path.write_bytes(b"\n".join([*lines[:-1], json.dumps(state).encode(), b'{"kind": "itera']))
    found = shelf.races()[0]

    assert found.status == RunStatus.INTERRUPTED
    assert found.runs[0].summary == {"iterations": 29}


def test_strangers_among_the_files_are_passed_over(shelf):
    put(shelf, "a")
    (shelf.directory / "b.jsonl").write_text("hello\n")
    (shelf.directory / "c.jsonl").write_bytes(b"\x00\xff\n")
    (shelf.directory / "d.jsonl").write_text('{"kind": "header", "config": 3}\n')
    (shelf.directory / "notes.txt").write_text("mine")

    assert [r.runs[0].path.name for r in shelf.races()] == ["a.jsonl"]


def test_an_empty_or_missing_folder_is_an_empty_list(shelf):
    assert shelf.races() == []
    assert shelf.size() == 0


def test_names_and_tags_are_kept_and_taken_back(shelf):
    race(shelf, "r1")
    shelf.rename("r1", "lecture 3", ["wlan", " wlan ", "slow"])
    again = Library(shelf.directory).find("r1")

    assert (again.name, again.tags) == ("lecture 3", ("wlan", "slow"))
    shelf.rename("r1", "")
    assert Library(shelf.directory).find("r1").name == ""


@pytest.mark.parametrize(
    ("name", "tags"), [("x" * 81, []), ("ok", ["y" * 81]), ("ok", [str(k) for k in range(9)])]
)
def test_a_name_has_a_length(shelf, name, tags):
    race(shelf, "r1")
    with pytest.raises(BoltError, match="at most"):
        shelf.rename("r1", name, tags)

    assert shelf.find("r1").name == ""


def test_a_deleted_race_comes_back_whole(shelf):
    race(shelf, "r1")
    before = {p.name: p.read_bytes() for p in shelf.directory.glob("*.jsonl")}
    trash.delete(shelf, "r1")
    assert shelf.find("r1") is None
    trash.restore(shelf, "r1")

    assert {p.name: p.read_bytes() for p in shelf.directory.glob("*.jsonl")} == before
    with pytest.raises(RecordError, match="cannot come back"):
        trash.restore(shelf, "r1")


def test_deleting_what_is_not_there_says_so(shelf):
    with pytest.raises(RecordError, match="r9 is not here"):
        trash.delete(shelf, "r9")


def test_pruning_keeps_the_newest_and_the_busy(shelf):
    for k in range(4):
        race(shelf, f"r{k}", seeds=1)
        os.utime(shelf.directory / f"r{k}-0.jsonl", (k + 1, k + 1))
    gone = list(trash.prune(shelf, 2, busy=frozenset({"r0"})))

    assert gone == ["r1"]
    assert {r.race_id for r in shelf.races()} == {"r0", "r2", "r3"}


def test_the_trash_is_emptied_after_a_day(shelf):
    race(shelf, "r1")
    trash.delete(shelf, "r1")
    stamp = (shelf.directory / "trash" / "r1").stat().st_mtime

    assert trash.empty_trash(shelf.directory, stamp + 3600) == 0
    assert trash.empty_trash(shelf.directory, stamp + 90_000) == 1
    with pytest.raises(RecordError):
        trash.restore(shelf, "r1")


def test_a_race_goes_out_and_comes_in_byte_for_byte(shelf, tmp_path):
    race(shelf, "r1")
    whole = b"".join(p.read_bytes() for p in sorted(shelf.directory.glob("*.jsonl")))
    other = Library(tmp_path / "other")

    assert importing.import_records(whole, other.directory) == ["r1"]
    assert b"".join(p.read_bytes() for p in sorted(other.directory.glob("*.jsonl"))) == whole
    assert importing.import_records(whole, other.directory) == ["r1"]  # once more changes nothing
    assert len(other.races()) == 1


def test_what_opt_save_wrote_opens_as_a_race(shelf, tmp_path):
    opt = Bolt(bounds=[(0, 1), (-5, 5)], name="my process", warmup=5)
    for k in range(12):
        x = opt.ask(float(k))
        opt.tell(x, float(k), float(x.sum()))
    opt.save(tmp_path / "mine.jsonl")
    (race_id,) = importing.import_records((tmp_path / "mine.jsonl").read_bytes(), shelf.directory)
    opened = shelf.open(race_id)

    assert len(opened.runs[0]) == 12
    assert opened.runs[0].header["label"] == "my process"
    assert shelf.find(race_id).runs[0].summary["regret"] is None


HEADER = {"kind": "header", "schema": 1, "run_id": "x", "dimension": 1}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a BOLT record"),
        (b"PK\x03\x04\x00\x00", "not a BOLT record"),
        (b"<script>alert(1)</script>", "not a BOLT record"),
        (json.dumps({**HEADER, "dimension": 10**12}).encode(), "dimension must be 1 to 100"),
        (json.dumps({**HEADER, "run_id": "../../x"}).encode(), "is not an id of ours"),
        (json.dumps({**HEADER, "run_id": None}).encode(), "is not an id of ours"),
        (json.dumps({**HEADER, "race_id": "<b>"}).encode(), "is not an id of ours"),
        (json.dumps({**HEADER, "label": "x" * 501}).encode(), "over 500 characters"),
        (json.dumps(HEADER).encode(), "not a line of a BOLT record"),
        (json.dumps({**HEADER, "schema": 99}).encode(), "schema 1"),
    ],
)
def test_what_is_no_record_is_refused_with_a_word(shelf, data, words):
    with pytest.raises(RecordError, match=words):
        importing.import_records(data + b"\n", shelf.directory, name="drop.jsonl")

    assert list(shelf.directory.glob("*") if shelf.directory.exists() else []) == []


def test_a_torn_middle_is_refused_and_a_torn_end_is_taken(shelf, tmp_path):
    write(tmp_path / "a.jsonl", 20)
    data = (tmp_path / "a.jsonl").read_bytes()
    lines = data.split(b"\n")
    with pytest.raises(RecordError, match="line 3"):
        importing.import_records(
            b"\n".join([*lines[:2], lines[2][:30], *lines[3:]]), shelf.directory
        )

    (race_id,) = importing.import_records(data[: len(data) // 2], shelf.directory)
    assert shelf.find(race_id).status == RunStatus.INTERRUPTED


def test_numbers_beyond_all_bounds_are_refused(shelf, tmp_path):
    write(tmp_path / "a.jsonl", 20)
    header, second, *rest = (tmp_path / "a.jsonl").read_bytes().split(b"\n")
    line = json.loads(second) | {"y": 10**400}
    with pytest.raises(RecordError, match="line 2"):
        importing.import_records(
            b"\n".join([header, json.dumps(line).encode(), *rest]), shelf.directory
        )


def test_a_file_over_the_cap_is_refused(shelf, monkeypatch):
    monkeypatch.setattr(importing, "MAX_FILE_BYTES", 100)
    with pytest.raises(RecordError, match="at most 0 MB"):
        importing.import_records(importing.HEADER + b" " * 100, shelf.directory)


def test_another_record_of_the_same_id_is_refused_and_nothing_is_lost(shelf, tmp_path):
    race(shelf, "r1", n=20)
    before = {p.name: p.read_bytes() for p in shelf.directory.glob("*.jsonl")}
    other = Library(tmp_path / "other")
    race(other, "r1", n=25)
    whole = b"".join(p.read_bytes() for p in sorted(other.directory.glob("*.jsonl")))
    with pytest.raises(RecordError, match="delete that one first"):
        importing.import_records(whole, shelf.directory)

    assert {p.name: p.read_bytes() for p in shelf.directory.glob("*.jsonl")} == before
    assert not list(shelf.directory.glob(".import*"))
