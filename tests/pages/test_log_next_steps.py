"""A problem that begins with a log: its rows, their dates, and what its page says of them."""

from datetime import UTC, datetime, timedelta

import pytest

from bolt_core.common.permissions import Permissions
from bolt_core.logs.reading import read_log
from bolt_core.problems.problems import Caller, Problems
from bolt_ui.problem import log_next_steps


@pytest.fixture(scope="module")
def read():
    rows = [f"2026-03-02T06:{k:02d}:00Z,{k * 37 % 80 / 10},{50 - k % 7}" for k in range(40)]
    return read_log("\n".join(["time,feed (l/min),yield (%)", *rows]).encode(), "plant.csv")


def test_rows_of_a_log_keep_their_dates_or_end_now(read):
    now = datetime(2026, 6, 1, tzinfo=UTC)
    dated = log_next_steps.measured_rows(read, now, ends_now=False)
    shifted = log_next_steps.measured_rows(read, now, ends_now=True)

    assert dated[0].at == read.origin
    assert shifted[-1].at == now
    assert shifted[-1].at - shifted[0].at == timedelta(seconds=read.span)
    assert [row.value for row in dated] == read.y.tolist()
    assert dated[3].setting["feed"] == pytest.approx(3 * 37 % 80 / 10)
    notes = [log_next_steps.origin_in_words(read, now, ends_now=moved) for moved in (False, True)]
    end = f"{read.origin + timedelta(seconds=read.span):%Y-%m-%d %H:%M}"
    assert all(read.name in words and end in words for words in notes)
    assert ["2026-06-01" in words for words in notes] == [False, True]


def test_the_first_setting_of_a_problem_from_a_log_is_not_random(read, tmp_path):
    problems, me = Problems(tmp_path / "problems", Permissions()), Caller("me")
    rows = log_next_steps.measured_rows(read, datetime.now(UTC), ends_now=True)
    problem_id = problems.create(read.spec, me, rows).id

    assert not problems.next_setting(problem_id, me).is_random
    assert problems.view(problem_id).status.told == len(read)
    problems.shutdown()
