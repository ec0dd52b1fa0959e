"""The launcher: `streamlit run app.py`."""

import streamlit as st

app = st.App("ui/main.py")
