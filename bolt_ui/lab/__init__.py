"""The n* lab page."""
