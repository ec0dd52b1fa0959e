"""Line numbers in sentences."""

from collections.abc import Sequence

from bolt_core.common.text import listed

SHOWN = 3  # line numbers in a sentence


def at_lines(lines: Sequence[int]) -> str:
    """Return the first lines in words: line 4; lines 4, 9, 23 and 17 more."""
    first = [f"{line:,}" for line in lines[:SHOWN]]
    more = len(lines) - len(first)
    words = listed([*first, f"{more:,} more"] if more else first)
    return f"line {words}" if len(lines) == 1 else f"lines {words}"
