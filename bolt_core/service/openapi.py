"""The OpenAPI document: what each call takes and answers, with examples."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from bolt_core.service.bodies import Body

DESCRIPTION = """\
Ask for settings of your own process and tell what was measured there, over HTTP.

Create a problem (`POST /problems`), keep the token of the answer, and repeat: `POST .../ask`, set
the process, measure, `POST .../tell`. The page `/problem` of the same server shows it live.

Every call on a problem needs its token: `Authorization: Bearer TOKEN`. Errors are JSON,
`{"error": {"code", "message", "remedy"}}`. Bodies are strict JSON: no NaN, no name twice."""

EXAMPLE_PROBLEM = {
    "name": "Reactor",
    "maximize": "yield",
    "unit": "%",
    "knobs": {
        "feed": {"low": 0.0, "high": 8.0, "unit": "l/min", "max_step": 1.0},
        "rate": {"low": 1e-4, "high": 1e-1, "scale": "log"},
        "stages": {"type": "integer", "low": 1, "high": 6},
        "catalyst": {"type": "choice", "values": ["A", "B", "C"]},
    },
}
EXAMPLE_ASK = {
    "ask": 3,
    "setting": {"feed": 3.2, "stages": 4, "catalyst": "B"},
    "previous_setting": {"feed": 2.9, "stages": 4, "catalyst": "B"},
    "at": "2026-05-03T14:05:00+00:00",
    "random": False,
    "explores": False,
    "fresh_for_seconds": 310.5,
    "outside_range": [],
}
EXAMPLE_BEST = {
    "setting": {"feed": 3.4, "stages": 4, "catalyst": "B"},
    "mean": 72.1,
    "sd": 0.6,
    "at": "2026-05-03T14:05:00+00:00",
}
EXAMPLES: dict[str, Any] = {
    "ask": EXAMPLE_ASK,
    "tell": {"stored": True, "told": 12, "ask": 3},
    "best": EXAMPLE_BEST,
    "index": {"service": "BOLT", "openapi": "/api/openapi.json"},
}
PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "A problem as in a problem file, or a VOCS, with rows to start from.",
    "required": ["knobs"],
    "properties": {
        "name": {"type": "string", "description": "Of the problem."},
        "maximize": {"type": "string", "description": "The outcome; or minimize."},
        "minimize": {"type": "string", "description": "The outcome; or maximize."},
        "unit": {"type": "string", "description": "Of the outcome."},
        "knobs": {
            "type": "object",
            "description": "By name: low, high, unit, scale (linear or log), max_step; or type "
            "integer; or type choice with values.",
            "additionalProperties": {"type": "object"},
        },
        "warmup": {"type": "integer", "description": "Random settings before the first choice."},
        "seed": {"type": "integer", "description": "Of all random numbers."},
        "algorithm": {"type": "string", "description": "Default: bolt."},
        "think_within": {"type": "number", "description": "Seconds of computing per setting."},
        "rows": {
            "type": "array",
            "description": "Measurements that were made before.",
            "items": {
                "type": "object",
                "required": ["setting", "at"],
                "properties": {
                    "setting": {"type": "object"},
                    "at": {"type": ["string", "number"]},
                    "value": {"type": "number"},
                    "failed": {"type": "boolean"},
                },
            },
        },
    },
    "examples": [EXAMPLE_PROBLEM],
}
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "remedy"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "remedy": {"type": "string", "description": "What to do."},
            },
        }
    },
}
MEANINGS = {
    400: "The body is not strict JSON.",
    401: "There is no token.",
    403: "The operator's token is needed, or a limit is reached.",
    404: "This token opens no problem of that id.",
    409: "The key was told another value, or it is not possible in the present state.",
    413: "The body is too large.",
    415: "The body is not application/json.",
    422: "A value cannot be used.",
    429: "Too many new problems; Retry-After says how long to wait.",
    500: "The journal of the problem is damaged (code damaged), or the server made an error.",
    503: "The server is busy or cannot write; repeat the call with the same key.",
}
WITH_BODY = (400, 413, 415, 422)
WITHOUT_PROBLEM = ("index", "create")


def schema(model: type[Body]) -> dict[str, Any]:
    """Return the JSON schema of a body."""
    return model.model_json_schema()


def extra(path: str, name: str, body: dict[str, Any] | None) -> dict[str, Any]:
    """Return what FastAPI cannot know: the body, and who may call."""
    added: dict[str, Any] = {}
    if "{id}" in path or name == "create":
        added["security"] = [{"token": []}]
    if body is not None:
        content = {"application/json": {"schema": body}}
        added["requestBody"] = {"content": content, "required": bool(body.get("required"))}
    return added


def responses(path: str, method: str, name: str) -> dict[int | str, dict[str, Any]]:
    """Return the answers of a call."""
    codes = [503]
    codes += [401, 404, 500] if "{id}" in path else []
    codes += WITH_BODY if method == "POST" else ()
    codes += [409] if "{id}" in path else []
    codes += [403, 429] if name == "create" else []
    errors: dict[int | str, dict[str, Any]] = {
        code: {"description": MEANINGS[code], "content": {"application/json": {"schema": ERROR}}}
        for code in sorted(codes)
    }
    success: dict[str, Any] = {"description": "Done."}
    if name in EXAMPLES:
        success["content"] = {"application/json": {"example": EXAMPLES[name]}}
    if name == "delete":
        return {204: {"description": "Deleted; it can be restored for a day."}, **errors}
    return {201 if name == "create" else 200: success, **errors}


def describe(app: FastAPI) -> None:
    """Add to the document of an application how tokens are sent."""
    made_by_fastapi = app.openapi

    def document() -> dict[str, Any]:
        described = made_by_fastapi()
        schemes = {"token": {"type": "http", "scheme": "bearer"}}
        described["components"] = {"securitySchemes": schemes}
        for item in described["paths"].values():
            for method in item.keys() - {"post"}:  # FastAPI adds it for every id in a path
                item[method]["responses"].pop("422", None)
        return described

    app.openapi = document  # type: ignore[method-assign]
