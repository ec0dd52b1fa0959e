"""Every endpoint and status code of docs/service.md."""

import csv
import io
import math

import pytest

from bolt_core.common.errors import BusyError, DamagedProblemError, RateError, RecordError
from bolt_core.service import calls
from bolt_core.service.app import create_app
from tests.support.service import PROBLEM, error_code


def told(service, path, token, count):
    for _ in range(count):
        ask = service.post(f"{path}/ask", token).json()
        value = -((ask["setting"]["feed"] - 3.0) ** 2)
        service.post(f"{path}/tell", token, {"value": value, "ask": ask["ask"]})


def test_a_loop_from_creation_to_deletion(service):
    made = service.post("/problems", body=PROBLEM)
    assert made.status_code == 201
    path, token = f"/problems/{made.json()['id']}", made.json()["token"]
    assert made.headers["location"] == f"/api{path}"
    told(service, path, token, 5)
    problem = service.get(path, token).json()
    assert (problem["told"], problem["pending"], problem["name"]) == (5, [], "Reactor")
    assert problem["problem"] == PROBLEM
    assert problem["best"]["setting"].keys() == PROBLEM["knobs"].keys()
    best = service.get(f"{path}/best", token)
    assert best.status_code == 200
    assert math.isfinite(best.json()["mean"])
    assert service.call("DELETE", path, token).status_code == 204
    assert error_code(service.get(path, token)) == (404, "unknown_problem")


def test_undo_skip_change_and_correct_answer_with_the_problem(service):
    path, token = service.create()
    told(service, path, token, 4)
    assert service.post(f"{path}/undo", token, {"told": 4}).json()["told"] == 3
    assert error_code(service.post(f"{path}/undo", token, {"told": 4})) == (409, "conflict")
    assert service.post(f"{path}/skip", token).json()["pending"] == []
    changed = service.post(f"{path}/change", token, {"knob": "feed", "high": 6, "max_step": 2})
    assert changed.json()["problem"]["knobs"]["feed"] == {
        "low": 0.0, "high": 6.0, "unit": "l/min", "max_step": 2.0,
    }  # fmt: skip
    unlimited = service.post(f"{path}/change", token, {"knob": "feed", "max_step": None})
    assert "max_step" not in unlimited.json()["problem"]["knobs"]["feed"]
    assert service.post(f"{path}/correct", token, {"row": 1, "value": 9.5}).status_code == 200
    failed = service.post(f"{path}/correct", token, {"row": 2, "failed": True})
    assert failed.json()["failed"] == 1


def test_a_setting_outside_a_range_that_changed_says_so(service):
    path, token = service.create()
    ask = service.post(f"{path}/ask", token).json()
    assert ask["outside_range"] == []
    end = {"low": ask["setting"]["feed"] + 0.1} if ask["setting"]["feed"] < 4 else {"high": 3.9}
    changed = service.post(f"{path}/change", token, {"knob": "feed", **end}).json()
    assert changed["pending"][0]["outside_range"] == ["feed"]
    assert service.post(f"{path}/ask", token, {"reuse": True}).json()["outside_range"] == ["feed"]


def test_the_log_is_csv_and_json_with_the_same_rows(service):
    path, token = service.create()
    told(service, path, token, 3)
    service.post(f"{path}/tell", token, {"failed": True, "setting": {"feed": 1.0, "stages": 2}})
    answer = service.get(f"{path}/log.csv", token)
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    log = service.get(f"{path}/log", token).json()

    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    assert log["columns"] == list(rows[0])
    assert [float(row["feed"]) for row in rows] == [row[1] for row in log["rows"]]
    assert [row["failed"] for row in rows] == ["False", "False", "False", "True"]
    assert log["rows"][3][3] is None  # the value of a failed measurement
    assert service.get(f"{path}/journal.jsonl", token).content.startswith(b'{"kind": "header"')


def test_a_tell_is_stored_once_by_its_ask_its_key_or_the_header(service):
    path, token = service.create()
    ask = service.post(f"{path}/ask", token).json()["ask"]
    first = service.post(f"{path}/tell", token, {"value": 1.5, "ask": ask})
    again = service.post(f"{path}/tell", token, {"value": 1.5, "ask": ask})
    assert (first.json(), again.json()) == (
        {"stored": True, "told": 1, "ask": ask},
        {"stored": False, "told": 1, "ask": ask},
    )
    body = {"value": 2.5, "setting": {"feed": 1.0, "stages": 2}, "at": "2026-05-03T14:05:00Z"}
    key = {"Idempotency-Key": "sample 7"}
    answers = [service.post(f"{path}/tell", token, body, headers=key) for _ in range(2)]
    assert [answer.json()["stored"] for answer in answers] == [True, False]
    assert not service.post(f"{path}/tell", token, body | {"key": "sample 7"}).json()["stored"]
    other = service.post(f"{path}/tell", token, body | {"value": 3.0}, headers=key)
    assert error_code(other) == (409, "conflict")
    assert "row 1" in other.json()["error"]["remedy"]  # its remedy is a call of the service
    service.post(f"{path}/correct", token, {"row": 1, "value": 3.0})
    assert not service.post(f"{path}/tell", token, body | {"value": 3.0}, headers=key).json()[
        "stored"
    ]
    two_keys = service.post(f"{path}/tell", token, body | {"key": "sample 8"}, headers=key)
    assert error_code(two_keys) == (422, "invalid")
    assert service.get(path, token).json()["told"] == 2


