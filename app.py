"""The launcher: `streamlit run app.py`.

The entry script is bolt_ui/entry/main.py. It cannot be this file: Streamlit skips an entry script
that is in the same folder as pages/ when the first request to a new server is a link to a page.
"""

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bolt_ui.launch import MIDDLEWARE, lifespan
from bolt_ui.routes import ROUTES

app = st.App("bolt_ui/entry/main.py", lifespan=lifespan, routes=ROUTES, middleware=MIDDLEWARE)
