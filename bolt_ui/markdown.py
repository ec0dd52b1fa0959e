"""Text for Streamlit's Markdown: escape what others wrote, typeset the symbols in our own words."""

import re

SPECIAL_CHARACTERS = frozenset("\\`*_{}[]()<>#+!|~$:@&-")
INDEXED_SYMBOL = re.compile(r"\b[A-Za-z]_[A-Za-z]\b")
SINGLE_STAR = re.compile(r"(?<!\*)\*(?!\*)")


def escape(text: str) -> str:
    """Return text that Markdown shows literally.

    Use it for names, error messages and other text from a file, a link or a plug-in,
    so that it can hold no link, image or formatting.
    """
    return "".join(f"\\{c}" if c in SPECIAL_CHARACTERS else c for c in text)


def with_math(text: str) -> str:
    """Return Markdown in which indexed symbols such as l_T are typeset and n* keeps its star.

    Use it for this project's own text only; text from elsewhere needs `escape`.
    """
    return INDEXED_SYMBOL.sub(r"$\g<0>$", SINGLE_STAR.sub(r"\\*", text))
