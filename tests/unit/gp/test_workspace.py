"""One room for everybody who thinks in one thread: it saves memory and changes nothing."""

import gc
import weakref
from itertools import islice, zip_longest

import numpy as np
import pytest

from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.common.types import ClockConfig, EngineConfig, RunConfig, RunStatus
from bolt_core.gp.workspace import ROWS, SPARE_SHARE, Workspace
from bolt_core.live.race import Race
from bolt_core.runs import loop

ALGORITHMS = ("gpucb", "w-dbo", "bolt")


def config(algorithm, **more):
    return RunConfig(algorithm, "eggholder", horizon=4.0, clock=ClockConfig("model"), **more)


def test_runs_that_take_turns_in_one_room_think_as_if_alone():
    room = Workspace()
    together = [loop.prepare(config(key)) for key in ALGORITHMS]
    for run in together:
        run.share_workspace(room)
    turns = list(zip_longest(*(loop.iterate(run) for run in together)))

    for lane, key in enumerate(ALGORITHMS):
        passes = [turn[lane] for turn in turns if turn[lane] is not None]
        assert passes == list(loop.iterate(loop.prepare(config(key))))


@pytest.mark.parametrize("run", [config("random"), config("bolt", engine=EngineConfig("botorch"))])
def test_who_needs_no_room_goes_on_without(run):
    room, visitor = Workspace(), loop.prepare(run)
    visitor.share_workspace(room)
    passes = list(islice(loop.iterate(visitor), 17))

    assert passes == list(islice(loop.iterate(loop.prepare(run)), 17))
    assert room.rows(0).base.shape == (ROWS, 0)


def test_the_runs_of_a_race_have_one_room(tmp_path):
    race = Race([config("gpucb"), config("bolt")], tmp_path)
    for run in race.runs:
        run.advance()
    rooms = {id(run._run.optimizer._engine._workspace) for run in race.runs}
    for run in race.runs:
        run.end(RunStatus.STOPPED)

    assert len(rooms) == 1


def test_a_room_grows_with_a_little_to_spare_and_never_shrinks():
    room = Workspace()
    room.rows(800)[:] = 1.0
    few = room.rows(900)

    assert few.shape == (ROWS, 900)
    assert np.shares_memory(few, room.rows(1))
    assert room.rows(0).shape == (ROWS, 0)
    assert not np.shares_memory(few, room.rows(800 + 800 // SPARE_SHARE + 2))


def test_what_has_ended_keeps_its_time_and_no_matrix(tmp_path):
    (run,) = Race([config("gpucb")], tmp_path).runs
    for _ in range(20):
        run.advance()
    optimizer, clock = weakref.ref(run._run.optimizer), run._run.clock
    room = weakref.ref(run._workspace._store)
    assert isinstance(optimizer(), GPOptimizer)
    while not run.status.ended:
        run.advance()
    gc.collect()

    assert (optimizer(), room()) == (None, None)
    assert run.now == clock.now() >= 4.0
