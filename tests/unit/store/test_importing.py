"""Imported records are checked completely, and refused with a reason or kept byte for byte."""

import io
import json
import threading
import tracemalloc

import pytest

from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.types import RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.live.resume import take_up
from bolt_core.online.optimizer import Bolt
from bolt_core.runs import limits
from bolt_core.store import export, importing
from bolt_core.store.library import Library
from tests.support.live_races import ended, lane, passes
from tests.support.runs import write_run
from tests.support.stored_races import write_race
from tests.support.threads import sleeps


@pytest.fixture
def lines(tmp_path):
    write_run(tmp_path / "a.jsonl", 20, status=RunStatus.STOPPED)
    return [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]


def as_file(lines):
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.mark.parametrize(
    ("where", "name", "value", "words"),
    [
        ("header", "place", float("inf"), "torn or not JSON|is not a BOLT record|whole number"),
        ("header", "versions", {"numpy": ["x"]}, "versions must be an object"),
        ("header", "label", "x" * 501, "label must be a text"),
        ("header", "bounds", [[0.0]], "bounds must be"),
        ("header", "noise_variance", -1, "noise_variance must be"),
        ("config", "params", {"window": [1]}, "params must be"),
        ("config", "params", {"window": 10**400}, "params must be"),
        ("config", "params", 3, "params must be"),
        ("config", "options", {"noise": {}}, "options must be"),
        ("config", "seed", 10**30, "seed must be a whole number"),
        ("config", "warmup", 0, "warmup must be"),
        ("config", "clock", {"kind": "model", "device": ["x"]}, "device must be 4 numbers"),
        ("config", "engine", {"name": "none"}, "unknown engine"),
        ("config", "extra", 1, "config is not valid"),
        ("header", "place", "x", "place must be a whole number"),
        ("header", "horizon", "abc", "horizon must be a number from 0"),
        ("config", "algorithm", ["x"], "algorithm must be a text"),
        ("config", "benchmark", 3, "benchmark must be a text"),
        ("config", "seed", 1.5, "seed must be a whole number"),
    ],
)
def test_a_header_of_the_wrong_kind_is_refused(lines, tmp_path, where, name, value, words):
    header = lines[0] if where == "header" else lines[0]["config"]
    header[name] = value
    with pytest.raises(RecordError, match=words):
        importing.import_records(as_file(lines), tmp_path / "runs")

    assert Library(tmp_path / "runs").races() == []


@pytest.mark.parametrize("y", [float("nan"), float("inf")])
def test_a_pass_without_a_number_is_refused(lines, tmp_path, y):
    lines[1]["y"] = y
    with pytest.raises(RecordError, match="line 2"):
        importing.import_records(as_file(lines), tmp_path / "runs")


def test_a_header_without_its_line_end_is_refused(lines, tmp_path):
    with pytest.raises(RecordError, match="torn"):
        importing.import_records(as_file(lines[:1]).strip(), tmp_path / "runs")


@pytest.mark.parametrize("summary", [[1], {"iterations": "x"}, {"iterations": 3, "n": "y"}, 7])
def test_a_malformed_summary_is_refused(lines, tmp_path, summary):
    lines[-1]["summary"] = summary
    with pytest.raises(RecordError, match="summary is not"):
        importing.import_records(as_file(lines), tmp_path / "runs")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("x", [0.5] * 5), ("x", ["a", "b"]), ("best_x", [0.5, 0.5]), ("t", "soon"),
        ("seconds", -1.0),
        ("n", 10**9), ("n", 1.5), ("n_star", 10**400), ("removed", [7]), ("removed", [-1]),
        ("removed", ["x"]), ("removed", 3), ("theta", {"signal_variance": 1.0}), ("theta", 5),
        ("notes", [1]), ("notes", {"pad": [[[[[]]]]]}),
        ("warmup", 1), ("waited", None), ("i", 5), ("kind", "surprise"), ("kind", ["x"]),
    ],
)  # fmt: skip
def test_a_pass_with_a_value_that_is_none_of_a_pass_is_refused(lines, tmp_path, name, value):
    lines[2][name] = value
    with pytest.raises(RecordError, match="line 3 of a record"):
        importing.import_records(as_file(lines), tmp_path / "runs")

    assert not list((tmp_path / "runs").glob("*.jsonl"))
    assert not list((tmp_path / "runs").glob(".import*"))


