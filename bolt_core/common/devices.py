"""Devices of the model clock: the time R(n) - R(0) of computing with n observations, by name.

nominal   round figures of the order of stock BoTorch (types.NOMINAL_DEVICE)
paper     stock BoTorch measured on one core at n = 25..800, d = 3 (`bolt calibrate`), stored in
data/paper_device.json with the machine, the measurements and the command
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import NOMINAL_DEVICE, ClockConfig

NAMES = ("nominal", "paper")
STORED = "data/paper_device.json"


@cache
def calibration() -> dict[str, Any]:
    """Return the stored measurement that the paper device is fitted to."""
    text = files("bolt_core").joinpath(STORED).read_text(encoding="utf-8")
    measurement: dict[str, Any] = json.loads(text)
    return measurement


def device(name: str) -> tuple[float, ...]:
    """Return c_0 .. c_3 of a named device, or of four numbers "c0,c1,c2,c3"."""
    if name == "nominal":
        return NOMINAL_DEVICE
    if name == "paper":
        return tuple(calibration()["device"])
    try:
        return tuple(float(part) for part in name.split(","))
    except ValueError:
        raise ConfigError(
            f"device {name!r} is not paper, nominal or four numbers c0,c1,c2,c3, e.g. 0,5e-3,0,1e-8"
        ) from None


def clock_label(clock: ClockConfig) -> str:
    """Return the clock and its speed in a few words, such as "CPU time, slowed 15x"."""
    if clock.kind == "wall":
        return "Wall clock"
    if clock.kind == "model":
        return f"Model clock, {device_label(clock.device)}"
    return "CPU time" if clock.slowdown == 1.0 else f"CPU time, {speed_label(clock.slowdown)}"


def disturbed_label(ratio: float) -> str:
    """Return for example "timings disturbed 1.8x": 1 s of computing took 1.8 s."""
    return f"timings disturbed {ratio:.1f}\N{MULTIPLICATION SIGN}"


def speed_label(factor: float) -> str:
    """Return a factor of the computing time in words, such as "slowed 15x"."""
    if factor == 1.0:
        return "set back to its first speed"
    speed, times = ("slowed", factor) if factor > 1.0 else ("sped up", 1.0 / factor)
    return f"{speed} {times:g}\N{MULTIPLICATION SIGN}"


def device_label(coefficients: tuple[float, ...]) -> str:
    """Return the name of a device on screen: nominal device, paper device, 10x slower, declared."""
    known = known_device(coefficients)
    return ", ".join(filter(None, known)) if known else "declared device"


def known_device(coefficients: Sequence[float]) -> tuple[str, str] | None:
    """Return a known device and how many times slower or faster this one is ("": as fast).

    None: it is no multiple of a known device.
    """
    for name in NAMES:
        if ratio := multiple(coefficients, device(name)):
            return f"{name} device", pace(ratio)
    return None


def pace(slowdown: float) -> str:
    """Return "10x slower", "4x faster", or an empty text for a slowdown of 1."""
    if abs(slowdown - 1.0) < 1e-9:
        return ""
    times, word = (slowdown, "slower") if slowdown > 1 else (1.0 / slowdown, "faster")
    return f"{round(times, 2):g}\N{MULTIPLICATION SIGN} {word}"


def multiple(coefficients: Sequence[float], known: Sequence[float]) -> float | None:
    """Return k if the coefficients are k times the known ones, else None."""
    top = max(known)
    ratio = coefficients[list(known).index(top)] / top
    near = all(
        abs(a - ratio * b) <= 1e-9 * abs(a) for a, b in zip(coefficients, known, strict=True)
    )
    return ratio if near and ratio > 0 else None


def clock_in_words(clock: ClockConfig) -> str:
    """Return a description of a clock, which says what its seconds measure."""
    if clock.kind == "cpu":
        return f"cpu clock, slowdown {clock.slowdown:g}"
    if clock.kind == "wall":
        return "wall clock"
    powers = ("", " n", " n\N{SUPERSCRIPT TWO}", " n\N{SUPERSCRIPT THREE}")
    terms = [f"{c:.3g}{power}" for c, power in zip(clock.device, powers, strict=True) if c]
    return (
        f"model clock, {device_label(clock.device)}: a pass with n observations takes "
        f"{' + '.join(terms) or '0'} s in addition to the query itself"
    )


def thinking_time(device: tuple[float, ...], n: float) -> float:
    """Return R(n) - R(0) of a device with coefficients c_0 .. c_3, in seconds."""
    return sum(c * n**power for power, c in enumerate(device))
