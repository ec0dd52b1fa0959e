"""Figures of the Guide."""
