"""Races that run now, in one background thread."""
