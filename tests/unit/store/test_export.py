"""What leaves the browser is what was drawn."""

import io
from datetime import date

import numpy as np
import pandas as pd
import pytest

from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import export, importing
from bolt_core.store.records import read_header
from tests.support.runs import make_record, make_run, write_run


@pytest.fixture
def race():
    return RaceSnapshot(
        "r", RunStatus.FINISHED, (make_run(40, algorithm="bolt", n_star=7), make_run(30, seed=1))
    )


def test_a_csv_read_back_holds_every_point_bit_for_bit(race):
    table = pd.read_csv(io.BytesIO(export.csv(race)))

    for run in race.runs:
        mine = table[table["run"] == run.run_id]
        assert len(mine) == len(run)
        for name in ("y", "value", "best", "n", "regret"):
            np.testing.assert_array_equal(mine[name], run.columns[name])
        np.testing.assert_array_equal(mine["t [s]"], run.columns["t"])
        np.testing.assert_array_equal(mine["response_time [s]"], run.columns["seconds"])
        np.testing.assert_array_equal(mine["size"], run.sizes())


def test_units_stand_in_the_header(race):
    header = export.csv(race).split(b"\n")[0].decode().split(",")

    assert header[:5] == ["run", "algorithm", "engine", "clock", "seed"]
    assert {"t [s]", "response_time [s]", "lengthscale_time [s]"} <= set(header)


def test_removals_are_ids_with_a_space_between():
    run = make_run([make_record(0), make_record(1, removed=(0, 1))])
    table = export.frame(RaceSnapshot("r", RunStatus.STOPPED, (run,)))

    assert table["removed"].tolist() == ["", "0 1"]


def test_a_race_without_a_pass_is_an_empty_table():
    race = RaceSnapshot("r", RunStatus.STOPPED, (make_run(0),))

    assert len(export.frame(race)) == 0


def test_records_joined_are_taken_in_again(tmp_path):
    files = [tmp_path / f"{k}.jsonl" for k in "ab"]
    for k, path in enumerate(files):
        write_run(path, 18, seed=k)
    files[0].write_bytes(files[0].read_bytes()[:-1])  # its last line lost its end
    joined = export.jsonl(files)

    assert len(importing.import_records(joined, tmp_path / "elsewhere")) == 2
    names = [f"{read_header(path)['run_id']}.jsonl" for path in files]
    assert export.jsonl([tmp_path / "elsewhere" / name for name in names]) == joined


@pytest.mark.parametrize(
    ("seeds", "expected"),
    [
        ([3], "bolt_eggholder_seed3_2026-11-16.csv"),
        ([0, 4], "bolt_eggholder_seeds0-4_2026-11-16.csv"),
    ],
)
def test_a_file_is_named_after_what_is_in_it(seeds, expected):
    race = RaceSnapshot("r", RunStatus.FINISHED, tuple(make_run(1, seed=s) for s in seeds))

    assert export.file_name(race, "csv", date(2026, 11, 16)) == expected


def test_a_strange_benchmark_makes_no_strange_file_name():
    run = make_run([make_record(0)], benchmark="../<b>x")
    race = RaceSnapshot("r", RunStatus.FINISHED, (run,))

    assert export.file_name(race, "html", date(2026, 1, 2)) == "bolt_----b-x_seed0_2026-01-02.html"
