"""A benchmark in one small picture, computed from the benchmark itself.

Time runs from left to right, one coordinate of x upwards; the other coordinates are at the optimum
of the moment. Shades are ranks, so that a long tail cannot wash them out. The dark line is the
optimum, broken where it jumps. An SVG with the cells as an embedded PNG: a few kilobytes.
"""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np

from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.types import Array
from bolt_core.figures.benchmarks import optimum_path
from bolt_core.figures.shared.colormap import INK, bytes_of, palette

WIDE, HIGH = 240.0, 96.0  # of the drawing; it stretches
PLACES = 40


def thumbnail(board: Benchmark) -> str:
    """The picture as SVG text."""
    path = optimum_path.optimum_path(board)
    coordinate = path.coordinates(1)[0]
    heights = optimum_path.over_time(board, path, coordinate, np.linspace(0.0, 1.0, PLACES))
    cells = optimum_path.ranks(heights, heights)[::-1]  # the first row of a picture is its top
    embedded = base64.b64encode(png(cells)).decode()
    line = _line(path.t / board.horizon, path.x[:, coordinate])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE:g} {HIGH:g}" '
        f'preserveAspectRatio="none" width="{WIDE:g}" height="{HIGH:g}">'
        f'<image width="{WIDE:g}" height="{HIGH:g}" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{embedded}"/>'
        f'<path d="{line}" fill="none" stroke="{INK}" stroke-width="2" '
        'stroke-linecap="round" stroke-linejoin="round"/></svg>'
    )


def describe(board: Benchmark) -> str:
    """The same in words."""
    path = optimum_path.optimum_path(board)
    which = f"x{path.coordinates(1)[0] + 1}" if board.dimension > 1 else "x"
    return f"{board.label} over {which} and time. {motion(path)}"


def motion(path: optimum_path.Path) -> str:
    """What the optimum does, from its path."""
    return f"The optimum {_place(path)}; its value ranges between {' and '.join(_heights(path))}."


def _place(path: optimum_path.Path) -> str:
    if path.roams == 0:
        return "never moves"
    if path.still:
        return f"stays within {100 * path.roams:.1g} % of the box"
    far = float(np.linalg.norm(np.diff(path.x, axis=0), axis=1).sum())
    leaps = {0: "without a jump", 1: "with one jump"}.get(path.jumps, f"with {path.jumps} jumps")
    return f"moves {far:.2g} box widths in total, {leaps} (sampled every {path.t[1]:g} s)"


def _heights(path: optimum_path.Path) -> tuple[str, str]:
    low, high = float(path.f.min()), float(path.f.max())
    places = 2 - int(np.floor(np.log10(max(high - low, 1e-12))))  # three digits of the span
    low_word, high_word = (f"{round(v, places) + 0.0:.6g}" for v in (low, high))
    return low_word.replace("-", "\N{MINUS SIGN}"), high_word.replace("-", "\N{MINUS SIGN}")


def png(share: Array) -> bytes:
    """A picture of shares from 0 to 1, a byte a cell, with the shades as its palette."""
    high, wide = share.shape
    header = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)
    body = zlib.compress(bytes_of(share), 9)
    chunks = ((b"IHDR", header), (b"PLTE", palette()), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def _line(across: Array, up: Array) -> str:
    """An SVG path, a new stroke after every jump."""
    breaks = np.abs(np.diff(up, prepend=up[0])) > optimum_path.JUMP
    breaks[0] = True
    inset = 2.0  # so that a line along the border is not cut in half
    x, y = WIDE * across, inset + (HIGH - 2 * inset) * (1.0 - up)
    return "".join(
        f"{'M' if new else 'L'}{a:.1f} {b:.1f}" for new, a, b in zip(breaks, x, y, strict=True)
    )