@pytest.mark.parametrize(
    "line",
    [
        {"kind": "event", "name": "speed", "i": 1, "t": 0.0, "ratio": "x", "factor": 1.0},
        {"kind": "state", "i": 3},
        {"kind": "state", "summary": {}, "state": None},
        {"kind": "end", "status": "running", "error": None},
        {"kind": "end", "status": ["x"], "error": None},
        {"kind": "end", "status": "failed", "error": 5},
    ],
)
def test_other_lines_are_checked_as_well(lines, tmp_path, line):
    with pytest.raises(RecordError, match="line 3 of a record"):
        importing.import_records(as_file([*lines[:2], line]), tmp_path / "runs")


def test_an_import_stops_at_its_limits_without_reading_on(lines, tmp_path, monkeypatch):
    class Endless(io.RawIOBase):
        """The header of a record, and then the same bytes for ever."""

        def __init__(self, body):
            self.start, self.body, self.read_bytes = as_file(lines[:1]), body, 0

        def readline(self, size=-1):
            text, self.start = self.start or self.body[:size], b""
            self.read_bytes += len(text)
            return text

    monkeypatch.setattr(importing, "MAX_FILE_BYTES", 10_000_000)
    monkeypatch.setattr(importing, "MAX_LINES", 1000)
    for body in (b"x" * 20_000_000, b"\n"):
        source = Endless(body)
        with pytest.raises(RecordError):
            importing.import_records(source, tmp_path / "runs")
        assert source.read_bytes <= 10_000_001
    monkeypatch.setattr(importing, "MAX_PASSES", 10)
    with pytest.raises(RecordError, match="more than 10 passes"):
        importing.import_records(as_file(lines), tmp_path / "runs")


@pytest.mark.long
def test_an_import_needs_little_memory(lines, tmp_path):
    lines[2]["notes"] = {"pad": [{}] * 5_000}
    passes = [lines[1]] + [lines[2] | {"i": i} for i in range(1, 60)]
    data = as_file([lines[0], *passes])  # 1.2 MB, over 20 MB as objects
    tracemalloc.start()
    try:
        importing.import_records(io.BytesIO(data), tmp_path / "runs")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 4e6


def test_a_live_race_is_not_replaced_by_its_own_export(tmp_path):
    conductor = Conductor(tmp_path)
    race_id = conductor.start([lane("bolt")])  # it runs for seconds: `random` may have ended
    conductor.wait(race_id, passes(20))
    conductor.pause(race_id)
    assert sleeps(next(t for t in threading.enumerate() if t.name == "bolt-conductor"))
    exported = export.jsonl(Library(tmp_path).find(race_id).records)
    assert importing.import_records(exported, tmp_path) == [race_id]  # the same bytes: no change
    conductor.resume(race_id)
    conductor.wait(race_id, passes(60))
    with pytest.raises(RecordError, match=f"race {race_id} is running"):
        importing.import_records(exported, tmp_path)
    conductor.stop(race_id)
    race = conductor.wait(race_id, ended)
    conductor.shutdown()

    assert len(Library(tmp_path).open(race_id).runs[0]) == len(race.runs[0])


def test_a_record_does_not_join_an_announced_race(lines, tmp_path):
    conductor = Conductor(tmp_path)
    race_id = conductor.start([lane(horizon=0.2)])
    conductor.wait(race_id, ended)
    conductor.shutdown()
    lines[0]["race_id"] = race_id
    with pytest.raises(RecordError, match="do not include"):
        importing.import_records(as_file(lines), tmp_path)


@pytest.mark.parametrize("end", [b"", b'{"kind":"state","summary":{},"state":null}\n'])
def test_a_record_without_a_state_is_never_truncated(lines, tmp_path, end):
    lines[0]["started"] = "2026-01-01T00:00:00+00:00"  # not a run killed in its first second
    whole = as_file([line for line in lines if line["kind"] != "state"])
    (race_id,) = importing.import_records(whole, tmp_path / "runs")
    (path,) = (tmp_path / "runs").glob("*.jsonl")
    path.write_bytes(whole + end)
    with pytest.raises(ConfigError, match="no saved state"):
        take_up(race_id, tmp_path / "runs", limits.check_live)

    assert path.read_bytes() == whole + end


