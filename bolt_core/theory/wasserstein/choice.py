r"""The observations to remove: argmin W_2, one after another, in two stages.

Nodes that rank all n observations leave an error of 10 to 30 % on each score at d = 6, more than
the gap between the best two. So a pilot rule makes a shortlist of the lowest scores, and nodes that
are near the shortlist only decide among those. Where one observation is to leave, they come in
batches, and no more of them than the decision takes (race.py). Where several are, all come at once:
with U_S = M_S k for the rows of the shortlist and the variance v at the nodes, a removal downdates
in O(s Q):

    u_j <- u_j - u_i M_ij / M_ii,   v <- v + u_i^2 / M_ii,   M, a as in exact.py.

Below, "now" is this choice and "before" is 256 pilot nodes, then always 1,024, with uniform times
and b = l_S / 2 (nodes.py). A choice counts if it is within 2 % of the true minimum, by a rule of
32,768 nodes. The settings were chosen on other datasets than these.

    datasets (bench/decision.py: d = 1, 2, 3, 6; l_S = 0.2 to 0.8)    number   before      now
    n = 20 to 150                                                        800   98.6 %   99.2 %
    n = 20 to 150, one lengthscale per knob                              600   98.2 %   98.7 %
    n = 200 to 400                                                        96   93.8 %   96.9 %
    surrogates of 24 runs: powell, eggholder, hartmann6, schwefel,
    ackley, temperature                                                  288   96.9 %   99.0 %

They were made with batches of 256, 256 and 512 nodes, of which a race took 320 to 400 on average.
On 860 other datasets of the same kinds 13 choices were out with these, and 10 with the present
batches, which begin with 128. With d = 3, one thread, CPU time fell from 1.5 to 0.7 ms
at n = 100, from 3.1 to 1.3 ms at n = 200 and from 8.3 to 3.1 ms at n = 400.
"""

import numpy as np

from bolt_core.common.types import Array
from bolt_core.theory.kernels import Covariance
from bolt_core.theory.wasserstein import race
from bolt_core.theory.wasserstein.exact import Root, ShortlistScores, removal_scores
from bolt_core.theory.wasserstein.nodes import COUNT, nodes_near, sobol

SHORTLIST = 7  # candidates beyond the number to be removed
PILOT = 128  # nodes of the first rule


def prepare(dimension: int) -> None:
    """Compute the Sobol points in advance, so that no pass is charged for them (0.7 s)."""
    for count in (PILOT, COUNT, race.NODES):
        sobol(dimension + 2, count)


def removals(
    k: Covariance, Z: Array, root: Root, a: Array, now: float, how_many: int = 1
) -> list[tuple[int, float]]:
    """Return the rows of `Z` to remove, in order, each with its W_2 when it is removed."""
    how_many = min(how_many, len(Z))
    if how_many <= 0:
        return []
    pilot = removal_scores(k, Z, root, a, now, PILOT)
    rows = np.argsort(pilot, kind="stable")[: how_many + SHORTLIST]
    if how_many == 1:
        return [race.least(k, Z, root, a, now, rows)]
    nodes = nodes_near(k, Z[rows, :-1], now, race.NODES, race.NEAR)
    scores = ShortlistScores(k, Z, root, a, nodes, rows)
    chosen = []
    for _ in range(how_many):
        left = scores.scores()
        i = int(np.argmin(left))
        chosen.append((int(scores.kept[i]), float(left[i])))
        scores.remove(i)
    return chosen
