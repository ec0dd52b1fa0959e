"""Distances between the colours of the algorithms, and two to add: `python tools/palette.py`.

Distance is Euclidean in OKLab, times 100, under normal vision and three simulated deficiencies
(Machado et al., 2009, severity 1, in linear RGB). A colour must keep 3:1 against its background
(WCAG 1.4.11). Newcomers are the pair with the largest smallest distance to all others and to each
other under the worst of the four, each of about one hue in both themes; nobody else moves.
"""

import itertools
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bolt_core.common.types import Array
from bolt_core.figures.shared.palette import DARK_BACKGROUND, LIGHT_BACKGROUND, PALETTE

NEWCOMERS = ("sw-gpucb", "w-gpucb")
CONTRAST = 3.0
CHROMA = 7.0  # least chroma, OKLab times 100: distinct from the text colour and from grey
LIGHTNESS = {
    LIGHT_BACKGROUND: (35.0, 72.0),
    DARK_BACKGROUND: (50.0, 92.0),
}  # range of the other colours
STEP = 6  # of 255, in the search
BEST = 60  # candidates of a hue that are paired
SECTOR = 20.0  # degrees each side of a hue
ALONE = 40.0  # degrees on each side of BOLT's hue that are reserved for BOLT
VISIONS = {
    "normal": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def linear(colours: Sequence[str]) -> Array:
    """Return linear RGB of "#RRGGBB" strings, (n, 3)."""
    digits = [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours]
    s = np.array(digits, dtype=float).reshape(-1, 3) / 255
    return np.asarray(np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4))


def oklab(rgb: Array, vision: str) -> Array:
    """Return OKLab times 100 of linear RGB as seen by `vision`, (n, 3)."""
    seen = np.clip(rgb @ VISIONS[vision].T, 0.0, 1.0)
    return np.asarray(100.0 * np.cbrt(seen @ LMS.T) @ LAB.T)


def contrast(rgb: Array, background: str) -> Array:
    """Return the WCAG contrast of linear RGB against a background, (n,)."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    one, other = rgb @ weights, linear([background]) @ weights
    high, low = np.maximum(one, other), np.minimum(one, other)
    return np.asarray((high + 0.05) / (low + 0.05))


def apart(one: Array, other: Array) -> Array:
    """Return the distances under the worst vision, (n, m)."""
    distances: Array = np.min(
        [np.linalg.norm(oklab(one, v)[:, None] - oklab(other, v)[None], axis=-1) for v in VISIONS],
        axis=0,
    )
    return distances


def closest(colours: Sequence[str], vision: str) -> float:
    """Return the smallest distance between two colours under one vision."""
    lab = oklab(linear(colours), vision)
    return float(min(np.linalg.norm(a - b) for a, b in itertools.combinations(lab, 2)))


def candidates(others: Sequence[str], background: str) -> list[tuple[Array, Array, list[str]]]:
    """Return the best colours per hue: linear RGB, distance to the others, names."""
    levels = range(0, 256, STEP)
    names = np.array([f"#{r:02X}{g:02X}{b:02X}" for r, g, b in itertools.product(levels, repeat=3)])
    rgb = linear(names.tolist())
    lab = oklab(rgb, "normal")
    low, high = LIGHTNESS[background]
    fit = contrast(rgb, background) >= CONTRAST
    fit &= np.hypot(lab[:, 1], lab[:, 2]) >= CHROMA
    fit &= (lab[:, 0] >= low) & (lab[:, 0] <= high)
    rgb, lab, names = rgb[fit], lab[fit], names[fit]
    alone = np.min(apart(rgb, linear(others)), axis=1)
    hue = _hue(lab)
    bolt = _hue(oklab(linear([PALETTE["bolt"].light]), "normal"))[0]
    found = []
    for middle in np.arange(-180.0, 180.0, SECTOR / 2):
        near = np.flatnonzero((_turn(hue, middle) <= SECTOR) & (_turn(hue, bolt) > ALONE))
        best = near[np.argsort(-alone[near])[:BEST]]
        found.append((rgb[best], alone[best], names[best].tolist()))
    return found


def newcomers(others: dict[str, list[str]]) -> tuple[dict[str, list[str]], float]:
    """Return the best two colours to add per background, and their distance in the worse theme."""
    shelves = {background: candidates(o, background) for background, o in others.items()}
    best, score = {}, -1.0
    hues = range(len(next(iter(shelves.values()))))
    for one, other in itertools.combinations(hues, 2):
        pairs = {ground: _pair(s[one], s[other]) for ground, s in shelves.items()}
        worst = min(distance for _, distance in pairs.values())
        if worst > score:
            best, score = {ground: names for ground, (names, _) in pairs.items()}, worst
    return best, score


def _hue(lab: Array) -> Array:
    return np.asarray(np.degrees(np.arctan2(lab[:, 2], lab[:, 1])))


def _turn(hue: Array, other: float) -> Array:
    return np.asarray(np.abs((hue - other + 180.0) % 360.0 - 180.0))


def _pair(
    one: tuple[Array, Array, list[str]], other: tuple[Array, Array, list[str]]
) -> tuple[list[str], float]:
    if not len(one[0]) or not len(other[0]):
        return [], 0.0
    table = np.minimum(apart(one[0], other[0]), np.minimum.outer(one[1], other[1]))
    i, j = np.unravel_index(int(np.argmax(table)), table.shape)
    return [one[2][i], other[2][j]], float(table[i, j])


def report() -> str:
    grounds = {"light": LIGHT_BACKGROUND, "dark": DARK_BACKGROUND}
    drawn = {t: {k: str(getattr(s, t)) for k, s in PALETTE.items()} for t in grounds}
    old = {
        ground: [c for k, c in drawn[theme].items() if k not in NEWCOMERS]
        for theme, ground in grounds.items()
    }
    pairs, distance = newcomers(old)
    lines = [f"the best two to add keep {distance:.1f} from everyone: {pairs}"]
    for theme, everyone in drawn.items():
        groups = {
            "the paper's seven": [k for k in everyone if k not in (*NEWCOMERS, "random")],
            "with the newcomers": [k for k in everyone if k != "random"],
            "all": list(everyone),
        }
        for name, keys in groups.items():
            found = {v: closest([everyone[k] for k in keys], v) for v in VISIONS}
            lines.append(f"{theme}, {name}: " + ", ".join(f"{v} {d:.1f}" for v, d in found.items()))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(report() + "\n")
