"""Save, load, continue and take back: an optimizer and its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bolt_core.common import files
from bolt_core.common.errors import ConfigError, FileAccessError, RecordError
from bolt_core.common.knob_tables import knob_to_json
from bolt_core.common.types import IterationRecord, RunConfig, RunStatus
from bolt_core.online import saved_record
from bolt_core.online.ask_tell import AskTell
from bolt_core.online.journal import LOCK_WAIT_SECONDS, SAVED, Journal
from bolt_core.online.pending import PendingAsks
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.online.rebuilding import rebuilt_state
from bolt_core.online.same_journal import check_same
from bolt_core.online.saved_record import SavedRun
from bolt_core.store import records

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer

O = TypeVar("O", bound="OnlineOptimizer")  # noqa: E741


def header_of(opt: OnlineOptimizer) -> dict[str, Any]:
    """Return the fields about the problem for the header of the record."""
    named: dict[str, Any] = {}
    if opt.spec is not None:
        knobs = [{"name": n, **knob_to_json(knob)} for n, knob in opt.spec.knobs.items()]
        named = {"problem": opt.spec.to_json(), "knobs": knobs}
    if opt.think_within is not None:
        named["think_within"] = opt.think_within
    return {
        "label": opt.name,
        "dimension": opt.space.dimension,
        "source": "a problem of your own",
        "bounds": opt.space.pairs,
        "minimize": opt.minimize,
        **named,
        **opt._inner.kernels,
    }


def state_of(opt: OnlineOptimizer, *, short: bool = False) -> dict[str, Any]:
    """Return the state of an optimizer, which with its records is enough to continue exactly.

    A short one is for `undo` only: it has no response times that are not in the records.
    """
    inner = opt._inner.short_state() if short else opt._inner.state()
    state = {"at": opt._at, "timeline": opt._timeline.state(), **inner}
    state |= {"i": opt._inner.history.length, "tells": opt._tells}
    if not opt._inner.bounded:
        return state
    thinking = {"thinking": opt._thinking.state(), "thought": opt._thought}
    return {**state, **opt._pending.state(), **thinking}


def take_back(opt: OnlineOptimizer, state: Mapping[str, Any]) -> None:
    """Bring an optimizer and its journal back to an earlier, short state."""
    now, past = state_of(opt), opt._inner.records
    bring_back(opt, state)
    try:
        rewrite(opt, {})
    except BaseException:
        restore(opt, now, past)
        opt._undo.append(state)
        raise


def bring_back(opt: OnlineOptimizer, state: Mapping[str, Any]) -> None:
    """Bring an optimizer back to an earlier, short state; its journal is left alone."""
    responses = opt._inner.responses_upto(state["response_count"])
    restore(opt, {**state, "responses": responses}, opt._inner.records[: state["i"]])


def restore(
    opt: OnlineOptimizer, state: Mapping[str, Any], past: Sequence[IterationRecord]
) -> None:
    """Bring an optimizer to a state, with the records of that time; its clock is left alone."""
    inner = AskTell(opt._inner.config, opt._problem(opt._inner.config), bounded=opt._inner.bounded)
    inner.resume(state, past)
    opt._inner, opt._at = inner, state["at"]
    opt._tells = state.get("tells", 0)
    opt._pending = PendingAsks()
    if "pending" in state:
        opt._pending.restore(state)
    columns = inner.history.view()
    notes = columns.notes[: columns.length]
    opt._answers.restore(zip(notes, columns["y"].tolist(), strict=True))


def begin_journal(opt: OnlineOptimizer, path: Path) -> None:
    """Create a journal; continue one that exists and is of the same problem."""
    with suppress(FileExistsError):
        header = {**header_of(opt), "journal": True}
        opt._journal = Journal.create(path, opt._inner.config, header)
        return
    with saved_record.damage_reported(path):
        journal = Journal.attach(path)
        try:
            saved = saved_record.read(path)
            check_same(opt, saved, path)
            resume(opt, saved)
            _repair(opt, journal, saved)
        except BaseException:
            journal.abandon()  # nothing of a file that is refused is cut
            raise


def open_journal(cls: type[O], path: Path, wait_seconds: float = LOCK_WAIT_SECONDS) -> O:
    """Return the optimizer of a journal, which it goes on writing to."""
    with saved_record.damage_reported(path):
        if not path.is_file():
            raise FileAccessError(
                f"there is no file {path}; create it with Bolt(..., journal=path)"
            )
        journal = Journal.attach(path, wait_seconds)
        try:
            saved = saved_record.read(path)
            opt = _built(cls, saved, path, bounded=True, catch_up=True)
            _repair(opt, journal, saved)
        except BaseException:
            journal.abandon()  # nothing of a file that is refused is cut
            raise
        return opt


def load(cls: type[O], path: Path) -> O:
    """Return the optimizer of a file."""
    with saved_record.damage_reported(path):
        return _built(cls, saved_record.read(path), path)


def _built(
    cls: type[O], saved: SavedRun, path: Path, *, bounded: bool = False, catch_up: bool = False
) -> O:
    config, header = saved.snapshot.config, saved.snapshot.header or {}
    try:
        cls._check_algorithm(config.algorithm)
    except ConfigError:
        raise saved_record.OtherAlgorithmError(
            f"{path} is of {config.algorithm}; load it with bolt_core.OnlineOptimizer.load"
        ) from None
    opt = cls(problem_of(config, header), **options_of(config, header))
    if bounded or saved.torn is not None or "pending" in (saved.state or {}):
        opt._inner = AskTell(opt._inner.config, opt._inner.problem, bounded=True)
    resume(opt, saved, catch_up=catch_up)
    return opt


def problem_of(config: RunConfig, header: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return the problem of a record: a ProblemSpec, or plain bounds."""
    if "problem" not in header:
        return [(low, high) for low, high in header["bounds"]]
    spec = ProblemSpec.from_json(header["problem"])
    if (spec.algorithm, spec.seed, spec.warmup) != (config.algorithm, config.seed, config.warmup):
        raise RecordError("the problem in the header is not that of the config")
    return spec


