"""Bring a log: a file or an example, and what was found in it."""

import streamlit as st


def show() -> None:
    """Show the field for a log, or the log that was brought."""
    st.caption("soon")
