"""A campaign on disk: a folder with the plan, `campaign.json`, and one record per run.

    <BOLT_HOME>/campaigns/<name>/<config key>.jsonl

A finished record is final. A missing, failed or unfinished one is made (again) when the campaign is
run. Records are written atomically, so that a campaign that is killed loses only the runs that were
in progress. A run that came in a pack (`packed_runs`) is finished without a record.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from bolt_core.campaigns.packed_runs import PackedRuns
from bolt_core.campaigns.packs import PackedRun
from bolt_core.campaigns.plan import NAME, Plan
from bolt_core.campaigns.pools import Outcome, Pool
from bolt_core.campaigns.pools.run_queue import runs_alone
from bolt_core.campaigns.presets import PRESETS, preset
from bolt_core.campaigns.selection import ALL, Selection
from bolt_core.common import files, paths
from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.text import shortened
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.runs import duration_estimate
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store import records
from bolt_core.store.record_files import last_state_or_end
from bolt_core.store.record_format import open_record
from bolt_core.store.sweep import sweep

PLAN = "campaign.json"
LOCK = "run.lock"  # locked by the process that runs or changes the campaign
LOCK_SECONDS = 1.0  # another process may hold the lock for a moment, to see whether it is free
MAX_ATTEMPTS = 2  # per run
RACE_ID = re.compile(rf"campaign:({NAME.pattern}):([0-9a-f]{{12}})")  # of a campaign's run


class State(StrEnum):
    """The state of a planned run."""

    FINISHED = "finished"
    FAILED = "failed"
    UNFINISHED = "unfinished"  # no closing line, stopped, or another run's record
    MISSING = "missing"


class Campaign:
    """A plan and the folder with its records."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.configs: Mapping[str, RunConfig] = {c.key: c for c in plan.configs()}
        self.packed_runs = PackedRuns(folder)

    def path(self, key: str) -> Path:
        """Return the file of a run's record."""
        return self.folder / f"{key}{records.SUFFIX}"

    def packed(self) -> Mapping[str, PackedRun]:
        """Return the runs that came in packs, by key; some may not be in the plan."""
        return self.packed_runs.read()

    def states(self) -> dict[str, State]:
        """Return the state of every run of the plan, by key."""
        return {key: self.state(key) for key in self.configs}

    def state(self, key: str) -> State:
        """Return the state of a run: whether it came in a pack, or else that of its record."""
        return State.FINISHED if key in self.packed() else self.record_state(key)

    def record_state(self, key: str) -> State:
        """Return the state of a run, from the first and the last line of its record."""
        path = self.path(key)
        if not path.exists():
            return State.MISSING
        try:
            if records.read_header(path).get("config_key") != key:
                return State.UNFINISHED
            last = last_state_or_end(path, path.stat().st_size)
        except (RecordError, OSError):
            return State.UNFINISHED
        status = last.get("status") if last.get("kind") == "end" else None
        return State(status) if status in (State.FINISHED, State.FAILED) else State.UNFINISHED

    def pending(self, selection: Selection = ALL) -> list[RunConfig]:
        """Return the runs of a selection that are not finished, in the order in which they are run.

        All cells of a seed come before the next seed, so that an interrupted campaign has as many
        seeds everywhere. Within a seed the quickest come first, and those that run alone last.
        """
        states = self.states()
        waiting = [
            config
            for config in selection.of(self.configs.values())
            if states[config.key] != State.FINISHED
        ]
        return sorted(
            waiting, key=lambda c: (c.seed, runs_alone(c), duration_estimate.cpu_seconds(c))
        )

    def reasons(self, states: Mapping[str, State]) -> dict[str, str]:
        """Return why runs failed, by key."""
        return {key: self.error(key) for key, state in states.items() if state == State.FAILED}

    def error(self, key: str) -> str:
        """Return why a run failed, in one line."""
        path = self.path(key)
        try:
            reason = last_state_or_end(path, path.stat().st_size).get("error")
        except OSError:  # just removed, to be run again
            reason = None
        return str(reason or "no reason was recorded").splitlines()[0]

    def damaged(self, key: str) -> str:
        """Return what to do with a finished record that cannot be read."""
        return f"its record is damaged; remove {self.path(key).name} and run the campaign again"

    def keep(self, outcome: Outcome) -> None:
        """Store the record of a run that finished or failed."""
        _place(self.path(outcome.config.key), gzip.decompress(outcome.record))

    @property
    def running(self) -> bool:
        """Whether a process runs the campaign, this one or another."""
        return files.is_locked(self.folder / LOCK)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the campaign: only one process at a time runs or changes it."""
        with ExitStack() as stack:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                stack.enter_context(files.locked(self.folder / LOCK, LOCK_SECONDS))
            except BlockingIOError:
                raise ConfigError(
                    f"{self.plan.name} is being run by another process; stop that one first, or "
                    f"follow it with `bolt campaign status {self.plan.name}`"
                ) from None
            except OSError as problem:
                raise RecordError(f"cannot write {self.folder}: {problem.strerror}") from None
            yield

    def run(
        self, pool: Pool, watch: Callable[[Outcome], None] | None = None, selection: Selection = ALL
    ) -> None:
        """Run what is not finished; `watch` is called for each run that ends.

        A run that fails is tried twice, unless it was cut for its CPU time.
        """
        with self.locked():
            sweep(self.folder, datetime.now(UTC).timestamp())
            self._run(pool, watch, self.pending(selection))

    def _run(
        self, pool: Pool, watch: Callable[[Outcome], None] | None, pending: Sequence[RunConfig]
    ) -> None:
        attempts: dict[str, int] = {}

        def submit(config: RunConfig) -> None:
            attempts[config.key] = attempts.get(config.key, 0) + 1
            pool.submit(config, {"campaign": self.plan.name, "attempt": attempts[config.key]})

        with pool:
            for config in pending:
                submit(config)
            try:
                for outcome in pool.outcomes():
                    self.keep(outcome)
                    may_repeat = outcome.error is not None and not outcome.cut
                    if may_repeat and attempts[outcome.config.key] < MAX_ATTEMPTS:
                        submit(outcome.config)
                    elif watch is not None:
                        watch(outcome)
            finally:
                for outcome in pool.rescue():
                    self.keep(outcome)

    def adopt(self, file: Path) -> bool:
        """Copy a finished record into the campaign; return False if it has that run already."""
        snapshot = records.read(file)
        key = snapshot.config.key
        if key not in self.configs:
            raise RecordError(f"{file} is not a run of {self.plan.name}: {self._nearest(snapshot)}")
        if snapshot.status != RunStatus.FINISHED:
            raise RecordError(f"{file} is {snapshot.status}; only finished runs can be adopted")
        if _cut_short(snapshot):
            raise RecordError(f"{file} ends before its horizon; only whole runs can be adopted")
        if snapshot.speeds:
            raise RecordError(
                f"{file}: its device's speed changed during the run; only runs at one speed can be "
                "adopted"
            )
        if self.state(key) == State.FINISHED:
            return False
        with open_record(file) as stream:
            _place(self.path(key), stream.read())
        return True

    def _nearest(self, snapshot: RunSnapshot) -> str:
        """Return how a run differs from the planned run of the same cell and seed."""
        name, actual = run_name(snapshot.config), snapshot.config.to_json()
        for other in self.configs.values():
            if run_name(other) == name:
                fields = [
                    field for field, planned in other.to_json().items() if actual[field] != planned
                ]
                return f"{name} differs from the plan in its {' and '.join(fields)}"
        return f"{name} is not in the plan"


def run_name(config: RunConfig) -> str:
    """Return what identifies a run of one setting in a text: its algorithm, benchmark and seed."""
    return f"{config.algorithm} on {config.benchmark}, seed {config.seed}"


def create(plan: Plan, *, replace: bool = False) -> Campaign:
    """Store a plan; another plan of the same name is overwritten only with `replace`."""
    folder = paths.campaigns() / plan.name
    file = folder / PLAN
    if file.exists() and not replace and load(plan.name).plan != plan:
        raise ConfigError(
            f"{file} holds another plan; choose another name, or add --replace "
            "(records that are in both plans still count)"
        )
    _place(file, (json.dumps(plan.to_json(), indent=1) + "\n").encode())
    return Campaign(plan, folder)


def load(name: str, *, presets: bool = False) -> Campaign:
    """Return a campaign by name; with `presets`, a preset that is not planned yet is planned."""
    file = paths.campaigns() / name / PLAN
    if not NAME.fullmatch(name) or not file.exists():  # other names could be paths, or too long
        if presets and name in PRESETS:
            return create(preset(name))
        existing = ", ".join(names()) or "none yet"
        raise ConfigError(
            f"there is no campaign {shortened(repr(name))}; there are: {existing}. "
            f"Presets: {', '.join(PRESETS)}; `bolt campaign plan` makes others"
        )
    try:
        plan = Plan.from_json(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise RecordError(f"{file} is not a campaign's plan: {problem}") from None
    return Campaign(plan, file.parent)


def race_id(name: str, key: str) -> str:
    """Return the race id of one run of a campaign, as links carry it."""
    return f"campaign:{name}:{key}"


def name_of(race_id: str) -> str | None:
    """Return the campaign of such a race id; None for the id of another race."""
    parts = RACE_ID.fullmatch(race_id)
    return f"campaign:{parts[1]}" if parts else None


def record_of(asked: str) -> Path | None:
    """Return the record behind such a race id, if it exists."""
    parts = RACE_ID.fullmatch(asked)
    path = paths.campaigns() / parts[1] / f"{parts[2]}{records.SUFFIX}" if parts else None
    return path if path and path.exists() else None


def names() -> list[str]:
    """Return the names of all campaigns in the data directory."""
    return sorted(file.parent.name for file in paths.campaigns().glob(f"*/{PLAN}"))


def _cut_short(snapshot: RunSnapshot) -> bool:
    """Whether a run ended before its horizon, though its next query would have been before it."""
    if not len(snapshot):
        return True
    horizon = float((snapshot.header or {}).get("horizon", 0.0))
    ahead = snapshot.columns.notes[len(snapshot) - 1].get("ahead", 0.0)  # s to ABO's next query
    return float(snapshot.columns.ends()[-1]) + float(ahead) < horizon


def _place(path: Path, data: bytes) -> None:
    try:
        files.write_atomically(path, data)
    except OSError as problem:
        raise RecordError(f"cannot write {path}: {problem.strerror}") from None
