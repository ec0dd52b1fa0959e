"""The metronome: a tick per query, and what the response times come to."""

import re
from dataclasses import replace

import numpy as np

from bolt_core.common.types import RunStatus
from bolt_core.figures.arena.metronome import (
    MAX_TICKS,
    NOTHING_TO_COMPARE,
    metronome,
    response_time_sentences,
)
from bolt_core.runs.record_fields import SCALARS
from tests.support.arena import placed, with_regret


def test_there_is_one_tick_per_query():
    run = placed(40, 1)

    (row,) = metronome([run])["rows"]

    np.testing.assert_allclose(row["ticks"], run.columns["t"], atol=5.1e-4)  # three places


def test_a_crowded_row_keeps_a_tick_in_each_part_of_the_strip():
    run = placed(9000, 1, seconds=lambda i: 0.01 if i < 8000 else 0.5)
    row = metronome([run])["rows"][0]
    slow = run.columns["t"][8001:]

    assert len(row["ticks"]) <= MAX_TICKS
    assert len([t for t in row["ticks"] if t > slow[0] - 1e-3]) == len(slow)


def test_a_row_only_ever_grows():
    run = placed(9000, 1)
    early = replace(
        run, columns=replace(run.columns, length=5000, table=run.columns.table[:, :5000])
    )
    before, after = (metronome([r])["rows"][0]["ticks"] for r in (early, run))

    assert after[: len(before)] == before


def test_the_caption_names_a_steady_and_a_growing_response_time():
    steady = placed(400, 1)
    slowing = placed(400, 1, algorithm="gpucb", seconds=lambda i: 0.05 + 0.005 * i)
    first, second = response_time_sentences([steady, slowing]).split("; ")

    assert re.search(r"BOLT.*0\.05 s", first)
    assert re.search(r"GPUCB.*grew from 0\.3", second)
    assert "at most 0.05 s" in response_time_sentences([steady, placed(400, 1, algorithm="abo")])


def test_a_fast_lane_with_a_bad_regret_is_named():
    best = with_regret(placed(400, 1), 1.0)
    fast = with_regret(placed(400, 1, algorithm="r-gpucb", seconds=lambda i: 0.02), 3.0)
    slowing = placed(400, 1, algorithm="gpucb", seconds=lambda i: 0.05 + 0.005 * i)
    late = with_regret(slowing, 2.0)
    text = response_time_sentences([best, fast, late])

    assert re.search(r"R-GPUCB.*fastest.*\b3 of 3", text)
    hardly_faster = placed(400, 1, algorithm="r-gpucb", seconds=lambda i: 0.04)
    for others in (
        [with_regret(fast, 0.5)],  # the best one
        [],
        [replace(fast, status=RunStatus.FAILED, error="it broke")],
        [replace(fast, config=replace(fast.config, algorithm="random"))],  # without a model
        [with_regret(hardly_faster, 3.0)],
    ):
        assert "fastest" not in response_time_sentences([best, *others, late])


def test_a_lane_that_waits_deliberately_is_not_called_steady():
    steady = placed(400, 1, algorithm="w-dbo")
    slowing = placed(400, 1, algorithm="gpucb", seconds=lambda i: 0.05 + 0.005 * i)
    patient = placed(400, 1, algorithm="abo", seconds=lambda i: 1.0)
    table = patient.columns.table.copy()
    table[SCALARS.index("waited")] = 0.95
    waiting = replace(patient, columns=replace(patient.columns, table=table))

    assert response_time_sentences([waiting, slowing]).startswith("GPUCB")
    assert response_time_sentences([waiting]) == NOTHING_TO_COMPARE
    assert re.search(r"W-DBO.*0\.05 s;", response_time_sentences([waiting, steady, slowing]))
