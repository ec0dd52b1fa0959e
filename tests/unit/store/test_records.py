"""Records: what is written is read back, whatever happens in between."""

import json
import subprocess
import sys
import time

import pytest

from bolt_core.common.errors import RecordError
from bolt_core.common.types import Hyperparameters, RunStatus
from bolt_core.runs.loop import iterate, prepare, resume
from bolt_core.store import records
from bolt_core.store.ids import new_id
from bolt_core.store.records import RecordWriter, last_state, read
from tests.support.runs import first_passes, make_config, make_record, write_run


def test_a_record_reads_back_as_it_was_written(tmp_path):
    written = write_run(tmp_path / "run.jsonl", 40, seed=2)

    snapshot = read(tmp_path / "run.jsonl")

    assert list(snapshot.records) == written
    assert snapshot.config == make_config(seed=2)
    assert snapshot.status == RunStatus.FINISHED


def test_everything_an_algorithm_says_survives(tmp_path):
    original = make_record(0, removed=(3, 5))
    object.__setattr__(original, "theta", Hyperparameters(1.5, 0.1, None, 1e-4))
    object.__setattr__(original, "n_star", 38)
    object.__setattr__(original, "notes", {"budget": 0.1, "why": "reset"})
    with RecordWriter(tmp_path / "a.jsonl", make_config(), header={"dimension": 1}) as writer:
        writer.append(original, dict)

    assert read(tmp_path / "a.jsonl").records[0] == original


def test_the_header_says_what_made_the_run(tmp_path):
    write_run(tmp_path / "a.jsonl", 1)

    header = read(tmp_path / "a.jsonl").header

    facts = {"schema", "run_id", "config_key", "started", "cpu", "blas_threads", "versions"}
    assert facts | {"source", "noise_variance", "commit"} <= header.keys()


def test_a_run_without_a_closing_line_was_interrupted(tmp_path):
    write_run(tmp_path / "a.jsonl", 20)
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    (tmp_path / "a.jsonl").write_text("\n".join(lines[:-1]) + "\n")

    snapshot = read(tmp_path / "a.jsonl")

    assert snapshot.status == RunStatus.INTERRUPTED
    assert len(snapshot) == 20


@pytest.mark.parametrize("keep", [1, 20, -2])
def test_a_torn_last_line_is_dropped(tmp_path, keep):
    write_run(tmp_path / "a.jsonl", 20)
    lines = (tmp_path / "a.jsonl").read_text().splitlines()[:-1]
    (tmp_path / "a.jsonl").write_text("\n".join([*lines[:-1], lines[-1][:keep]]))

    assert len(read(tmp_path / "a.jsonl")) == 19


def test_a_torn_middle_is_an_error_that_names_the_line(tmp_path):
    write_run(tmp_path / "a.jsonl", 20)
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    lines[6] = lines[6][:30]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))

    with pytest.raises(RecordError, match=r"a\.jsonl.*line 7.*JSON"):
        read(tmp_path / "a.jsonl")


def test_a_missing_iteration_is_an_error_that_names_the_line(tmp_path):
    write_run(tmp_path / "a.jsonl", 20)
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    (tmp_path / "a.jsonl").write_text("\n".join(lines[:5] + lines[6:]))

    with pytest.raises(RecordError, match=r"line 6.*iteration 5.* 4"):
        read(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    "content", [b"", b"hello\nworld\n", b"\x00\xff\xfe", b'{"a": 1}\n', b"[" * 10_000, b"[1]\n"]
)
def test_a_foreign_file_is_an_error_that_says_so(tmp_path, content):
    (tmp_path / "foreign").write_bytes(content)

    with pytest.raises(RecordError, match="not a BOLT record"):
        read(tmp_path / "foreign")


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_what_cannot_be_read_is_named(tmp_path, name):
    with pytest.raises(RecordError, match="cannot read"):
        read(tmp_path / name)


