"""Numbers, counts, durations and lists as text: one function per kind, for every package."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

ANGLE_QUOTES = str.maketrans(
    "<>&",
    "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
    "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
    "\N{FULLWIDTH AMPERSAND}",
)
EN_DASH = "\N{EN DASH}"
LONG_RESPONSE = 99.5  # seconds
LONG_RACE = 5400.0  # seconds; longer than every benchmark but the twin of a log


class DurationStep(NamedTuple):
    """How a duration below so many seconds is rounded and in which unit it is written."""

    below: float  # seconds
    step: float  # seconds
    unit: float  # seconds
    name: str


DURATION_STEPS = (
    DurationStep(15.0, 1.0, 1.0, "s"),
    DurationStep(100.0, 5.0, 1.0, "s"),
    DurationStep(5400.0, 60.0, 60.0, "min"),
    DurationStep(math.inf, 1800.0, 3600.0, "h"),
)

TIME_UNITS = (  # a time below so many seconds has this unit, seconds and name; longer ones: days
    (180.0, 1.0, "s"),
    (3 * 3600.0, 60.0, "min"),
    (3 * 86_400.0, 3600.0, "h"),
    (math.inf, 86_400.0, "days"),
)


def significant(value: float | None) -> str:
    """Three significant digits, thousands separated: 0.0123, 4.57, 12,346; "unknown" for none."""
    if value is None or not math.isfinite(value):
        return "unknown"
    decimals = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:,.{max(decimals, 0)}f}".replace("-", "\N{MINUS SIGN}")


def seconds(value: float | None) -> str:
    """A time with three digits: 0.18 s; hours and days in their unit: 3.47 days."""
    if value is not None and LONG_RACE <= value < math.inf:
        return in_natural_unit(value)
    return f"{significant(value)} s"


def duration(seconds: float) -> str:
    """A long time in its natural unit: 45 s, 12 min, 3.4 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def in_natural_unit(seconds: float) -> str:
    """A time with three digits in the unit that suits it: 3.61 s, 12.5 min, 4.20 days."""
    unit, name = time_unit(seconds)
    return f"{significant(seconds / unit)} {name}"


def time_unit(span_seconds: float) -> tuple[float, str]:
    """The unit, in seconds and by name, in which so many seconds have few digits."""
    return next((unit, name) for below, unit, name in TIME_UNITS if not span_seconds >= below)


def race_time(seconds: float) -> str:
    """A moment of a race: 120 s; hours and days of the twin of a log in their unit: 3.47 days."""
    return f"{seconds:.0f} s" if seconds < LONG_RACE else in_natural_unit(seconds)


def exact_time(seconds: float) -> str:
    """The length of a race: 120 s, 12.5 s; hours and days in their unit: 3.47 days."""
    return f"{seconds:g} s" if seconds < LONG_RACE else in_natural_unit(seconds)


def response(seconds: float) -> str:
    """A response time with two digits: 0.18 s; minutes and hours in their unit: 16.7 min."""
    return f"{seconds:.2g} s" if seconds < LONG_RESPONSE else in_natural_unit(seconds)


def duration_range(low: float, high: float) -> str:
    """A time that is not known exactly, both ends in one unit: 40-60 s, 2-3 min; or one number."""
    size = next(size for size in DURATION_STEPS if high < size.below)
    ends = [max(round(end / size.step), 1) * size.step / size.unit for end in (low, high)]
    words = dict.fromkeys(f"{end:g}" for end in ends)
    return f"{EN_DASH.join(words)} {size.name}"


def clock_time(seconds: float) -> str:
    """A moment on a clock: 1,234.5 s, 6.1 s, 0.324 s; after hours or days, 3.47 days."""
    if seconds >= LONG_RACE:
        return in_natural_unit(seconds)
    return f"{significant(seconds)} s" if abs(seconds) < 1 else f"{seconds:,.1f} s"


def minutes(seconds: float) -> str:
    """A time as minutes and seconds: 3:05."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def counted(count: int, noun: str) -> str:
    """A count with its noun: 1 seed, 12,345 observations."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: BOLT; BOLT and ABO; BOLT, ABO and W-DBO.

    Names that have commas of their own are separated by semicolons.
    """
    *most, last = names
    separator = "; " if any("," in name for name in names) else ", "
    return f"{separator.join(most)} and {last}" if most else last


def seed_numbers(seeds: Iterable[int]) -> str:
    """Return seeds in words: seed 3; seeds 0 to 4; seeds 0, 3 and 7."""
    numbers = sorted(set(seeds))
    if len(numbers) == 1:
        return f"seed {numbers[0]}"
    without_gaps = numbers[-1] - numbers[0] == len(numbers) - 1
    if without_gaps:
        return f"seeds {numbers[0]} to {numbers[-1]}"
    return f"seeds {listed([str(number) for number in numbers])}"


def seed_counts(counts: Iterable[int]) -> str:
    """Return how many seeds lanes have, in their order: one seed; 3 seeds; 3 and 2 seeds."""
    numbers = list(dict.fromkeys(counts))
    return "one seed" if numbers == [1] else f"{listed([str(n) for n in numbers])} seeds"


def percent(share: float) -> str:
    """A share of one as a whole percentage: 25 %."""
    return f"{100.0 * share:.0f}\N{THIN SPACE}%"


def shortened(text: object, length: int = 160) -> str:
    """Return a text on one line of at most `length` characters; a longer one is cut."""
    line = " ".join(str(text).split())
    return line if len(line) <= length else f"{line[: length - 1]}\N{HORIZONTAL ELLIPSIS}"


def sentence(text: str) -> str:
    """Return a message with a capital at its beginning and a full stop at its end."""
    end = "" if text.endswith((".", "!", "?")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


def display_name(text: str, length: int = 60) -> str:
    """Return a name from a file for charts and tables: one line, no HTML tags, cut if long."""
    return shortened(text, length).translate(ANGLE_QUOTES)
