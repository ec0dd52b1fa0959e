"""All problems of a server: who may change them, and one optimizer each.

    problems = Problems(paths.problems(), permissions)
    id, token = problems.create(spec, by)
    ask = problems.next_setting(id, by)
    problems.tell(id, 71.3, by, ask_id=ask.id)
    view = problems.view(id)

Every method may be called from any thread. A problem has one lock: its calls come one after the
other, and calls on different problems do not wait for each other. What a call acknowledged is in
the journal of the problem, which is on disk within a second and survives the end of the process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from bolt_core.common.permissions import Permissions
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.online.views import Best
from bolt_core.problems.caller import Caller
from bolt_core.problems.problem_view import PendingSetting, ProblemRow, ProblemView, Told
from bolt_core.runs.race_snapshot import RaceSnapshot


class Created(NamedTuple):
    """A new problem, and the token that opens it over HTTP; the token is given only here."""

    id: str
    token: str


class MeasuredRow(NamedTuple):
    """A measurement that was made before the problem was created, such as a row of a log."""

    setting: Mapping[str, Any]
    at: datetime  # aware
    value: float  # NaN if it failed


class Problems:
    """The problems in one folder."""

    def __init__(self, directory: Path, permissions: Permissions) -> None:
        """`directory` holds one folder per problem; it is created when it is needed."""

    # Reading: everyone may look at every problem.

    def ids(self) -> list[str]:
        """Return the ids of all problems, the newest first."""

    def rows(self, by: Caller) -> list[ProblemRow]:
        """Return the list of problems, the last changed first; it never waits for a problem."""

    def view(self, id: str) -> ProblemView:
        """Return the problem as it is now; an UnknownProblemError if there is none of that id.

        It is built once per version. While another call computes, the last view is returned, so
        that viewers neither wait for tells nor hold them up.
        """

    def best(self, id: str) -> Best:
        """Return the best setting now, with mean and standard deviation; as `Bolt.best`."""

    def snapshot(self, id: str) -> RaceSnapshot | None:
        """Return the problem as a race of one run, for charts; None if there is none."""

    def may_change(self, id: str, by: Caller) -> bool:
        """Whether this caller may change the problem."""

    # Creating: `by` owns the new problem.

    def create(
        self, spec: ProblemSpec, by: Caller, rows: Sequence[MeasuredRow] = ()
    ) -> Created:
        """Create a problem, warm-started with `rows` if there are any; return id and token."""

    def create_simulated(self, by: Caller) -> Created:
        """Create a problem with a simulated plant, and let it run for some 20 seconds."""

    def import_file(self, data: bytes, name: str, by: Caller) -> Created:
        """Create a problem from a file, by its content; `name` is the file's name.

        It is a problem file (TOML), a VOCS (yaml or JSON), a problem as JSON, the state of a shell
        (`problem.toml.state.jsonl`), or a record of `opt.save`.
        """

    # Changing: the owner, the operator, or the bearer of the problem's token; else NotYoursError.

    def next_setting(self, id: str, by: Caller) -> PendingSetting:
        """Return the oldest ask without a result; if there is none, ask for a setting."""

    def ask(self, id: str, by: Caller, *, key: str | None = None) -> PendingSetting:
        """Ask for a further setting; a repeated call with the same key returns the same ask."""

    def tell(
        self,
        id: str,
        value: float | None,
        by: Caller,
        *,
        ask_id: int | None = None,
        key: str | None = None,
        setting: Mapping[str, Any] | None = None,
        at: datetime | None = None,
    ) -> Told:
        """Tell a measurement; a value None has failed.

        It answers the ask `ask_id`, or without one the oldest ask without a result, unless
        `setting` gives a setting of its own. With `ask_id`, `setting` has the knobs that were set
        otherwise than asked for. `at` is when it was measured; None: now. A repeated tell with the
        same `ask_id` or `key` is stored once; with another value it is a ConflictError.
        """

    def skip(self, id: str, by: Caller, ask_id: int | None = None) -> None:
        """Drop an ask that will have no result: by its number, or the only one."""

    def undo(self, id: str, by: Caller) -> None:
        """Take back the last tell; the ask that it answered is without a result again."""

    def change(self, id: str, by: Caller, knob: str, changes: Mapping[str, Any]) -> None:
        """Change low, high, unit or max_step of a knob; observations outside stay in D."""

    def correct(self, id: str, by: Caller, row: int, value: float | None) -> None:
        """Correct the value of a measurement: `row` as in the log; None: it failed.

        The model is inferred anew from the corrected value. Settings that were chosen meanwhile
        stay as they were made, and so does the ask that is pending.
        """

    def rename(self, id: str, by: Caller, name: str) -> None:
        """Give the problem another name."""

    def renew_token(self, id: str, by: Caller) -> str:
        """Return a new token for HTTP; the old one opens nothing any more."""

    def delete(self, id: str, by: Caller) -> None:
        """Move the problem into the trash, where it stays for a day."""

    def restore(self, id: str, by: Caller) -> None:
        """Move a deleted problem back."""

    # The simulated plant

    def start_plant(self, id: str, by: Caller) -> None:
        """Let the simulated plant measure about 40 settings, two per second."""

    def stop_plant(self, id: str, by: Caller) -> None:
        """Stop the simulated plant after its present measurement."""

    def is_running(self, id: str) -> bool:
        """Whether the simulated plant of this problem is running."""

    # Files

    def journal(self, id: str) -> bytes:
        """Return the journal, which `Bolt.load` and `import_file` read."""

    def log_csv(self, id: str) -> bytes:
        """Return the log as CSV with times in UTC; texts cannot start a formula."""

    def problem_toml(self, id: str) -> str:
        """Return the problem file."""

    def shutdown(self) -> None:
        """Stop simulated plants, sync and release every journal."""
