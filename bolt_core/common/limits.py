"""How large a number of the user may be, so that what is computed from it is a number as well."""

MAX_VALUE = 1e50  # of results, times, coordinates and the ends of a range
MIN_WIDTH = 1e-50  # of a range
MAX_RATIO = 1e50  # of the ends of a range with a logarithmic scale
MAX_STORED = 1e100  # in a file; the difference of two values is smaller
