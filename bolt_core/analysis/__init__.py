"""Quantities computed from records: regret, statistics over seeds, curves, standings."""
