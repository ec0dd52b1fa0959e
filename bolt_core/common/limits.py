"""How large a number of the user may be, so that what is computed from it is a number as well."""

MAX_VALUE = 1e50  # of results, times, coordinates and the ends of a range
MAX_STORED = 1e100  # in a file; the difference of two values is smaller
