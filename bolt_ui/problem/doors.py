"""The page before a problem is chosen: what it is for, three doors, and a simulated plant."""

from functools import partial

import streamlit as st

from bolt_core.common.text import sentence
from bolt_core.problems.limits import MAX_FILE_BYTES
from bolt_ui import layout, markdown
from bolt_ui.problem import actions, found_problem, knob_form, log_door, problem_list, selection
from bolt_ui.server_state import server
from bolt_ui.widgets import button

PURPOSE = (
    "Optimize something of your own whose best setting drifts: a plant, a beamline, a service. "
    "BOLT suggests the next setting, you measure what it gives, and the model follows the drift. "
    "No programming is needed."
)
DOORS = {  # title, icon, sentence
    "describe": (
        "Describe the knobs",
        "tune",
        "Name what you can set, with ranges and units, and what you measure.",
    ),
    "log": (
        "Bring a log",
        "table_view",
        "A CSV file of earlier measurements: does the process drift, and how fast?",
    ),
    "file": (
        "Open a file",
        "upload_file",
        "A problem file, a VOCS, a saved record, or the state of the command line.",
    ),
}
FILE_KINDS = "A problem.toml, a VOCS (yaml or JSON), a record of `opt.save`, or a shell state."


def show() -> None:
    """Show the doors, or what is behind the one that is open; then the list of problems."""
    st.title("Your problem", anchor=False)
    if reason := actions.refusal():
        st.error(markdown.escape(reason), icon=":material/error:")
    door = selection.door()
    if door is None:
        with st.container(width=layout.TEXT_WIDTH):
            st.markdown(PURPOSE)
        _cards()
        _simulated()
        log_door.continue_button()
    else:
        _door_switch(door)
        {"describe": knob_form.show, "log": log_door.show, "file": _file}[door]()
    if door is None:
        problem_list.show()


def unknown(problem_id: str) -> None:
    """Say that the problem of a link is not on this server, or why it cannot be shown."""
    if (reason := found_problem.reason(problem_id)) is not None:
        st.warning(markdown.escape(sentence(reason)), icon=":material/broken_image:")
        return
    st.warning(
        f"There is no problem {markdown.escape(problem_id)} on this server: it was deleted, or it "
        "belongs to another server.",
        icon=":material/link_off:",
    )


def _cards() -> None:
    for column, (name, (title, icon, words)) in zip(
        st.columns(3, gap="small"), DOORS.items(), strict=True
    ):
        with column.container(border=True, height="stretch"):
            st.subheader(f":material/{icon}: {title}", anchor=False)
            st.markdown(words)
            st.space("stretch")
            st.button(
                title,
                key=f"door_{name}",
                on_click=selection.open_door,
                args=(name,),
                type="primary" if name == "describe" else "secondary",
                width="stretch",
            )


def _simulated() -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="simulated"):
        st.markdown(
            "**No plant at hand?** A simulated reactor drifts while BOLT keeps up: the whole loop "
            "in half a minute.",
            width="content",
        )
        st.space("stretch")
        button("Try it with a simulated plant", "factory", "door_plant", _start_plant)


def _start_plant() -> None:
    with actions.keeping_refusal():
        created = server().problems.create_simulated(selection.caller())
        selection.show_problem(created.id)


def _door_switch(door: str) -> None:
    """Show which door is open, and the others."""
    with st.container(horizontal=True, vertical_alignment="center", key="door_bar"):
        button("Back", "arrow_back", "door_back", selection.leave, type="tertiary")
        st.session_state["door_choice"] = door
        st.pills(
            "Door",
            list(DOORS),
            format_func=lambda name: f":material/{DOORS[name][1]}: {DOORS[name][0]}",
            key="door_choice",
            required=True,
            wrap=True,
            label_visibility="collapsed",
            on_change=_choose_door,
        )


def _choose_door() -> None:
    selection.open_door(st.session_state["door_choice"])


def _file() -> None:
    """Show the field for a file; the problem in it is created and shown."""
    with st.container(width=layout.TEXT_WIDTH):
        file = st.file_uploader(
            "File with a problem",
            key="problem_file",
            max_upload_size=max(MAX_FILE_BYTES // 2**20, 1),
            help=FILE_KINDS,
        )
        st.caption(FILE_KINDS + " A saved record goes on exactly where it stopped.")
        if file is not None:
            button(
                f"Open {markdown.escape(file.name)}",
                "folder_open",
                "problem_file_open",
                partial(_import, file.getvalue(), file.name),
                type="primary",
            )


def _import(data: bytes, name: str) -> None:
    with actions.keeping_refusal():
        created = server().problems.import_file(data, name, selection.caller())
        selection.show_problem(created.id)
