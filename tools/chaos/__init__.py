"""Rough treatment of the program, seeded: `python -m tools.chaos PART [--seed N] [--long]`.

Each part prints a table of its checks; a check that failed says how to repeat it. Everything runs
in temporary folders and on loopback, and only processes that were started here are ended.
"""
