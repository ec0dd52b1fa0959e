"""Which token opens what."""

import pytest

from bolt_core.common.permissions import Permissions
from bolt_core.problems.problems import Caller
from tests.support.service import PROBLEM, Service, error_code


def test_creating_needs_the_operators_token_unless_only_this_machine_can_call(tmp_path):
    service = Service(tmp_path, Permissions("operator's", shared=True))
    assert error_code(service.post("/problems", body=PROBLEM)) == (401, "token_missing")
    assert error_code(service.post("/problems", "wrong", PROBLEM)) == (403, "not_operator")
    path, token = service.create(token="operator's")
    assert service.get(path, "operator's").status_code == 200
    assert service.get(path, token).status_code == 200
    assert error_code(service.post("/problems", token, PROBLEM)) == (403, "not_operator")


CALLS = [
    ("GET", ""), ("GET", "/best"), ("GET", "/log"), ("GET", "/log.csv"), ("GET", "/journal.jsonl"),
    ("POST", "/ask"), ("POST", "/tell"), ("POST", "/undo"), ("POST", "/skip"), ("POST", "/change"),
    ("POST", "/correct"), ("DELETE", ""),
]  # fmt: skip


@pytest.mark.parametrize("permissions", [Permissions(local=True), Permissions("op", shared=True)])
def test_a_token_of_one_problem_opens_no_other(tmp_path, permissions):
    service = Service(tmp_path, permissions)
    mine, token = service.create(token=permissions.operator_token)
    other, other_token = service.create(token=permissions.operator_token)
    for method, call in CALLS:
        without = service.call(method, f"{other}{call}")
        assert error_code(without) == (401, "token_missing")
        assert without.headers["www-authenticate"].startswith("Bearer")
        wrong = service.call(method, f"{other}{call}", token)
        unknown = service.call(method, f"/problems/none{call}", token)
        assert error_code(wrong) == (404, "unknown_problem")
        assert wrong.json() == unknown.json()  # whether it exists is not said
    assert service.get(other, other_token).json()["told"] == 0
    assert service.get(mine, token).status_code == 200


def test_a_new_token_replaces_the_old_one(service):
    path, token = service.create()
    renewed = service.problems.renew_token(
        path.rpartition("/")[2], Caller(bearer=token, is_program=True)
    )

    assert service.get(path, renewed).status_code == 200
    assert service.get(path, token).status_code == 404
