import pytest

from tests.support.service import Service


@pytest.fixture
def service(tmp_path):
    """A service that listens on loopback only."""
    held = Service(tmp_path / "problems")
    yield held
    held.problems.shutdown()
