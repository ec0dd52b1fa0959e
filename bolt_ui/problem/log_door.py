"""Bring a log: a file or an example, and then what was found in it."""

from functools import partial

import streamlit as st

from bolt_core.common.paths import DATA
from bolt_core.common.text import shortened
from bolt_core.logs.text_encoding import MAX_BYTES
from bolt_ui import layout, markdown
from bolt_ui.problem import log_page, selection
from bolt_ui.server_state import server
from bolt_ui.widgets import button

EXAMPLES = {  # file, icon, words
    "reactor.csv": ("moving", "A reactor that drifts"),
    "coating_line.csv": ("trending_flat", "A coating line that does not"),
}
EXAMPLE = "example"  # parameter of the URL: the file of an example to begin with
FOLDER = DATA / "logs"
EXPLANATION = (
    "A CSV file with one row per measurement: a time, the knobs, and one outcome. The columns are "
    "guessed, and you can change what was guessed. The file stays on this server, in memory."
)


def show() -> None:
    """Show the field for a log, or the log that was brought."""
    key = selection.log_key()
    job = None if key is None else server().logs.get(key)
    if job is not None:
        st.session_state[selection.KEPT_LOG] = key
        log_page.show(job)
        return
    if key is not None:
        st.warning(
            "This log is no longer in the server's memory. Bring it again.",
            icon=":material/history:",
        )
    elif (example := st.query_params.pop(EXAMPLE, None)) in EXAMPLES:
        _take_example(str(example))
        st.rerun()
    continue_button()
    with st.container(width=layout.TEXT_WIDTH):
        st.markdown(EXPLANATION)
        st.file_uploader(
            "Log (CSV)",
            type=["csv", "tsv", "txt"],
            key="log_file",
            on_change=_take_file,
            max_upload_size=MAX_BYTES // 2**20,
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("No log at hand? Take an example:", width="content")
            for name, (icon, words) in EXAMPLES.items():
                if (FOLDER / name).is_file():
                    take = partial(_take_example, name)
                    button(markdown.escape(words), icon, f"example_{name.partition('.')[0]}", take)


def continue_button() -> None:
    """Offer the log that this session showed last, while the server has it."""
    key = selection.last_log()
    job = None if key is None else server().logs.get(key)
    if job is not None:
        name = markdown.escape(shortened(job.name, 60))
        go_on = partial(selection.continue_log, job.key)
        button(f"Continue with {name}", "history", "log_continue", go_on)


def _take_file() -> None:
    file = st.session_state.get("log_file")
    if file is not None:
        selection.show_log(server().logs.start(file.getvalue(), file.name))


def _take_example(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    selection.show_log(server().logs.start(data, name, example=True))
