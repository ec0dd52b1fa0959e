"""kill -9 at random moments: nothing that was shown or promised is lost, and everything goes on.

A process works in one of seven states (workload.py) and is killed. Then this process reads what it
left: what it had printed must be there, every list can be made, and what was interrupted continues
to the records of an undisturbed run.
"""

import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bolt_core import Bolt
from bolt_core.campaigns import campaign, pools
from bolt_core.common.errors import BoltError
from bolt_core.common.types import RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.runs.loop import iterate, prepare
from bolt_core.store import importing, trash
from bolt_core.store.library import Library
from bolt_core.store.listing import listing
from bolt_core.store.records import RecordWriter, read
from tools.chaos import races, workload
from tools.chaos.processes import child, temporary_home
from tools.chaos.report import Check

MAX_DELAY_SECONDS = {  # from the first line that a process prints to its end, at random
    "race": 2.0,
    "loading": 0.3,
    "queued": 1.5,
    "importing": 0.5,
    "deleting": 0.5,
    "saving": 1.5,
    "campaign": 2.0,
}
SHORT, LONG = ("race", "deleting", "saving"), 100  # states of a short form, kills of a long one
FILES_TO_IMPORT, RACES_TO_DELETE, RUNS_PER_RACE = 200, 5, 3
Heard = Sequence[dict[str, Any]]


def run(seed: int, *, long: bool) -> list[Check]:
    """Kill processes and return one check per state."""
    rng = random.Random(seed)
    names = list(MAX_DELAY_SECONDS)
    states = [names[k % len(names)] for k in range(LONG)] if long else SHORT
    checks = {state: Check("kills", state) for state in states}
    lengths: dict[str, list[int]] = {state: [] for state in states}
    for number, state in enumerate(states):
        label = f"kill {number} of seed {seed}"
        lengths[state].append(_kill(state, rng, checks[state], label))
        found = sum(len(check.problems) for check in checks.values())
        sys.stderr.write(f"{label}, {state}: {found} problems so far\n")
    for state, check in checks.items():
        check.figures = f"{len(lengths[state])} kills after {_range(lengths[state])} lines"
    return list(checks.values())


def _range(lengths: Sequence[int]) -> str:
    return f"{min(lengths)} to {max(lengths)}"


def _kill(state: str, rng: random.Random, check: Check, label: str) -> int:
    """Kill one process in a state, check what it left, and return how many lines it printed."""
    seed, delay = rng.randrange(1000), rng.uniform(0.0, MAX_DELAY_SECONDS[state])
    label = f"{label}, {state} with seed {seed} after {delay:.3f} s"
    with temporary_home() as home:
        _prepare(state, home)
        with child("tools.chaos.workload", state, str(seed)) as process:
            process.wait_for_first()
            process.sleep(delay)
            heard = process.kill()
        try:
            _can_be_listed(check, home, label)
            AFTERWARDS[state](check, home, seed, heard, label)
        except (BoltError, OSError, LookupError, ValueError, TypeError) as problem:
            check.expect(False, f"{label}: {type(problem).__name__}: {problem}")
    return len(heard)


def _prepare(state: str, home: Path) -> None:
    """Make the records that a state needs."""
    if state == "importing":
        (home / workload.MADE_FILES).mkdir()
        for number in range(FILES_TO_IMPORT):
            path = home / workload.MADE_FILES / f"{number:03}.jsonl"
            path.write_bytes(made_race(f"race-{number:03}", home))
    elif state == "deleting":
        for number in range(RACES_TO_DELETE):
            importing.import_records(made_race(f"race-{number:03}", home), home / "runs")


_made: dict[str, bytes] = {}


def made_race(race_id: str, folder: Path) -> bytes:
    """Return the records of a small race of some runs, as one file."""
    if not _made:
        config = races.lane("random", 0, 2.0)
        path = folder / "template.jsonl"
        run = prepare(config)
        header = run.header_fields() | {"race_id": "RACE", "lane": 0, "place": 0}
        with RecordWriter(path, config, header=header, run_id="RUN") as writer:
            for record in iterate(run):
                writer.append(record)
        _made["template"] = path.read_bytes()
        path.unlink()
    template = _made["template"].replace(b'"RACE"', f'"{race_id}"'.encode())
    names = [f'"{race_id}-{k}"'.encode() for k in range(RUNS_PER_RACE)]
    return b"".join(template.replace(b'"RUN"', name) for name in names)


def _can_be_listed(check: Check, home: Path, label: str) -> None:
    stored = Library(home / "runs").races()
    listing(stored, {}, 0.0)
    broken = [file.path.name for race in stored for file in race.broken]
    check.expect(not broken, f"{label}: {broken} cannot be read")


