"""A campaign on disk: a folder with `campaign.json`, the plan, and one record a run.

    <BOLT_HOME>/campaigns/<name>/<config key>.jsonl

A record that is finished is done for good; a missing, failed or unfinished one is done (again)
when the campaign is run. Records appear whole, by renaming, so that stopping it at any moment,
however roughly, loses at most the runs under way.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path

from bolt_core.campaigns.plan import NAME, Plan
from bolt_core.campaigns.pools import Outcome, Pool
from bolt_core.campaigns.presets import PRESETS, preset
from bolt_core.common import files, paths
from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store import library, records
from bolt_core.store.record_format import open_record

PLAN = "campaign.json"
LOCK = "run.lock"  # held by the process that runs the campaign, and let go with it
MOMENT = 1.0  # seconds: somebody may be looking whether it is held
ATTEMPTS = 2
RACE = "campaign"  # how the id of a campaign's run begins
KEY = re.compile(r"[0-9a-f]{12}")


class State(StrEnum):
    """How far a run of the plan has come."""

    FINISHED = "finished"
    FAILED = "failed"
    UNFINISHED = "unfinished"  # a file without a closing line, stopped, or of another run
    MISSING = "missing"


class Campaign:
    """A plan and its folder."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.configs: Mapping[str, RunConfig] = {c.key: c for c in plan.configs()}

    def path(self, key: str) -> Path:
        return self.folder / f"{key}{records.SUFFIX}"

    def states(self) -> dict[str, State]:
        """Of every run of the plan, by key."""
        return {key: self.state(key) for key in self.configs}

    def state(self, key: str) -> State:
        return _state(self.path(key), key)

    def pending(self) -> list[RunConfig]:
        """What is left to do, in the plan's order."""
        states = self.states()
        return [c for key, c in self.configs.items() if states[key] != State.FINISHED]

    def reasons(self, states: Mapping[str, State]) -> dict[str, str]:
        """Why runs failed, by key."""
        return {key: self.error(key) for key, state in states.items() if state == State.FAILED}

    def error(self, key: str) -> str:
        """Why a run failed, in one line."""
        path = self.path(key)
        try:
            reason = library.last_state_or_end(path, path.stat().st_size).get("error")
        except OSError:  # removed a moment ago, to be run again
            reason = None
        return str(reason or "no reason was recorded").splitlines()[0]

    def damaged(self, key: str) -> str:
        """What to do with a record that cannot be read, though it has its closing line."""
        return f"its record is damaged; remove {self.path(key).name} and run the campaign again"

    def keep(self, outcome: Outcome) -> None:
        """Store a record, failed or not."""
        _place(self.path(outcome.config.key), gzip.decompress(outcome.record))

    @property
    def running(self) -> bool:
        """Is some process at it, here or in another terminal?"""
        return files.is_locked(self.folder / LOCK)

    def run(self, pool: Pool, watch: Callable[[Outcome], None] | None = None) -> None:
        """Do what is left; a run that fails is tried once more. `watch` hears of every end."""
        with self._turn():
            self._run(pool, watch)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """One process at a time."""
        with ExitStack() as stack:
            try:
                stack.enter_context(files.locked(self.folder / LOCK, MOMENT))
            except BlockingIOError:
                raise ConfigError(
                    f"{self.plan.name} is being run by another process; stop that one first, or "
                    f"follow it with `bolt campaign status {self.plan.name}`"
                ) from None
            except OSError as problem:
                raise RecordError(f"cannot write {self.folder}: {problem.strerror}") from None
            yield

    def _run(self, pool: Pool, watch: Callable[[Outcome], None] | None) -> None:
        tries: dict[str, int] = {}

        def submit(config: RunConfig) -> None:
            tries[config.key] = tries.get(config.key, 0) + 1
            pool.submit(config, {"campaign": self.plan.name, "attempt": tries[config.key]})

        with pool:
            for config in self.pending():
                submit(config)
            try:
                for outcome in pool.outcomes():
                    self.keep(outcome)
                    if outcome.error is not None and tries[outcome.config.key] < ATTEMPTS:
                        submit(outcome.config)
                    elif watch is not None:
                        watch(outcome)
            finally:
                for outcome in pool.rescue():
                    self.keep(outcome)

    def adopt(self, file: Path) -> bool:
        """Copy in a finished record made elsewhere; False: that run is here already."""
        snapshot = records.read(file)
        key = snapshot.config.key
        if key not in self.configs:
            raise RecordError(f"{file} is no run of {self.plan.name}: {self._nearest(snapshot)}")
        if snapshot.status != RunStatus.FINISHED:
            raise RecordError(f"{file} is {snapshot.status}; only finished runs can be adopted")
        if _cut_short(snapshot):
            raise RecordError(f"{file} ends before its horizon; only whole runs can be adopted")
        if snapshot.speeds:
            raise RecordError(
                f"{file}: its device's speed was changed on the way; only runs of one speed count"
            )
        if _state(self.path(key), key) == State.FINISHED:
            return False
        with open_record(file) as stream:  # packed or not
            _place(self.path(key), stream.read())
        return True

    def _nearest(self, snapshot: RunSnapshot) -> str:
        """In which choice the run differs from the plan's of the same cell and seed."""
        c = snapshot.config
        what = f"{c.algorithm} on {c.benchmark}, seed {c.seed}"
        cell = (c.algorithm, c.benchmark, c.seed)
        for other in self.configs.values():
            if cell == (other.algorithm, other.benchmark, other.seed):
                own, wanted = asdict(c), asdict(other)
                differs = [name for name in own if own[name] != wanted[name]]
                return f"{what} differs from the plan in its {' and '.join(differs)}"
        return f"{what} is not in the plan"