def test_an_exported_race_is_imported_byte_for_byte(library, tmp_path):
    write_race(library, "r1")
    whole = b"".join(p.read_bytes() for p in sorted(library.directory.glob("*.jsonl")))
    other = Library(tmp_path / "other")

    assert importing.import_records(whole, other.directory) == ["r1"]
    assert b"".join(p.read_bytes() for p in sorted(other.directory.glob("*.jsonl"))) == whole
    assert importing.import_records(whole, other.directory) == ["r1"]  # once more changes nothing
    assert len(other.races()) == 1


def test_a_file_written_by_opt_save_opens_as_a_race(library, tmp_path):
    opt = Bolt(bounds=[(0, 1), (-5, 5)], name="my process", warmup=5)
    for k in range(12):
        x = opt.ask(float(k))
        opt.tell(x, float(k), float(x.sum()))
    opt.save(tmp_path / "mine.jsonl")
    (race_id,) = importing.import_records((tmp_path / "mine.jsonl").read_bytes(), library.directory)
    opened = library.open(race_id)

    assert len(opened.runs[0]) == 12
    assert opened.runs[0].header["label"] == "my process"
    assert library.find(race_id).runs[0].summary["regret"] is None


HEADER = {"kind": "header", "schema": 1, "run_id": "x", "dimension": 1, "config": {}}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a BOLT record"),
        (b"PK\x03\x04\x00\x00", "not a BOLT record"),
        (b"<script>alert(1)</script>", "not a BOLT record"),
        (json.dumps({**HEADER, "dimension": 10**12}).encode(), "dimension must be .* 1 to 100"),
        (json.dumps({**HEADER, "run_id": "../../x"}).encode(), "run_id must be a valid id"),
        (json.dumps({**HEADER, "run_id": None}).encode(), "run_id must be a valid id"),
        (json.dumps({**HEADER, "race_id": "<b>"}).encode(), "race_id must be a valid id"),
        (json.dumps({**HEADER, "race_id": ["x"]}).encode(), "race_id must be a valid id"),
        (json.dumps({**HEADER, "label": "x" * 501}).encode(), "at most 500 characters"),
        (json.dumps({**HEADER, "config": 3}).encode(), "config must be an object"),
        (json.dumps({**HEADER, "schema": 99}).encode(), "schema 1"),
    ],
)
def test_a_file_that_is_not_a_record_is_refused_with_a_reason(library, data, words):
    with pytest.raises(RecordError, match=words):
        importing.import_records(data + b"\n", library.directory, name="drop.jsonl")

    assert list(library.directory.glob("*") if library.directory.exists() else []) == []


def test_a_torn_middle_is_refused_and_a_torn_end_is_accepted(library, tmp_path):
    write_run(tmp_path / "a.jsonl", 20)
    data = (tmp_path / "a.jsonl").read_bytes()
    lines = data.split(b"\n")
    torn = b"\n".join([*lines[:2], lines[2][:30], *lines[3:]])
    with pytest.raises(RecordError, match="line 3"):
        importing.import_records(torn, library.directory)

    (race_id,) = importing.import_records(data[: len(data) // 2], library.directory)
    assert library.find(race_id).status == RunStatus.INTERRUPTED


def test_a_number_too_large_for_a_float_is_refused(library, tmp_path):
    write_run(tmp_path / "a.jsonl", 20)
    header, second, *rest = (tmp_path / "a.jsonl").read_bytes().split(b"\n")
    line = json.loads(second) | {"y": 10**400}
    with pytest.raises(RecordError, match="line 2"):
        importing.import_records(
            b"\n".join([header, json.dumps(line).encode(), *rest]), library.directory
        )


def test_a_file_over_the_size_limit_is_refused(library, monkeypatch):
    monkeypatch.setattr(importing, "MAX_FILE_BYTES", 100)
    with pytest.raises(RecordError, match="at most 0 MB"):
        importing.import_records(importing.HEADER + b" " * 100, library.directory)


def test_another_record_of_the_same_id_is_refused_and_nothing_is_lost(library, tmp_path):
    write_race(library, "r1", n=20)
    before = {p.name: p.read_bytes() for p in library.directory.glob("*.jsonl")}
    write_race(other := Library(tmp_path / "other"), "r1", n=25)
    whole = export.jsonl(sorted(other.directory.glob("*.jsonl")))
    with pytest.raises(RecordError, match="delete that one first"):
        importing.import_records(whole, library.directory)

    assert {p.name: p.read_bytes() for p in library.directory.glob("*.jsonl")} == before
    assert not list(library.directory.glob(".import*"))