def _after_races(check: Check, home: Path, _: int, heard: Heard, label: str) -> None:
    """Check the shown passes, continue every race, and compare it with undisturbed runs."""
    library = Library(home / "runs")
    shown: dict[str, int] = {}
    for line in heard:
        shown |= line.get("passes", {})
    stored = {run.run_id: run for race in library.races() for run in race.runs}
    for run_id, count in shown.items():
        file = stored.get(run_id)
        kept = len(read(file.path)) if file and file.exists else 0
        check.expect(kept >= count, f"{label}: {count} passes shown, {kept} stored of {run_id}")
    conductor = Conductor(home / "runs")
    try:
        for line in heard:
            if "race" in line:
                race = library.find(line["race"])
                runs = len(race.runs) if race else 0
                check.expect(runs == line["runs"], f"{label}: {runs} of {line['runs']} runs known")
                if race is not None and race.status == RunStatus.INTERRUPTED:
                    races.resume_to_the_end(conductor, line["race"])
    finally:
        conductor.shutdown()
    for line in heard:
        if "race" in line:
            races.check_finished(check, library, line["race"], label)


def _after_importing(check: Check, home: Path, _: int, heard: Heard, label: str) -> None:
    """Check that imported races are complete, and that what was cut off can be imported again."""
    made = home / workload.MADE_FILES
    for line in heard:
        if "imported" in line:
            check.expect(_is_whole(home, made / line["file"]), f"{label}: {line} is not complete")
    begun = [line["begins"] for line in heard if "begins" in line]
    for name in begun[-1:]:
        importing.import_records((made / name).read_bytes(), home / "runs")
        check.expect(_is_whole(home, made / name), f"{label}: {name} is not complete afterwards")


def _is_whole(home: Path, file: Path) -> bool:
    """Whether the stored records of a race are those of the imported file."""
    race_id = f"race-{file.stem}"
    race = Library(home / "runs").find(race_id)
    stored = sorted(path.read_bytes() for path in race.records) if race else []
    return b"".join(stored) == made_race(race_id, home)


def _after_deleting(check: Check, home: Path, _: int, heard: Heard, label: str) -> None:
    """Check that every file is in one of two places, and that an interrupted race is restored."""
    library, bin_ = Library(home / "runs"), home / "runs" / trash.TRASH_FOLDER
    last: dict[str, str] = {}
    for line in heard:
        ((what, race_id),) = line.items()
        last[race_id] = what
    for number in range(RACES_TO_DELETE):
        race_id = f"race-{number:03}"
        there = {path.name for path in library.directory.glob(f"{race_id}-*")}
        deleted = {path.name for path in (bin_ / race_id).glob("*")}
        state = f"{label}: {race_id}, {last.get(race_id)}: {len(there)} + {len(deleted)} files"
        check.expect(len(there | deleted) == RUNS_PER_RACE and not there & deleted, state)
        if last.get(race_id) == "deleted":
            check.expect(not there, state)
        elif last.get(race_id) == "restored":
            check.expect(not deleted, state)
        if deleted:
            trash.restore(library, race_id)
        restored = library.find(race_id)
        whole = restored is not None and len(restored.records) == RUNS_PER_RACE
        check.expect(whole, f"{state}, not complete after restoring")


def _after_saving(check: Check, home: Path, seed: int, heard: Heard, label: str) -> None:
    """Check that the last acknowledged save can be loaded and continues as if not interrupted."""
    count = max(line["saved"] for line in heard)
    opt = Bolt.load(home / workload.SAVED)
    kept = len(opt.snapshot())
    check.expect(kept >= count, f"{label}: {count} passes saved, {kept} loaded")
    twin = workload.new_optimizer(seed)
    for step in range(kept):
        workload.tell_next(twin, step)
    for step in range(kept, kept + 3):
        workload.tell_next(opt, step)
        workload.tell_next(twin, step)
    same = races.lines(opt.snapshot().records) == races.lines(twin.snapshot().records)
    check.expect(same, f"{label}: it continues differently")


def _after_campaign(check: Check, _: Path, seed: int, heard: Heard, label: str) -> None:
    """Check that finished runs are kept, and that running it again finishes the others."""
    planned = workload.planned_campaign(seed)
    states = planned.states()
    for line in heard:
        if key := line.get("finished"):
            check.expect(states[key] == campaign.State.FINISHED, f"{label}: {key} is {states[key]}")
    planned.run(pools.InProcess())
    for key, config in planned.configs.items():
        same = races.lines(read(planned.path(key)).records) == races.undisturbed(config)
        check.expect(same, f"{label}: {key} has other passes")


AFTERWARDS: dict[str, Callable[[Check, Path, int, Heard, str], None]] = {
    "race": _after_races,
    "loading": _after_races,
    "queued": _after_races,
    "importing": _after_importing,
    "deleting": _after_deleting,
    "saving": _after_saving,
    "campaign": _after_campaign,
}
