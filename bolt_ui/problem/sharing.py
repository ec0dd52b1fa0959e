"""Name, files and the HTTP interface of a problem."""

from functools import partial
from urllib.parse import urlsplit

import streamlit as st

from bolt_core.common.text import display_name
from bolt_core.problems.problem_view import ProblemView
from bolt_ui.problem import actions, selection
from bolt_ui.server_state import server
from bolt_ui.widgets import button

TOKENS = "problem_tokens"  # in the session: tokens that were given here, by problem
HTTP_EXAMPLE = """\
curl -X POST {base}/api/problems/{id}/ask -H "Authorization: Bearer {token}"
curl -X POST {base}/api/problems/{id}/tell -H "Authorization: Bearer {token}" \\
     -H "Content-Type: application/json" -d '{{"value": 71.3}}'"""


def popover(view: ProblemView, may_change: bool) -> None:
    """Show the link, the files, and for the owner the name and the token."""
    with st.popover("Share and export", icon=":material/ios_share:"):
        if selection.everyone_may_change():
            st.markdown("**Link.** Everyone who can reach this server may change this problem.")
        else:
            st.markdown("**Link.** Everyone who can reach this server may watch.")
        st.code(f"{_base()}/problem?{selection.PROBLEM}={view.id}", language=None, wrap_lines=True)
        with st.container(horizontal=True):
            csv_button(view.id, "share_csv")
            _file("Journal", view.id, "jsonl", "Everything: opens here, and with `Bolt.load`.")
            _file("problem.toml", view.id, "toml", "The declaration, for the command line.")
        if may_change:
            _rename(view)
            _http(view.id)


def csv_button(problem_id: str, key: str) -> None:
    """Show the button for the log as CSV: every row, times in UTC."""
    st.download_button(
        "CSV",
        partial(server().problems.log_csv, problem_id),
        f"{problem_id}.csv",
        "text/csv",
        icon=":material/download:",
        key=key,
        on_click="ignore",
        help="Every measurement, one row each, with times in UTC.",
    )


def _file(label: str, problem_id: str, kind: str, words: str) -> None:
    problems = server().problems
    make = problems.journal if kind == "jsonl" else problems.problem_toml
    st.download_button(
        label,
        partial(make, problem_id),
        f"{problem_id}.{kind}",
        key=f"share_{kind}",
        on_click="ignore",
        help=words,
    )


def _rename(view: ProblemView) -> None:
    with st.form("problem_rename", border=False):
        st.text_input("Name", view.spec.name, key=f"rename_{view.id}")
        st.form_submit_button(
            "Rename", icon=":material/edit:", on_click=partial(_rename_now, view.id)
        )


def _rename_now(problem_id: str) -> None:
    name = str(st.session_state.get(f"rename_{problem_id}") or "").strip()
    problems, by = server().problems, selection.caller()
    actions.attempt(partial(problems.rename, problem_id, by, name))


def _http(problem_id: str) -> None:
    """Show how to drive the problem over HTTP; the token is shown only where it was given."""
    st.markdown("**Over HTTP.** A program asks and tells with the token of this problem.")
    token = st.session_state.get(TOKENS, {}).get(problem_id)
    shown = token or "TOKEN"
    st.code(
        HTTP_EXAMPLE.format(base=_base(), id=problem_id, token=shown),
        language="bash",
        wrap_lines=True,
    )
    if token is None:
        st.caption("A token is shown once, when it is made. A new one replaces the old one.")
    button("New token", "key", "problem_token", partial(_renew, problem_id))


def _renew(problem_id: str) -> None:
    with actions.keeping_refusal():
        token = server().problems.renew_token(problem_id, selection.caller())
        st.session_state.setdefault(TOKENS, {})[problem_id] = token


def _base() -> str:
    """Return the address of this server as the visitor's browser knows it."""
    parts = urlsplit(st.context.url or "http://localhost:8501")
    path = parts.path.removesuffix("/problem").rstrip("/")
    return display_name(f"{parts.scheme}://{parts.netloc}{path}", 200)
