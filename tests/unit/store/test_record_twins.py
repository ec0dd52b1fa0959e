"""A record of a run on a twin carries it, and an import stores it after checking everything."""

import json

import pytest

from bolt_core import benchmarks
from bolt_core.benchmarks import stored_twins
from bolt_core.common.errors import RecordError, TwinNotStoredError
from bolt_core.common.types import RunConfig
from bolt_core.figures.arena import landscape
from bolt_core.figures.arena.landscape import landscape_now
from bolt_core.runs import loop
from bolt_core.store import importing, records
from bolt_core.store.library import Library
from bolt_core.store.record_twins import MAX_TWINS_PER_FILE
from tests.support.runs import MODEL
from tests.support.twins import MIXED, SHA256, make_twin


def record_lines(path, definition, passes=20, algorithm="random"):
    """Return the lines of a record of a run on a twin."""
    config = RunConfig(algorithm, stored_twins.save(definition), clock=MODEL)
    run = loop.prepare(config)
    with records.RecordWriter(path, config, header=run.header_fields()) as writer:
        for _, record in zip(range(passes), loop.iterate(run), strict=False):
            writer.append(record)
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def definition():
    return make_twin(15, knobs=MIXED)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The text of one record, made once."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOLT_HOME", str(folder))
        return json.dumps(record_lines(folder / "a.jsonl", make_twin(15, knobs=MIXED)))


@pytest.fixture
def lines(made):
    return json.loads(made)


def as_file(lines):
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def test_a_record_names_its_log_and_brings_its_twin_along(lines, definition, tmp_path):
    assert lines[0]["twin"]["log_sha256"] == SHA256

    importing.import_records(as_file(lines), tmp_path / "runs")

    assert stored_twins.load(definition.key) == definition
    assert loop.prepare(RunConfig.from_json(lines[0]["config"])).benchmark.key == definition.key


def test_a_list_of_records_keeps_no_rows_of_twins(lines, tmp_path):
    importing.import_records(as_file(lines), tmp_path / "runs")

    (race,) = Library(tmp_path / "runs").races()

    assert race.runs[0].problem is None
    assert "twin" not in race.runs[0].header


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"mean": 0.3}, "has the key twin-"),
        ({"log_sha256": "../../x"}, "log_sha256 must be"),
        ({"y": [1.0]}, "rows, one for each y"),
        ({"horizon": 1e300}, "horizon must be"),
        ({"script": "rm"}, "a twin must be"),
    ],
)
def test_a_twin_that_was_changed_is_refused_with_its_record(lines, tmp_path, change, words):
    lines[0]["twin"] |= change

    with pytest.raises(RecordError, match=words):
        importing.import_records(as_file(lines), tmp_path / "runs")

    assert Library(tmp_path / "runs").races() == []
    assert not stored_twins.stored().specs


@pytest.mark.parametrize("twin", [[], "x", 3])
def test_a_twin_that_is_no_object_is_refused(lines, tmp_path, twin):
    lines[0]["twin"] = twin

    with pytest.raises(RecordError, match="twin must be"):
        importing.import_records(as_file(lines), tmp_path / "runs")


def test_a_twin_of_another_dimension_is_refused(lines, tmp_path):
    lines[0]["dimension"] = 2
    lines[0].pop("domain", None)

    with pytest.raises(RecordError, match="3 knobs instead of 2"):
        importing.import_records(as_file(lines), tmp_path / "runs")


def test_a_record_that_is_refused_stores_no_twin(lines, tmp_path):
    lines[5]["y"] = "x"

    with pytest.raises(RecordError):
        importing.import_records(as_file(lines), tmp_path / "runs")

    assert not stored_twins.stored().specs


def test_a_full_store_of_twins_refuses_the_record(lines, tmp_path, monkeypatch):
    monkeypatch.setattr(stored_twins, "MAX_TWINS", 0)

    with pytest.raises(RecordError, match="delete one"):
        importing.import_records(as_file(lines), tmp_path / "runs")

    assert Library(tmp_path / "runs").races() == []


def test_a_file_brings_few_twins(lines, tmp_path):
    headers = []
    for k in range(MAX_TWINS_PER_FILE + 1):
        twin = make_twin(15, knobs=MIXED, sample=100 + k)
        config = {**lines[0]["config"], "benchmark": twin.key}
        run_id = f"{lines[0]['run_id'][:-4]}aa{k:02d}"
        headers.append({**lines[0], "run_id": run_id, "config": config, "twin": twin.to_json()})

    with pytest.raises(RecordError, match=f"more than {MAX_TWINS_PER_FILE} twins"):
        importing.import_records(as_file(headers), tmp_path / "runs")


def test_a_record_can_be_read_without_its_twin(lines, definition, tmp_path):
    without = [{k: v for k, v in lines[0].items() if k != "twin"}, *lines[1:]]
    importing.import_records(as_file(without), tmp_path / "runs")
    (race,) = Library(tmp_path / "runs").races()

    run = records.read(race.runs[0].path)

    assert len(run) == 20
    assert definition.key not in benchmarks.catalog()
    with pytest.raises(TwinNotStoredError):
        benchmarks.load(run.config.benchmark)


def test_a_chart_that_needs_the_objective_says_that_the_twin_is_missing(tmp_path):
    definition = make_twin(15)
    record_lines(tmp_path / "c.jsonl", definition)
    run = records.read(tmp_path / "c.jsonl")
    assert landscape_now([run])["data"]
    stored_twins.delete(definition.key)
    landscape._loaded.cache_clear()

    chart = landscape_now([run])

    assert "data" not in chart
    assert definition.key in json.dumps(chart)


def test_bolt_on_a_twin_asks_for_what_can_be_set(tmp_path, definition):
    lines = record_lines(tmp_path / "b.jsonl", definition, 18, "bolt")

    asked = [line["x"] for line in lines if line["kind"] == "iteration"]

    assert lines[0]["domain"] == {"levels": [0, 6, 3], "choice": [False, False, True]}
    assert lines[0]["schema"] == 2
    assert all((x[1] * 6 - 0.5) % 1 < 1e-9 and (x[2] * 3 - 0.5) % 1 < 1e-9 for x in asked)
