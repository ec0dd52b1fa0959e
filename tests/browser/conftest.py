"""Fixtures of the browser tests: a real server, a Chromium, visits."""

from tests.support.browsing import browser, home_of_server, server, visit

__all__ = ["browser", "home_of_server", "server", "visit"]