def options_of(config: RunConfig, header: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that an optimizer of a record is built with."""
    engine = config.engine
    options: dict[str, Any] = {**config.options, **config.params}
    options |= {"engine": engine.name, "acquisition": engine.acquisition, "ard": engine.ard}
    if "problem" in header:
        return options
    return options | {
        "algorithm": config.algorithm,
        "minimize": header["minimize"],
        "seed": config.seed,
        "warmup": config.warmup,
        "name": header["label"],
        "think_within": header.get("think_within"),
    }


def resume(opt: OnlineOptimizer, saved: SavedRun, *, catch_up: bool = True) -> None:
    """Bring a new optimizer to what a file holds; one pass is tried first."""
    if saved.torn is not None:
        _rebuild(opt, saved, saved.torn, catch_up=catch_up)
    if saved.state is None:
        return
    inner, state = opt._inner, dict(saved.state)
    if (
        inner.bounded and "pending" not in state
    ):  # `save` wrote it, of an optimizer without a journal
        state |= {"asks": 0, "pending": [], "tells": 0, "thinking": None}
        state["response_count"] = len(state["responses"])
    past = saved.snapshot.records
    saved_record.rehearse(inner.config, inner.problem, state, past)
    restore(opt, state, past)
    opt._timeline.restore(state["timeline"], catch_up=catch_up)
    opt._thinking.restore(state.get("thinking"))
    opt._thought = state.get("thought", 0.0)
    opt._undo.extend(s for s in saved.earlier if "pending" in s)


def _rebuild(
    opt: OnlineOptimizer, saved: SavedRun, torn: Mapping[str, Any], *, catch_up: bool
) -> None:
    """Bring a new optimizer to the observations of a file whose last state is torn off."""
    past = saved.snapshot.records
    tells = saved.earlier[-1].get("tells", 0) + 1 if saved.earlier else len(past)
    state = rebuilt_state(state_of(opt), past, torn, tells)
    saved_record.check_state(state, len(past))
    restore(opt, state, past)
    if "optimizer" not in torn:
        opt._inner.learn_anew()
    opt._timeline.restore(state["timeline"], catch_up=catch_up)
    opt._undo.extend(s for s in saved.earlier if "pending" in s)


def _repair(opt: OnlineOptimizer, journal: Journal, saved: SavedRun) -> None:
    """Let an optimizer write to its journal; one that was rebuilt is written anew, after a copy."""
    opt._journal = journal
    if saved.torn is not None:
        journal.keep_copy()
        journal.dropped_bytes, journal.rebuilt_rows = 0, len(saved.snapshot)
        rewrite(opt, {})


def check_open(opt: OnlineOptimizer) -> None:
    """Raise a RecordError if the journal was closed, before anything changes."""
    if opt._journal is not None:
        opt._journal.check_open()


def after_ask(opt: OnlineOptimizer, ended_seconds: float | None) -> None:
    """Write the state after an ask, and R(n) of the pass that it ended."""
    if opt._journal is None:
        return
    opt._journal.append([], state_of(opt), ended_seconds)
    _compact(opt)


def after_tell(opt: OnlineOptimizer, first: int) -> None:
    """Write the observations from number `first` on and the state after them."""
    if opt._journal is None:
        return
    opt._journal.append(opt._inner.records[first:], state_of(opt))
    _compact(opt)


def _compact(opt: OnlineOptimizer) -> None:
    if opt._journal is not None and opt._journal.is_long:
        opt._journal.rewrite(opt._inner.records, [*opt._undo, state_of(opt)])


def rewrite(opt: OnlineOptimizer, changes: Mapping[str, Any]) -> None:
    """Write the journal anew, if there is one; `changes` are for its header."""
    if opt._journal is not None:
        opt._journal.rewrite(opt._inner.records, [*opt._undo, state_of(opt)], changes)


def make_final(opt: OnlineOptimizer) -> None:
    """Let `undo` not go back beyond the present state."""
    opt._undo.clear()
    rewrite(opt, {})


def save(opt: OnlineOptimizer, target: Path) -> None:
    """Save everything as a record."""
    if target.is_dir():
        raise RecordError(f"cannot save to {target}: it is a folder; give the name of a file")
    if opt._journal is not None and opt._journal.path.resolve() == target.resolve():
        raise RecordError(f"{target} is the journal, which is saved at all times; choose another")
    part = target
    try:
        with files.atomic_path(target) as part:
            _write_record(opt, part)
    except (OSError, RecordError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem).replace(part.name, "it")
        raise RecordError(
            f"cannot save to {target}: {reason}; free some space or choose another folder"
        ) from None


def _write_record(opt: OnlineOptimizer, path: Path) -> None:
    with records.RecordWriter(path, opt._inner.config, header=header_of(opt)) as writer:
        for record in opt._inner.records:
            writer.append(record)
        if opt._inner.bounded:
            for state in opt._undo:
                writer.event(SAVED, **state)
        writer.event(SAVED, **state_of(opt))
        writer.close(RunStatus.INTERRUPTED)
