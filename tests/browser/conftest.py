"""Fixtures of the browser tests: a real server, a Chromium, visits.

Each worker has one of both. Tests that share a server with data of its own, or a race, are a group:
one worker runs them. Groups come before single tests, so that both workers end at about the same
time.
"""

from tests.support.browsing import browser, home_of_server, seats, server, visit

__all__ = ["browser", "home_of_server", "seats", "server", "visit"]
