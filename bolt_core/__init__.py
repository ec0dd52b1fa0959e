"""Time-varying Bayesian optimization without a metronome."""

__version__ = "0.1.0"
