"""`bolt bench`: tables for people, rows as JSON."""

import json
from functools import partial

import pytest

from bolt_core.bench import ard, engine, iteration, real_passes, w2


@pytest.fixture
def small(monkeypatch):
    """Small datasets, and few passes over each: what is printed is the same."""
    for part in (iteration, real_passes):
        monkeypatch.setattr(part, "SIZES", (25, 50))
    for part in (engine, w2):
        monkeypatch.setattr(part, "SIZES", (25, 400))
    for part in (engine, real_passes):
        monkeypatch.setattr(part, "STOCK_REPEATS", 1)
    monkeypatch.setattr(engine, "run", partial(engine.run, passes=14))
    monkeypatch.setattr(ard, "run", partial(ard.run, 25, passes=14))


@pytest.mark.long
def test_bench_clock_prints_its_ratios(bolt):
    code, out, errors = bolt("bench", "clock", "--blocks", 3, "--json")

    assert (code, errors) == (0, "")
    found = json.loads(out)
    assert found["cpu_ratio"] > 0
    assert found["charged"] < 1
    assert found["thread_to_process"] == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize(
    ("command", "column"), [(["engine"], "speedup"), (["w2", "--datasets=1"], "speedup")]
)
def test_a_bench_gives_ratios_of_one_run(bolt, small, command, column):
    code, out, _ = bolt("bench", *command, "--largest=50", "--json")

    rows = json.loads(out)["rows"]
    assert code == 0
    assert [row["n"] for row in rows] == [25]  # without the larger one
    assert all(row[column] > 0 for row in rows)


@pytest.mark.long
def test_a_bench_prints_a_table_for_people(bolt, small):
    code, out, _ = bolt("bench", "iteration", "--largest=200")

    assert code == 0
    assert "n* for l_T = 60 s" in out
    assert "one BLAS thread" in out
    ratios = [float(line.split()[-1]) for line in out.splitlines() if line.split()[:1] == ["50"]]
    assert ratios
    assert all(ratio > 0 for ratio in ratios)


@pytest.mark.long
def test_bench_quality_says_how_many_datasets_are_within_the_bars(bolt):
    small = ("--datasets=1", "--benchmark=hartmann3", "--runs=1", "--moments=2")
    code, out, _ = bolt("bench", "quality", *small, "--json")

    found = json.loads(out)
    assert code == 0
    (row,) = found["rows"]
    assert (row["benchmark"], row["surrogates"]) == ("hartmann3", 2)
    assert row["within"] in {0.0, 0.5, 1.0}
    assert 0 < row["within_error"] < 0.5
    assert found["datasets"] == 1
    assert 0 <= found["likelihood_within"] <= 1


def test_bench_peers_runs_in_real_time_and_says_what_is_left_out(bolt):
    short = ("--seconds=0.5", "--cost=0.01", "--seeds=1", "--benchmarks=powell")
    code, out, err = bolt("bench", "peers", *short, "--peers=random,xopt", "--json")

    found = json.loads(out)
    assert code == 0, err
    assert [(row["benchmark"], row["peer"], row["failed"]) for row in found["rows"]] == [
        ("powell", "random", 0)
    ]
    assert [(run["seed"], run["version"], run["error"]) for run in found["runs"]] == [
        (0, "random", None)
    ]
    assert (found["seconds"], found["cost"]) == (0.5, 0.01)
    assert found["left_out"] == ["xopt"]

    code, out, _ = bolt("bench", "peers", *short, "--peers=xopt")
    assert code == 0
    assert "--python" in out


@pytest.mark.parametrize(
    ("option", "word"),
    [
        ("--peers=nothing", "nothing"),
        ("--benchmarks=nothing", "nothing"),
        ("--seconds=601", "601"),
        ("--python=no-such-python", "no-such-python"),
        ("--peers=", "peer"),
        ("--benchmarks=,", "benchmark"),
    ],
)
def test_bench_peers_refuses_what_it_cannot_run(bolt, option, word):
    code, _, err = bolt("bench", "peers", option)

    assert code == 2
    assert word in err
