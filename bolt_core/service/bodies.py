"""What can be sent: each body as a model, from which the OpenAPI document is made as well."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bolt_core.common.errors import ConfigError
from bolt_core.common.text import shortened
from bolt_core.online.pending import MAX_KEY
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.problems.steps import MeasuredRow
from bolt_core.service.errors import ServiceError

MAX_ERRORS_SHOWN = 3
KnobValue = float | int | str | bool
Key = Annotated[str, Field(min_length=1, max_length=MAX_KEY)]
Time = str | float | int


class Body(BaseModel):
    """A body; members that are not listed are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Nothing(Body):
    """No members: the body may be empty."""


class AskBody(Body):
    """Ask for a setting."""

    reuse: bool = Field(
        False, description="Return the oldest ask without a result, if there is one."
    )
    key: Key | None = Field(
        None,
        description="A text of your own: a repeated ask with it returns the same setting, as long "
        "as the server runs. The header Idempotency-Key is the same.",
    )


class ValueBody(Body):
    """A value, or that the measurement failed."""

    value: float | None = Field(None, description="What was measured.", examples=[71.3])
    failed: bool = Field(False, description="The measurement failed; then leave out value.")

    def number(self) -> float | None:
        """Return the value; None if it failed."""
        if (self.value is None) != self.failed:
            raise ConfigError("the body needs either value or failed: true; send one of them")
        return self.value


class TellBody(ValueBody):
    """Tell a measurement."""

    ask: int | None = Field(
        None,
        description="The number of the ask that it answers. Without it, and without setting, the "
        "oldest ask without a result.",
        examples=[3],
    )
    key: Key | None = Field(
        None,
        description="A text of your own, such as the number of a sample: a repeated tell with it "
        "is stored once. The header Idempotency-Key is the same.",
    )
    setting: dict[str, KnobValue] | None = Field(
        None,
        description="What was set: all knobs of a setting that was not asked for; with ask, those "
        "that differ from it.",
        examples=[{"feed": 3.2}],
    )
    at: Time | None = Field(
        None,
        description="When it was measured: ISO 8601 with a time zone, or seconds since 1970. "
        "Without it, now.",
        examples=["2026-05-03T14:05:00Z"],
    )


class RowBody(ValueBody):
    """A measurement that was made before."""

    setting: dict[str, KnobValue] = Field(description="All knobs.")
    at: Time = Field(description="ISO 8601 with a time zone, or seconds since 1970.")


class UndoBody(Body):
    """Take back the last tell."""

    told: int | None = Field(
        None,
        description="Only if so many measurements were told; another number is answered by 409. "
        "So an undo may be repeated after a lost connection.",
    )


class SkipBody(Body):
    """Drop an ask."""

    ask: int | None = Field(None, description="Its number; needed if several have no result.")


class ChangeBody(Body):
    """Change a knob."""

    knob: str = Field(description="The name of the knob.", examples=["feed"])
    low: float | int | None = Field(None, description="The new lower end.")
    high: float | int | None = Field(None, description="The new upper end.", examples=[6.0])
    unit: str | None = Field(None, description="The new unit; values stay the same numbers.")
    max_step: float | int | None = Field(
        None, description="The largest change between two settings; null removes the limit."
    )

    def changes(self) -> dict[str, Any]:
        """Return what was sent, but for the name of the knob."""
        sent = self.model_dump(include=self.model_fields_set - {"knob"})
        return {k: v for k, v in sent.items() if v is not None or k == "max_step"}


class CorrectBody(ValueBody):
    """Correct the value of an earlier measurement."""

    row: int = Field(description="Its row in log.csv, the first is 0.", examples=[4])


B = TypeVar("B", bound=Body)


def checked(model: type[B], data: Mapping[str, Any]) -> B:
    """Return a body; the error names the members that are wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as problem:
        errors = problem.errors(include_url=False, include_input=False, include_context=False)
        parts = [f"{_place(error['loc'])}: {error['msg']}" for error in errors[:MAX_ERRORS_SHOWN]]
        more = f" and {len(errors) - len(parts)} more" if len(errors) > len(parts) else ""
        names = ", ".join(model.model_fields) or "no members"
        raise ServiceError(
            422,
            "invalid",
            shortened("; ".join(parts) + more, 600),
            f"this call takes {names}; see /api/openapi.json",
        ) from None


def _place(location: tuple[int | str, ...]) -> str:
    return shortened(".".join(map(str, location)) or "the body", 80)


def new_problem(data: Mapping[str, Any]) -> tuple[ProblemSpec, list[MeasuredRow]]:
    """Return the problem of a body, a problem as JSON or a VOCS, and its rows."""
    rows = data.get("rows", [])
    if not isinstance(rows, list):
        raise ConfigError("rows must be a list of measurements; leave it out for none")
    problem = {name: value for name, value in data.items() if name != "rows"}
    is_vocs = "variables" in problem or "vocs" in problem
    spec = ProblemSpec.from_vocs(problem) if is_vocs else ProblemSpec.from_json(problem)
    return spec, [_row(number, row) for number, row in enumerate(rows, start=1)]


def _row(number: int, data: Any) -> MeasuredRow:  # noqa: ANN401 - JSON
    try:
        row = checked(RowBody, data if isinstance(data, dict) else {})
        value = row.number()
        return MeasuredRow(row.setting, time_of(row.at), math.nan if value is None else value)
    except (ConfigError, ServiceError) as problem:
        raise ConfigError(
            f"row {number}: {problem}; a row has setting, at and value or failed"
        ) from None


def time_of(at: Time) -> datetime:
    """Return a time that was sent."""
    try:
        if isinstance(at, str):
            return datetime.fromisoformat(at)
        return datetime.fromtimestamp(at, UTC)
    except (ValueError, OverflowError, OSError):
        raise ConfigError(
            f"at is like 2026-05-03T14:05:00Z or seconds since 1970, got {shortened(at, 60)!r}; "
            "send such a time"
        ) from None
