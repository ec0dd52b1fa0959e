"""Problems from files: problem files, VOCS, states of a shell, records of `opt.save`."""

import gzip
import json
import math
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from bolt_core import Bolt
from bolt_core.common.errors import BoltError, ConfigError, LimitError
from bolt_core.online import adopted_record
from bolt_core.problems import access, creating
from tests.support.own_problem import BOUNDS, drive
from tests.support.problems import ME, SPEC, value_of

VOCS = b"variables:\n  x: [0, 1]\nobjectives:\n  f: MINIMIZE\n"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (SPEC.to_toml().encode(), "problem.toml"),
        (b"\xef\xbb\xbf" + SPEC.to_toml().encode(), "anything"),
        (json.dumps(SPEC.to_json()).encode(), "problem.json"),
        (gzip.compress(SPEC.to_toml().encode()), "problem.toml.gz"),
    ],
)
def test_a_problem_file_is_read_by_its_content(problems, data, name):
    assert problems.view(problems.import_file(data, name, ME).id).spec == SPEC


def test_a_vocs_takes_the_name_of_its_file(problems):
    spec = problems.view(problems.import_file(VOCS, "my beam.yaml", ME).id).spec

    assert (spec.name, spec.outcome, spec.maximize) == ("my beam", "f", False)


def _told(path, times):
    opt = Bolt(SPEC, journal=path)
    for t in times:
        setting = opt.ask(t)
        opt.tell(setting, t, value_of(setting), id=opt.last_id)
    opt.ask(times[-1])
    return opt


def test_a_state_of_the_shell_goes_on_exactly(problems, tmp_path):
    began = datetime.now(UTC) - timedelta(hours=1)
    opt = _told(tmp_path / "state.jsonl", [began + timedelta(minutes=k) for k in range(6)])
    id, _ = problems.import_file((tmp_path / "state.jsonl").read_bytes(), "x", ME)
    view = problems.view(id)

    assert view.log.drop(columns="corrected").equals(opt.log())
    assert view.notes == ()
    problems.tell(id, 3.0, ME, ask_id=7)
    for _ in range(4):
        problems.undo(id, ME)
    assert problems.view(id).told == 3


@pytest.mark.parametrize("scale", ["seconds", "real time", "no zone"])
def test_other_times_become_dates(problems, tmp_path, scale):
    began = datetime.now() - timedelta(hours=1)
    times = {
        "seconds": [60.0 * k for k in range(6)],
        "real time": [None] * 6,
        "no zone": [began + timedelta(minutes=k) for k in range(6)],
    }[scale]
    opt = _told(tmp_path / "record.jsonl", times)
    opt.save(tmp_path / "saved.jsonl")
    view = problems.view(problems.import_file((tmp_path / "saved.jsonl").read_bytes(), "x", ME).id)
    log, expected = view.log, opt.log()

    assert log["yield"].equals(expected["yield"])
    assert all(time.tzinfo is not None for time in log["time"])
    assert abs((datetime.now(UTC) - log["time"].iloc[-1]).total_seconds()) < 3700
    if scale != "real time":
        assert log["time"].diff().iloc[1] == timedelta(minutes=1)
        assert len(view.notes) == 1


def test_plain_bounds_become_knobs(problems, tmp_path):
    opt = Bolt(BOUNDS, minimize=True, warmup=4, name="parabola")
    drive(opt, np.arange(0.0, 10.0))
    opt.save(tmp_path / "saved.jsonl")
    id, _ = problems.import_file((tmp_path / "saved.jsonl").read_bytes(), "x", ME)
    view = problems.view(id)

    assert list(view.spec.knobs) == ["x_1", "x_2"]
    assert not view.spec.maximize
    assert view.log[["x_1", "x_2", "y"]].to_numpy() == pytest.approx(
        opt.log()[["x_1", "x_2", "y"]].to_numpy(), abs=1e-9
    )
    assert problems.next_setting(id, ME).setting.keys() == {"x_1", "x_2"}


def _record(tmp_path):
    opt = _told(tmp_path / "state.jsonl", [60.0 * k for k in range(4)])
    opt.close()
    return (tmp_path / "state.jsonl").read_bytes()


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw.replace(b'"exact"', b'"botorch"'),
        lambda raw: raw.replace(b'"saved"', b'"other"'),
        lambda raw: raw.replace(b'"t": 180.0', b'"t": 1e40'),
        lambda raw: raw[: len(raw) // 2].replace(b'"saved"', b'"sav"'),
        lambda raw: raw.replace(b'"kept": [', b'"kept": [99, '),
        lambda _: b"",
        lambda _: b"\x00" * 100,
        lambda _: b"a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
        lambda _: b"time,feed\n1,2\n",
        lambda _: gzip.compress(b"x")[:-4],
        lambda _: b"[" * 5000,
        lambda _: json.dumps({**SPEC.to_json(), "knobs": {}}).encode(),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_and_leaves_nothing(problems, tmp_path, damage):
    data = damage(_record(tmp_path))
    with pytest.raises(ConfigError) as problem:
        problems.import_file(data, "x", ME)

    assert str(tmp_path) not in str(problem.value)
    assert problems.ids() == []
    assert not any(path.name.startswith(".new") for path in tmp_path.rglob("*"))


def test_a_record_that_would_keep_a_server_busy_is_refused(problems, tmp_path, monkeypatch):
    data = _record(tmp_path)
    with monkeypatch.context() as small:
        small.setattr(adopted_record, "MAX_DATASET", 3)
        with pytest.raises(ConfigError, match="4 observations"):
            problems.import_file(data, "x", ME)
    monkeypatch.setattr(adopted_record, "MAX_PENDING", 0)
    with pytest.raises(ConfigError, match="pending"):
        problems.import_file(data, "x", ME)
    monkeypatch.setattr(access, "MAX_MEASUREMENTS", 3)
    with pytest.raises(LimitError, match="4"):
        problems.import_file(data, "x", ME)


def test_a_yaml_file_that_repeats_itself_cannot_fill_the_memory(problems):
    layers = [b"a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    layers += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]".encode() for k in range(1, 12)]
    with pytest.raises(BoltError):
        problems.import_file(b"variables: {}\n" + b"\n".join(layers), "bomb.yaml", ME)


def test_a_file_that_is_too_large_is_refused(problems, monkeypatch):
    monkeypatch.setattr(creating, "MAX_FILE_BYTES", 1000)
    with pytest.raises(LimitError):
        problems.import_file(b" " * 1001, "x", ME)
    with pytest.raises(ConfigError):
        problems.import_file(gzip.compress(b" " * 100_000), "x", ME)


def test_texts_in_the_csv_of_a_log_start_no_formula(problems):
    spec = {"maximize": "=cmd()", "knobs": {"@x": {"type": "choice", "values": ["+1", "-2"]}}}
    id, _ = problems.import_file(json.dumps(spec).encode(), "x", ME)
    problems.tell(id, -1.5, ME, setting={"@x": "-2"})
    header, row = problems.log_csv(id).decode().splitlines()

    assert header.split(",")[1:3] == ["'@x", "'=cmd()"]
    assert row.split(",")[1:3] == ["'-2", "-1.5"]
    assert math.isclose(problems.view(id).log["=cmd()"][0], -1.5)
