"""Pieces of the Runs page: the list, what can be done with the chosen races, and what comes in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from bolt_core.charts.races import SEPARATOR
from bolt_core.common.errors import BoltError
from bolt_core.store import importing, trash
from bolt_core.store.listing import Row, listing, matching
from bolt_ui import downloads, markdown, race_status
from bolt_ui.server_state import server

ROWS = 520  # pixels of the list, at most
LINE = 35  # pixels a row
ASK = "delete_asked"
GONE = "delete_done"


def rows() -> list[Row]:
    """Every race on this server, the newest first, those that match what is typed."""
    found = server().library.races()
    epoch = datetime.now(UTC).timestamp()
    return matching(
        listing(found, server().conductor.statuses(), epoch), st.session_state.get("find", "")
    )


def table(found: Sequence[Row]) -> list[Row]:
    """The list; the rows that are chosen."""
    column = st.column_config
    columns: dict[str, list[Any]] = {
        "Race": [row.name for row in found],
        "Status": [race_status.BADGES[row.status][0] for row in found],
        "Benchmark": [row.benchmark for row in found],
        "Algorithms": [row.algorithms for row in found],
        "Seeds": [row.seeds for row in found],
        "Clock": [row.clock for row in found],
        "Lowest": [row.best or "\N{EN DASH}" for row in found],
        "Average regret": [row.regret for row in found],
        "Curve": [row.spark or None for row in found],
        "n": [row.n for row in found],
        "n*": [row.n_star for row in found],
        "Steps": [row.steps for row in found],
        "Age": [row.age for row in found],
        "MB": [row.megabytes for row in found],
        "Tags": [list(row.tags) for row in found],
    }
    config = {
        "Seeds": column.TextColumn(help="Which, not how many."),
        "Lowest": column.TextColumn(help="The algorithm with the lowest average regret."),
        "Average regret": column.NumberColumn(format="%.3g", help="Of that one; lower is better."),
        "Curve": column.LineChartColumn("Curve", help="Its running average regret.", width="small"),
        "n": column.NumberColumn(format="localized", help="Observations it keeps."),
        "n*": column.NumberColumn(format="localized", help="The size it recommends."),
        "Steps": column.NumberColumn(format="localized", help="Iterations of all runs."),
        "MB": column.NumberColumn(format="%.2f", help="On disk."),
        "Tags": column.ListColumn(),
    }
    event = st.dataframe(
        columns,
        hide_index=True,
        height=min(ROWS, LINE * (len(found) + 1) + 3),
        column_config=config,
        on_select="rerun",
        selection_mode="multi-row",
        placeholder="\N{EN DASH}",
        key="chosen",
    )
    return [found[at] for at in event["selection"]["rows"] if at < len(found)]


def open_links(chosen: Sequence[Row]) -> None:
    """One race opens, or replays; several of one benchmark are laid over each other."""
    ids = SEPARATOR.join(row.race_id for row in chosen)
    several = len(chosen) > 1
    apart = len({row.benchmark for row in chosen}) > 1
    st.page_link(
        "../../pages/arena.py",
        label="Compare" if several else "Open",
        icon=":material/compare_arrows:" if several else ":material/stadium:",
        query_params={"race": ids},
        disabled=not chosen or apart,
        help="Races of different benchmarks cannot share a chart." if apart else None,
    )
    st.page_link(
        "../../pages/inside.py",
        label="Look inside",
        icon=":material/troubleshoot:",
        query_params={"race": ids},
        disabled=len(chosen) != 1,
    )


def rename(chosen: Sequence[Row]) -> None:
    with st.popover("Rename", icon=":material/edit:", disabled=len(chosen) != 1):
        if len(chosen) == 1:
            row = chosen[0]
            with st.form("rename_form", border=False):
                name = st.text_input("Name", row.name, max_chars=80)
                tags = st.text_input("Tags", ", ".join(row.tags), help="With commas between them.")
                if st.form_submit_button("Keep", type="primary"):
                    _attempt(lambda: server().library.rename(row.race_id, name, tags.split(",")))
                    st.rerun()


def exports(chosen: Sequence[Row]) -> None:
    """The chosen races as files; their records together."""
    with st.popover("Export", icon=":material/download:", disabled=not chosen):
        race = server().library.open(chosen[0].race_id) if len(chosen) == 1 else None
        if race is not None:
            downloads.drawn(race)
        if chosen:
            make = partial(server().races.records, [row.race_id for row in chosen])
            one = f"bolt_{chosen[0].race_id}.jsonl"
            downloads.records(make, one if len(chosen) == 1 else "bolt_races.jsonl")


def delete(chosen: Sequence[Row]) -> None:
    live = server().conductor.statuses()
    busy = any(row.race_id in live and not live[row.race_id].ended for row in chosen)
    st.button(
        "Delete",
        icon=":material/delete:",
        disabled=not chosen or busy,
        help="Stop it first." if busy else None,
        on_click=lambda: st.session_state.update({ASK: [row.race_id for row in chosen]}),
        key="delete",
    )
    if st.session_state.get(ASK):
        _confirm()


@st.dialog("Delete?", on_dismiss=lambda: st.session_state.pop(ASK, None))
def _confirm() -> None:
    ids: list[str] = st.session_state[ASK]
    st.write(f"{many(len(ids))} will leave the list. You can take that back for a day.")
    if st.button("Delete", type="primary", key="delete_yes"):
        live = server().conductor.statuses()
        for race_id in ids:
            if race_id not in live or live[race_id].ended:  # nobody took it up meanwhile
                _attempt(partial(trash.delete, server().library, race_id))
                server().races.forget(race_id)
        st.session_state.pop(ASK)
        st.session_state[GONE] = ids
        st.rerun()


def undo() -> None:
    """What was just deleted, and the way back."""
    ids: list[str] = st.session_state.get(GONE, [])
    if not ids:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{many(len(ids))} deleted.", width="content")
        if st.button("Undo", icon=":material/undo:", key="undo"):
            for race_id in ids:
                _attempt(partial(trash.restore, server().library, race_id))
            st.session_state.pop(GONE)
            st.rerun()


def room() -> None:
    """How much there is, and a broom."""
    size = server().library.size() / 1e6
    with st.popover(f"{size:,.1f} MB on disk", icon=":material/hard_drive:"):
        keep = st.number_input("Keep the newest", 0, 10_000, 100, key="keep")
        if st.button("Delete the others", key="prune"):
            busy = frozenset(key for key, s in server().conductor.statuses().items() if not s.ended)
            st.session_state[GONE] = []
            _attempt(partial(_prune, int(keep), busy))
            trash.empty_trash(server().library.directory, datetime.now(UTC).timestamp())
            st.rerun()


def _prune(keep: int, busy: frozenset[str]) -> None:
    """What is gone can be taken back, also when the broom breaks half-way."""
    for race_id in trash.prune(server().library, keep, busy=busy):
        st.session_state[GONE].append(race_id)
        server().races.forget(race_id)


def incoming() -> None:
    """Records from elsewhere, dropped here."""
    with st.popover("Import", icon=":material/upload:"):
        files = st.file_uploader(
            "Records (.jsonl)",
            accept_multiple_files=True,
            max_upload_size=importing.MAX_FILE_BYTES // 2**20,
            key="incoming",
            help="What the app exported, `bolt run` wrote, or `opt.save` of the Python API.",
        )
        if files:
            st.button("Take them in", type="primary", key="take", on_click=_take_all)


def _take_all() -> None:
    """Before the page is drawn: then they are in the list."""
    for file in st.session_state["incoming"]:
        _attempt(
            partial(_take, file.getvalue(), server().library.directory, file.name),
            done=f"{markdown.escape(file.name)} is in the list.",
        )


def _take(data: bytes, place: Path, name: str) -> None:
    for race_id in importing.import_records(data, place, name=name):
        server().races.forget(race_id)


def _attempt(work: Callable[[], object], done: str | None = None) -> None:
    try:
        work()
    except BoltError as problem:
        st.session_state.setdefault("troubles", []).append(str(problem))
    else:
        if done:
            st.toast(done)


def troubles() -> None:
    """What did not work, told once."""
    for told in st.session_state.pop("troubles", []):
        st.error(markdown.escape(told), icon=":material/error:")


def many(count: int) -> str:
    return "One race" if count == 1 else f"{count:,} races"
