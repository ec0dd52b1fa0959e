"""Charts of benchmarks: they show the values of the benchmark, and their texts are correct."""

import json
import re
import struct
import zlib

import numpy as np
import plotly.graph_objects as go
import pytest

from bolt_core import benchmarks
from bolt_core.benchmarks import oracle
from bolt_core.figures.benchmarks import benchmark_charts, optimum_path, thumbnail
from bolt_core.figures.shared import colormap
from bolt_core.figures.shared.palette import PALETTE
from tests.support.wording import in_order

KEYS = sorted(benchmarks.catalog())
STILL = {"ackley", "schwefel", "griewank"}


def valid(figure):
    """Return the figure after a round trip through JSON without NaN and plotly's schema."""
    plain = json.loads(json.dumps(figure, allow_nan=False))
    assert plain["kind"] == "plot"
    assert len(plain["times"]) == len(plain["data"])
    assert plain["layout"]["meta"]["alt"]
    assert plain["layout"]["meta"]["caption"]
    return go.Figure(data=plain["data"], layout=plain["layout"])


@pytest.fixture(scope="module")
def seen():
    return {key: benchmark_charts.overview(benchmarks.load(key)) for key in KEYS}


@pytest.mark.parametrize("key", KEYS)
def test_the_stored_path_has_the_values_of_the_oracle(seen, key):
    board, path = seen[key].board, seen[key].path
    for step in (0, 37, 88, 120):
        _, best = oracle.best(board, float(path.t[step]))
        # places are stored with six digits: at a maximum that costs the square of 1e-6, and at
        # the border, or on WLAN's steep side, at most the slope (below 1e4 spans) times 1e-6
        assert path.f[step] == pytest.approx(best, abs=0.01 * max(np.ptp(path.f), 1e-3))


@pytest.mark.parametrize("key", KEYS)
def test_no_value_in_the_picture_is_larger_than_the_optimum(seen, key):
    board, path = seen[key].board, seen[key].path
    values = optimum_path.over_time(board, path, path.coordinates(1)[0], np.linspace(0, 1, 40))
    room = 0.01 * max(np.ptp(path.f), 1e-3)  # as above

    assert values.shape == (40, len(path.t))
    assert np.all(values <= path.f + room)


def test_a_slice_has_the_values_of_the_benchmark():
    board = benchmarks.load("hartmann6")
    path = optimum_path.optimum_path(board)
    values = optimum_path.over_time(board, path, 2, np.array([0.0, 0.4]))
    x = path.x[50].copy()
    x[2] = 0.4

    assert values[1, 50] == board.value(x, path.t[50])


def test_a_map_has_its_first_coordinate_across():
    board = benchmarks.load("hartmann3")
    places = np.linspace(0, 1, 5)
    values = optimum_path.around(board, np.array([0.5, 0.5]), 60.0, [0, 1], places)

    assert values[3, 1] == board.value(np.array([0.25, 0.75]), 60.0)


def test_the_movement_of_the_optimum_is_described():
    paths = {key: optimum_path.optimum_path(benchmarks.load(key)) for key in KEYS}

    assert {key for key, path in paths.items() if path.still} == STILL
    assert "never moves" in thumbnail.motion(paths["schwefel"])
    assert "0.3 %" in thumbnail.motion(paths["griewank"])
    assert "no jump" in thumbnail.motion(paths["powell"])
    assert paths["eggholder"].jumps > 20


def test_the_path_for_other_options_is_computed():
    board = benchmarks.load("gp-sample", d=1, environment=3)
    path = optimum_path.optimum_path(board)

    assert len(path.t) == optimum_path.COMPUTED_STEPS + 1
    assert path.x.shape[1] == 1


@pytest.mark.parametrize(
    "option", [{"noise": "1pct"}, {"spatial_kernel": "rbf"}, {"temporal_kernel": "rq"}], ids=str
)
def test_noise_and_kernels_do_not_move_the_optimum_so_the_stored_path_is_used(option):
    path = optimum_path.optimum_path(benchmarks.load("ackley", **option))

    assert len(path.t) == 121


