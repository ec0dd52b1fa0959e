"""Independent computation of charted values from the JSON lines of a record."""

import json
import math

import numpy as np


def passes_of(path):
    """Return the iteration lines of a record."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in lines if line["kind"] == "iteration"]


def end(p):
    """The time at which a pass was over."""
    return max(p["t"] - p.get("waited", 0.0) + p["seconds"], p["t"])


def average_regret(passes):
    """(end of the pass, R_k / k) without the warm-up."""
    counted = [p for p in passes if not p["warmup"]]
    lost = np.cumsum([p["best"] - p["value"] for p in counted])
    return [end(p) for p in counted], (lost / np.arange(1, len(lost) + 1)).tolist()


def sizes(passes):
    """(end of the pass, |D| after it)."""
    held, counts = set(), []
    for p in passes:
        held = (held | {p["i"]}) - set(p.get("removed", ()))
        counts.append(len(held))
    return [end(p) for p in passes], counts


def scores(passes, grid=50):
    """Return W2 of every kept observation for d = 1, by a sum over a grid of (x, t)."""
    last = passes[-1]
    gone = {i for p in passes for i in p.get("removed", ())}
    kept = [p for p in passes if p["i"] not in gone]
    theta, learned = last["theta"], last["notes"]["inference"]
    x, t = np.array([p["x"][0] for p in kept]), np.array([p["t"] for p in kept])
    y = (np.array([p["y"] for p in kept]) - learned["y_mean"]) / learned["y_sd"]
    y = y - learned.get("mean", 0.0)
    ahead = 2.0 * theta["lengthscale_time"]
    u = (np.arange(grid) + 0.5) / grid
    gx, gt = (a.ravel() for a in np.meshgrid(u, last["t"] + ahead * u))

    def k(x1, t1, x2, t2):
        r = math.sqrt(5.0) * np.abs(x1[:, None] - x2) / theta["lengthscale_space"]
        s = math.sqrt(3.0) * np.abs(t1[:, None] - t2) / theta["lengthscale_time"]
        space, time = (1 + r + r * r / 3) * np.exp(-r), (1 + s) * np.exp(-s)
        return theta["signal_variance"] * space * time

    noise = theta["noise_variance"] + learned.get("jitter", 0.0)

    def posterior(rows):
        A = k(x[rows], t[rows], x[rows], t[rows]) + noise * np.eye(len(rows))
        K = k(gx, gt, x[rows], t[rows])
        solved = np.linalg.solve(A, np.column_stack([y[rows], K.T]))
        variance = theta["signal_variance"] - np.sum(K.T * solved[:, 1:], axis=0)
        return K @ solved[:, 0], np.sqrt(np.maximum(variance, 0.0))

    everyone = np.arange(len(kept))
    mu, sd = posterior(everyone)
    score_by_time = {}
    for i in everyone:
        mu_i, sd_i = posterior(np.delete(everyone, i))
        cell = ahead / grid**2
        score_by_time[kept[i]["t"]] = math.sqrt(cell * np.sum((mu - mu_i) ** 2 + (sd - sd_i) ** 2))
    return score_by_time
