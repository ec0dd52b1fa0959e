"""`bolt calibrate`: measure stock BoTorch on this machine as a device for the model clock."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from typer import Option

from bolt_core.bench import calibration
from bolt_core.cli._parts import notes, number_text, print_facts
from bolt_core.common import runtime
from bolt_core.common.errors import ConfigError


def calibrate(
    out: Annotated[
        Path | None, Option(help="Write the device, its measurements and machine there.")
    ] = None,
    repeats: Annotated[int, Option(help="Passes per size.", min=1)] = calibration.REPEATS,
    largest: Annotated[int, Option(help="Up to this n.", min=100)] = calibration.SIZES[-1],
) -> None:
    """Fit R(n) - R(0) of stock BoTorch on this machine: c0,c1,c2,c3 for --device. A few minutes.

    The paper device in the repository is one such file, written with
    `bolt calibrate --out bolt_core/data/paper_device.json`.
    """
    runtime.configure()
    if out is not None and out.is_dir():
        raise ConfigError(f"cannot write {out}: it is a folder; give a file name")
    sizes = [n for n in calibration.SIZES if n <= largest]
    samples = []
    for sample in calibration.measure(sizes, repeats):
        notes.print(f"n = {sample.n}: {number_text(sample.seconds)} s")
        samples.append(sample)
    device = calibration.fit_device(samples)
    error = calibration.worst_error(device, samples)
    device_text = ",".join(f"{c:.4g}" for c in device)
    print_facts({"--device": device_text, "largest relative error": number_text(error)})
    if out is not None:
        stored = {
            "command": f"bolt calibrate --repeats {repeats} --largest {largest} --out {out}",
            "device": device,
            "largest_relative_error": error,
            "samples": [asdict(sample) for sample in samples],
            "dimension": calibration.DIMENSION,
            "repeats": repeats,
            "machine": runtime.facts(),
        }
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
        notes.print(f"written: {out}", soft_wrap=True)