def test_a_repeated_tell_names_the_ask_that_it_answered_before(service):
    path, token = service.create()
    body, key = {"value": 1.0}, {"Idempotency-Key": "a"}
    missing = service.post(f"{path}/tell", token, body, headers=key)
    assert error_code(missing) == (409, "not_now")
    for ask in (1, 2):
        service.post(f"{path}/ask", token)
        answer = service.post(f"{path}/tell", token, body, headers=key).json()
        assert (answer["stored"], answer["ask"]) == (ask == 1, 1)


def test_an_ask_is_repeated_by_its_key_or_reused(service):
    path, token = service.create()
    key = {"Idempotency-Key": "a"}
    first, again = (service.post(f"{path}/ask", token, headers=key).json() for _ in range(2))
    assert first == again
    assert service.post(f"{path}/ask", token).json()["ask"] == 2
    assert service.post(f"{path}/ask", token, {"reuse": True}).json()["ask"] == 1


def test_rows_of_a_log_and_a_vocs_start_a_problem(service):
    rows = [
        {"setting": {"feed": k / 2.0, "stages": 1 + k % 6}, "at": 1.7e9 + 60 * k, "value": 1.0 * k}
        for k in range(8)
    ]
    rows[2] = {"setting": rows[2]["setting"], "at": "2023-11-14T22:20:00Z", "failed": True}
    path, token = service.create(PROBLEM | {"rows": rows})
    assert service.get(path, token).json()["told"] == 8
    vocs = {"variables": {"x": [0, 1]}, "objectives": {"f": "MINIMIZE"}}
    path, token = service.create(vocs)
    assert service.get(path, token).json()["problem"]["minimize"] == "f"
    bad = service.post("/problems", body=PROBLEM | {"rows": [rows[0], {"setting": {}}]})
    assert error_code(bad) == (422, "invalid")
    assert "row 2" in bad.text


@pytest.mark.parametrize("path", ["/problem", "/problems/x/y", "/problems/", "/docs", "/redoc"])
def test_an_unknown_path_is_named(service, path):
    assert error_code(service.get(path, "x")) == (404, "unknown_path")


def test_another_method_is_named_with_those_that_exist(service):
    answer = service.call("PUT", "/problems")

    assert error_code(answer) == (405, "method")
    assert "POST" in answer.headers["allow"]


def test_what_is_not_possible_now_is_a_conflict(service):
    path, token = service.create()
    for call in ("undo", "skip"):
        assert error_code(service.post(f"{path}/{call}", token)) == (409, "not_now")
    assert error_code(service.post(f"{path}/tell", token, {"value": 1})) == (409, "not_now")
    assert error_code(service.get(f"{path}/best", token)) == (409, "not_now")


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (BusyError("it is open elsewhere; stop that"), (503, "busy")),
        (RecordError("no space left"), (503, "storage")),
        (DamagedProblemError("it is empty; put a copy back"), (500, "damaged")),
        (RateError("10 per minute; wait", 7.2), (429, "too_many")),
        (ZeroDivisionError("secret"), (500, "internal")),
    ],
)
def test_errors_of_the_server_are_answered_without_a_traceback(
    service, monkeypatch, problem, expected
):
    path, token = service.create()

    def fail(*_):
        raise problem

    monkeypatch.setattr(service.problems, "view", fail)
    answer = service.get(path, token)
    assert error_code(answer) == expected
    assert "secret" not in answer.text
    assert answer.headers.get("retry-after") == {503: "1", 429: "8"}.get(expected[0])


def test_the_description_is_complete_and_loads_nothing_from_the_network(service):
    document = service.get("/openapi.json").json()
    described = {(path, method) for path, item in document["paths"].items() for method in item}

    assert ("/problems/{id}/tell", "post") in described
    assert len(described) == 14
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    for path, method in described:
        call = document["paths"][path][method]
        assert call["description"]
        assert "{id}" not in path or {"401", "404"} <= call["responses"].keys()
        assert method != "post" or "requestBody" in call
        assert ("422" in call["responses"]) == (method == "post")
    assert create_app(lambda: service.problems).docs_url is None


def test_beyond_the_waiting_calls_a_call_is_told_to_come_back(service, monkeypatch):
    path, token = service.create()
    monkeypatch.setattr(calls, "MAX_WAITING_CALLS", 0)
    answer = service.get(path, token)

    assert error_code(answer) == (503, "busy")
    assert answer.headers["retry-after"] == "1"


def test_methods_keys_and_messages_have_their_limits(service):
    path, token = service.create()
    assert service.call("PUT", path, token).headers["allow"] == "DELETE, GET"
    for call in ("ask", "tell"):
        key = {"Idempotency-Key": "k" * 201}
        body = {"value": 1.0} if call == "tell" else {}
        assert error_code(service.post(f"{path}/{call}", token, body, headers=key))[0] == 422
    answer = service.post(f"{path}/change", token, {"knob": "k" * 50_000, "high": 1.0})
    assert error_code(answer) == (422, "invalid")
    assert len(answer.text) < 5000
    for wrong in ({"warmup": 10**9}, {"name": "a\u0007b"}):
        assert error_code(service.post("/problems", None, PROBLEM | wrong)) == (422, "invalid")
