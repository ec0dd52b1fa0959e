"""The endpoints of the service. `docs/service.md` is the contract."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from starlette.requests import Request
from starlette.responses import Response

from bolt_core.common.errors import NotYoursError
from bolt_core.problems.caller import Caller
from bolt_core.problems.problem_view import ProblemView
from bolt_core.problems.problems import Created, Problems
from bolt_core.service import bodies
from bolt_core.service.answers import best_json, log_json, pending_json, problem_json
from bolt_core.service.calls import Calls, answers_errors, body_of, caller, key_of, token_missing
from bolt_core.service.errors import HEADERS, ServiceError, json_response
from bolt_core.service.strict_json import MAX_NEW_BODY_BYTES, read_object

Id = Annotated[str, Path(description="The id of the problem.", examples=["20260503T140500Z-ab2c"])]
CSV = "text/csv; charset=utf-8"
JSON_LINES = "application/x-ndjson"


class Endpoints(Calls):
    """One method per path and method. The docstrings are part of the OpenAPI document."""

    @answers_errors
    async def index(self, request: Request) -> Response:  # noqa: ARG002
        """Say what this is, and where its description is."""
        return json_response({"service": "BOLT", "openapi": "/api/openapi.json"})

    @answers_errors
    async def create(self, request: Request) -> Response:
        """Create a problem. The answer has its token, which is given only here.

        The body is a problem as in a problem file, or a VOCS. `rows` are measurements that were
        made before. It needs the operator's token, unless the server listens on loopback only.
        """
        by = caller(request)
        await self._check_create(by)
        data = await read_object(request, MAX_NEW_BODY_BYTES)
        if not data:
            raise ServiceError(
                422, "invalid", "the body is empty", "send a problem with maximize and knobs"
            )
        spec, rows = bodies.new_problem(data)

        def create(problems: Problems) -> tuple[Created, ProblemView]:
            """Return both at once: a server that is busy in between would lose the token."""
            created = problems.create(spec, by, rows)
            return created, problems.view(created.id)

        created, view = await self.in_thread(create)
        location = f"/api/problems/{created.id}"
        answer = {**problem_json(view), "token": created.token, "page": f"/problem?id={created.id}"}
        return json_response(answer, 201, {"Location": location})

    @answers_errors
    async def show(self, request: Request, id: Id) -> Response:
        """Return everything that is known of a problem, but for its log."""
        await self.admitted(request, id)
        return json_response(problem_json(await self.in_thread(lambda p: p.view(id))))

    @answers_errors
    async def ask(self, request: Request, id: Id) -> Response:
        """Return the next setting to try.

        Several settings may be asked for before their results are told. With `reuse: true` a loop
        that was restarted gets the setting that it has not answered yet.
        """
        by = await self.admitted(request, id)
        body = await body_of(request, bodies.AskBody)
        key = key_of(request, body.key)
        if body.reuse:
            ask = await self.in_thread(lambda p: p.next_setting(id, by))
        else:
            ask = await self.in_thread(lambda p: p.ask(id, by, key=key))
        return json_response(pending_json(ask))

    @answers_errors
    async def tell(self, request: Request, id: Id) -> Response:
        """Store a measurement; it is on disk within a second.

        A repeated tell with the same ask or key is stored once and answered by `stored: false`.
        Another value with the same ask or key is a conflict, 409.
        """
        by = await self.admitted(request, id)
        body = await body_of(request, bodies.TellBody)
        key, value = key_of(request, body.key), body.number()
        at = None if body.at is None else bodies.time_of(body.at)
        told = await self.in_thread(
            lambda p: p.tell(id, value, by, ask_id=body.ask, key=key, setting=body.setting, at=at)
        )
        return json_response({"stored": told.stored, "told": told.told, "ask": told.answered})

    @answers_errors
    async def undo(self, request: Request, id: Id) -> Response:
        """Take back the last tell; the ask that it answered is without a result again."""
        by = await self.admitted(request, id)
        body = await body_of(request, bodies.UndoBody)
        await self.in_thread(lambda p: p.undo(id, by, told=body.told))
        return await self._after(id)

    @answers_errors
    async def skip(self, request: Request, id: Id) -> Response:
        """Drop an ask that will have no result."""
        by = await self.admitted(request, id)
        body = await body_of(request, bodies.SkipBody)
        await self.in_thread(lambda p: p.skip(id, by, body.ask))
        return await self._after(id)

    @answers_errors
    async def change(self, request: Request, id: Id) -> Response:
        """Change the range, unit or step limit of a knob while the problem runs."""
        by = await self.admitted(request, id)
        body = await body_of(request, bodies.ChangeBody)
        await self.in_thread(lambda p: p.change(id, by, body.knob, body.changes()))
        return await self._after(id)

    @answers_errors
    async def correct(self, request: Request, id: Id) -> Response:
        """Correct the value of an earlier measurement; settings chosen meanwhile stay."""
        by = await self.admitted(request, id)
        body = await body_of(request, bodies.CorrectBody)
        value = body.number()
        await self.in_thread(lambda p: p.correct(id, by, body.row, value))
        return await self._after(id)

    @answers_errors
    async def best(self, request: Request, id: Id) -> Response:
        """Return the setting with the best expected outcome now; 409 before anything is learned."""
        await self.admitted(request, id)
        return json_response(best_json(await self.in_thread(lambda p: p.best(id))))

    @answers_errors
    async def log(self, request: Request, id: Id) -> Response:
        """Return everything that was told, and what is pending, as CSV with times in UTC."""
        await self.admitted(request, id)
        text = await self.in_thread(lambda p: p.log_csv(id))
        return Response(text, 200, {**HEADERS, **_attachment(f"{id}.csv")}, CSV)

    @answers_errors
    async def log_rows(self, request: Request, id: Id) -> Response:
        """Return the log as JSON: the columns of log.csv, and one list per row."""
        await self.admitted(request, id)
        return json_response(await self.in_thread(lambda p: log_json(p.view(id))))

    @answers_errors
    async def journal(self, request: Request, id: Id) -> Response:
        """Return the journal, which `Bolt.load` reads and the Runs page imports."""
        await self.admitted(request, id)
        data = await self.in_thread(lambda p: p.journal(id))
        return Response(data, 200, {**HEADERS, **_attachment(f"{id}.jsonl")}, JSON_LINES)

    @answers_errors
    async def delete(self, request: Request, id: Id) -> Response:
        """Delete the problem; for a day it can be restored on the page."""
        by = await self.admitted(request, id)
        await self.in_thread(lambda p: p.delete(id, by))
        return Response(None, 204, HEADERS)

    async def _check_create(self, by: Caller) -> None:
        """Raise an error unless this caller may create a problem, before its body is read."""
        try:
            await self.in_thread(lambda problems: problems.check_create(by))
        except NotYoursError as problem:
            if by.bearer is None:
                raise token_missing(str(problem)) from None
            raise

    async def _after(self, id: str) -> Response:
        """Return the problem after a change."""
        return json_response(problem_json(await self.in_thread(lambda p: p.view(id))))


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
