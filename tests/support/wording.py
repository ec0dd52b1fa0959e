"""What a text says, whatever its other words are."""

import re


def in_text(text, *parts):
    """Return whether the text, of any number of lines, has all parts in this order."""
    return in_order(" ".join(text.split()), *parts)


def in_order(text, *parts):
    """Return whether one line of the text has all parts, each after the one before."""
    return re.search(".*".join(map(re.escape, parts)), text) is not None
