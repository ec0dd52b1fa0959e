"""Figures of the Benchmarks page."""
