"""Fixtures shared by the tests of the store."""

import pytest

from bolt_core.store.library import Library


@pytest.fixture
def library(tmp_path):
    """An empty library."""
    return Library(tmp_path / "runs")
