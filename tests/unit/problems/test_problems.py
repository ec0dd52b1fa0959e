"""Problems of a server: ask, tell, change and look at them."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bolt_core import Bolt
from bolt_core.common.errors import BusyError, ConfigError, ConflictError, UnknownProblemError
from bolt_core.common.permissions import Permissions
from bolt_core.problems import limits, reading
from bolt_core.problems.log_csv import _harmless
from bolt_core.problems.problems import MeasuredRow, Problems
from tests.support.problems import ME, OTHER, SPEC, drive, value_of


def test_a_loop_of_asks_and_tells_and_what_the_view_says(problems):
    id, _ = problems.create(SPEC, ME)
    drive(problems, id, 8)
    ask = problems.next_setting(id, ME)
    view = problems.view(id)

    assert view.told == 8
    assert view.next == ask == problems.next_setting(id, ME)
    assert view.spec == SPEC
    assert view.best.mean == pytest.approx(max(view.log["yield"].dropna()), abs=3.0)
    assert view.next.previous == dict(view.log.iloc[7][list(SPEC.knobs)])
    assert view.fresh_until > ask.at
    assert view.can_undo
    assert not view.next.is_random
    assert problems.best(id).mean == pytest.approx(view.best.mean, rel=0.1)
    assert list(view.log.columns)[-4:] == ["failed", "pending", "ask", "corrected"]


def test_a_new_problem_has_a_view_before_anything_was_asked_for(problems):
    view = problems.view(problems.create(SPEC, ME).id)

    assert (view.told, view.next, view.best, view.last_setting) == (0, None, None, None)
    assert view.log.empty
    assert not view.can_undo


def test_a_view_is_built_once_per_version(problems):
    id, _ = problems.create(SPEC, ME)
    drive(problems, id, 2)
    first = problems.view(id)
    assert problems.view(id) is first
    problems.ask(id, ME)
    assert problems.view(id).version > first.version


def test_each_change_is_in_the_view_and_after_a_restart(problems, home):
    id, _ = problems.create(SPEC, ME)
    drive(problems, id, 6)
    problems.undo(id, ME)
    problems.correct(id, ME, 1, 12.5)
    problems.correct(id, ME, 2, None)
    problems.change(id, ME, "feed", {"high": 6})
    problems.rename(id, ME, "Second line")
    problems.skip(id, ME)
    problems.ask(id, ME)
    before = problems.view(id)
    problems.shutdown()
    after = Problems(home, Permissions(shared=True)).view(id)

    assert before.log.equals(after.log)
    assert after.spec.name == "Second line"
    assert after.spec.knobs["feed"].high == 6
    assert after.log["yield"][1] == 12.5
    assert after.log["failed"].tolist() == [False, False, True, False, False, False]
    assert after.log["corrected"].tolist() == [False, True, True, False, False, False]


def test_charts_see_that_an_earlier_value_was_corrected(problems):
    id, _ = problems.create(SPEC, ME)
    drive(problems, id, 3)
    before = problems.find_race(f"problem-{id}")
    problems.correct(id, ME, 1, 12.5)
    after = problems.find_race(f"problem-{id}")

    assert before.version == after.version
    assert before.runs[0].run_id != after.runs[0].run_id
    assert problems.find_race(id) is None
    assert problems.find_race("problem-none") is None


def test_a_repeated_tell_is_stored_once_and_another_value_is_a_conflict(problems):
    id, _ = problems.create(SPEC, ME)
    ask = problems.next_setting(id, ME)
    setting = dict(ask.setting)
    first = problems.tell(id, 3.0, ME, ask_id=ask.id, key="a")
    again = problems.tell(id, 3.0, ME, ask_id=ask.id, key="a")
    assert (first.stored, again.stored, again.told, first.answered) == (True, False, 1, 1)
    assert not problems.tell(id, 3.0, ME, key="a", setting=setting).stored
    with pytest.raises(ConflictError):
        problems.tell(id, 4.0, ME, ask_id=ask.id)
    with pytest.raises(ConflictError):
        problems.tell(id, None, ME, key="a", setting=setting)
    assert problems.tell(id, 4.0, ME, key="b", setting=setting).stored


def test_an_ask_may_be_repeated_with_its_key(problems):
    id, _ = problems.create(SPEC, ME)
    first, second = problems.ask(id, ME, key="a"), problems.ask(id, ME)

    assert problems.ask(id, ME, key="a") == first
    assert [ask.id for ask in problems.view(id).pending] == [first.id, second.id]


def test_what_was_set_otherwise_and_when_it_was_measured(problems):
    id, _ = problems.create(SPEC, ME)
    ask = problems.next_setting(id, ME)
    at = datetime.now(UTC) - timedelta(hours=1)
    problems.tell(id, None, ME, ask_id=ask.id, setting={"feed": 2.5}, at=at)
    row = problems.view(id).log.iloc[0]

    assert (row["feed"], row["catalyst"], row["time"]) == (2.5, ask.setting["catalyst"], at)
    assert row["failed"]


@pytest.mark.parametrize(
    "call",
    [
        lambda p, id: p.tell(id, 1.0, ME),  # no ask is pending
        lambda p, id: p.tell(id, 1.0, ME, ask_id=7),
        lambda p, id: p.tell(id, 1.0, ME, setting={"feed": 1.0}),
        lambda p, id: p.tell(id, 1e60, ME, setting={"feed": 1.0, "stages": 2, "catalyst": "A"}),
        lambda p, id: p.tell(id, 1.0, ME, ask_id=1, at=datetime.now(UTC) + timedelta(days=1)),
        lambda p, id: p.tell(id, 1.0, ME, ask_id=1, at=datetime(2026, 1, 1)),
        lambda p, id: p.skip(id, ME),
        lambda p, id: p.undo(id, ME),
        lambda p, id: p.correct(id, ME, 0, 1.0),
        lambda p, id: p.rename(id, ME, ""),
        lambda p, id: p.start_plant(id, ME),
        lambda p, id: p.best(id),
        lambda p, id: p.import_file(b"\xff\xfe", "x", ME),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(problems, call):
    id, _ = problems.create(SPEC, ME)
    with pytest.raises(ConfigError):
        call(problems, id)

    assert problems.view(id).told == 0
    assert problems.ids() == [id]


@pytest.mark.parametrize("id", ["none", "../x", "", "trash", ".", "a" * 100])
def test_an_id_that_does_not_exist_is_named(problems, id):
    with pytest.raises(UnknownProblemError):
        problems.view(id)


def test_rows_of_a_log_start_a_problem(problems):
    began = datetime.now(UTC) - timedelta(hours=2)
    settings = [{"feed": 0.5 * k, "stages": 1 + k % 6, "catalyst": "A"} for k in range(12)]
    rows = [
        MeasuredRow(s, began + timedelta(minutes=k), value_of(s)) for k, s in enumerate(settings)
    ]
    rows[3] = rows[3]._replace(value=math.nan)
    view = problems.view(problems.create(SPEC, ME, rows).id)

    assert (view.told, view.status.failed) == (12, 1)
    assert view.lengthscale_time is not None
    assert not view.can_undo
    with pytest.raises(ConfigError, match="row 2"):
        problems.create(SPEC, ME, [rows[0], rows[1]._replace(setting={"feed": 1.0})])
    assert len(problems.ids()) == 1


def test_the_list_says_what_there_is_and_whose_without_opening(problems, home):
    first, second = problems.create(SPEC, ME).id, problems.create(SPEC, OTHER).id
    drive(problems, first, 3)
    (home / second / "journal.jsonl").write_bytes(b"damaged")
    rows = {row.id: row for row in problems.rows(ME)}

    assert (rows[first].name, rows[first].measurements, rows[first].yours) == ("Reactor", 3, True)
    assert rows[first].knobs == ("feed", "stages", "catalyst")
    assert not rows[second].yours
    assert rows[second].error
    assert str(home) not in rows[second].error
    assert next(row.id for row in problems.rows(ME)) == first


def test_a_second_server_names_the_first_and_still_lists(problems, home, monkeypatch):
    id, _ = problems.create(SPEC, ME)
    drive(problems, id, 2)
    monkeypatch.setattr("bolt_core.online.journal.LOCK_WAIT_SECONDS", 0.0)
    second = Problems(home, Permissions(local=True))
    with pytest.raises(BusyError, match=id):
        second.view(id)

    assert [row.measurements for row in second.rows(ME)] == [2]
    problems.shutdown()
    assert second.view(id).told == 2


def test_an_optimizer_in_python_continues_the_journal(problems, tmp_path):
    id, _ = problems.create(SPEC, ME)
    drive(problems, id, 5)
    path = tmp_path / "journal.jsonl"
    path.write_bytes(problems.journal(id))

    assert Bolt.load(path).log().equals(problems.view(id).log.drop(columns="corrected"))


def test_a_deleted_problem_is_in_the_trash_for_a_day(problems, home):
    id, _ = problems.create(SPEC, ME)
    drive(problems, id, 2)
    problems.delete(id, ME)
    assert problems.ids() == []
    with pytest.raises(UnknownProblemError):
        problems.view(id)
    with pytest.raises(UnknownProblemError):
        problems.restore("none", ME)
    now = datetime.now(UTC)
    Problems(home, Permissions(), lambda: now + timedelta(hours=23))
    problems.restore(id, ME)
    assert problems.view(id).told == 2
    problems.delete(id, ME)
    Problems(home, Permissions(), lambda: now + timedelta(hours=25))
    with pytest.raises(UnknownProblemError):
        problems.restore(id, ME)


def test_problems_that_are_not_used_are_closed(problems, monkeypatch):
    first, second, third = (problems.create(SPEC, ME).id for _ in range(3))
    for id in (first, second):
        drive(problems, id, 1)
    monkeypatch.setattr(reading, "MAX_OPEN_PROBLEMS", 1)
    version = problems.view(second).version
    drive(problems, third, 1)
    opened = {id: problems._open(id).is_open for id in (first, second, third)}
    assert not opened[first]
    assert not opened[second]
    drive(problems, second, 1)
    assert problems.view(second).version > version
    assert problems.view(second).told == 2
    monkeypatch.setattr(reading, "IDLE_SECONDS", -1.0)
    assert problems.view(first).told == 1
    assert not problems._opened[second].is_open


def test_a_problem_thinks_no_longer_than_the_server_allows(problems, monkeypatch):
    patient = replace(SPEC, think_within=3600.0)
    id, _ = problems.create(patient, ME)
    assert problems.view(id).status.think_within == limits.MAX_THINK_SECONDS


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (" =1+1", "' =1+1"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("a;=1+1", "'a;'=1+1"),
        ("a;b = c", "a;b = c"),
        ("co-op", "co-op"),
    ],
)
def test_no_part_of_a_cell_is_a_formula(cell, shown):
    assert _harmless(cell) == shown
