"""The status row of a race, as data: badge, progress, what the race waits for, its page state.

A page draws the row from this data, and every poll of a browser brings it again, so a live race
needs one poll per viewer and no rerun of its page. The page is run again only when its state
differs from the state that it was drawn with.
"""

import hashlib
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from bolt_core.analysis.speed_changes import speed_changes
from bolt_core.charts.chart_registry import View, shown
from bolt_core.common.devices import disturbed_label
from bolt_core.common.text import (
    LONG_RACE,
    duration,
    exact_time,
    listed,
    minutes,
    race_time,
    seed_numbers,
)
from bolt_core.common.types import RunStatus
from bolt_core.figures.arena.headline import headline
from bolt_core.runs.own_problem import OWN_CLOCK, clock_label, is_own_problem
from bolt_core.runs.race_snapshot import RaceSnapshot, disturbance
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.listing import benchmark_label

BADGES: Mapping[RunStatus, tuple[str, str, str]] = MappingProxyType(
    {  # label, Material icon, colour of the theme
        RunStatus.QUEUED: ("Queued", "hourglass_empty", "gray"),
        RunStatus.STARTING: ("Starting", "hourglass_top", "blue"),
        RunStatus.WARMING_UP: ("Warming up", "shuffle", "blue"),
        RunStatus.RUNNING: ("Live", "radio_button_checked", "red"),
        RunStatus.PAUSED: ("Paused", "pause_circle", "orange"),
        RunStatus.STOPPING: ("Stopping", "stop_circle", "gray"),
        RunStatus.FINISHED: ("Finished", "check_circle", "green"),
        RunStatus.STOPPED: ("Stopped", "stop_circle", "gray"),
        RunStatus.FAILED: ("Failed", "error", "red"),
        RunStatus.INTERRUPTED: ("Interrupted", "power_off", "orange"),
    }
)
SAVED = ("Saved", "save", "green")  # a record of `opt.save`, whose problem may go on elsewhere
FIRST_CHART_FOLLOWS = (RunStatus.STARTING, RunStatus.WARMING_UP, RunStatus.RUNNING)
SEPARATOR = " \N{MIDDLE DOT} "
HOUR_SECONDS = 3600.0
FAST = 1000.0  # times real speed, from which on it has no decimals
DISTURBED = """\
The machine was also busy with something else: work that takes 1 s alone took this race \
{factor:.1f} s. The cpu clock leaves out the time a thread waits, so the race continues and its \
result is nearly the same as on an idle machine.

It is not exactly the same: each second of Python work in parallel adds about 15 to 20 ms to the \
clock (bolt bench clock, line "charged"), so R(n) looks slightly larger and n* slightly smaller. \
The model clock is not affected."""


def status_row(race: RaceSnapshot, run: str = "") -> dict[str, Any]:
    """Return what the status row of a page shows, as JSON values; None for what it leaves out.

    `run` names the run that the page shows; empty for a page that shows all runs. `state` changes
    when the page has to be run again, and `soon` says that its first chart is about to follow.
    """
    badge, icon, colour = SAVED if _is_saved(race) else BADGES[race.status]
    begun, moving = has_begun(race, run), not race.status.ended and race.position is None
    return {
        "state": page_state(race, begun),
        "soon": not begun and race.status in FIRST_CHART_FOLLOWS,
        "badge": badge,
        "icon": icon,
        "colour": colour,
        "description": _description(race),
        "compared": _compared(race),
        "share": min(race.t / race.horizon, 1.0) if moving and race.horizon else None,
        "progress": _progress(race) if race.position or (moving and race.horizon) else None,
        "disturbed": DISTURBED.format(factor=race.disturbed) if race.disturbed else None,
        "waiting": None if begun else _waiting(race),
    }


def page_state(race: RaceSnapshot, begun: bool) -> str:
    """Return a digest of what a page shows of a race outside its charts and its status row."""
    failed = [run.run_id for run in race.runs if run.status == RunStatus.FAILED]
    queued = race.position is not None
    shows = (str(race.status), queued, begun, race.warning, race.speed, failed)
    return hashlib.sha256(repr(shows).encode()).hexdigest()[:12]


def has_begun(race: RaceSnapshot, run: str = "") -> bool:
    """Return whether there is something to draw: a pass of the run, or a curve of any run."""
    if run:
        return len(shown(race, View(show=run))) > 0
    return any(len(one) > one.config.warmup for one in race.runs) or bool(headline(race.runs))


