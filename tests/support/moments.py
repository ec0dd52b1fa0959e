"""Moments made up for a policy: a surrogate that says what it is told to say."""

from dataclasses import dataclass, field

import numpy as np

from bolt_core.algorithms.policy import Moment
from bolt_core.common.types import Hyperparameters, Observation, ResponseSample
from bolt_core.gp.protocol import Inference, Model
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import ResponseTime

R = ResponseTime((0.05, 2e-3, 0.0, 1e-6))
N_STAR = recommended_size(temporal_correlation("matern32", 60.0), R)  # 67
MEASURED = [ResponseSample(n, float(R(n))) for n in range(15, 120)]


@dataclass
class Scores:
    """W-DBO's bound, with scores given by hand that removals do not change."""

    left: list[float]
    kept: np.ndarray = field(init=False)

    def __post_init__(self):
        self.kept = np.arange(len(self.left))

    def relative(self):
        return np.array(self.left)

    def remove(self, i):
        self.left = [s for row, s in enumerate(self.left) if row != i]
        self.kept = np.delete(self.kept, i)


@dataclass
class Surrogate:
    """Says what it is told to say."""

    scores: list[float]
    l_T: float = 60.0
    temporal_kernel: str = "matern32"

    @property
    def model(self):
        return Model(1, temporal_kernel=self.temporal_kernel)

    @property
    def inference(self):
        return learned(self.l_T)

    def removals(self, now, how_many):
        order = np.argsort(self.scores, kind="stable")[:how_many]
        return [(int(row), self.scores[row]) for row in order]

    def bound_scores(self, now):
        return Scores(list(self.scores))


def learned(l_T, loss=0.0, noise=0.04, y_sd=5.0):
    return Inference(Hyperparameters(1.0, 0.2, l_T, noise), y_sd=y_sd, loss=loss)


def moment(n, *, t=100.0, scores=None, responses=MEASURED, seed=0, **surrogate):
    """n observations whose ids are 1000, 1001, ...: never the row."""
    dataset = [Observation(1000 + row, (0.5,), t - (n - 1 - row), 0.0) for row in range(n)]
    fake = Surrogate(scores or np.linspace(1, 2, n).tolist(), **surrogate)
    return Moment(t, dataset, fake, responses, np.random.default_rng(seed))
