"""Pure functions from snapshots to plain dicts in plotly's schema."""
