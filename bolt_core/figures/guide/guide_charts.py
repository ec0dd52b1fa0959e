"""Four of the five figures of the Guide, computed without a run and without stored results.

They show one problem, Eggholder, on the nominal device, so that their numbers agree.
"""

from typing import Any

import numpy as np

from bolt_core import benchmarks
from bolt_core.analysis.downsample import rounded
from bolt_core.common import devices
from bolt_core.common.devices import thinking_time
from bolt_core.common.text import seconds, significant
from bolt_core.common.types import NOMINAL_DEVICE, Array
from bolt_core.figures.benchmarks import optimum_path
from bolt_core.figures.benchmarks.benchmark_charts import optimum_dots, rank_bar, rank_map
from bolt_core.figures.shared.chart_dicts import axis, margins, named_line, plot
from bolt_core.figures.shared.colormap import MEANING
from bolt_core.figures.shared.labels import End, labelled_ends
from bolt_core.figures.shared.symbols import NORM_TITLE, RESPONSE_TITLE, SIZE_TITLE
from bolt_core.figures.shared.traces import dots, line
from bolt_core.theory.dataset_size import recommended_size, squared_norm_u
from bolt_core.theory.kernels import LABELS, temporal_correlation
from bolt_core.theory.response_time import ResponseTime

PROBLEM, KERNEL = "eggholder", "matern32"
SLOWDOWN = 4.0  # of the second device
MAX_POINTS = 300  # of a line
SECONDS_HOVER = "%{y:.3~r} s"


def response(slowdown: float = 1.0) -> ResponseTime:
    """Return R(n) of the problem on the nominal device, `slowdown` times as slow."""
    constant, *rest = (slowdown * c for c in NOMINAL_DEVICE)
    return ResponseTime((benchmarks.get(PROBLEM).row.cost + constant, *rest))


def n_star(slowdown: float = 1.0) -> int:
    """Return n* of the problem on that device."""
    row = benchmarks.get(PROBLEM).row
    size = recommended_size(temporal_correlation(KERNEL, row.lengthscale_time), response(slowdown))
    if size is None:  # R grows and l_T is short: there is always a maximum
        raise AssertionError("the problem of the Guide has an n*")
    return size


def drift() -> dict[str, Any]:
    """Return figure 1: f over x and time, and the optimum to be followed."""
    board = benchmarks.load(PROBLEM)
    path = optimum_path.optimum_path(board)
    x = np.linspace(0.0, 1.0, 61)
    values = optimum_path.over_time(board, path, 0, x)
    cells = rank_map(path.t, rounded(x, 3), values, colorbar=rank_bar(values), hover="skip")
    optimum = optimum_dots(path.t, path.x[:, 0], size=5, edge=1.5, hover="optimum at x = %{y:.2f}")
    layout = {
        "xaxis": axis("time (s)", range=[0, board.horizon]),
        "yaxis": axis("x", range=[0, 1], dtick=0.5),
        "margin": margins(top=14),
    }
    jumps = f"jumps {path.jumps} times in {board.horizon:g} s"
    return plot(
        [cells, optimum],
        layout,
        f"{board.label}: the maxima of f drift over x and time; the optimum {jumps}.",
        f"{board.label} over x and time. {MEANING}, by rank. Dots: the optimum, which {jumps}.",
    )