def test_a_line_with_the_wrong_types_is_an_error_that_names_it(tmp_path):
    write_run(tmp_path / "a.jsonl", 3)
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    broken = json.loads(lines[2]) | {"x": ["left"]}
    (tmp_path / "a.jsonl").write_text("\n".join([*lines[:2], json.dumps(broken), *lines[3:]]))

    with pytest.raises(RecordError, match=r"line 3.*BOLT record"):
        read(tmp_path / "a.jsonl")


def test_a_file_that_is_there_is_never_overwritten(tmp_path):
    write_run(tmp_path / "a.jsonl", 3)
    before = (tmp_path / "a.jsonl").read_bytes()

    with pytest.raises(RecordError, match="exists already"):
        write_run(tmp_path / "a.jsonl", 3)
    assert (tmp_path / "a.jsonl").read_bytes() == before


def test_an_exception_closes_the_record_with_its_reason(tmp_path):
    def crash():
        with RecordWriter(tmp_path / "a.jsonl", make_config(), header={"dimension": 1}) as writer:
            writer.append(make_record(0), dict)
            raise RuntimeError("no surrogate today")

    with pytest.raises(RuntimeError):
        crash()

    snapshot = read(tmp_path / "a.jsonl")
    assert (snapshot.status, snapshot.error) == (RunStatus.FAILED, "no surrogate today")
    assert len(snapshot) == 1


def test_ids_sort_by_age_and_do_not_collide():
    ids = [new_id() for _ in range(50)]

    assert len(set(ids)) == 50
    assert [i[:15] for i in ids] == sorted(i[:15] for i in ids)


def test_the_last_state_in_a_file_is_enough_to_go_on(tmp_path, monkeypatch):
    monkeypatch.setattr(
        records, "STATE_INTERVAL_SECONDS", 0.0
    )  # a state line after every iteration
    write_run(tmp_path / "a.jsonl", 30, seed=4)
    snapshot = read(tmp_path / "a.jsonl")

    run = resume(snapshot.config, last_state(tmp_path / "a.jsonl"), snapshot.records)

    assert next(iterate(run)) == first_passes(31, seed=4)[-1]


def test_a_state_line_is_written_once_a_second(tmp_path):
    seconds = iter(range(10_000))  # every look at this clock takes a second
    about = {"dimension": 1}
    with RecordWriter(
        tmp_path / "a.jsonl", make_config(), header=about, now=lambda: next(seconds)
    ) as w:
        for i in range(10):
            w.append(make_record(i), lambda: {"i": 0})

    kinds = [json.loads(line)["kind"] for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert kinds == ["header", *["iteration", "state"] * 10, "end"]


def test_no_state_line_is_written_within_a_second(tmp_path):
    with RecordWriter(
        tmp_path / "a.jsonl", make_config(), header={"dimension": 1}, now=lambda: 0.0
    ) as w:
        w.append(make_record(0), lambda: {"i": 0})

    assert last_state(tmp_path / "a.jsonl") is None


@pytest.mark.long
def test_killing_the_process_loses_no_completed_iteration(tmp_path):
    file = tmp_path / "killed.jsonl"
    order = [
        "run",
        "--benchmark",
        "eggholder",
        "--algorithm",
        "random",
        "--clock",
        "model",
        "--out",
    ]
    command = [sys.executable, "-m", "bolt_core.cli", *order, str(file)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as child:
        try:
            deadline = time.monotonic() + 60
            while not (file.exists() and file.stat().st_size > 20_000):
                assert child.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.01)
        finally:
            child.kill()  # SIGKILL

    snapshot = read(file)

    whole = file.read_bytes().count(b'\n{"kind": "iteration"')
    assert snapshot.status == RunStatus.INTERRUPTED
    assert whole - 1 <= len(snapshot) <= whole  # the last may be torn
    assert list(snapshot.records)[:20] == first_passes(20, options={"noise": "paper"})


def test_a_reader_may_look_while_the_writer_writes(tmp_path):
    run = prepare(make_config())
    with RecordWriter(tmp_path / "a.jsonl", run.config, header=run.header_fields()) as writer:
        for expected, passed in enumerate(iterate(run), start=1):
            writer.append(passed, run.state)
            assert len(read(tmp_path / "a.jsonl")) == expected
            if expected == 5:
                break
