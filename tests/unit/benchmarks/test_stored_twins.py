"""Stored twins are benchmarks like any other; damaged files are left out and named."""

import json
import os
import subprocess
import sys

import pytest

from bolt_core import benchmarks
from bolt_core.benchmarks import stored_twins
from bolt_core.campaigns import plan
from bolt_core.common import paths
from bolt_core.common.errors import BoltError, ConfigError, TwinNotStoredError, UnknownNameError
from bolt_core.common.types import RunConfig
from bolt_core.runs import duration_estimate
from tests.support.twins import MIXED, make_twin


def test_a_stored_twin_is_in_the_catalog_until_it_is_deleted():
    before = dict(benchmarks.catalog())
    key = stored_twins.save(make_twin(10))

    assert set(benchmarks.catalog()) == {*before, key}
    assert key in benchmarks.built_in()
    assert key not in benchmarks.without_twins()
    assert benchmarks.load(key).key == key
    assert stored_twins.load(key) == make_twin(10)

    stored_twins.delete(key)

    assert dict(benchmarks.catalog()) == before
    with pytest.raises(TwinNotStoredError, match=key):
        benchmarks.load(key)
    with pytest.raises(ConfigError, match=key):
        stored_twins.delete(key)


def test_a_second_twin_is_noticed_and_saving_again_changes_nothing():
    first, second = make_twin(10), make_twin(10, sample=9)
    keys = [stored_twins.save(first)]
    assert keys[0] in benchmarks.catalog()
    file = paths.twins() / f"{keys[0]}.json"
    written = file.stat().st_mtime_ns

    keys.append(stored_twins.save(second))
    stored_twins.save(first)

    assert set(keys) <= set(benchmarks.catalog())
    assert file.stat().st_mtime_ns == written


def test_a_twin_stored_by_another_process_is_found_at_once():
    key = make_twin(10).key
    assert key not in benchmarks.catalog()
    command = "from bolt_core.benchmarks import stored_twins as s; " + (
        "from tests.support.twins import make_twin; s.save(make_twin(10))"
    )

    subprocess.run([sys.executable, "-c", command], check=True, env=dict(os.environ))

    assert key in benchmarks.catalog()


def test_what_appears_within_the_same_tick_is_loaded_all_the_same(monkeypatch):
    definition = make_twin(10)
    stored_twins.save(make_twin(10, sample=9))
    seen = stored_twins.stored()
    stored_twins.save(definition)
    monkeypatch.setattr(stored_twins, "stored", lambda: seen)

    assert benchmarks.load(definition.key).key == definition.key


@pytest.mark.parametrize("damage", ["cut", "other", "binary", "name", "large"])
def test_a_damaged_file_is_left_out_and_named(damage):
    key = stored_twins.save(make_twin(10))
    good = stored_twins.save(make_twin(10, sample=9))
    file = paths.twins() / f"{key}.json"
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:100])
    elif damage == "other":
        table = json.loads(file.read_bytes())
        file.write_text(json.dumps({**table, "mean": 0.3}))
    elif damage == "binary":
        file.write_bytes(b"\xff\x00" * 50)
    elif damage == "large":
        file.write_bytes(b" " * (stored_twins.MAX_BYTES + 1))
    else:
        file.rename(paths.twins() / "notes.json")
    (paths.twins() / ".touched").touch()  # so that the directory has changed

    assert good in benchmarks.catalog()
    assert key not in benchmarks.catalog()
    (problem,) = benchmarks.problems()
    assert ("notes.json" if damage == "name" else key) in str(problem)


@pytest.mark.parametrize(
    "key", ["../../etc/passwd", "twin-../../../x", "twin-", "twin-ABCDEF012345", "twin-0/1", ""]
)
def test_a_key_is_never_a_path(key):
    for call in (stored_twins.load, stored_twins.delete):
        with pytest.raises(ConfigError, match="12 hexadecimal digits"):
            call(key)
    with pytest.raises(UnknownNameError):
        benchmarks.get(key)


def test_a_twin_that_is_not_stored_is_said_to_be_one():
    with pytest.raises(UnknownNameError, match="twin of a log"):
        benchmarks.get("twin-0123456789ab")


def test_the_number_of_twins_is_limited(monkeypatch):
    monkeypatch.setattr(stored_twins, "MAX_TWINS", 1)
    stored_twins.save(make_twin(10))

    with pytest.raises(ConfigError, match="delete one"):
        stored_twins.save(make_twin(10, sample=9))


def test_a_twin_that_cannot_be_computed_is_not_stored():
    with pytest.raises(BoltError):
        stored_twins.save(make_twin(10, y_mean=1e308, y_sd=1e308, mean=1e10))

    assert not list(paths.twins().glob("*"))


def test_all_benchmarks_of_a_campaign_are_those_without_twins():
    key = stored_twins.save(make_twin(10))

    assert key not in plan._benchmarks("benchmarks", "all")
    assert plan._benchmarks("benchmarks", [key]) == (key,)


def test_a_default_race_on_a_twin_takes_about_a_minute():
    key = stored_twins.save(make_twin(300, knobs=MIXED))
    lanes = ("gpucb", "tv-gpucb", "r-gpucb", "abo", "sw-gpucb", "w-gpucb", "et-gpucb", "w-dbo")

    seconds = [duration_estimate.cpu_seconds(RunConfig(lane, key)) for lane in (*lanes, "bolt")]

    assert 5.0 < sum(seconds) < 90.0
