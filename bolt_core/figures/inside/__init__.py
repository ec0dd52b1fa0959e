"""Figures of the Inside page."""