def create(plan: Plan, *, replace: bool = False) -> Campaign:
    """Write the plan down. Another plan of that name is not overwritten unless told so."""
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
    """A campaign by name; with `presets`, one that was not planned yet is planned."""
    file = paths.campaigns() / name / PLAN
    if not file.exists():
        if presets and name in PRESETS:
            return create(preset(name))
        there = ", ".join(names()) or "none yet"
        raise ConfigError(
            f"there is no campaign {name!r}; there are: {there}. "
            f"Presets: {', '.join(PRESETS)}; `bolt campaign plan` makes others"
        )
    try:
        plan = Plan.from_json(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise RecordError(f"{file} is not a campaign's plan: {problem}") from None
    return Campaign(plan, file.parent)


def race_id(name: str, key: str) -> str:
    """What a link calls one run of a campaign."""
    return f"{RACE}:{name}:{key}"


def record_of(asked: str) -> Path | None:
    """The record behind such an id, if it is there."""
    kind, _, rest = asked.partition(":")
    name, _, key = rest.partition(":")
    if kind != RACE or not NAME.fullmatch(name) or not KEY.fullmatch(key):
        return None
    path = paths.campaigns() / name / f"{key}{records.SUFFIX}"
    return path if path.exists() else None


def names() -> list[str]:
    """Every campaign in the data directory."""
    return sorted(file.parent.name for file in paths.campaigns().glob(f"*/{PLAN}"))


def _state(path: Path, key: str) -> State:
    """From the first and the last line alone."""
    if not path.exists():
        return State.MISSING
    try:
        if records.read_header(path).get("config_key") != key:
            return State.UNFINISHED
        last = library.last_state_or_end(path, path.stat().st_size)
    except (RecordError, OSError):
        return State.UNFINISHED
    status = last.get("status") if last.get("kind") == "end" else None
    return State(status) if status in (State.FINISHED, State.FAILED) else State.UNFINISHED


def _cut_short(snapshot: RunSnapshot) -> bool:
    """A loop ends at the horizon, unless its next query wanted a moment beyond it."""
    if not len(snapshot):
        return True
    horizon = float((snapshot.header or {}).get("horizon", 0.0))
    ahead = snapshot.columns.notes[len(snapshot) - 1].get("ahead", 0.0)  # as far as ABO looks
    return float(snapshot.columns.ends()[-1]) + float(ahead) < horizon


def _place(path: Path, data: bytes) -> None:
    try:
        files.write_atomically(path, data)
    except OSError as problem:
        raise RecordError(f"cannot write {path}: {problem.strerror}") from None
