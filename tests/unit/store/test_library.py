"""The library lists, opens and names the races of a folder."""

import json
import os
import subprocess
import sys
import threading

import pytest

from bolt_core.common.errors import BoltError
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import trash
from bolt_core.store.library import Library
from bolt_core.store.listing import listing
from bolt_core.store.record_files import TAIL_BYTES
from tests.support.stored_races import write_race, write_run


def test_races_are_grouped_by_the_race_id_of_their_records(library):
    write_race(library, "r1")
    write_run(library, "alone")
    os.utime(library.directory / "alone.jsonl", (1, 1))
    races = library.races()

    assert [len(r.runs) for r in races] == [2, 1]
    assert races[0].race_id == "r1"
    assert races[0].status == RunStatus.FINISHED
    assert [run.config.seed for run in races[0].runs] == [0, 1]
    assert races[1].race_id == races[1].runs[0].run_id
    assert races[0].runs[0].summary["iterations"] == 20


def test_opening_a_race_reads_its_records(library):
    write_race(library, "r1")
    opened = library.open("r1")

    assert isinstance(opened, RaceSnapshot)
    assert [len(run) for run in opened.runs] == [20, 20]
    assert opened.horizon == 600.0
    assert library.open("nothing") is None


def test_listing_reads_only_the_header_and_the_end_of_a_file(library, monkeypatch):
    path = write_run(library, "long", 800)
    assert path.stat().st_size > 2 * TAIL_BYTES
    opened = []
    original = type(path).open

    def counting(self, *arguments, **options):
        opened.append(self.name)
        return original(self, *arguments, **options)

    monkeypatch.setattr(type(path), "read_bytes", lambda self: pytest.fail(f"read {self} whole"))
    monkeypatch.setattr(type(path), "open", counting)
    races = library.races()

    assert races[0].runs[0].summary["iterations"] == 800
    assert opened.count("long.jsonl") == 2  # its first line, its tail


def test_a_file_is_read_again_only_when_it_changed(library, monkeypatch):
    write_run(library, "a")
    library.races()
    monkeypatch.setattr(
        "bolt_core.store.record_files.read_header", lambda path: pytest.fail(f"read {path} again")
    )

    assert len(library.races()) == 1


def test_an_interrupted_run_shows_the_summary_of_its_last_state(library):
    path = write_run(library, "cut", 30)
    lines = path.read_bytes().splitlines()
    state = {"kind": "state", "i": 29, "summary": {"iterations": 29}}
    path.write_bytes(b"\n".join([*lines[:-1], json.dumps(state).encode(), b'{"kind": "itera']))
    race = library.races()[0]

    assert race.status == RunStatus.INTERRUPTED
    assert race.runs[0].summary == {"iterations": 29}


def test_files_that_cannot_be_read_are_listed_with_a_reason_and_can_be_deleted(library):
    write_run(library, "a")
    (library.directory / "b.jsonl").write_text("hello\n")
    (library.directory / "c d.jsonl").write_bytes(b"\x00\xff\n")
    (library.directory / "e.jsonl").write_text('{"kind": "header", "config": 3}\n')
    (library.directory / "gone.jsonl").symlink_to(library.directory / "nowhere")
    (library.directory / "notes.txt").write_text("mine")
    races = library.races()
    rows = listing(races, {}, 0.0)

    assert [race.runs[0].path.name for race in races if race.runs] == ["a.jsonl"]
    assert len(races) == 5
    assert all(row.broken and row.problem for row in rows if row.benchmark == "")
    for row in rows:
        if row.broken:
            trash.delete(library, row.race_id)
    assert [race.runs[0].path.name for race in library.races()] == ["a.jsonl"]
    for row in rows:
        if row.broken:
            trash.restore(library, row.race_id)
    assert len(library.races()) == 5


@pytest.mark.parametrize(
    "summary",
    [
        [1],
        {"iterations": "x"},
        {"iterations": 10**400},
        {"iterations": 3, "n": "y"},
        {"iterations": 3, "spark": ["a"]},
        {"iterations": 3, "spark": [1.0] * 10_000},
        {"iterations": 3, "regret": 10**400},
    ],
)
def test_a_malformed_summary_is_not_shown_and_hides_no_other_race(library, summary):
    path = write_run(library, "a")
    *lines, last = path.read_text().splitlines()
    path.write_text("\n".join([*lines, json.dumps(json.loads(last) | {"summary": summary})]) + "\n")
    write_run(library, "b")
    rows = listing(library.races(), {}, 0.0)

    assert sorted(row.steps for row in rows) == [0, 20]
    assert [bool(row.problem) for row in sorted(rows, key=lambda row: row.steps)] == [True, False]


def test_a_race_that_cannot_be_summarised_is_a_row_of_its_own(library, monkeypatch):
    write_race(library, "r1")
    monkeypatch.setattr("bolt_core.store.listing.clock_label", lambda *run: 1 / 0)
    (row,) = listing(library.races(), {}, 0.0)

    assert row.broken
    assert "division" in row.problem


def test_listing_during_deletion_never_raises(library):
    raw = write_run(library, "a", 3).read_bytes()
    stop = threading.Event()

    def churn():
        while not stop.is_set():
            for k in range(20):
                (library.directory / f"x{k}.jsonl").write_bytes(raw)
            for k in range(20):
                (library.directory / f"x{k}.jsonl").unlink()

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(60):
            assert all(race.runs or race.broken for race in Library(library.directory).races())
    finally:
        stop.set()
        thread.join()


def test_names_given_at_the_same_time_are_all_kept(library):
    def name(who):
        for k in range(25):
            Library(library.directory).rename(f"r{who}-{k}", f"name {k}")

    threads = [threading.Thread(target=name, args=(who,)) for who in range(4)]
    code = "import sys; from pathlib import Path; from bolt_core.store.library import Library\n"
    code += "for k in range(25): Library(Path(sys.argv[1])).rename(f'other-{k}', 'x')"
    other = subprocess.Popen([sys.executable, "-c", code, str(library.directory)])
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert other.wait(60) == 0
    assert len(json.loads((library.directory / "names.json").read_text())) == 125


def test_an_empty_or_missing_folder_is_an_empty_list(library):
    assert library.races() == []
    assert library.size() == 0


def test_names_and_tags_are_saved_and_can_be_removed(library):
    write_race(library, "r1")
    library.rename("r1", "lecture 3", ["wlan", " wlan ", "slow"])
    again = Library(library.directory).find("r1")

    assert (again.name, again.tags) == ("lecture 3", ("wlan", "slow"))
    library.rename("r1", "")
    assert Library(library.directory).find("r1").name == ""


@pytest.mark.parametrize(
    ("name", "tags"), [("x" * 81, []), ("ok", ["y" * 81]), ("ok", [str(k) for k in range(9)])]
)
def test_names_and_tags_are_limited(library, name, tags):
    write_race(library, "r1")
    with pytest.raises(BoltError, match="at most"):
        library.rename("r1", name, tags)

    assert library.find("r1").name == ""
