"""The checks of a part: how many cases each had, what was measured, and what went wrong."""

import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field

MAX_SHOWN_PROBLEMS = 20


@dataclass(slots=True)
class Check:
    """One row of the table."""

    part: str
    name: str
    cases: int = 0
    figures: str = ""  # what was measured, in words
    problems: list[str] = field(default_factory=list)

    def expect(self, holds: bool, problem: str) -> None:
        """Count a case, and note the problem unless the condition holds."""
        self.cases += 1
        if not holds:
            self.problems.append(problem)


def place_of(problem: BaseException) -> str:
    """Return an exception and the place that raised it, in one line."""
    frames = traceback.extract_tb(problem.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{type(problem).__name__}: {str(problem)[:300]}{place}"


def table(checks: Sequence[Check]) -> str:
    """Return the checks as a table, followed by the problems."""
    heads = ("part", "check", "cases", "result", "figures")
    rows = [heads, *(_row(check) for check in checks)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    for check in checks:
        lines += [f"{check.part}, {check.name}: {p}" for p in check.problems[:MAX_SHOWN_PROBLEMS]]
        if (more := len(check.problems) - MAX_SHOWN_PROBLEMS) > 0:
            lines.append(f"{check.part}, {check.name}: and {more} more")
    return "\n".join(lines)


def _row(check: Check) -> tuple[str, ...]:
    result = f"{len(check.problems)} FAILED" if check.problems else "ok"
    if not check.cases:
        result = "NOT RUN"
    return check.part, check.name, str(check.cases), result, check.figures
