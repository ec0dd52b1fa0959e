"""`bolt compare` and `bolt calibrate`: the table by hand, and a device that fits its samples."""

import json
from dataclasses import replace

import numpy as np
import pytest

import bolt_core.cli.compare as compare_module
from bolt_core.bench.calibration import Sample, fit_device, measure, worst_error
from bolt_core.cli._standings_table import rows_of
from bolt_core.common import devices
from bolt_core.common.devices import thinking_time
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import NOMINAL_DEVICE
from tests.support.runs import make_record, make_run
from tests.support.wording import in_order


def test_standings_are_means_over_seeds_lowest_first():
    def run(algorithm, seed, regret):
        passes = [make_record(i, regret=regret, removed=(i - 1,) if i else ()) for i in range(4)]
        kept = [replace(p, n=min(p.n, 1)) for p in passes]  # each drops the one before it
        return make_run(kept, algorithm=algorithm, seed=seed)

    slow = [run("gpucb", seed, regret) for seed, regret in enumerate([4.0, 8.0, 6.0])]
    runs = [*slow, run("bolt", 0, 1.0), run("bolt", 1, 2.0)]

    first, second = rows_of(runs)

    assert (first["algorithm"], first["regret"], first["n"]) == ("bolt", 1.5, 1.0)
    assert second["regret"] == 6.0
    assert second["error"] == pytest.approx(np.std([4.0, 8.0, 6.0], ddof=1) / 3**0.5)
    assert first["error"] is None


def test_a_baseline_has_a_rank_only_among_baselines():
    runs = [
        make_run([make_record(i, regret=regret) for i in range(4)], algorithm=key)
        for key, regret in {"hold": 1.0, "bolt": 2.0, "gpucb": 3.0, "random": 4.0}.items()
    ]

    assert [row["rank"] for row in rows_of(runs)] == [None, 1, 2, None]
    assert [row["rank"] for row in rows_of([runs[0], runs[3]])] == [1, 2]


def test_an_algorithm_without_a_query_comes_last():
    runs = [make_run([], algorithm="bolt"), make_run([make_record(0)], algorithm="gpucb")]

    assert [row["algorithm"] for row in rows_of(runs)] == ["gpucb", "bolt"]
    assert rows_of(runs)[-1]["regret"] is None


def test_compare_races_to_the_end_and_records_every_run(bolt, home):
    order = ["--benchmark=eggholder", "--algorithms=random,gpucb", "--seeds=2", "--clock=model"]

    code, out, _ = bolt("compare", *order, "--horizon=4", "--json")

    found = json.loads(out.splitlines()[-1])
    assert code == 0
    assert found["status"] == "finished"
    assert {row["algorithm"] for row in found["rows"]} == {"random", "gpucb"}
    assert len(list((home / "runs").glob("*.jsonl"))) == 4


