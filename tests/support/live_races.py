"""What the tests of the conductor share: configs, a clock to turn by hand, a wait."""

from bolt_core.common.types import ClockConfig, RunConfig, RunStatus

MODEL = ClockConfig("model")
HEAVY = ClockConfig("model", device=(0.0, 0.01, 0.0, 0.0))


def lane(algorithm="random", *, benchmark="eggholder", seed=0, horizon=600.0, clock=MODEL, **rest):
    return RunConfig(algorithm, benchmark, seed=seed, horizon=horizon, clock=clock, **rest)


def ended(race):
    return race.status.ended


def paused(race):
    return race.status == RunStatus.PAUSED


def passes(more_than):
    return lambda race: race.version > more_than


class HandClock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.seconds = 1000.0

    def __call__(self):
        return self.seconds
