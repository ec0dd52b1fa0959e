"""A small picture of a benchmark, computed from the benchmark itself.

Time runs from left to right and one coordinate of x from bottom to top; the other coordinates are
at the optimum. Shades are ranks, so that a long tail does not compress them. The dark line is the
optimum, interrupted where it jumps. It is an SVG of a few kilobytes with the cells as a PNG.
"""

import base64
import struct
import zlib

import numpy as np

from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.text import counted
from bolt_core.common.types import Array
from bolt_core.figures.benchmarks import optimum_path
from bolt_core.figures.shared.colormap import INK, bytes_of, png_palette

WIDTH, HEIGHT = 240.0, 96.0  # of the drawing, which is stretched to its container
ROWS = 40
EDGE = "#FFFFFF"  # of the line, which could not be seen on a dark background without it
INSET = 2.0  # so that a line along the border is not cut in half


def thumbnail(board: Benchmark) -> str:
    """Return the picture as SVG."""
    path = optimum_path.optimum_path(board)
    coordinate = path.coordinates(1)[0]
    heights = optimum_path.over_time(board, path, coordinate, np.linspace(0.0, 1.0, ROWS))
    cells = optimum_path.ranks(heights, heights)[::-1]  # the first row of an image is its top
    embedded = base64.b64encode(png(cells)).decode()
    line = _line(path.t / board.horizon, path.x[:, coordinate])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
        f'preserveAspectRatio="none" width="{WIDTH:g}" height="{HEIGHT:g}">'
        f'<image width="{WIDTH:g}" height="{HEIGHT:g}" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{embedded}"/>'
        '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{line}" stroke="{EDGE}" stroke-width="4"/>'
        f'<path d="{line}" stroke="{INK}" stroke-width="2"/></g></svg>'
    )


def describe(board: Benchmark) -> str:
    """Return the picture as a sentence, for screen readers."""
    path = optimum_path.optimum_path(board)
    which = f"x{path.coordinates(1)[0] + 1}" if board.dimension > 1 else "x"
    return f"{board.label} over {which} and time. {motion(path)}"


def motion(path: optimum_path.Path) -> str:
    """Return how the optimum moves, and the range of its value."""
    low, high = _range(path)
    return f"The optimum {_movement(path)}. Its value is between {low} and {high}."


def _movement(path: optimum_path.Path) -> str:
    if path.roams == 0:
        return "never moves"
    if path.still:
        return f"stays within {100 * path.roams:.1g} % of the box"
    distance = float(np.linalg.norm(np.diff(path.x, axis=0), axis=1).sum())
    jumps = counted(path.jumps, "jump") if path.jumps else "no jump"
    return f"moves {distance:.2g} box widths in total, with {jumps} (sampled every {path.t[1]:g} s)"


def _range(path: optimum_path.Path) -> list[str]:
    """Return the lowest and the highest value of the optimum, to three digits of the span."""
    low, high = float(path.f.min()), float(path.f.max())
    decimals = 2 - int(np.floor(np.log10(max(high - low, 1e-12))))
    texts = (f"{round(value, decimals) + 0.0:.6g}" for value in (low, high))
    return [text.replace("-", "\N{MINUS SIGN}") for text in texts]


def png(share: Array) -> bytes:
    """Return a PNG of shares from 0 to 1, with one byte per cell and the shades as its palette.

    The shades are transparent (`colormap`), so that the picture suits both themes.
    """
    rows, columns = share.shape
    header = struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0)
    body = zlib.compress(bytes_of(share), 9)
    colours, opacities = png_palette()
    shades = ((b"PLTE", colours), (b"tRNS", opacities))
    chunks = ((b"IHDR", header), *shades, (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def _line(across: Array, up: Array) -> str:
    """Return an SVG path with a new stroke after every jump."""
    breaks = np.abs(np.diff(up, prepend=up[0])) > optimum_path.JUMP_DISTANCE
    breaks[0] = True
    x, y = WIDTH * across, INSET + (HEIGHT - 2 * INSET) * (1.0 - up)
    return "".join(
        f"{'M' if new else 'L'}{a:.1f} {b:.1f}" for new, a, b in zip(breaks, x, y, strict=True)
    )
