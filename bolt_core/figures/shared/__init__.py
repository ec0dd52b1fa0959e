"""Helpers that all figures use: palette, axes, labels, traces, tables."""
