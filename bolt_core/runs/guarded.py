"""Prepare a run and make its passes, with a time limit for the code of plug-in packages.

Live races, campaigns and `bolt run` use the same limit. An algorithm of a plug-in makes every pass
in a thread of its own, and a benchmark of a plug-in is called in one (`timed_call.py`). Runs that
use no plug-in need no thread. Where a function yields None, the caller may do other work.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from bolt_core import algorithms, benchmarks
from bolt_core.common.types import IterationRecord, RunConfig
from bolt_core.runs import loop
from bolt_core.runs.timed_call import ObjectiveThread

PREPARING = "while it was being prepared"
T = TypeVar("T")


def plugin_thread(config: RunConfig, limit: float | None = None) -> ObjectiveThread | None:
    """Return the thread for the code of plug-ins that a run uses; None if it uses none.

    On the wall clock a pass also sleeps, for no longer than the horizon.
    """
    if config.algorithm in algorithms.built_in() and config.benchmark in benchmarks.built_in():
        return None
    thread = ObjectiveThread(limit)
    if config.clock.kind == "wall":
        thread.limit += config.horizon or benchmarks.get(config.benchmark).row.horizon
    return thread


def prepare(
    config: RunConfig, make: Callable[[], loop.Run], thread: ObjectiveThread | None
) -> Generator[None, None, loop.Run]:
    """Return make(), which prepares or resumes the run."""
    if thread is None:
        return make()
    if config.algorithm not in algorithms.built_in():
        return (yield from thread.call(make, PREPARING, _algorithm(config)))
    run = yield from thread.call(make, PREPARING, f"the benchmark {config.benchmark}")
    run.objective_thread = thread
    return run


class Passes:
    """The passes of a prepared run, and the state after the last one."""

    def __init__(self, run: loop.Run, thread: ObjectiveThread | None) -> None:
        self._run = run
        self._thread = None if run.config.algorithm in algorithms.built_in() else thread
        self._state: Callable[[], Mapping[str, Any]] = run.state

    def state(self) -> Mapping[str, Any]:
        """Return the state of the run; raises what `state` of a plug-in's algorithm raised."""
        return self._state()

    def steps(self) -> Iterator[IterationRecord | None]:
        """Yield one record per pass, and None while a plug-in has not answered."""
        if self._thread is None:
            yield from loop.steps(self._run)
            return
        passes = loop.steps(self._run)
        self._state = partial(_raise, RuntimeError("there is no state before the first pass"))
        while True:
            advance = partial(self._advance, passes)
            where = f"in pass {self._run.i}"
            record = yield from self._thread.call(advance, where, _algorithm(self._run.config))
            if record is None:
                return
            yield record

    def records(self) -> Iterator[IterationRecord]:
        """Yield one record per pass; wait for a plug-in, at most for its time limit."""
        return (record for record in self.steps() if record is not None)

    def _advance(self, passes: Iterator[IterationRecord | None]) -> IterationRecord | None:
        """Make a pass and keep the state after it, which is computed by the plug-in as well."""
        record = next(passes, None)
        if record is not None:
            try:
                state = self._run.state()
            except Exception as problem:  # noqa: BLE001 - the code of a plug-in
                self._state = partial(_raise, problem)
            else:
                self._state = lambda: state
        return record


def prepared(config: RunConfig, thread: ObjectiveThread | None) -> loop.Run:
    """Return a run that is ready to start; wait for a plug-in, at most for its time limit."""
    return _waited_for(prepare(config, partial(loop.prepare, config), thread))


def _waited_for(work: Generator[None, None, T]) -> T:
    while True:
        try:
            next(work)
        except StopIteration as end:
            value: T = end.value
            return value


def _algorithm(config: RunConfig) -> str:
    return f"the algorithm {config.algorithm}"


def _raise(problem: Exception) -> Mapping[str, Any]:
    raise problem
