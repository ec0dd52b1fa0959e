"""Who may create and change problems, and how many."""

import pytest

from bolt_core.common.errors import LimitError, NotYoursError, RateError
from bolt_core.common.permissions import Permissions
from bolt_core.problems import access, rates
from bolt_core.problems.problems import Caller, MeasuredRow, Problems
from bolt_core.problems.rates import Rates
from tests.support.problems import ME, OTHER, SPEC, drive

OPERATOR = Caller("operator's")
CHANGES = [
    lambda p, id, by: p.ask(id, by),
    lambda p, id, by: p.next_setting(id, by),
    lambda p, id, by: p.tell(id, 1.0, by),
    lambda p, id, by: p.skip(id, by),
    lambda p, id, by: p.undo(id, by),
    lambda p, id, by: p.change(id, by, "feed", {"high": 5}),
    lambda p, id, by: p.correct(id, by, 0, 1.0),
    lambda p, id, by: p.rename(id, by, "mine"),
    lambda p, id, by: p.renew_token(id, by),
    lambda p, id, by: p.start_plant(id, by),
    lambda p, id, by: p.stop_plant(id, by),
    lambda p, id, by: p.delete(id, by),
]


def test_others_may_look_and_not_change(problems):
    id, token = problems.create(SPEC, ME)
    _, other_token = problems.create(SPEC, ME)
    others = (
        OTHER,
        Caller(),
        Caller(bearer=other_token, is_program=True),
        Caller(cookie="my cookie", is_program=True),  # a cookie is not a token
        Caller(cookie=token),
    )
    for change in CHANGES:
        for by in others:
            with pytest.raises(NotYoursError):
                change(problems, id, by)

    assert problems.view(id).told == 0


@pytest.mark.parametrize("by", [ME, OPERATOR, "bearer", "operator as a program"])
def test_owner_operator_and_bearer_may_change(problems, by):
    id, token = problems.create(SPEC, ME)
    programs = {"bearer": token, "operator as a program": "operator's"}
    if isinstance(by, str):
        by = Caller(bearer=programs[by], is_program=True)
    drive(problems, id, 1, by)
    problems.rename(id, by, "new name")
    problems.delete(id, by)
    assert problems.deleted(by) == [id]
    problems.restore(id, by)

    assert problems.view(id).spec.name == "new name"


def test_no_token_is_on_disk(problems, home):
    id, token = problems.create(SPEC, ME)
    renewed = problems.renew_token(id, ME)
    stored = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())

    for secret in (token, renewed, ME.cookie):
        assert secret.encode() not in stored


def test_a_shared_server_opens_problems_to_visitors_and_not_to_programs(home):
    shared = Problems(home, Permissions("operator's", shared=True))
    id, _ = shared.create(SPEC, ME)
    shared.rename(id, OTHER, "ours")
    with pytest.raises(NotYoursError):
        shared.rename(id, Caller(bearer="x", is_program=True), "mine")
    with pytest.raises(NotYoursError):
        shared.create(SPEC, Caller(is_program=True))


def test_a_visitor_without_a_cookie_creates_nothing(problems):
    with pytest.raises(NotYoursError):
        problems.create(SPEC, Caller())


def test_limits_hold_for_visitors_and_not_for_the_operator(problems, monkeypatch):
    monkeypatch.setattr(access, "MAX_PROBLEMS_PER_VISITOR", 2)
    monkeypatch.setattr(access, "MAX_PROBLEMS", 3)
    monkeypatch.setattr(access, "MAX_MEASUREMENTS", 1)
    first = problems.create(SPEC, ME).id
    problems.create(SPEC, ME)
    with pytest.raises(LimitError, match="2"):
        problems.create(SPEC, ME)
    problems.create(SPEC, OTHER)
    with pytest.raises(LimitError, match="3"):
        problems.create(SPEC, Caller("a third cookie"))
    assert problems.create(SPEC, OPERATOR).id in problems.ids()
    drive(problems, first, 1)
    with pytest.raises(LimitError):
        drive(problems, first, 1)
    drive(problems, first, 1, OPERATOR)
    with pytest.raises(LimitError):
        problems.create(SPEC, Caller("fourth"), [MeasuredRow({}, None, 1.0)] * 2)


def test_new_problems_are_counted_per_minute():
    now = [0.0]
    counted = Rates(2, lambda: now[0])
    counted.count("a")
    now[0] = 10.0
    counted.count("a")
    counted.count("b")
    with pytest.raises(RateError) as problem:
        counted.count("a")
    assert problem.value.retry_after == 50.0
    now[0] = rates.WINDOW_SECONDS
    counted.count("a")
