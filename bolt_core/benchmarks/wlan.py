r"""WLAN: the transmit powers of 6 access points while 27 users walk around (Appendix C).

    f(x, t) = sum_j log2(1 + p_a g_aj / (N_0 + sum_{k != a} p_k g_kj)),    a = node of user j,
    g_kj    = 10^(-(46.6777 + 30 log10 max(d_kj, 1 m)) / 10),
    p_k     = 10^0.1 + (10^2.5 - 10^0.1) x_k mW.

The paper gives the objective, 27 users, 6 nodes and the range of powers. Everything else is a
specification of this package: path loss and node positions as in the authors' public ns-3 code
(its default log-distance model; layouts G6, K6, C6), random waypoints, the noise floor, W = 1
(bit/s/Hz). Only the users' speed was calibrated, to the paper's l_T.

The users' walk is drawn from the seed `environment`, which is fixed over algorithms and
replications, because walks differ as much as algorithms do. Environment 2 is the nearest of 0..9
to the paper's scale (1 % of Var f = 1.5, regrets up to 21): Var f = 151, random regret 20.5. A test
of the ten environments (tests/unit/benchmarks/test_wlan.py) measures both again.

In t, f jumps when a user changes node: hence the Matern-1/2 kernel, and no table of f*.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bolt_core.benchmarks._waypoints import Walk, random_waypoints
from bolt_core.benchmarks.oracle import highest
from bolt_core.benchmarks.spec import TABLE_3, BenchmarkSpec, Landscape
from bolt_core.common.options import Option
from bolt_core.common.types import Array

HORIZON = TABLE_3["wlan"].horizon  # seconds
USERS = 27
MARGIN_METRES = 20.0  # around the box of the nodes
LOW_DBM, HIGH_DBM = 1.0, 25.0
LOW_MW, HIGH_MW = 10 ** (LOW_DBM / 10), 10 ** (HIGH_DBM / 10)
NOISE_FLOOR_MW = 10**-9.4  # -94 dBm: thermal noise in 20 MHz plus 7 dB
LOSS_AT_1M_DB, EXPONENT = 46.6777, 3.0  # as in ns-3's LogDistancePropagationLossModel
MAX_STARTS = 6  # of the 3^6 corners and midpoints; 60 gain less than 3e-10

TOPOLOGIES = {  # node positions in metres
    "G6": [(0, 0), (0, 50), (50, 0), (50, 50), (100, 0), (100, 50)],
    "K6": [(30, 0), (15, 25.98), (-15, 25.98), (-30, 0), (-15, -25.98), (15, -25.98)],
    "C6": [(0, 0), (50, 0), (50, -53), (50, 37), (102, 0), (102, 68)],
}
_LEVELS = np.array(np.meshgrid(*[(0.0, 0.5, 1.0)] * 6)).reshape(6, -1).T


@dataclass(frozen=True, slots=True)
class Network:
    """Fixed nodes, walking users, and the node that serves each user."""

    nodes: Array  # (nodes, 2) metres
    walk: Walk
    static: bool = False  # association as at t = 0 instead of the nearest node now

    def gains(self, t: Array) -> tuple[Array, Array]:
        """Return g (..., nodes, users), and g with zero where the node serves the user."""
        distance = self._distances(t)
        nearest = np.argmin(self._distances(np.zeros(())) if self.static else distance, axis=-2)
        serves = nearest[..., None, :] == np.arange(len(self.nodes))[:, None]
        gain = 10 ** (-LOSS_AT_1M_DB / 10) * np.maximum(distance, 1.0) ** -EXPONENT
        return gain, np.where(serves, 0.0, gain)

    def capacity(self, power: Array, t: Array) -> Array:
        """Return the sum over users of log2(1 + SINR), for powers (..., nodes) in mW."""
        gain, interfering = self.gains(t)
        received = NOISE_FLOOR_MW + np.einsum("...k,...kj->...j", power, gain)
        interference = NOISE_FLOOR_MW + np.einsum("...k,...kj->...j", power, interfering)
        return np.asarray(np.log2(received / interference).sum(axis=-1))

    def best_level(self, t: float) -> Array:
        """Return the best powers at t as fractions of the range in dBm, where f is well scaled."""
        now = np.asarray(t)
        gain, interfering = self.gains(now)

        def climb(level: Array) -> tuple[float, Array]:
            return capacity_and_slope(level, gain, interfering)

        values = self.capacity(milliwatts(_LEVELS), now)
        return highest(climb, _LEVELS[np.argsort(values)[-MAX_STARTS:]])[0]

    def _distances(self, t: Array) -> Array:
        away = self.walk.at(t)[..., None, :, :] - self.nodes[:, None, :]
        return np.asarray(np.hypot(away[..., 0], away[..., 1]))


def milliwatts(level: Array) -> Array:
    """Convert fractions of [1, 25] dBm to mW."""
    return np.asarray(10 ** ((LOW_DBM + (HIGH_DBM - LOW_DBM) * level) / 10))


def capacity_and_slope(level: Array, gain: Array, interfering: Array) -> tuple[float, Array]:
    """Return f and its gradient in `level`, which are fractions of the range in dBm."""
    power = milliwatts(level)
    received, interference = NOISE_FLOOR_MW + power @ gain, NOISE_FLOOR_MW + power @ interfering
    slope = (gain @ (1 / received) - interfering @ (1 / interference)) / np.log(2)  # per mW
    value = float(np.log2(received / interference).sum())
    return value, slope * power * np.log(10) / 10 * (HIGH_DBM - LOW_DBM)


def network(topology: str, environment: int, *, static: bool = False) -> Network:
    """Return the nodes of `topology` with users whose walk has the seed `environment`."""
    nodes: NDArray[np.float64] = np.array(TOPOLOGIES[topology], dtype=float)
    box = np.array([nodes.min(axis=0) - MARGIN_METRES, nodes.max(axis=0) + MARGIN_METRES])
    walk = random_waypoints(np.random.default_rng(environment), USERS, box, HORIZON)
    return Network(nodes, walk, static)


def landscape(topology: str, environment: int, association: str, power: str) -> Landscape:
    """Return f on the unit cube; x is linear in `power`, mW or dBm."""
    net = network(topology, environment, static=association == "static")

    def f(x: Array, t: Array) -> Array:
        linear = LOW_MW + (HIGH_MW - LOW_MW) * x
        return net.capacity(milliwatts(x) if power == "dBm" else linear, t)

    def best(t: float) -> tuple[Array, float]:
        level = net.best_level(t)
        linear = (milliwatts(level) - LOW_MW) / (HIGH_MW - LOW_MW)
        x = np.clip(level if power == "dBm" else linear, 0.0, 1.0)
        return x, float(f(x, np.asarray(t)))

    source = f"simulation of ours: layout {topology}, users' walk {environment}, {association} node"
    return Landscape(len(net.nodes), f, best, source=source)


BENCHMARK = BenchmarkSpec(
    key="wlan",
    label="WLAN",
    dimension=6,
    row=TABLE_3["wlan"],
    landscape=landscape,
    options=(
        Option(
            "topology", "G6", "positions of the nodes: grid, hexagon, irregular", tuple(TOPOLOGIES)
        ),
        Option("environment", 2, "seed of the users' walk; keep it fixed in a comparison", low=0),
        Option(
            "association",
            "nearest",
            "the node of a user: the nearest now, or at t = 0",
            ("nearest", "static"),
        ),
        Option("power", "mW", "scale in which x is linear", ("mW", "dBm")),
    ),
    temporal_kernel="matern12",
    notes=(
        "The paper does not specify path loss, layout, mobility and noise floor: this simulation is"
        " our specification, with the paper's scale of Var f, regret and l_T.",
        "f jumps when a user changes node.",
    ),
)