def test_the_table_of_a_comparison_fits_into_80_characters(bolt, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    keys = "--algorithms=random,hold,gpucb"
    order = ["--benchmark=eggholder", keys, "--clock=model", "--horizon=2", "--seeds=3"]
    code, out, _ = bolt("compare", *order)

    assert code == 0
    assert all(word in out for word in ("algorithm", "average", "queries", "random", "hold"))
    title, _, below = " ".join(out.split()).partition(" rank ")
    assert in_order(title, "Eggholder", "seeds 0 to 2", "horizon 2 s", "Model clock", "device.")
    assert in_order(below, "1 gpucb", "\N{PLUS-MINUS SIGN}", "Means", "at the end;", "no rank.")
    assert all(f"- {baseline} " in below for baseline in ("hold", "random"))
    assert "\N{HORIZONTAL ELLIPSIS}" not in out.partition("algorithm")[2]


REFUSED = {  # what the message names, in order: the value or option, and the remedy
    ("algorithm", "blot"): ["--benchmark=eggholder", "--algorithms=bolt,blot"],
    ("benchmark", "'egg'"): ["--benchmark=egg"],
    ("seeds", "1 to 100", " 0"): ["--benchmark=eggholder", "--seeds=0"],
    ("horizon", "601", "longer"): ["--benchmark=eggholder", "--horizon=601"],
    ("toaster", "paper, nominal"): ["--benchmark=eggholder", "--device=toaster"],
    ("cpu", "model"): ["--benchmark=eggholder", "--clock=wall"],
    ("--algorithms", "','", "bolt list"): ["--benchmark=eggholder", "--algorithms=,"],
    ("bolt", "more than once"): ["--benchmark=eggholder", "--algorithms=bolt,w-dbo,bolt"],
    ("--device paper", "'cpu'", "--clock model"): ["--benchmark=eggholder", "--device=paper"],
    ("--slowdown 3", "cpu clock", "--device"): [
        "--benchmark=eggholder", "--clock=model", "--slowdown=3",
    ],
}  # fmt: skip


@pytest.mark.parametrize("named", REFUSED, ids=" ".join)
def test_what_cannot_be_compared_is_refused_in_one_line(bolt, home, named):
    code, out, err = bolt("compare", *REFUSED[named])

    assert (code, out) == (2, "")
    assert in_order(err, *named)
    assert err.count("\n") == 1


def test_a_device_is_found_by_name_or_by_numbers():
    assert devices.device("nominal") == NOMINAL_DEVICE
    assert devices.device("0.1,1e-3,0,2e-8") == (0.1, 1e-3, 0.0, 2e-8)
    with pytest.raises(ConfigError, match=r"'fast'.*paper.*numbers"):
        devices.device("fast")


def test_the_paper_device_is_the_fit_of_the_samples_stored_beside_it():
    stored = devices.calibration()
    samples = [Sample(**sample) for sample in stored["samples"]]

    assert devices.device("paper") == pytest.approx(fit_device(samples), rel=1e-9)
    assert worst_error(devices.device("paper"), samples) == stored["largest_relative_error"]
    assert [sample.n for sample in samples] == [25, 50, 100, 200, 400, 800]
    assert stored["machine"]["blas_threads"] == 1


def test_a_device_is_recovered_from_its_own_times():
    truth = (0.2, 4e-3, 2e-6, 5e-9)
    samples = [Sample(n, thinking_time(truth, n)) for n in (25, 50, 100, 200, 400, 800)]

    assert fit_device(samples) == pytest.approx(truth, rel=1e-6)
    assert worst_error(truth, samples) < 1e-12


def test_stock_botorch_can_be_measured():
    (sample,) = measure([10], repeats=1)

    assert sample.n == 10
    assert sample.seconds > 0


def test_the_race_that_compare_names_is_listed_with_its_runs(bolt, home):
    order = ["--benchmark=eggholder", "--algorithms=random,hold", "--clock=model", "--horizon=2"]
    _, out, err = bolt("compare", *order, "--json")
    found = json.loads(out.splitlines()[-1])

    assert f"`bolt show {found['race_id']}`" in err
    listed = json.loads(bolt("show", found["race_id"], "--json")[1])
    assert {row["algorithm"] for row in listed["runs"]} == {"random", "hold"}
    assert in_order(bolt("show", found["race_id"])[1], "random", "0", "finished")
    first = listed["runs"][0]["run_id"]
    assert json.loads(bolt("show", first, "--json")[1])["run_id"] == first

    (home / "runs" / f"{first}.jsonl").unlink()
    assert in_order(bolt("show", found["race_id"])[1], first, "no record")


def test_a_horizon_within_the_warm_up_is_explained(bolt, home):
    """A query on Hartmann-3 takes 8 s, and the warm-up 15 of them."""
    order = ["--benchmark=hartmann3", "--algorithms=random,hold", "--clock=model"]

    assert in_order(bolt("compare", *order, "--horizon=60")[2], "15 warm-up", "120 s", "--horizon")
    assert "warm-up" not in bolt("compare", *order, "--horizon=200")[2]


def test_without_a_terminal_progress_is_a_line_from_time_to_time(bolt, home, monkeypatch):
    monkeypatch.setattr(compare_module, "PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(compare_module, "REFRESH_SECONDS", 0.01)
    order = ["--benchmark=eggholder", "--algorithms=random,gpucb", "--clock=model", "--horizon=9"]
    _, _, err = bolt("compare", *order)

    assert in_order(err, " of 2 runs ended", "seed 0", " of 9 s", "queries")
