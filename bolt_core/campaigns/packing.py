"""Carry finished runs from one machine to another: `bolt campaign pack`, `unpack` and `drop`.

A pack is written and committed while a campaign grows; another machine unpacks it and runs only
what is left. Runs that a later change of the code concerns are dropped and run again.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace as with_changes
from pathlib import Path

from bolt_core.campaigns import campaign as campaigns
from bolt_core.campaigns import packs, results
from bolt_core.campaigns.campaign import Campaign, State, run_name
from bolt_core.campaigns.packs import Pack, PackedRun
from bolt_core.campaigns.plan import NAME, Plan
from bolt_core.campaigns.run_result import RunResult
from bolt_core.campaigns.selection import Selection
from bolt_core.common import checkout
from bolt_core.common.errors import BoltError, ConfigError, RecordError
from bolt_core.common.text import counted, shortened
from bolt_core.store import records

DROPPED = "dropped"  # folder of a campaign with records that no longer count
COMMIT_LETTERS = 10  # enough to find a commit
INVALID_PLAN = (BoltError, KeyError, TypeError, ValueError, AttributeError, OverflowError)


@dataclass(frozen=True, slots=True)
class Packed:
    """What was packed."""

    runs: int
    damaged: Mapping[str, str]  # why a finished run is not in the pack, by key


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What was unpacked."""

    campaign: Campaign
    new: int
    replaced: int
    present: int  # already there
    unplanned: int  # of the pack: kept, but not in the plan


def pack(campaign: Campaign, path: Path, *, replace: bool = False) -> Packed:
    """Write the finished runs of a campaign to a file.

    A pack that is there already is grown: its runs are not summarised again. One with runs that the
    campaign does not have is not overwritten without `replace`.
    """
    if not path.parent.is_dir():
        raise ConfigError(f"the folder {path.parent} does not exist; make it, or change --out")
    earlier = {} if replace or not path.exists() else _earlier(path)
    finished = [key for key, state in campaign.states().items() if state == State.FINISHED]
    if missing := sorted(set(earlier) - set(finished)):
        raise RecordError(
            f"{path} has {counted(len(missing), 'run')} that {campaign.plan.name} does not have "
            f"({run_name(earlier[missing[0]].result.config)}, ...); unpack it first, or add "
            "--replace"
        )
    runs, damaged = [], {}
    for key in finished:
        try:
            runs.append(_packed_run(campaign, key, earlier.get(key)))
        except RecordError as problem:
            damaged[key] = str(problem)
    if not runs:
        remedy = f"`bolt campaign run {campaign.plan.name}` makes runs"
        raise ConfigError(f"{campaign.plan.name} has no finished run to pack; {remedy}")
    packs.write(path, campaign.plan, runs)
    return Packed(len(runs), damaged)


def unpack(path: Path, name: str | None = None, *, replace: bool = False) -> Unpacked:
    """Add the runs of a pack to a campaign, which is planned as in the pack if there is none.

    Of two runs of one config with different results the newer is taken with `replace`, and without
    it nothing is changed.
    """
    pack = packs.read(path)
    campaign = _campaign_for(pack, name or pack.name)
    with campaign.locked():
        here = _runs_here(campaign, pack)
        differing = [key for key in here if _numbers(here[key]) != _numbers(pack.runs[key])]
        if differing and not replace:
            raise RecordError(_difference(campaign, pack, here, differing))
        newer = [key for key in differing if here[key].started <= pack.runs[key].started]
        added = {key: run for key, run in pack.runs.items() if key not in here or key in newer}
        if added:
            store(campaign, {**campaign.packed(), **added}, added)
    unplanned = len(set(pack.runs) - set(campaign.configs))
    new = len(added) - len(newer)
    return Unpacked(campaign, new, len(newer), len(pack.runs) - len(added), unplanned)


def drop(campaign: Campaign, selection: Selection, before: str | None = None) -> int:
    """Make finished or failed runs count no longer, so that they are run again; return how many.

    `before`: only runs of code without that commit. Records are moved to the folder `dropped`.
    """
    if before is not None:
        checkout.check_revision(before)
    with campaign.locked():
        keys = {config.key for config in selection.of(campaign.configs.values())}
        packed = campaign.packed()
        keys = {key for key in keys if key in packed or campaign.path(key).exists()}
        if before is not None:
            commits = {key: commit_of(campaign, key) for key in keys}
            later = {c for c in set(commits.values()) if checkout.contains(c, before)}
            keys = {key for key in keys if commits[key] not in later}
        store(campaign, {key: run for key, run in packed.items() if key not in keys}, keys)
    return len(keys)


