"""The recorded race: there, made by this code, and still telling the story."""

import gzip
import tomllib

import numpy as np
import pytest

from bolt_core import benchmarks
from bolt_core.analysis.response_times import response_times
from bolt_core.analysis.standings import standings
from bolt_core.common.errors import RecordError
from bolt_core.common.types import RunStatus
from bolt_core.figures.arena.headline import headline
from bolt_core.figures.arena.metronome import response_time_sentences
from bolt_core.store import bundled_race
from bolt_core.store.record_schema import SCHEMA
from bolt_core.store.records import read, read_header
from tests.support.project import ROOT
from tests.support.runs import write_run

FILES = [bundled_race.FOLDER / f"{key}.jsonl.gz" for key in bundled_race.ALGORITHMS]


def run(algorithm):
    return next(r for r in bundled_race.race().runs if r.config.algorithm == algorithm)


def test_it_is_one_whole_race_on_one_clock():
    race = bundled_race.race()
    clocks = {(r.config.clock.kind, r.config.clock.slowdown) for r in race.runs}

    assert [r.config.algorithm for r in race.runs] == list(bundled_race.ALGORITHMS)
    assert {r.status for r in race.runs} == {RunStatus.FINISHED}
    assert {(r.config.benchmark, r.config.seed) for r in race.runs} == {("eggholder", 1)}
    assert clocks == {("cpu", 40.0)}
    assert (race.race_id, race.t, race.horizon) == ("recorded", 600.0, 600.0)
    assert len({r.header["race_id"] for r in race.runs}) == 1


@pytest.mark.parametrize("path", FILES, ids=bundled_race.ALGORITHMS)
def test_it_was_made_by_these_algorithms_or_it_is_time_to_run_tools_record(path):
    about = read_header(path)

    assert about["schema"] == SCHEMA
    assert about["recipe"] == bundled_race.recipe()
    assert about["blas_threads"] == 1


@pytest.mark.parametrize("algorithm", bundled_race.ALGORITHMS)
def test_its_values_are_those_of_the_benchmark_today(algorithm):
    columns = run(algorithm).columns
    values = benchmarks.load("eggholder").value(columns["x"], columns["t"])

    # x and t are kept with eight digits, and beside a cusp of sqrt|z| the eighth moves f by
    # sqrt(512 * 2e-8), times the sine's slope, some 0.01; f spans about 2,000
    np.testing.assert_allclose(values, columns["value"], atol=0.05)


def test_the_response_time_of_bolt_is_steady_and_that_of_gpucb_grows():
    assert response_times(run("gpucb")).growth > 3.0
    assert response_times(run("bolt")).growth < 3.0
    steady, slowing = response_time_sentences(bundled_race.race().runs).split("; ")
    assert "BOLT" in steady
    assert "GPUCB" in slowing


def test_the_response_time_of_bolt_soon_stops_growing():
    bolt = run("bolt")
    seconds = bolt.columns["seconds"][bolt.config.warmup : len(bolt)]
    medians = [np.median(tenth) for tenth in np.array_split(seconds, 10)]

    assert max(medians[1:]) < 1.5 * min(medians[1:])


def test_bolt_has_the_lowest_regret():
    first, *others = standings(bundled_race.race().runs)

    assert first.key == "bolt"
    assert (
        next(row for row in others if row.key == "gpucb").average_regret
        > 1.5 * first.average_regret
    )
    assert headline(bundled_race.race().runs).startswith("After 600 s BOLT ")


def test_its_label_says_when_and_on_what():
    about = run("bolt").header

    assert about["label"] in bundled_race.label()
    assert about["started"][:4] in bundled_race.label()
    assert about["cpu"] in bundled_race.label()
    assert about["commit"][:7] in bundled_race.label()


def test_it_is_small_has_no_state_lines_and_goes_with_the_package():
    root = ROOT
    project = tomllib.loads((root / "pyproject.toml").read_text())
    data = project["tool"]["setuptools"]["package-data"]["bolt_core"]

    assert sum(path.stat().st_size for path in FILES) < 1_500_000
    assert not any(b'"state"' in gzip.decompress(path.read_bytes()) for path in FILES)
    assert "data/recorded/*.jsonl.gz" in data


def test_a_gzipped_record_reads_like_the_plain_one(tmp_path):
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    write_run(plain, 20)
    packed.write_bytes(gzip.compress(plain.read_bytes()))

    assert list(read(packed).records) == list(read(plain).records)
    assert read_header(packed) == read_header(plain)


@pytest.mark.parametrize("spoil", [lambda b: b[:-20], lambda b: b"no gzip", lambda b: b[:9]])
def test_a_spoiled_gzip_is_a_clear_error(tmp_path, spoil):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(spoil(FILES[0].read_bytes()))

    with pytest.raises(RecordError, match=r"cannot read .*a\.jsonl\.gz"):
        read(path)
