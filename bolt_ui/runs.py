"""Parts of the Runs page: the list of races, the actions on the selected ones, and the import."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from bolt_core.charts.races import SEPARATOR
from bolt_core.charts.status_row import BADGES, SAVED
from bolt_core.common.errors import BoltError
from bolt_core.common.text import counted
from bolt_core.store import importing, trash
from bolt_core.store.listing import Row, listing, matching
from bolt_ui import downloads, links, markdown
from bolt_ui.owner import token
from bolt_ui.server_state import server
from bolt_ui.widgets import button, page_link

MAX_LIST_HEIGHT, ROW_HEIGHT = 520, 35  # pixels
NOT_MINE = "Only its owner or the operator of this server can delete a race."
TO_DELETE, DELETED, ERRORS = "delete_asked", "delete_done", "troubles"  # keys of the session state


def rows() -> list[Row]:
    """Return the races on this server that match the search field, newest first."""
    now = datetime.now(UTC).timestamp()
    races = listing(server().library.races(), server().conductor.statuses(), now)
    return matching(races, st.session_state.get("find", ""))


def table(races: Sequence[Row]) -> list[Row]:
    """Show the list and return the selected rows."""
    columns: dict[str, Callable[[Row], Any]] = {
        "Race": lambda row: row.name,
        "Status": _status,
        "Benchmark": lambda row: row.benchmark,
        "Algorithms": lambda row: row.algorithms,
        "Seed": lambda row: row.seeds,
        "Clock": lambda row: row.clock,
        "Winner": lambda row: row.best or "\N{EN DASH}",
        "Average regret": lambda row: row.regret,
        "Curve": lambda row: row.spark or None,
        "n": lambda row: row.n,
        "n*": lambda row: row.n_star,
        "Queries": lambda row: row.steps,
        "Age": lambda row: row.age,
        "MB": lambda row: row.megabytes,
        "Tags": lambda row: list(row.tags),
    }
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    config = {
        "Seed": text(help="The seed, or the first and last seed."),
        "Winner": text(help="The algorithm with the lowest average regret."),
        "Average regret": number(format="%.3g", help="Of the winner; lower is better."),
        "Curve": st.column_config.LineChartColumn(
            "Curve", help="Running average regret of the winner.", width="small"
        ),
        "n": number(format="localized", help="Dataset size of the winner at the end."),
        "n*": number(format="localized", help="Dataset size that the winner recommends."),
        "Queries": number(format="localized", help="Number of queries of all runs."),
        "MB": number(format="%.2f", help="Size on disk."),
        "Tags": st.column_config.ListColumn(),
    }
    st.caption(  # above the list, so that it does not cover the toolbar of the list
        f"{counted(len(races), 'race')}, newest first. Select one to open or replay it, or several "
        "of one benchmark to compare them. Click a column heading to sort."
    )
    event = st.dataframe(
        {name: [value(row) for row in races] for name, value in columns.items()},
        hide_index=True,
        height=min(MAX_LIST_HEIGHT, ROW_HEIGHT * (len(races) + 1) + 3),
        column_config=config,
        on_select="rerun",
        selection_mode="multi-row",
        placeholder="\N{EN DASH}",
        key="chosen",
    )
    return [races[at] for at in event["selection"]["rows"] if at < len(races)]


def _status(row: Row) -> str:
    """Return the status of a race in words, and what is missing or cannot be read."""
    status = "Broken" if row.broken else (SAVED if row.saved else BADGES[row.status])[0]
    return f"{status}. {row.problem}" if row.problem else status


def open_links(selected: Sequence[Row]) -> None:
    """Show links that open one race, or compare several races of one benchmark."""
    ids = SEPARATOR.join(row.race_id for row in selected)
    several = len(selected) > 1
    mixed = len({row.benchmark for row in selected}) > 1
    broken = any(row.broken for row in selected)
    link = partial(page_link, query_params={"race": ids})
    label, icon = ("Compare", "compare_arrows") if several else ("Open", "stadium")
    reason = "Races on different benchmarks cannot share a chart." if mixed else None
    link(links.ARENA, label, icon, disabled=not selected or mixed or broken, help=reason)
    link(links.INSIDE, "Look inside", "troubleshoot", disabled=len(selected) != 1 or broken)


def rename(selected: Sequence[Row]) -> None:
    """Show a form for the name and the tags of one race."""
    changeable = len(selected) == 1 and _all_mine(selected)
    with st.popover("Rename", icon=":material/edit:", disabled=not changeable):
        if not changeable:
            return
        row = selected[0]
        with st.form("rename_form", border=False):
            name = st.text_input("Name", row.name, max_chars=80)
            tags = st.text_input("Tags", ", ".join(row.tags), help="Separated by commas.")
            if st.form_submit_button("Save", type="primary"):
                change = partial(server().stored_races.rename, row.race_id, name)
                _attempt(partial(change, tags.split(","), token()))
                st.rerun()


def exports(selected: Sequence[Row]) -> None:
    """Show downloads: the charts and points of one race, the records of any number."""
    with st.popover("Export", icon=":material/download:", disabled=not selected):
        if not selected:
            return
        ids = [row.race_id for row in selected]
        if len(ids) == 1 and (race := server().library.open(ids[0])) is not None:
            downloads.drawn(race)
        name = ids[0] if len(ids) == 1 else "races"
        downloads.records(partial(server().races.records, ids), f"bolt_{name}.jsonl")


def delete(selected: Sequence[Row]) -> None:
    """Show the delete button; a live race has to be stopped first."""
    ids = [row.race_id for row in selected]
    live = not _live_races().isdisjoint(ids)
    ask = partial(st.session_state.update, {TO_DELETE: ids})
    mine = _all_mine(selected)
    reason = "Stop the race first." if live else None if mine else NOT_MINE
    button("Delete", "delete", "delete", ask, disabled=not ids or live or not mine, help=reason)
    if st.session_state.get(TO_DELETE):
        _confirm()


@st.dialog("Delete?", on_dismiss=lambda: st.session_state.pop(TO_DELETE, None))
def _confirm() -> None:
    ids: list[str] = st.session_state[TO_DELETE]
    st.write(f"{counted(len(ids), 'race')} will be deleted. You can undo this for 24 hours.")
    if st.button("Delete", type="primary", key="delete_yes"):
        for race_id in ids:
            if race_id not in _live_races():  # it may have been resumed since
                _attempt(partial(server().stored_races.delete, race_id, token()))
                server().races.forget(race_id)
        st.session_state.pop(TO_DELETE)
        st.session_state[DELETED] = ids
        st.rerun()


def _all_mine(selected: Sequence[Row]) -> bool:
    """Return whether this visitor may change all selected races."""
    return all(server().stored_races.may_change(row.race_id, token()) for row in selected)


def _live_races() -> frozenset[str]:
    return frozenset(
        key for key, status in server().conductor.statuses().items() if not status.ended
    )


def undo() -> None:
    """Show what was just deleted, and a button that restores it."""
    ids: list[str] = st.session_state.get(DELETED, [])
    if not ids:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{counted(len(ids), 'race')} deleted.", width="content")
        if st.button("Undo", icon=":material/undo:", key="undo"):
            for race_id in ids:
                _attempt(partial(server().stored_races.restore, race_id, token()))
            st.session_state.pop(DELETED)
            st.rerun()


def recently_deleted() -> None:
    """Show what this visitor deleted within a day, with a button per race that restores it."""
    races = server().stored_races.deleted(token())
    if not races:
        return
    with st.popover("Deleted", icon=":material/restore_from_trash:"):
        st.caption("Removed for good a day after the deletion, when the server starts.")
        for row in listing(races, {}, datetime.now(UTC).timestamp()):
            button(
                f"Restore {markdown.escape(row.name)}, {markdown.escape(row.benchmark)}",
                "undo",
                f"restore_{row.race_id}",
                partial(_attempt, partial(server().stored_races.restore, row.race_id, token())),
            )


def disk_usage() -> None:
    """Show the disk usage, and a button that deletes old races of this visitor."""
    megabytes = server().library.size() / 1e6
    with st.popover(f"{megabytes:,.1f} MB on disk", icon=":material/hard_drive:"):
        keep = st.number_input("Keep the newest", 0, 10_000, 100, key="keep")
        if st.button("Delete the others", key="prune"):
            st.session_state[DELETED] = []
            _attempt(partial(_prune, int(keep)))
            trash.empty_trash(server().library.directory, datetime.now(UTC).timestamp())
            st.rerun()


def _prune(keep: int) -> None:
    """Delete old races; each can be restored, even if a later one cannot be deleted."""
    for race_id in server().stored_races.prune(keep, token(), _live_races()):
        st.session_state[DELETED].append(race_id)
        server().races.forget(race_id)


def import_popover() -> None:
    """Show the upload of records."""
    with st.popover("Import", icon=":material/upload:"):
        files = st.file_uploader(
            "Records (.jsonl)",
            accept_multiple_files=True,
            max_upload_size=importing.MAX_FILE_BYTES // 2**20,
            key="incoming",
            help="Files exported here, or written by `bolt run` or by `opt.save` in Python.",
        )
        if files:
            st.button("Import", type="primary", key="take", on_click=_import_all)


def _import_all() -> None:
    """Import the uploaded files; as a callback, so that the list drawn next includes them."""
    for file in st.session_state["incoming"]:
        file.seek(0)
        _attempt(partial(_import, file), done=f"{markdown.escape(file.name)} is imported.")


def _import(file: UploadedFile) -> None:
    for race_id in server().stored_races.import_records(file, file.name, token()):
        server().races.forget(race_id)


def _attempt(work: Callable[[], object], done: str | None = None) -> None:
    """Do the work and show `done`; keep the message of an error for `errors`."""
    try:
        work()
    except BoltError as problem:
        st.session_state.setdefault(ERRORS, []).append(str(problem))
    else:
        if done:
            st.toast(done)


def errors() -> None:
    """Show once what did not work."""
    for message in st.session_state.pop(ERRORS, []):
        st.error(markdown.escape(message), icon=":material/error:")
