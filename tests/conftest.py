"""Every test gets its own data directory and one BLAS thread, as every entry point gives."""

import pytest

from bolt_core import runtime

runtime.configure()


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("BOLT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"
