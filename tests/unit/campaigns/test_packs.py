"""The file of a pack: equal bytes for equal runs, bounds, and clear errors for anything else."""

import copy
import gzip
import json
import math
import random
from dataclasses import fields

import pytest

from bolt_core.campaigns import packs, run_result
from bolt_core.campaigns.run_result import RunResult
from bolt_core.common.bounded_read import GZIP_MAGIC
from bolt_core.common.errors import RecordError
from tests.support.campaigns import plan
from tests.support.packed import packed, rows, write_rows
from tools.chaos.damage import damaged


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """Return the lines of a pack with two runs."""
    folder = tmp_path_factory.mktemp("pack")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOLT_HOME", str(folder / "home"))
        packed(folder / "pack", seeds=1)
    return rows(folder / "pack")


@pytest.fixture
def pack(tmp_path, lines):
    return packs.read(write_rows(tmp_path / "pack.jsonl", lines))


def test_equal_runs_give_equal_bytes_in_any_order(tmp_path, pack):
    runs = list(pack.runs.values())
    data = packs.to_bytes(plan(), runs)
    (tmp_path / "again").write_bytes(data)

    assert packs.to_bytes(plan(), reversed(runs)) == data
    assert packs.to_bytes(plan(), packs.read(tmp_path / "again").runs.values()) == data


def test_the_bytes_of_a_seed_stay_when_another_follows(tmp_path):
    runs = packed(tmp_path / "pack").runs.values()
    first = [run for run in runs if run.result.config.seed == 0]
    one, both = (packs.to_bytes(plan(), part) for part in (first, runs))
    _, *members_of_one = one.split(GZIP_MAGIC)[1:]  # after the first line, which counts the runs
    _, *members_of_both = both.split(GZIP_MAGIC)[1:]

    assert members_of_one
    assert members_of_both[: len(members_of_one)] == members_of_one
    assert len(members_of_both) > len(members_of_one)


def test_every_field_of_a_result_is_checked():
    assert set(run_result.ROW) == {"key", *(field.name for field in fields(RunResult))}


CHANGES = {  # where a value of a run stands, and what it is replaced by
    "key": "0" * 12,
    "config.seed": -1,
    "config.algorithm": 7,
    "config.clock.kind": "sun",
    "config.horizon": 0,
    "averages.over_queries": "small",
    "averages": {},
    "response": -1.0,
    "size": math.nan,
    "n_star": math.inf,
    "iterations": 1.5,
    "source": "x" * 501,
    "regret_curve": [[2.0, 1.0], [0.0, 0.0]],
    "size_curve": [[0.0] * 201, [0.0] * 201],
    "held_regret": [],
    "last_query": -1.0,
    "horizon": 1e13,
    "commit": "../../etc",
    "made.started": "2026-01-31T00:00:00",
    "made.run_id": "../outside",
    "made.versions": {"numpy": ["2"]},
    "made.path": "outside",
    "made": None,
    "file": "outside",
}


@pytest.mark.parametrize("where", CHANGES)
def test_a_value_that_is_not_allowed_is_named_with_its_run(tmp_path, lines, where):
    changed = copy.deepcopy(lines)
    *parents, name = where.split(".")
    target = changed[1]
    for parent in parents:
        target = target[parent]
    target[name] = CHANGES[where]
    path = write_rows(tmp_path / "pack.jsonl", changed)

    with pytest.raises(RecordError) as error:
        packs.read(path)

    message = str(error.value)
    assert all(part in message for part in (str(path), "line 2", changed[1]["key"], "pack`"))
    assert "\n" not in message
    assert len(message) < 600 + len(str(path))


def first_line(**changes):
    return lambda lines: [{**lines[0], **changes}, *lines[1:]]


REFUSED = {
    "schema": first_line(schema=2),
    "kind": lambda lines: lines[1:],
    "name": first_line(name="../outside"),
    "plan": first_line(plan=[]),
    "20000": first_line(runs=10**6),
    "2 of its 3": first_line(runs=3),
    "more than its 1": first_line(runs=1),
    "repeats": lambda lines: [*lines[:2], lines[1]],
    "line 2": lambda lines: [lines[0], [], lines[1]],
    "too long": lambda lines: [lines[0], {"x": " " * packs.MAX_PACK_LINE_BYTES}, lines[1]],
}


@pytest.mark.parametrize("named", REFUSED)
def test_a_file_that_is_not_a_whole_pack_is_refused(tmp_path, lines, named):
    path = write_rows(tmp_path / "pack.jsonl", REFUSED[named](lines))

    with pytest.raises(RecordError, match=named) as error:
        packs.read(path)
    assert str(path) in str(error.value)


def test_a_small_file_cannot_fill_the_memory(tmp_path, monkeypatch, lines):
    monkeypatch.setattr(packs, "MAX_PACK_BYTES", 2**20)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(json.dumps(lines[0]).encode() + b"\n" * 2**22))

    with pytest.raises(RecordError, match=r"bomb.gz"):
        packs.read(path)


@pytest.mark.parametrize("gzipped", [True, False])
def test_damage_gives_a_clear_error_or_a_valid_pack(tmp_path, pack, lines, gzipped):
    path, rng, messages = tmp_path / "pack.gz", random.Random(15), []
    plain = write_rows(path, lines).read_bytes()
    data = packs.to_bytes(plan(), pack.runs.values()) if gzipped else plain
    for _ in range(150):
        path.write_bytes(damaged(data, rng))
        try:
            packs.to_bytes(plan(), packs.read(path).runs.values())
        except RecordError as problem:
            messages.append(str(problem))

    assert len(messages) > 75
    assert [m for m in messages if str(path) not in m or "\n" in m or len(m) > 1000] == []
