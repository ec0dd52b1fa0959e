"""Threads that measure simulated plants: ask, measure, tell, twice per second.

The time of a plant runs faster than the clock: one measurement per minute of the plant. Its times
follow the last one that the problem knows, so that they are in order whatever was told before.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from bolt_core.common.errors import BoltError, LimitError, StateError
from bolt_core.online.optimizer import OnlineOptimizer
from bolt_core.problems import simulated_plant, steps
from bolt_core.problems.limits import MAX_PLANTS, PLANT_MEASUREMENTS, PLANT_SECONDS
from bolt_core.problems.open_problem import OpenProblem
from bolt_core.problems.problem_file import SimulatedPlant
from bolt_core.problems.steps import Measurement

PERIOD = timedelta(minutes=1)  # of measurements, in the time of the plant
MEASURING = timedelta(seconds=20)  # from the ask to the tell, in the time of the plant
STEP_SECONDS = 0.5  # of real time
STOP_SECONDS = 2.0  # to wait for a measurement that is under way

log = logging.getLogger(__name__)


class PlantDrivers:
    """The simulated plants that run on a server."""

    def __init__(self, now: Callable[[], datetime], step_seconds: float = STEP_SECONDS) -> None:
        self._now, self._step_seconds = now, step_seconds
        self._lock = threading.Lock()
        self._running: dict[str, PlantDriver] = {}

    def start(self, problem: OpenProblem, plant: SimulatedPlant) -> None:
        """Let a plant be measured; a LimitError if many run."""
        with self._lock:
            self.check_room()
            if self.is_running(problem.id):
                raise StateError("the simulated plant is running already")
            driver = PlantDriver(problem, plant, self._step_seconds)
            self._running[problem.id] = driver
            driver.start()

    def check_room(self) -> None:
        """Raise a LimitError if as many plants run as may."""
        self._running = {key: d for key, d in self._running.items() if d.is_alive()}
        if len(self._running) >= MAX_PLANTS:
            raise LimitError(
                f"{MAX_PLANTS} simulated plants run on this server; try again in half a minute"
            )

    def is_running(self, id: str) -> bool:
        """Whether the plant of a problem is running."""
        driver = self._running.get(id)
        return driver is not None and driver.is_alive()

    def stop(self, id: str) -> None:
        """Stop the plant of a problem after its present measurement."""
        if (driver := self._running.get(id)) is not None:
            driver.stop()

    def shutdown(self) -> None:
        """Stop all plants."""
        for id in list(self._running):
            self.stop(id)


class PlantDriver(threading.Thread):
    """Measures one plant in a thread of its own."""

    def __init__(self, problem: OpenProblem, plant: SimulatedPlant, step_seconds: float) -> None:
        super().__init__(name=f"bolt-plant-{problem.id}", daemon=True)
        self._problem, self._plant, self._step_seconds = problem, plant, step_seconds
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Stop after the present measurement, and wait for it."""
        self._stopped.set()
        if self.is_alive() and threading.current_thread() is not self:
            self.join(STOP_SECONDS)

    def run(self) -> None:
        """Measure until the number of measurements or the time is reached."""
        began = time.monotonic()
        try:
            for number in range(PLANT_MEASUREMENTS):
                self._problem.change(self._measure)
                due = began + (number + 1) * self._step_seconds
                late = time.monotonic() - began > PLANT_SECONDS
                if late or self._stopped.wait(max(due - time.monotonic(), 0.0)):
                    return
        except BoltError as problem:  # deleted, or the disk is full
            log.warning("the simulated plant of %s has stopped: %s", self._problem.id, problem)
        except Exception:
            log.exception("the simulated plant of %s", self._problem.id)

    def _measure(self, opt: OnlineOptimizer) -> None:
        """Ask for a setting, measure it at its time, and tell the yield."""
        latest = opt.latest
        at = latest if isinstance(latest, datetime) else self._plant.began
        ask = steps.ask(opt, at + PERIOD - MEASURING, reuse=True)
        measured = max(at + PERIOD, ask.at)
        seconds = (measured - self._plant.began).total_seconds()
        value = simulated_plant.measured_yield(ask.setting, seconds, self._plant.seed)
        steps.tell(opt, measured, Measurement(value, ask.id, at=measured))