def metronome() -> dict[str, Any]:
    """Return figure 2: the time between queries if everything is kept, and if n* are kept."""
    R, kept, horizon = response(), n_star(), benchmarks.get(PROBLEM).row.horizon
    everything, bounded = _query_times(R, horizon), _query_times(R, horizon, kept)
    growing, steady = R(np.arange(float(len(everything)))), float(R(0))
    limited = R(np.minimum(np.arange(float(len(bounded))), float(kept)))
    ends_of_time, constant = np.array([0.0, horizon]), np.full(2, steady)
    traces, ends = [], []
    for key, name, t, gaps, stroke in (
        ("gpucb", "keeps everything", everything, growing, {"width": 2}),
        ("bolt", f"keeps {kept:,}", bounded, limited, {"width": 3}),
        ("", "metronome", ends_of_time, constant, {"width": 2, "dash": "dot"}),
    ):
        shown = slice(None, None, max(len(t) // MAX_POINTS, 1))
        trace = line(t[shown], gaps[shown], name, key=key, hover=SECONDS_HOVER)
        traces.append(trace | {"line": stroke})
        ends.append(End(key, name, horizon, float(gaps[-1])))
    slowest = float(growing[-1])
    top = 1.08 * slowest
    y_axis = axis("seconds between queries", range=[0, top], nticks=5)
    layout = {"xaxis": axis("time (s)", range=[0, horizon]), "yaxis": y_axis}
    return plot(
        traces,
        layout | labelled_ends(ends, (0.0, top), 180.0, horizon),
        f"If everything is kept, the time between two queries grows from {seconds(steady)} to "
        f"{seconds(slowest)}; if {kept:,} are kept, it stays at {seconds(float(R(kept)))}.",
        f"Nominal device. In {horizon:g} s an algorithm that keeps everything makes "
        f"{len(everything):,} queries; one that keeps {kept:,} makes {len(bounded):,}. Dotted: a "
        "metronome.",
    )


def trade_off() -> dict[str, Any]:
    """Return figure 3: R(n) above and ||u_n||^2 below, for a device and for a slower one."""
    row = benchmarks.get(PROBLEM).row
    k_T = temporal_correlation(KERNEL, row.lengthscale_time)
    reach = 2 * n_star()
    n = np.arange(1.0, reach + 1)
    traces, ends, peaks = [], [], []
    for slowdown, name, dash in (
        (1.0, "nominal device", "solid"),
        (SLOWDOWN, f"{SLOWDOWN:g} times slower", "dash"),
    ):
        R, best = response(slowdown), n_star(slowdown)
        u = np.array([squared_norm_u(int(size), k_T, R) for size in n])
        traces += [
            line(n, R(n), name, dash=dash, hover=SECONDS_HOVER),
            line(n, u, name, dash=dash, yaxis="y2", hover="%{y:.4~r}"),
            dots([best], u[best - 1 : best], f"n* {name}", size=10, yaxis="y2"),
        ]
        ends.append(End("", name, float(reach), float(R(reach))))
        peaks.append(best)
    high = 1.05 * float(response(SLOWDOWN)(reach))
    named = [named_line(best, f"n* = {best}", name="n*") for best in peaks]
    layout: dict[str, Any] = {
        "xaxis": axis(SIZE_TITLE, range=[0, reach], anchor="y2"),
        "yaxis": axis(RESPONSE_TITLE, range=[0, high], domain=[0.56, 1.0]),
        "yaxis2": axis(NORM_TITLE, rangemode="tozero", domain=[0.0, 0.44]),
        "shapes": [line_at for line_at, _ in named],
    }
    layout |= labelled_ends(ends, (0.0, high), 140.0, float(reach), top=22)
    layout["annotations"] += [text for _, text in named]
    fast, slow = peaks
    return plot(
        traces,
        layout,
        f"The sum is largest at n* = {fast} on the nominal device, and at n* = {slow} on one "
        f"{SLOWDOWN:g} times slower.",
        f"{LABELS[KERNEL]} in time with l_T = {row.lengthscale_time:g} s. More observations add "
        f"terms to the sum and make all of them older: it is largest at n = {fast}, and at "
        f"n = {slow} where computation takes {SLOWDOWN:g} times as long. A race learns its own "
        "l_T from its data, and therefore shows another n*.",
    )


def clocks() -> dict[str, Any]:
    """Return figure 5: two declared devices, and the measurements behind one of them."""
    samples = devices.calibration()["samples"]
    sizes, measured = np.array([(s["n"], s["seconds"]) for s in samples], dtype=float).T
    n = np.linspace(0.0, float(sizes.max()), 81)
    traces, ends = [], []
    for key, dash in (("nominal", "solid"), ("paper", "dash")):
        name = f"{key} device"
        cost = np.array([thinking_time(devices.device(key), size) for size in n])
        traces.append(line(n, cost, name, dash=dash, hover=SECONDS_HOVER))
        ends.append(End("", name, float(n[-1]), float(cost[-1])))
    traces.append(dots(sizes, measured, "measured", size=7, cliponaxis=False, hover=SECONDS_HOVER))
    top = 1.1 * max(end.y for end in ends)
    y_axis = axis("computation per pass (s)", range=[0, top], nticks=5)
    layout = {"xaxis": axis(SIZE_TITLE, range=[0, float(n[-1])]), "yaxis": y_axis}
    costs = "; ".join(f"{end.label} {seconds(end.y)}" for end in ends)
    return plot(
        traces,
        layout | labelled_ends(ends, (0.0, top), 180.0, float(n[-1])),
        f"Computation per pass with {n[-1]:g} observations on two declared devices: {costs}.",
        "Time that the model clock charges for a pass with n observations. Dots: BoTorch with "
        f"default settings, measured on one core, {significant(float(measured[-1]))} s at "
        f"n = {sizes[-1]:g}.",
    )


def _query_times(R: ResponseTime, horizon: float, kept: int | None = None) -> Array:
    """Return the times of all queries up to the horizon if at most `kept` observations are kept."""
    times, t = [], 0.0
    while t < horizon:
        times.append(t)
        n = len(times) - 1  # kept when the pass begins
        t += float(R(n if kept is None else min(n, kept)))
    return np.array(times)
