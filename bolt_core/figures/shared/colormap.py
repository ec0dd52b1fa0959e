"""The colours of heat maps: one hue from dark (low) to bright (high), in both themes."""

import numpy as np

from bolt_core.common.types import Array

STOPS = ("#0C1B3A", "#16386F", "#2A62A8", "#5E97CF", "#A6C8E8", "#F1F7FD")
INK = "#0C1B3A"  # for marks on the brightest shade


def colorscale() -> list[list[float | str]]:
    """Return the colours as a plotly colour scale."""
    last = len(STOPS) - 1
    return [[round(i / last, 3), colour] for i, colour in enumerate(STOPS)]


def palette() -> bytes:
    """Return 256 colours of three bytes each: the palette of an image with one byte per cell."""
    stops = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in STOPS], dtype=float)
    at = np.linspace(0.0, len(STOPS) - 1, 256)
    channels = [np.interp(at, np.arange(len(STOPS)), stops[:, i]) for i in range(3)]
    return np.round(np.column_stack(channels)).astype(np.uint8).tobytes()


def bytes_of(share: Array) -> bytes:
    """Return shares from 0 to 1 as the rows of a PNG, each after its filter byte (none)."""
    rows = np.round(255.0 * share).astype(np.uint8)
    return np.pad(rows, ((0, 0), (1, 0))).tobytes()
