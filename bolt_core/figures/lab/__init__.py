"""Figures of the n* lab."""
