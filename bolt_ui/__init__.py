"""Where Streamlit meets the core."""
