"""The colours of heat maps: the stronger the colour, the larger the value, in both themes.

A shade is one blue whose opacity grows with the value, on the background of the page: pale is small
on white, and dark is small on black. So one sentence (`MEANING`) is true of every map in either
theme. A standard deviation is grey, in the same direction. The blue has a contrast of about 4:1
with both backgrounds.
"""

from typing import Any

import numpy as np

from bolt_core.common.types import Array

MEANING = "Stronger blue is larger"
BLUE, GREY = (57, 126, 214), (128, 128, 128)
MIN_OPACITY, MAX_OPACITY = 0.04, 0.95
INK = "#0C1B3A"  # for marks at the largest values

Rgb = tuple[int, int, int]


def colorscale(rgb: Rgb = BLUE) -> list[list[float | str]]:
    """Return the shades as a plotly colour scale."""
    colour = ", ".join(map(str, rgb))
    ends = ((0.0, MIN_OPACITY), (1.0, MAX_OPACITY))
    return [[share, f"rgba({colour}, {opacity:g})"] for share, opacity in ends]


def colorbar(quantity: str, side: str = "right", **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a thin colour bar that names its quantity, with the unit, at one side of it."""
    title = {"text": quantity, "side": side}
    return {"thickness": 10, "outlinewidth": 0, "title": title} | more


def png_palette() -> tuple[bytes, bytes]:
    """Return 256 colours of three bytes each, and their opacities, for one byte per cell."""
    opacities = np.round(255.0 * np.linspace(MIN_OPACITY, MAX_OPACITY, 256)).astype(np.uint8)
    return bytes(BLUE) * 256, opacities.tobytes()


def bytes_of(share: Array) -> bytes:
    """Return shares from 0 to 1 as the rows of a PNG, each after its filter byte (none)."""
    rows = np.round(255.0 * share).astype(np.uint8)
    return np.pad(rows, ((0, 0), (1, 0))).tobytes()
