"""Devices to begin with: this machine, one twice as fast, a metronome, the paper's.

"This machine" is the R(n) that the newest finished BOLT run on this server fitted, with the k_T and
l_T it ended with; before there is one, the nominal device stands in, and the page says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from bolt_core import benchmarks
from bolt_core.analysis.response_fit import Fit, newest_fit
from bolt_core.common import paths
from bolt_core.common.devices import calibration, clock_label, device
from bolt_core.common.errors import BoltError
from bolt_core.common.types import RunStatus
from bolt_core.figures.lab.setting import DIALS, TERMS, on_steps
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.records import SUFFIX, read, read_header
from bolt_core.theory.kernels import LABELS

LOOK = 60  # records looked at, newest first
FRESH = 30  # seconds before somebody looks again
STAND_IN = "eggholder"  # whose R(0) the nominal device has


@dataclass(frozen=True, slots=True)
class Preset:
    """Values for some of the controls, and where they come from."""

    label: str
    terms: Mapping[str, float]  # on the steps of the dials
    said: str
    more: Mapping[str, float | str] = field(default_factory=dict)  # k_T and l_T, if they belong


def presets() -> dict[str, Preset]:
    machine = this_machine()
    halved = [machine.terms[name] / DIALS[name].parts / 2 for name in TERMS]
    beat = {"r0": machine.terms["r0"], "lin": 0.0, "quad": 0.0, "cub": 0.0}
    cpu = calibration()["machine"]["cpu"]
    return {
        "machine": machine,
        "twice": Preset(
            "Twice as fast", on_steps(halved), "This machine with every answer in half the time."
        ),
        "metronome": Preset(
            "A metronome", beat, "R(n) is constant: an answer takes as long however much is kept."
        ),
        "paper": Preset(
            "Paper device",
            on_steps(device("paper")),
            f"BoTorch with default settings, measured on one core ({cpu}, d = 3); nothing is added "
            "for observing f. Rounded to the sliders' steps.",
        ),
    }


def active(found: Mapping[str, Preset], terms: Mapping[str, float]) -> str | None:
    """The preset whose R(n) the sliders show."""
    if not any(terms[name] for name in TERMS[1:]):
        return "metronome"
    return next((name for name, preset in found.items() if preset.terms == terms), None)


@st.cache_resource(ttl=FRESH, show_spinner=False)
def this_machine() -> Preset:
    found = newest_run()
    if found is None:
        cost = benchmarks.get(STAND_IN).row.cost
        c = device("nominal")
        return Preset(
            "This machine",
            on_steps([cost + c[0], *c[1:]]),
            "No BOLT run has finished on this server yet. Until then: the nominal device (round "
            f"figures of a slow machine) and R(0) = {cost:g} s.",
        )
    return fitted(*found)


def fitted(run: RunSnapshot, fit: Fit) -> Preset:
    """What a run learned of the machine it ran on."""
    floor = max(fit.response.coefficients[0], fit.response.floor)
    board = benchmarks.catalog().get(run.config.benchmark)
    size = "no limit" if fit.n_star is None else f"n* = {fit.n_star:,}"
    return Preset(
        "This machine",
        on_steps([floor, *fit.response.coefficients[1:]]),
        f"R(n) as BOLT fitted it on {board.label if board else run.config.benchmark}, seed "
        f"{run.config.seed} ({clock_label(run.config.clock)}), with the $k_T$ and $l_T$ it "
        f"learned, rounded to the sliders' steps. The run itself ended with {size}.",
        {"k": LABELS.get(fit.kernel, ""), "lt": DIALS["lt"].nearest(fit.lengthscale)},
    )


def newest_run() -> tuple[RunSnapshot, Fit] | None:
    """The newest finished BOLT run of this server with an R(n) that is more than a guess."""
    files = sorted(paths.runs().glob(f"*{SUFFIX}"), reverse=True)  # names begin with the time
    for path in files[:LOOK]:
        try:
            if read_header(path)["config"]["algorithm"] != "bolt":
                continue
            run = read(path)
        except (BoltError, KeyError, TypeError):  # somebody else's file, or a torn one
            continue
        fit = newest_fit(run)
        if run.status == RunStatus.FINISHED and fit is not None and not fit.samples.missing:
            return run, fit
    return None
