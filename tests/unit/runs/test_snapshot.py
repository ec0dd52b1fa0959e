"""Snapshots: columns that only grow, and views of them that never change."""

import threading

import numpy as np
import pytest

from bolt_core.common.types import RunStatus
from bolt_core.runs.snapshot import RunHistory, RunSnapshot
from tests.support.runs import first_passes, make_config, make_record, make_run


def test_records_come_back_as_they_went_in():
    records = first_passes(300)  # more than the first capacity

    taken = make_run(records)

    assert list(taken.records) == records
    assert taken.records[-1] == records[-1]
    assert taken.records[2:5] == records[2:5]


def test_an_older_view_does_not_see_what_came_later():
    history = RunHistory(1)
    history.append(make_record(0))
    before = history.view()
    for i in range(1, 600):
        history.append(make_record(i))

    assert before.length == 1
    assert before["t"].tolist() == [0.0]


def test_a_view_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        make_run([make_record(0)]).columns["t"][0] = 1.0


def test_a_reader_in_another_thread_never_sees_half_a_row():
    history, torn, done = RunHistory(1), [], threading.Event()

    def read():
        while not done.is_set():
            columns = history.view()
            if not np.array_equal(columns["t"], np.arange(columns.length)):
                torn.append(columns.length)

    reader = threading.Thread(target=read)
    reader.start()
    for i in range(5_000):
        history.append(make_record(i))
    done.set()
    reader.join()

    assert torn == []
    assert history.view().length == 5_000


def test_sizes_and_members_are_replayed_from_removals():
    taken = make_run(
        [
            make_record(0),
            make_record(1),
            make_record(2, removed=(0,)),
            make_record(3, removed=(2, 3)),
        ]
    )

    assert taken.sizes().tolist() == [1, 2, 2, 1]
    assert taken.members() == [1]
    assert taken.members(upto=1) == [0, 1]
    assert taken.members(upto=2) == [1, 2]


def test_an_empty_run_is_a_snapshot_too():
    taken = RunSnapshot(make_config(), RunStatus.STARTING, RunHistory(3).view())

    assert (len(taken), taken.members(), len(taken.to_frame())) == (0, [], 0)


def test_a_frame_has_a_row_an_iteration_and_says_all_of_it():
    records = first_passes(20, benchmark="eggholder")

    frame = make_run(records).to_frame()

    assert frame["regret"].tolist() == pytest.approx([r.regret for r in records])
    assert frame["x_1"].tolist() == [r.observation.x[0] for r in records]
    assert frame["best_x_1"].tolist() == [r.best_x[0] for r in records]
    assert frame["warmup"].sum() == 15
    assert frame["size"].tolist() == list(range(1, 21))
    assert frame["i"].dtype.kind == "i"


@pytest.mark.parametrize("algorithm", ["random", "sw-gpucb"])
def test_sizes_are_those_a_replay_of_the_removals_gives(algorithm):
    run = make_run(first_passes(60, algorithm=algorithm))

    assert run.sizes().tolist() == [len(run.members(i)) for i in range(len(run))]
