"""Deleting on the Runs page: asked for with the races' names, undone, restored a day later."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from bolt_core.common.text import counted, display_name
from bolt_core.store.listing import Row, listing
from bolt_ui import markdown
from bolt_ui.owner import token
from bolt_ui.runs import all_mine, all_rows, attempt
from bolt_ui.server_state import server
from bolt_ui.widgets import button

NOT_MINE = "only its owner or the operator of this server can delete a race."
STOP_FIRST = "stop the race first."
MAX_NAMED = 5  # races in the question
MAX_NAME_LENGTH = 60  # characters of a race's name
TO_DELETE, DELETED = "delete_asked", "delete_done"  # keys of the session state


def delete(selected: Sequence[Row]) -> None:
    """Show the delete button; a live race has to be stopped first."""
    ids = [row.race_id for row in selected]
    live = not _live_races().isdisjoint(ids)
    ask = partial(st.session_state.update, {TO_DELETE: ids})
    mine = all_mine(selected)
    reason = STOP_FIRST if live else None if mine else NOT_MINE
    button("Delete", "delete", "delete", ask, disabled=not ids or reason is not None, help=reason)
    if ids and reason:
        st.caption(f"Delete is not possible: {reason}", width="content")


def question() -> None:
    """Ask whether to delete, if a button has asked for it."""
    if st.session_state.get(TO_DELETE):
        _confirm()


@st.dialog("Delete?", on_dismiss=lambda: st.session_state.pop(TO_DELETE, None))
def _confirm() -> None:
    ids: list[str] = st.session_state[TO_DELETE]
    chosen = set(ids)
    named = _names([race for race in all_rows() if race.race_id in chosen])
    st.write(f"{counted(len(ids), 'race')} will be deleted. You can undo this for 24 hours.")
    rest = len(ids) - MAX_NAMED
    lines = [*named[:MAX_NAMED], *([f"and {rest} more"] if rest > 0 else [])]
    st.markdown("\n".join(f"- {line}" for line in lines))
    with st.container(horizontal=True):
        delete_now = st.button("Delete", type="primary", key="delete_yes")
        keep = st.button("Cancel", key="delete_no")
    if delete_now:
        live = _live_races()  # a race may have been resumed since
        st.session_state[DELETED] = [race_id for race_id in ids if _delete(race_id, live)]
    if delete_now or keep:
        st.session_state.pop(TO_DELETE)
        st.rerun()


def _delete(race_id: str, live: frozenset[str]) -> bool:
    """Delete a race that is not live and return whether that succeeded."""
    gone = race_id not in live and attempt(partial(server().stored_races.delete, race_id, token()))
    server().races.forget(race_id)
    return gone


def undo() -> None:
    """Show what was just deleted, and a button that restores it."""
    ids: list[str] = st.session_state.get(DELETED, [])
    if not ids:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{counted(len(ids), 'race')} deleted.", width="content")
        if st.button("Undo", icon=":material/undo:", key="undo"):
            _restore(ids)
            st.session_state.pop(DELETED)
            st.rerun()


def recently_deleted() -> None:
    """Show what this visitor deleted within a day, with a button per race that restores it."""
    races = server().stored_races.deleted(token())
    if not races:
        return
    rows = listing(races, {}, datetime.now(UTC).timestamp())
    with st.popover("Deleted", icon=":material/restore_from_trash:"):
        st.caption("Removed for good a day after the deletion, when the server starts.")
        if len(rows) > 1:
            everything = partial(_restore, [row.race_id for row in rows])
            button(f"Restore all {len(rows)}", "undo", "restore_all", everything)
        for row, name in zip(rows, _names(rows), strict=True):
            restore = partial(_restore, [row.race_id])
            button(f"Restore {name}", "undo", f"restore_{row.race_id}", restore)


def disk_usage() -> None:
    """Show the disk usage, and a button that deletes old races of this visitor."""
    megabytes = server().library.size() / 1e6
    with st.popover(f"{megabytes:,.1f} MB on disk", icon=":material/hard_drive:"):
        keep = st.number_input("Keep the last changed of my races", 0, 10_000, 100, key="keep")
        old = server().stored_races.old(int(keep), token(), _live_races())
        st.caption(f"{counted(len(old), 'older race')} of yours can be deleted.")
        ask = partial(st.session_state.update, {TO_DELETE: old})
        button("Delete the others", "delete", "prune", ask, disabled=not old)


def _restore(ids: Sequence[str]) -> None:
    for race_id in ids:
        attempt(partial(server().stored_races.restore, race_id, token()))


def _names(rows: Sequence[Row]) -> list[str]:
    """Return the name, the benchmark and the algorithms of each race as Markdown."""
    parts = ((row.name, row.benchmark, row.algorithms) for row in rows)
    texts = (", ".join(display_name(part, MAX_NAME_LENGTH) for part in three) for three in parts)
    return [markdown.escape(text) for text in texts]


def _live_races() -> frozenset[str]:
    return frozenset(
        key for key, status in server().conductor.statuses().items() if not status.ended
    )