def test_ranks_are_from_zero_to_one():
    values = np.array([[1.0, 1e9], [-5.0, 3.0]])

    np.testing.assert_allclose(optimum_path.ranks(values, values), [[1 / 3, 1.0], [0.0, 2 / 3]])
    assert np.all(optimum_path.ranks(np.full((2, 2), 7.0), np.full((2, 2), 7.0)) == 0.0)


@pytest.mark.parametrize("key", KEYS)
def test_every_benchmark_has_a_small_picture_with_its_optimum(key):
    svg = thumbnail.thumbnail(benchmarks.load(key))

    assert svg.startswith("<svg")
    assert svg.endswith("</svg>")
    assert "data:image/png;base64," in svg
    assert re.search(r'<path d="M', svg)
    assert len(svg) < 20_000


def test_the_png_holds_the_cells_it_was_given():
    cells = np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 0.2]])
    data = thumbnail.png(cells)
    wide, high = struct.unpack(">II", data[16:24])
    at = data.index(b"IDAT")
    (size,) = struct.unpack(">I", data[at - 4 : at])
    rows = zlib.decompress(data[at + 4 : at + 4 + size])

    assert (wide, high) == (3, 2)
    assert rows == bytes([0, 0, 255, 128, 0, 255, 0, 51])
    colours, opacities = colormap.png_palette()
    assert b"PLTE" + colours in data
    assert b"tRNS" + opacities in data


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("share", [0.0, 0.31, 1.0])
def test_the_landscape_and_the_path_are_valid_at_any_time(seen, key, share):
    t = share * seen[key].board.horizon
    land, path = (
        valid(build(seen[key], t))
        for build in (benchmark_charts.landscape, benchmark_charts.optimum)
    )

    assert len(land.data) == 2
    assert path.layout.shapes[0].x0 == pytest.approx(t, abs=seen[key].path.t[1] / 2)


def test_one_dimension_is_a_curve_and_its_scale_stays(seen):
    early, late = (valid(benchmark_charts.landscape(seen["eggholder"], t)) for t in (0.0, 600.0))

    assert early.data[0].type == "scatter"
    assert early.layout.yaxis.range == late.layout.yaxis.range
    assert max(early.data[0].y) <= early.data[1].y[0] + 1e-6 * abs(early.data[1].y[0])


def test_of_six_coordinates_two_are_drawn_and_the_caption_says_so(seen):
    figure = benchmark_charts.optimum(seen["wlan"], 0.0)

    assert len(figure["data"]) == 3
    assert "the 2 of 6 coordinates" in figure["layout"]["meta"]["caption"]
    path = seen["wlan"].path
    travelled = np.abs(np.diff(path.x, axis=0)).sum(axis=0)
    assert set(path.coordinates(2)) == set(np.argsort(-travelled)[:2])


def test_a_jump_is_drawn_upright(seen):
    trace = benchmark_charts.optimum(seen["shekel"], 0.0)["data"][0]
    leaps = np.abs(np.diff(trace["y"])) > 0.2

    assert leaps.any()
    assert np.all(np.diff(trace["x"])[leaps] == 0.0)


def test_a_row_of_the_paper_is_ordered_and_coloured():
    row = {
        "mean": {"bolt": 1.0, "abo": 3.0, "gpucb": 2.0},
        "error": {"bolt": 0.1, "abo": 0.2, "gpucb": 0.3},
        "best": ["bolt"],
    }
    figure = benchmark_charts.published(row, "Toy")

    valid(figure)
    assert [trace["meta"] for trace in figure["data"]] == ["abo", "gpucb", "bolt"]
    assert {trace["meta"] for trace in figure["data"]} <= set(PALETTE)
    assert figure["data"][-1]["y"] == ["<b>BOLT</b> 1 ±0.1"]
    alt = figure["layout"]["meta"]["alt"]
    assert in_order(alt, "BOLT 1.00", "GPUCB 2.00", "ABO 3.00")