def store(campaign: Campaign, runs: Mapping[str, PackedRun], superseded: Collection[str]) -> None:
    """Store the runs that came in packs; records of superseded runs no longer count."""
    if runs != campaign.packed():
        campaign.packed_runs.write(campaign.plan, runs)
    for key in superseded:
        path = campaign.path(key)
        try:
            if path.exists():
                (campaign.folder / DROPPED).mkdir(exist_ok=True)
                path.replace(campaign.folder / DROPPED / path.name)
        except OSError as problem:
            raise RecordError(f"cannot move {path}: {problem.strerror}") from None


def commits(campaign: Campaign) -> Counter[str | None]:
    """Return how many finished runs each commit of the code has made; None: not recorded."""
    states = campaign.states()
    return Counter(commit_of(campaign, k) for k, s in states.items() if s == State.FINISHED)


def commit_of(campaign: Campaign, key: str) -> str | None:
    """Return the commit of the code that made a run; None: not recorded."""
    if packed := campaign.packed().get(key):
        return packed.result.commit
    try:
        commit = records.read_header(campaign.path(key)).get("commit")
    except RecordError:
        return None
    return commit if isinstance(commit, str) else None


def short_commit(commit: str | None) -> str:
    """Return a commit as texts name it."""
    return commit[:COMMIT_LETTERS] if commit else "unknown"


def _earlier(path: Path) -> Mapping[str, PackedRun]:
    try:
        return packs.read(path).runs
    except RecordError as problem:
        reason = str(problem).removesuffix(f"; {packs.REMEDY}")
        raise RecordError(f"{reason}; choose another file, or add --replace") from None


def _packed_run(campaign: Campaign, key: str, earlier: PackedRun | None) -> PackedRun:
    """Return a finished run for a pack; `earlier` is that of the pack that is replaced."""
    if packed := campaign.packed().get(key):
        return packed
    path = campaign.path(key)
    if earlier and earlier.made["run_id"] == records.read_header(path).get("run_id"):
        return earlier
    return packs.packed_run(path, *results.result_of(campaign, key))


def _campaign_for(pack: Pack, name: str) -> Campaign:
    """Return the campaign of that name; if there is none, plan it as in the pack."""
    if name in campaigns.names():
        campaign = campaigns.load(name)
        if pack.runs and not set(pack.runs) & set(campaign.configs):
            raise RecordError(
                f"no run of {pack.path} is in the plan of {name}; choose another --name"
            )
        return campaign
    if not NAME.fullmatch(name):
        raise ConfigError(
            f"a campaign's name is letters, digits, '-', '_' and '.', got {shortened(name)!r}"
        )
    try:
        plan = Plan.from_json({**pack.plan, "name": name})
    except INVALID_PLAN as problem:
        raise RecordError(
            f"{pack.path}: its plan cannot be used ({shortened(problem)}); plan {name} first with "
            "`bolt campaign plan`"
        ) from None
    return campaigns.create(plan)


def _runs_here(campaign: Campaign, pack: Pack) -> dict[str, PackedRun]:
    """Return the runs that both the campaign and the pack have, as the campaign has them."""
    packed, here = campaign.packed(), {}
    for key, run in pack.runs.items():
        if key in packed:
            here[key] = packed[key]
        elif key in campaign.configs and campaign.record_state(key) == State.FINISHED:
            with suppress(RecordError):  # damaged: the run of the pack is taken
                here[key] = _packed_run(campaign, key, run)
    return here


def _numbers(run: PackedRun) -> RunResult:
    """Return the result without the commit: code that differs elsewhere gives the same numbers."""
    return with_changes(run.result, commit=None)


def _difference(
    campaign: Campaign, pack: Pack, here: Mapping[str, PackedRun], differing: list[str]
) -> str:
    """Return the error about runs with different results."""
    key, *others = differing
    there, first = pack.runs[key].result, here[key].result
    also = f", and so do {counted(len(others), 'other')}" if others else ""
    return (
        f"{pack.path}: {run_name(first.config)}, made by commit {short_commit(there.commit)}, "
        f"differs from that of {campaign.plan.name}, made by commit {short_commit(first.commit)}"
        f"{also}; add --replace to take the newer of each, or --name to unpack into another "
        "campaign"
    )
