"""Response-time presets of the n* lab: this machine, twice as fast, a metronome, the paper device.

"This machine" is the R(n) that the newest finished BOLT run on this server fitted, with the k_T and
l_T at its end. While there is no such run, the preset is the nominal device, and its note says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from bolt_core import benchmarks
from bolt_core.analysis.response_fit import ResponseFit, newest_fit
from bolt_core.common import paths
from bolt_core.common.devices import calibration, device
from bolt_core.common.errors import BoltError
from bolt_core.common.types import RunStatus
from bolt_core.figures.lab.setting import DIALS, TERMS, nearest_steps
from bolt_core.runs.own_problem import clock_label
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.records import SUFFIX, read, read_header
from bolt_core.theory.kernels import LABELS
from bolt_ui import markdown

MAX_RECORDS_READ = 60  # the newest ones
REFRESH_SECONDS = 30
NOMINAL_BENCHMARK = "eggholder"  # its R(0) is added to the nominal device


@dataclass(frozen=True, slots=True)
class Preset:
    """Values for some of the controls, and a sentence that says where they come from."""

    label: str
    terms: Mapping[str, float]  # of R(n), on the steps of the sliders
    origin: str
    kernel_settings: Mapping[str, float | str] = field(default_factory=dict)  # k_T and l_T, if any


def presets() -> dict[str, Preset]:
    """Return the presets by key, in the order in which they are shown."""
    machine = this_machine()
    halved = [machine.terms[name] / DIALS[name].parts / 2 for name in TERMS]
    constant = {"r0": machine.terms["r0"], "lin": 0.0, "quad": 0.0, "cub": 0.0}
    cpu = calibration()["machine"]["cpu"]
    return {
        "machine": machine,
        "twice": Preset(
            "Twice as fast", nearest_steps(halved), "This machine with half the response time."
        ),
        "metronome": Preset(
            "A metronome", constant, "R(n) is constant: it does not depend on the data kept."
        ),
        "paper": Preset(
            "Paper device",
            nearest_steps(device("paper")),
            f"BoTorch with default settings, measured on one core ({cpu}, 3 inputs), without the "
            "cost of a query. Rounded to the steps of the sliders.",
        ),
    }


def matching(offered: Mapping[str, Preset], terms: Mapping[str, float]) -> str | None:
    """Return the key of the preset that has these terms of R(n); None if there is none."""
    if not any(terms[name] for name in TERMS[1:]):
        return "metronome"
    return next((name for name, preset in offered.items() if preset.terms == terms), None)


@st.cache_resource(ttl=REFRESH_SECONDS, show_spinner=False)
def this_machine() -> Preset:
    """Return the preset of this machine, from the newest run or from the nominal device."""
    if (newest := newest_run()) is not None:
        return fitted(*newest)
    cost = benchmarks.get(NOMINAL_BENCHMARK).row.cost
    constant, *rest = device("nominal")
    return Preset(
        "This machine",
        nearest_steps([cost + constant, *rest]),
        "No BOLT run has finished on this server yet. This is the nominal device (round figures of "
        f"a slow machine) with R(0) = {cost:g} s.",
    )


def fitted(run: RunSnapshot, fit: ResponseFit) -> Preset:
    """Return the preset that a run measured on its machine."""
    floor = max(fit.response.coefficients[0], fit.response.floor)
    spec = benchmarks.catalog().get(run.config.benchmark)
    benchmark = spec.label if spec else markdown.escape(run.config.benchmark)
    size = "without a limit" if fit.n_star is None else f"with n* = {fit.n_star:,}"
    kernel = {"k": LABELS[fit.kernel]} if fit.kernel in LABELS else {}
    return Preset(
        "This machine",
        nearest_steps([floor, *fit.response.coefficients[1:]]),
        f"R(n) as BOLT fitted it on {benchmark}, seed "
        f"{run.config.seed} ({clock_label(run.config, run.header)}), with the $k_T$ and $l_T$ "
        f"that it learned. Rounded to the steps of the sliders. The run ended {size}.",
        kernel | {"lt": DIALS["lt"].nearest(fit.lengthscale)},
    )


def newest_run() -> tuple[RunSnapshot, ResponseFit] | None:
    """Return the newest finished BOLT run on this server that has enough passes to fit R(n)."""
    files = sorted(paths.runs().glob(f"*{SUFFIX}"), reverse=True)  # names begin with the time
    for path in files[:MAX_RECORDS_READ]:
        try:
            if read_header(path)["config"]["algorithm"] != "bolt":
                continue
            run = read(path)
        except (BoltError, KeyError, TypeError):  # a torn file, or not a record
            continue
        fit = newest_fit(run)
        if run.status == RunStatus.FINISHED and fit is not None and not fit.samples.missing:
            return run, fit
    return None