def seeds(runs: Sequence[RunSnapshot]) -> str:
    """Return the seeds of runs in words: "seed 3", "seeds 0 to 4"."""
    return seed_numbers(run.config.seed for run in runs)


def clocks(runs: Sequence[RunSnapshot]) -> str:
    """Return the clocks of runs and their devices in words, each once."""
    return listed(list(dict.fromkeys(clock_label(run.config, run.header) for run in runs)))


def _description(race: RaceSnapshot) -> str:
    config = race.runs[0].config
    name = benchmark_label(config, race.runs[0].header)
    if is_own_problem(race.runs[0]):
        return SEPARATOR.join([name, "your own problem", OWN_CLOCK])
    if race.runs[0].race:
        return SEPARATOR.join([name, f"compared up to {race.t:.0f} s"])
    changes = [str(change) for change in speed_changes(race.runs)]
    return SEPARATOR.join([name, seeds(race.runs), clocks(race.runs), *changes])


def _compared(race: RaceSnapshot) -> str | None:
    """Return what each of the races is that are compared, one per line, then the notes on them.

    None for one race that was not compared.
    """
    by_race: dict[str, list[RunSnapshot]] = {}
    for run in race.runs:
        by_race.setdefault(run.race, []).append(run)
    if "" in by_race:
        return "\n".join(race.notes) or None
    lines, horizons = [], []
    for title, runs in by_race.items():
        horizon = (runs[0].header or {}).get("horizon")
        horizons.append(horizon)
        length = [] if horizon is None else [f"horizon {exact_time(horizon)}"]
        changes = [str(change) for change in speed_changes(runs)]
        ratio = disturbance(runs)
        disturbed = [] if ratio is None else [disturbed_label(ratio)]
        about = [seeds(runs), clocks(runs), *length, *changes, *disturbed]
        lines.append(f"{title}: {', '.join(about)}")
    if len(set(horizons)) > 1:
        lines.append(f"The horizons differ: every curve and number ends at {race_time(race.t)}.")
    return "\n".join([*lines, *race.notes])


def _is_saved(race: RaceSnapshot) -> bool:
    """Return whether all runs were saved by `opt.save`, which never ends a run."""
    return race.status == RunStatus.INTERRUPTED and all(is_own_problem(run) for run in race.runs)


def _progress(race: RaceSnapshot) -> str:
    """Return the place in the queue, or simulated time, remaining time and simulation speed."""
    if race.position is not None:
        return f"Number {race.position} in the queue"
    horizon = race.horizon or 0.0
    written = minutes if horizon < LONG_RACE else race_time
    parts = [f"{written(race.t)} of {written(horizon)}"]
    if race.status != RunStatus.PAUSED:
        parts.append("estimating" if race.eta is None else f"{_remaining(race.eta)} left")
    elif race.yielded:
        parts.append("paused for waiting races; resumes automatically")
    if race.pace is not None:
        pace = f"{race.pace:.1f}" if race.pace < FAST else f"{race.pace:,.0f}"
        parts.append(f"simulating at {pace}\N{MULTIPLICATION SIGN} real speed")
    return SEPARATOR.join(parts)


def _waiting(race: RaceSnapshot) -> str:
    """Return what a race without a chart is waiting for."""
    warmup = race.runs[0].config.warmup
    if race.position is not None:
        return (
            "It waits because three races are running on this server, or because you have another "
            "live race. It starts when one of them ends, or after two minutes in place of a race "
            "that is not being watched."
        )
    if race.status.ended and not any(len(run) for run in race.runs):
        return "No query was made."
    if race.status.ended:
        return "No query was made after the warm-up, so there is no curve to draw."
    if race.status == RunStatus.STARTING:
        loading = "Loading PyTorch takes about 3 s, once." if _loads_torch(race) else "Starting."
        return f"{loading} The first {warmup} queries are random."
    made = min((len(run) for run in race.runs), default=0)
    return f"{made} of {warmup} random warm-up queries made."


def _loads_torch(race: RaceSnapshot) -> bool:
    """Return whether a run needs BoTorch and nothing has imported it yet."""
    needed = any(run.config.engine.name == "botorch" for run in race.runs)
    return needed and "botorch" not in sys.modules


def _remaining(seconds: float) -> str:
    if seconds >= HOUR_SECONDS:
        return duration(seconds)
    return f"{seconds:.0f} s" if seconds < 60 else minutes(seconds)
