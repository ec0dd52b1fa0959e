"""The metronome: a tick per query, and what the response times come to."""

import re
from dataclasses import replace

import numpy as np

from bolt_core.common.types import RunStatus
from bolt_core.figures.arena.metronome import (
    MAX_TICKS,
    NOTHING_TO_COMPARE,
    WINDOW_TICKS,
    metronome,
    response_time_sentences,
)
from bolt_core.runs.record_fields import SCALARS
from tests.support.runs import make_run
from tests.support.wording import in_order


def timed_run(passes, **choices):
    """Return a run of BOLT with passes of 0.05 s and a regret of 1, unless chosen otherwise."""
    return make_run(passes, **{"algorithm": "bolt", "seconds": 0.05, "regret": 1.0, **choices})


def slowing_run(regret=1.0):
    """Return a run whose every pass takes 5 ms more than the one before it."""
    seconds = lambda i: 0.05 + 0.005 * i  # noqa: E731
    return timed_run(400, algorithm="gpucb", seconds=seconds, regret=regret)


def test_there_is_one_tick_per_query():
    run = timed_run(40)

    (row,) = metronome([run])["rows"]

    np.testing.assert_allclose(row["ticks"], run.columns["t"], atol=5.1e-4)  # three places


def test_a_crowded_row_keeps_a_tick_in_each_part_of_the_strip():
    run = timed_run(9000, seconds=lambda i: 0.01 if i < 8000 else 0.5)
    row = metronome([run])["rows"][0]
    slow = run.columns["t"][8001:]

    assert len(row["ticks"]) <= MAX_TICKS
    assert len([t for t in row["ticks"] if t > slow[0] - 1e-3]) == len(slow)


def test_a_row_only_ever_grows():
    run = timed_run(9000)
    early = replace(
        run, columns=replace(run.columns, length=6000, table=run.columns.table[:, :6000])
    )
    before, after = (metronome([r])["rows"][0]["ticks"] for r in (early, run))

    assert after[: len(before)] == before


def test_a_crowded_strip_has_a_window_in_which_ticks_can_be_told_apart():
    crowded = metronome([timed_run(4000), slowing_run()])  # 200 s, a tick every 0.05 s
    within = [t for t in crowded["rows"][0]["ticks"] if t <= crowded["window"]]

    assert crowded["window"] == 20.0
    assert WINDOW_TICKS <= len(within) <= 2.5 * WINDOW_TICKS
    assert metronome([timed_run(400)])["window"] is None  # all of them fit
    assert metronome([timed_run(1)])["window"] is None


def test_the_caption_names_a_steady_and_a_growing_response_time():
    steady = timed_run(400)
    slowing = slowing_run()
    first, second = response_time_sentences([steady, slowing]).split("; ")

    assert re.search(r"BOLT.*0\.05 s", first)
    assert re.search(r"GPUCB.*grew.* from 0\.3", second)
    both_steady = response_time_sentences([steady, timed_run(400, algorithm="abo")])
    assert in_order(both_steady, "steady", "at most about 0.05 s")


def test_a_constant_lane_is_named_beside_a_better_one_that_grows():
    growing = timed_run(400, seconds=lambda i: 0.1 + 0.0003 * i)
    constant = timed_run(400, algorithm="w-dbo", regret=2.0)

    assert in_order(response_time_sentences([growing, constant]), "W-DBO are 0.05", "BOLT grew")


def test_response_times_that_all_grow_are_not_called_steady():
    growing = [
        timed_run(400, algorithm=a, seconds=lambda i: 0.1 + 0.0003 * i) for a in ("bolt", "w-dbo")
    ]
    caption = response_time_sentences(growing)

    assert "steady" not in caption
    assert in_order(caption, "response time of", "grew most", "from 0.1", "to 0.2")


def test_lanes_of_one_device_are_compared():
    def on(run, slower):
        clock = run.config.clock
        clock = replace(clock, device=tuple(slower * c for c in clock.device))
        return replace(run, config=replace(run.config, clock=clock))

    lanes = [
        on(timed_run(400, seconds=0.5, regret=0.1), 10.0),
        on(timed_run(400), 1.0),
        on(slowing_run(), 1.0),
    ]
    caption = response_time_sentences(lanes)

    assert in_order(caption, "BOLT", "are 0.05", "GPUCB grew")
    assert "slower" not in caption  # the lane on the other device


def test_a_fast_lane_with_a_bad_regret_is_named():
    best, late = timed_run(400), slowing_run(regret=2.0)
    fast = timed_run(400, algorithm="r-gpucb", seconds=0.02, regret=3.0)
    text = response_time_sentences([best, fast, late])

    assert re.search(r"R-GPUCB.*fastest.*\b3 of 3", text)
    quick = replace(fast.config.clock, device=(0.0, 0.0, 0.0, 1e-9))
    for others in (
        [replace(fast, config=replace(fast.config, clock=quick))],  # on another device
        [timed_run(400, algorithm="r-gpucb", seconds=0.02, regret=0.5)],  # the best one
        [],
        [replace(fast, status=RunStatus.FAILED, error="it broke")],
        [replace(fast, config=replace(fast.config, algorithm="random"))],  # without a model
        [timed_run(400, algorithm="r-gpucb", seconds=0.04, regret=3.0)],  # hardly faster
    ):
        assert "fastest" not in response_time_sentences([best, *others, late])


def test_a_lane_that_waits_deliberately_is_not_called_steady():
    steady = timed_run(400, algorithm="w-dbo")
    slowing = slowing_run()
    patient = timed_run(400, algorithm="abo", seconds=1.0)
    table = patient.columns.table.copy()
    table[SCALARS.index("waited")] = 0.95
    waiting = replace(patient, columns=replace(patient.columns, table=table))

    assert in_order(response_time_sentences([waiting, slowing]), "GPUCB", "grew")
    assert "ABO" not in response_time_sentences([waiting, slowing])
    assert response_time_sentences([waiting]) == NOTHING_TO_COMPARE
    assert re.search(r"W-DBO.*0\.05 s;", response_time_sentences([waiting, steady, slowing]))
