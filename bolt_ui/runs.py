"""Parts of the Runs page: the list of races, the actions on the selected ones, and the import."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from bolt_core.charts.races import SEPARATOR
from bolt_core.charts.status_row import BADGES, SAVED
from bolt_core.common.errors import BoltError
from bolt_core.common.text import counted
from bolt_core.store import importing
from bolt_core.store.listing import Row, listing, matching
from bolt_core.store.race_file import belongs_to
from bolt_ui import downloads, links, markdown
from bolt_ui.owner import token
from bolt_ui.server_state import server
from bolt_ui.widgets import page_link

MAX_LIST_HEIGHT, ROW_HEIGHT = 520, 35  # pixels
MAX_ERRORS_LISTED = 10
ERRORS = "troubles"  # a key of the session state


def all_rows() -> list[Row]:
    """Return the races on this server, last changed first."""
    now = datetime.now(UTC).timestamp()
    return listing(server().library.races(), server().conductor.statuses(), now)


def rows() -> list[Row]:
    """Return the races on this server that match the search field, last changed first."""
    return matching(all_rows(), st.session_state.get("find", ""))


def table(races: Sequence[Row]) -> list[Row]:
    """Show the list and return the selected rows."""
    folder = server().library.directory
    columns: dict[str, Callable[[Row], Any]] = {
        "Race": lambda row: row.name,
        "Owner": lambda row: "mine" if belongs_to(folder, row.race_id, token()) else "",
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
        "At corners": lambda row: row.corner_share,
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
        "At corners": number(
            format="percent", help="Share of the winner's queries at corners of its box."
        ),
        "Queries": number(format="localized", help="Number of queries of all runs."),
        "Owner": text(help="Races that you started or imported in this browser.", width="small"),
        "Age": text(help="Time since the last change."),
        "MB": number(format="%.2f", help="Size on disk."),
        "Tags": st.column_config.ListColumn(),
    }
    st.caption(  # above the list, so that it does not cover the toolbar of the list
        f"{counted(len(races), 'race')}, last changed first. Select one to open or replay it, or "
        "several of one benchmark to compare them. Click a column heading to sort."
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
    changeable = len(selected) == 1 and all_mine(selected)
    with st.popover("Rename", icon=":material/edit:", disabled=not changeable):
        if not changeable:
            return
        row = selected[0]
        with st.form("rename_form", border=False):
            name = st.text_input("Name", row.name, max_chars=80)
            tags = st.text_input("Tags", ", ".join(row.tags), help="Separated by commas.")
            if st.form_submit_button("Save", type="primary"):
                change = partial(server().stored_races.rename, row.race_id, name)
                attempt(partial(change, tags.split(","), token()))
                st.rerun()


def all_mine(selected: Sequence[Row]) -> bool:
    """Return whether this visitor may change all selected races."""
    return all(server().stored_races.may_change(row.race_id, token()) for row in selected)


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
    files = st.session_state["incoming"]
    names: dict[str, list[str]] = {"Imported": [], "Already here": []}
    for file in files:
        file.seek(0)
        attempt(partial(_import, file, names))
    for outcome, those in names.items():
        if those:
            what = those[0] if len(those) == 1 else counted(len(those), "file")
            st.toast(f"{outcome}: {what}.")


def _import(file: UploadedFile, names: Mapping[str, list[str]]) -> None:
    """Import one file and add its name to those imported, or to those that brought nothing new."""
    imported = server().stored_races.import_records(file, file.name, token())
    names["Imported" if imported.new_records else "Already here"].append(markdown.escape(file.name))
    for race_id in imported.race_ids:
        server().races.forget(race_id)


def attempt(work: Callable[[], object]) -> bool:
    """Do the work and return whether it succeeded; keep the message of an error for `errors`."""
    try:
        work()
    except BoltError as problem:
        st.session_state.setdefault(ERRORS, []).append(str(problem))
        return False
    return True


def errors() -> None:
    """Show once what did not work, in one box."""
    messages = [markdown.escape(message) for message in st.session_state.pop(ERRORS, [])]
    if not messages:
        return
    text = messages[0]
    if len(messages) > 1:
        shown = messages[:MAX_ERRORS_LISTED]
        rest = len(messages) - len(shown)
        lines = [*shown, *([f"and {rest} more"] if rest else [])]
        text = f"{len(messages)} did not work:\n" + "".join(f"\n- {line}" for line in lines)
    st.error(text, icon=":material/error:")
