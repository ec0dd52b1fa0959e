import pytest

from bolt_core.common.permissions import Permissions
from bolt_core.problems.problems import Problems


@pytest.fixture
def home(tmp_path):
    return tmp_path / "problems"


@pytest.fixture
def problems(home):
    """The problems of a server that others can reach."""
    held = Problems(home, Permissions("operator's"))
    yield held
    held.shutdown()
