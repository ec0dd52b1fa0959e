r"""The observation of least W_2 among a few, decided by as few nodes as that takes.

The nodes come in batches, each of which is a part of one Sobol rule and lies around the candidates
that are left. A batch of Q nodes around m candidates has the weight Q / m, which is about the
number of its nodes near each. Every batch is cut into RUNS runs of consecutive points. S_jp is the
weighted mean, over the batches, of the estimates of W_2^2 of candidate j by their p-th runs, and
S_j is the mean over p. With i the candidate of least S_j, the error of S_i - S_j is about

    e_j = sd_p(S_ip - S_jp) / sqrt(RUNS),

of the difference, because all candidates have the same nodes. The estimate is too large rather than
too small: all runs together are spread more evenly than independent ones. After each batch,

    S_i + SURE e_j < S_j (1 + TOLERANCE)^2 for all j: the race is over, i is as good as the best;
    S_i + BEATEN e_j < S_j: candidate j is dropped, and the nodes of the next batch lie elsewhere.
"""

import numpy as np

from bolt_core.common.types import Array
from bolt_core.theory.kernels import Covariance
from bolt_core.theory.wasserstein.exact import Root, Rows, ShortlistScores
from bolt_core.theory.wasserstein.nodes import nodes_near

BATCHES = (128, 128, 256, 512)  # nodes
NODES = sum(BATCHES)  # a power of two
NEAR = 0.9  # share of them around the candidates
RUNS = 8  # of consecutive points, in each batch
TOLERANCE = 0.02  # of W_2, relative: candidates this close are equally good
SURE = 1.5  # standard errors
BEATEN = 1.5  # standard errors


def least(
    k: Covariance, Z: Array, root: Root, a: Array, now: float, rows: Rows
) -> tuple[int, float]:
    """Return the one of `rows` of least W_2, and its W_2."""
    squared = np.zeros((len(rows), RUNS))  # W_2^2, summed with the weights of the batches
    weight, start, first = 0.0, 0, 0
    for count in BATCHES:
        part = (start, start + count)
        nodes = nodes_near(k, Z[rows, :-1], now, NODES, NEAR, part=part)
        share = count / len(rows)
        squared += share * ShortlistScores(k, Z, root, a, nodes, rows).squared_by_runs(RUNS)
        weight, start = weight + share, start + count
        means = squared.mean(axis=1)
        first = int(np.argmin(means))
        if not np.isfinite(means).all():
            break
        behind = means - means[first]
        error = (squared - squared[first]).std(axis=1, ddof=1) * RUNS**-0.5
        slack = ((1.0 + TOLERANCE) ** 2 - 1.0) * means
        slack[first] = np.inf  # it is no rival of its own
        if np.all(behind + slack > SURE * error):
            break
        left = behind <= BEATEN * error  # of the first, both are 0
        rows, squared, first = rows[left], squared[left], int(np.count_nonzero(left[:first]))
    return int(rows[first]), float((squared[first].mean() / weight) ** 0.5)
