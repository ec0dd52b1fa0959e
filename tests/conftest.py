"""One BLAS thread in every test: sums are then made in one order."""

import pytest

from bolt_core import runtime


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    runtime.configure()
