"""Which race this visitor watches, and what the visitor's buttons do to it.

A session holds the id of a race and nothing else of it. The id is in the URL too, so that a reload,
a bookmark or a second tab shows the same race.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial

import streamlit as st

from bolt_core.common.errors import BoltError, ConfirmationError
from bolt_core.common.types import RunConfig
from bolt_core.live.conductor import Conductor
from bolt_core.live.race import PHASES
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race
from bolt_ui.owner import token
from bolt_ui.server_state import server

EFFECT_SECONDS = 0.3  # how long a button press may wait to show its effect


def follow_link() -> None:
    """Watch the race that the URL names; put the watched race back if a page switch dropped it.

    A link to the built-in recording ends the watching: the recording is shown without a race.
    """
    linked = st.query_params.get("race")
    if linked == bundled_race.RACE_ID:
        unwatch()
    elif linked:
        st.session_state["race"] = linked
    elif race_id := watched_id():
        st.query_params["race"] = race_id


def watched_id() -> str | None:
    """Return the id of the race that this session watches; this server may not know it."""
    race_id: str | None = st.session_state.get("race")
    return race_id


def watched() -> RaceSnapshot | None:
    """Return the watched race as it stands; None if there is none, or none that is known here."""
    race_id = watched_id()
    return None if race_id is None else server().races.find(race_id)


def watch(race_id: str) -> None:
    """Watch this race from now on, at its end rather than at a moment of another race."""
    st.session_state["race"] = race_id
    st.query_params["race"] = race_id
    st.query_params.pop("t", None)


def unwatch() -> None:
    """Watch no race; the race itself continues."""
    st.session_state.pop("race", None)
    st.query_params.pop("race", None)


def live_races() -> int:
    """Return the number of races that compute on this server; a further one shares a core."""
    return sum(status in PHASES for status in server().conductor.statuses().values())


def owns_race(race_id: str) -> bool:
    """Return whether this visitor started the race and may therefore stop or pause it."""
    return server().conductor.owns(race_id, token())


def start(configs: Sequence[RunConfig], *, confirmed: bool = False) -> None:
    """Start a race and watch it."""
    with keeping_refusal(partial(start, configs, confirmed=True)):
        watch(server().conductor.start(configs, owner=token(), confirmed=confirmed))


def stop() -> None:
    """Ask the watched race to end; most races do before the page is drawn again."""
    race_id = watched_id()
    with keeping_refusal() as conductor, suppress(TimeoutError):
        if race_id is not None and conductor.snapshot(race_id) is not None:
            conductor.stop(race_id, by=token())
            conductor.wait(race_id, lambda race: race.status.ended, timeout=EFFECT_SECONDS)


def pause() -> None:
    """Pause the watched race after its present pass."""
    with keeping_refusal() as conductor:
        conductor.pause(watched_id() or "", by=token())


def resume() -> None:
    """Resume the watched race after a pause."""
    with keeping_refusal() as conductor:
        conductor.resume(watched_id() or "", by=token())


def step() -> None:
    """Make one pass of the watched race, which then stays paused."""
    race_id = watched_id() or ""
    with keeping_refusal() as conductor, suppress(TimeoutError):
        before = conductor.snapshot(race_id)
        conductor.step(race_id, by=token())
        if before is not None:
            conductor.wait(race_id, lambda race: race.version > before.version, EFFECT_SECONDS)


def change_speed() -> None:
    """Slow the optimizer by the chosen factor from the next pass on."""
    with keeping_refusal() as conductor:
        factor = float(st.session_state.get("device_speed", 1.0))
        conductor.speed(watched_id() or "", factor, by=token())


def continue_race(race_id: str, *, confirmed: bool = False) -> None:
    """Continue a race that was stopped or interrupted; this visitor owns it from now on."""
    again = partial(continue_race, race_id, confirmed=True)
    with keeping_refusal(again, "Continue") as conductor:
        conductor.resume_stored(race_id, owner=token(), confirmed=confirmed)
        server().races.forget(race_id)


@contextmanager
def keeping_refusal(
    confirm: Callable[[], None] | None = None, verb: str = "Start"
) -> Iterator[Conductor]:
    """Give the conductor; if it refuses, keep the reason for the page to show.

    Where the operator may go beyond a limit, `confirm` repeats the request with a confirmation,
    under a button that begins with `verb`.
    """
    st.session_state.pop("confirmation", None)
    try:
        yield server().conductor
    except ConfirmationError as problem:
        st.session_state["confirmation"] = str(problem), confirm, verb
    except BoltError as problem:
        st.session_state["refusal"] = str(problem)


def confirmation() -> tuple[str, Callable[[], None], str] | None:
    """Return why the last request needs a confirmation, what gives it, and the verb for that."""
    pending: tuple[str, Callable[[], None], str] | None = st.session_state.get("confirmation")
    return pending


def dismiss_confirmation() -> None:
    """Forget a request that needs a confirmation."""
    st.session_state.pop("confirmation", None)


def refusal() -> str | None:
    """Return, once, why the last button press had no effect."""
    reason: str | None = st.session_state.pop("refusal", None)
    return reason
