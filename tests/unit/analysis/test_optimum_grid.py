"""The grid of optima: bundled for the built-in benchmarks, stored for others."""

import numpy as np
import pytest

from bolt_core import benchmarks
from bolt_core.analysis import optimum_grid
from bolt_core.benchmarks import oracle
from bolt_core.benchmarks.twin import spec_of
from tests.support.twins import make_twin


@pytest.mark.parametrize("key", sorted(benchmarks.built_in()))
def test_the_bundled_grid_holds_what_the_oracle_finds(key):
    benchmark = benchmarks.load(key)
    grid, times = optimum_grid.known(benchmark), optimum_grid.grid_times(benchmark)
    assert len(times) == optimum_grid.GRID_TIMES
    for row in (0, 777, 2000):
        assert grid[row] == pytest.approx(oracle.best(benchmark, float(times[row]))[1], rel=1e-6)
    assert np.isfinite(grid).all()


def test_options_that_do_not_move_the_function_share_a_grid():
    plain, noisy = benchmarks.load("eggholder"), benchmarks.load("eggholder", noise="1pct")
    assert optimum_grid.fingerprint(plain) == optimum_grid.fingerprint(noisy)


def test_another_function_is_computed_once_and_stored(tmp_path, monkeypatch):
    monkeypatch.setenv("BOLT_HOME", str(tmp_path))
    monkeypatch.setattr(optimum_grid, "_grids", {})
    monkeypatch.setattr(optimum_grid, "_bundled", dict)
    monkeypatch.setattr(optimum_grid, "optimum_values", lambda _: np.arange(2001.0))
    benchmark = benchmarks.load("ackley")
    assert optimum_grid.known(benchmark) is None
    assert optimum_grid.computed(benchmark)[-1] == 2000.0
    optimum_grid._grids.clear()
    assert optimum_grid.known(benchmark)[7] == 7.0
    next((tmp_path / "optimum_grids").iterdir()).write_text("[1, 2")
    optimum_grid._grids.clear()
    assert optimum_grid.known(benchmark) is None


def test_the_grid_of_a_twin_is_as_fine_as_its_queries():
    twin = make_twin(rows=400)
    benchmark = spec_of(twin).build()
    times = optimum_grid.grid_times(benchmark)
    assert len(times) == 301
    assert times[-1] == twin.horizon
