"""What a text says, whatever its other words are."""

import re


def in_order(text, *parts):
    """Return whether one line of the text has all parts, each after the one before."""
    return re.search(".*".join(map(re.escape, parts)), text) is not None
