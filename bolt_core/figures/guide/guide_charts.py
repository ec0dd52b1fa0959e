"""The Guide's five small figures, computed by the project's own code: no run, no stored numbers.

They show one problem, Eggholder, on the nominal device, so that their numbers hang together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bolt_core import benchmarks
from bolt_core.analysis.downsample import plain
from bolt_core.common import devices
from bolt_core.common.devices import thinking_time
from bolt_core.common.text import seconds, significant
from bolt_core.common.types import NOMINAL_DEVICE, Array
from bolt_core.figures.benchmarks import optimum_path
from bolt_core.figures.benchmarks.benchmark_charts import chart
from bolt_core.figures.shared.colormap import INK, colorscale
from bolt_core.figures.shared.labels import End, end_labels, margin
from bolt_core.theory.dataset_size import recommended_size, squared_norm_u
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import ResponseTime

PROBLEM = "eggholder"
SLOWER = 4.0  # times, for the second device
MARGIN = {"l": 8, "r": 12, "t": 8, "b": 8}
LINE: dict[str, Any] = {"type": "scatter", "mode": "lines"}
U_N = "\N{DOUBLE VERTICAL LINE}u<sub>n</sub>\N{DOUBLE VERTICAL LINE}<sup>2</sup>"


def response(slowdown: float = 1.0) -> ResponseTime:
    """R(n) of the problem on the nominal device, `slowdown` times as slow."""
    first, *rest = (slowdown * c for c in NOMINAL_DEVICE)
    return ResponseTime((benchmarks.get(PROBLEM).row.cost + first, *rest))


def n_star(slowdown: float = 1.0) -> int:
    row = benchmarks.get(PROBLEM).row
    found = recommended_size(
        temporal_correlation("matern32", row.lengthscale_time), response(slowdown)
    )
    if found is None:  # R grows and l_T is short: there is always a maximum
        raise AssertionError("the Guide's problem has an n*")
    return found


def drift() -> dict[str, Any]:
    """1. f over x and time, and the optimum that has to be followed."""
    board = benchmarks.load(PROBLEM)
    path = optimum_path.optimum_path(board)
    places = np.linspace(0.0, 1.0, 61)
    heights = optimum_path.over_time(board, path, 0, places)
    cells = {
        "type": "heatmap",
        "name": "f",
        "x": plain(path.t),
        "y": plain(places, 3),
        "z": [plain(row, 3) for row in optimum_path.ranks(heights, heights)],
        "zsmooth": "best",
        "showscale": False,
        "colorscale": colorscale(),
        "hoverinfo": "skip",
    }
    marks = {
        "type": "scatter",
        "mode": "markers",
        "name": "optimum",
        "x": plain(path.t),
        "y": plain(path.x[:, 0]),
        "marker": {"size": 5, "line": {"width": 1.5, "color": INK}},
        "hovertemplate": "optimum at x = %{y:.2f}",
        "cliponaxis": False,
    }
    layout = {
        "xaxis": {"title": {"text": "time (s)"}, "range": [0, board.horizon]},
        "yaxis": {"title": {"text": "x"}, "range": [0, 1], "dtick": 0.5},
        "margin": MARGIN | {"t": 14},
        "meta": {
            "alt": f"{board.label}: bright ridges drift over x and time; the optimum jumps between "
            f"them {path.jumps} times in {board.horizon:g} s.",
            "caption": f"{board.label} over x and time; bright is high. Dots: the optimum, which "
            f"jumps {path.jumps} times in {board.horizon:g} s.",
        },
    }
    return chart([cells, marks], layout)


def metronome() -> dict[str, Any]:
    """2. The time between two looks, when everything is kept and when n* are."""
    R, kept, horizon = response(), n_star(), benchmarks.get(PROBLEM).row.horizon
    everything = _looks(R, horizon)
    bounded = _looks(R, horizon, kept)
    steady = float(R(0))
    rows = [
        ("gpucb", "keeps everything", everything, 2),
        ("bolt", f"keeps {kept:,}", bounded, 3),
        ("", "metronome", np.array([0.0, horizon]), 2),
    ]
    sizes = [np.arange(float(len(everything))), np.arange(float(len(bounded)))]
    gaps = [R(sizes[0]), R(np.minimum(sizes[1], float(kept))), None]
    traces, ends = [], []
    for (key, name, t, width), gap in zip(rows, gaps, strict=True):
        y = np.full(2, steady) if gap is None else gap
        line = {"width": width} | ({"dash": "dot"} if gap is None else {})
        thin = slice(None, None, max(len(t) // 300, 1))
        own = {"meta": key} if key else {}
        traces.append(LINE | own | {"name": name, "x": plain(t[thin]), "y": plain(y[thin])})
        traces[-1] |= {"line": line, "hovertemplate": "%{y:.3~r} s"}
        ends.append(End(key, name, horizon, float(y[-1])))
    top = 1.08 * float(R(len(everything) - 1))
    layout = {
        "xaxis": {"title": {"text": "time (s)"}, "range": [0, horizon]},
        "yaxis": {"title": {"text": "seconds between looks"}, "range": [0, top], "nticks": 5},
        "annotations": end_labels(ends, (0.0, top), 180.0, horizon),
        "margin": MARGIN | {"r": margin(ends)},
        "meta": {
            "alt": f"Keeping everything, the time between two looks grows from {seconds(steady)} "
            f"to {seconds(float(R(len(everything) - 1)))}; keeping {kept:,} it stays at "
            f"{seconds(float(R(kept)))}.",
            "caption": f"Nominal device. In {horizon:g} s who keeps everything looks "
            f"{len(everything):,} times, who keeps {kept:,} looks {len(bounded):,} times. "
            "A metronome would tick along the dotted line.",
        },
    }
    return chart(traces, layout)


def trade_off() -> dict[str, Any]:
    """3. R(n) above, ||u_n||^2 below, for a device and one that is slower."""
    row = benchmarks.get(PROBLEM).row
    k_T = temporal_correlation("matern32", row.lengthscale_time)
    reach = 2 * n_star()
    n = np.arange(1.0, reach + 1)
    traces, ends, rules = [], [], []
    for slowdown, name, dash in ((1.0, "this device", "solid"), (SLOWER, "4 times slower", "dash")):
        R, best = response(slowdown), n_star(slowdown)
        u = np.array([squared_norm_u(int(size), k_T, R) for size in n])
        style = LINE | {"line": {"width": 2, "dash": dash}, "name": name, "x": plain(n)}
        traces.append(style | {"y": plain(R(n)), "hovertemplate": "%{y:.3~r} s"})
        traces.append(style | {"y": plain(u), "yaxis": "y2", "hovertemplate": "%{y:.4~r}"})
        dot = {"type": "scatter", "mode": "markers", "name": f"n* {name}", "yaxis": "y2"}
        traces.append(dot | {"x": [best], "y": plain(u[best - 1 : best]), "marker": {"size": 10}})
        ends.append(End("", name, float(reach), float(R(reach))))
        rules.append((best, name))
    high = 1.05 * float(response(SLOWER)(reach))
    fast, slow = rules[0][0], rules[1][0]
    layout = {
        "xaxis": {"title": {"text": "n, observations kept"}, "range": [0, reach], "anchor": "y2"},
        "yaxis": {"title": {"text": "R(n), seconds"}, "range": [0, high], "domain": [0.56, 1.0]},
        "yaxis2": {"title": {"text": U_N}, "rangemode": "tozero", "domain": [0.0, 0.44]},
        "shapes": [_rule(best) for best, _ in rules],
        "annotations": [*end_labels(ends, (0.0, high), 140.0, float(reach)), *map(_named, rules)],
        "margin": MARGIN | {"r": margin(ends), "t": 22},
        "meta": {
            "alt": f"The sum peaks at n* = {fast} on the nominal device and at n* = {slow} on one "
            f"{SLOWER:g} times slower.",
            "caption": f"Matern-3/2 in time with l_T = {row.lengthscale_time:g} s. More data adds "
            f"terms and makes all of them older: the sum peaks at {fast}, and at {slow} where "
            f"thinking takes {SLOWER:g} times as long.",
        },
    }
    return chart(traces, layout)


def clocks() -> dict[str, Any]:
    """5. Two declared devices, and the measurements behind one of them."""
    measured = devices.calibration()["samples"]
    sizes = np.array([float(s["n"]) for s in measured])
    took = np.array([float(s["seconds"]) for s in measured])
    n = np.linspace(0.0, float(sizes.max()), 81)
    rows = (("nominal", "nominal device", "solid"), ("paper", "paper device", "dash"))
    traces, ends = [], []
    for key, name, dash in rows:
        y = np.array([thinking_time(devices.device(key), size) for size in n])
        line = {"line": {"width": 2, "dash": dash}, "hovertemplate": "%{y:.3~r} s"}
        traces.append(LINE | line | {"name": name, "x": plain(n), "y": plain(y)})
        ends.append(End("", name, float(n[-1]), float(y[-1])))
    dots: dict[str, Any] = {"type": "scatter", "mode": "markers", "name": "measured"}
    dots |= {"marker": {"size": 7}, "cliponaxis": False}
    traces.append(dots | {"x": plain(sizes), "y": plain(took), "hovertemplate": "%{y:.3~r} s"})
    top = 1.1 * max(float(end.y) for end in ends)
    last = significant(float(took[-1]))
    layout = {
        "xaxis": {"title": {"text": "n, observations kept"}, "range": [0, float(n[-1])]},
        "yaxis": {"title": {"text": "seconds of thinking"}, "range": [0, top], "nticks": 5},
        "annotations": end_labels(ends, (0.0, top), 180.0, float(n[-1])),
        "margin": MARGIN | {"r": margin(ends)},
        "meta": {
            "alt": "What thinking costs on the two declared devices: "
            + "; ".join(f"{end.label} {seconds(end.y)} with {n[-1]:g} observations" for end in ends)
            + ".",
            "caption": "What the model clock charges for a pass with n observations. Dots: "
            f"BoTorch measured on one core, {last} s at n = {sizes[-1]:g}.",
        },
    }
    return chart(traces, layout)


def _looks(R: ResponseTime, horizon: float, kept: int | None = None) -> Array:
    """Times of the looks of one who keeps at most `kept` observations."""
    times, t = [], 0.0
    while t < horizon:
        times.append(t)
        n = len(times) - 1  # kept when the pass begins
        t += float(R(n if kept is None else min(n, kept)))
    return np.array(times)


def _rule(n: int) -> dict[str, Any]:
    sides = {"x0": n, "x1": n, "y0": 0.0, "y1": 1.0, "yref": "paper"}
    return {"name": "n*", "type": "line", "line": {"width": 1.5, "dash": "dot"}} | sides


def _named(rule: tuple[int, str]) -> dict[str, Any]:
    place = {"x": rule[0], "y": 1.0, "yref": "paper", "yanchor": "bottom", "showarrow": False}
    return {"name": "n*", "text": f"n* = {rule[0]}"} | place
