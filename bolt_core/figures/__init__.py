"""Charts as plain dicts in plotly's schema, with their captions. Pure: data in, dict out."""
