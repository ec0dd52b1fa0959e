"""Download buttons; each file is made when its button is pressed."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import export
from bolt_ui import race_html
from bolt_ui.server_state import server

Make = Callable[[], str | bytes]
HELD_WAIT_SECONDS = 10.0  # a file has no held regret where it takes longer
TYPES = {"csv": "text/csv", "html": "text/html", "jsonl": "application/x-ndjson"}


def drawn(race: RaceSnapshot) -> None:
    """Show buttons for files that are readable without BOLT: every query, and the charts."""
    today = datetime.now(UTC).date()
    table, report = (export.file_name(race, kind, today) for kind in ("csv", "html"))
    words = "One row per query, with units."
    held = partial(server().charts.held.wait, race.runs, HELD_WAIT_SECONDS)
    _button("CSV, all queries", lambda: export.csv(race, held()), table, words)
    words = "Every chart in one file of 5 MB that works offline."
    _button("HTML report", lambda: race_html.render(race, held()), report, words)


def records(make: Make, name: str) -> None:
    """Show a button for the records, which BOLT can import again."""
    words = "The complete records. Import them on the Runs page of any BOLT server."
    _button("JSONL, all records", make, name, words)


def citation() -> None:
    st.download_button("BibTeX", export.BIBTEX, "bolt.bib", on_click="ignore", key="save_bib")


def _button(label: str, make: Make, name: str, words: str) -> None:
    """Show a button for the file that `make` returns; the name's suffix says its type."""
    kind = name.rpartition(".")[2]
    save = partial(st.download_button, on_click="ignore", help=words, key=f"save_{kind}")
    save(label, make, name, TYPES[kind])
