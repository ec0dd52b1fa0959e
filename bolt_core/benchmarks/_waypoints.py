r"""Random waypoint mobility: every walker goes straight to a random place, then to the next.

    p_j(t) = a + v (t - s)    on the leg that leaves a at time s,

the legs of a walker drawn one after the other (place, then speed), the walkers one after the
other, from one generator, all before the run begins: a walk is a pure function of its seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bolt_core.common.types import Array

SPEED_RANGE = (0.25, 0.75)  # m/s, uniform, one draw per leg; no pause between legs


@dataclass(frozen=True, slots=True)
class Walk:
    """The legs of all walkers, padded to the longest list with legs that never begin."""

    begins: Array  # (walkers, legs) seconds
    places: Array  # (walkers, legs, 2) metres, where each leg begins
    velocities: Array  # (walkers, legs, 2) m/s

    def at(self, t: Array) -> Array:
        """Return positions (..., walkers, 2) in metres at times t (...) in seconds."""
        now = t[..., None]
        leg = np.sum(now[..., None] >= self.begins, axis=-1) - 1
        walker = np.arange(len(self.begins))
        elapsed = (now - self.begins[walker, leg])[..., None]
        return np.asarray(self.places[walker, leg] + self.velocities[walker, leg] * elapsed)


def random_waypoints(rng: np.random.Generator, walkers: int, box: Array, horizon: float) -> Walk:
    """Return a walk in `box` (its low and high corner) that lasts at least `horizon` seconds."""
    walks = [list(_legs(rng, box, horizon)) for _ in range(walkers)]
    longest = max(map(len, walks))
    padded = np.full((walkers, longest, 5), np.inf)
    for legs, row in zip(walks, padded, strict=True):
        row[: len(legs)] = legs
    return Walk(padded[..., 0], padded[..., 1:3], padded[..., 3:])


def _legs(rng: np.random.Generator, box: Array, horizon: float) -> Iterator[Array]:
    """Yield (begin, place, velocity) of one walker's legs until the horizon."""
    begin, place = 0.0, rng.uniform(box[0], box[1])
    while begin < horizon:
        target, speed = rng.uniform(box[0], box[1]), rng.uniform(*SPEED_RANGE)
        distance = float(np.linalg.norm(target - place))
        yield np.concatenate([[begin], place, speed * (target - place) / distance])
        begin, place = begin + distance / speed, target
