"""A problem of somebody's own, and a caller who drives an optimizer on it."""

import numpy as np

BOUNDS = [(0.0, 5.0), (-1.0, 1.0)]


def f(x, t):
    """A parabola whose top walks in x_1."""
    return -float(np.sum((x - np.array([2.0 + np.sin(t / 20.0), 0.0])) ** 2))


def drive(opt, times, seed=0):
    """Ask and tell at each time, as a caller would; what was asked for."""
    rng = np.random.default_rng(seed)
    asked = []
    for t in times:
        newest = max((o.t for o in opt.dataset), default=t)
        x = opt.ask(max(t, newest))  # ABO may have waited beyond t
        opt.tell(x, opt.at, f(x, opt.at) + 0.01 * rng.standard_normal())
        asked.append((x, opt.at))
    return asked
