"""Symbols and axis titles that several charts of R(n) and n* share."""

NORM = "\N{DOUBLE VERTICAL LINE}u\N{DOUBLE VERTICAL LINE}\N{SUPERSCRIPT TWO}"
NORM_TITLE = "\N{DOUBLE VERTICAL LINE}u<sub>n</sub>\N{DOUBLE VERTICAL LINE}<sup>2</sup>"
SIZE_TITLE = "n, observations kept"
RESPONSE_TITLE = "R(n), seconds"
