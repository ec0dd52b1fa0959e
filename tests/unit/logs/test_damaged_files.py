"""Whatever the bytes are: a log, or one error of ours."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bolt_core.common.errors import BoltError
from bolt_core.logs.guessing import Overrides
from bolt_core.logs.reading import read_log

GOOD = "time,feed (l/min),kind,yield\n" + "".join(
    f"2026-01-01T00:{k:02d}:00Z,{k % 7 + 0.5},{'AB'[k % 2]},{50 + k % 9}\n" for k in range(12)
)
CELLS = st.sampled_from(
    [
        *("", "1", "2.5", "3,5", "1,234.5", "-", "NaN", "1e400", "=A1", '"', "A", "31.12.2025"),
        *("2026-01-01", "2026-01-01T00:00Z", "46023.5", "1767225600", "9" * 30, "a b", "0x1f"),
        *("1e308", "-1e308", "0001-01-01", "9999-12-31T23:59:59", "00:00", "1_0", "12:30"),
    ]
)
HEADINGS = st.sampled_from(("time", "feed", "yield", "cost (1/h)", "", "row", "date", "#", "3"))
ROLES = st.sampled_from((None, Overrides(period=5.0), Overrides(time="1"), Overrides(outcome="2")))


def is_log_or_refusal(data, given_roles=None):
    try:
        log = read_log(data, "log.csv", given_roles)
    except BoltError as refusal:
        return bool(str(refusal))
    finite = np.isfinite(log.X).all() and np.isfinite(log.y).all() and np.isfinite(log.times).all()
    inside = log.X.min() >= 0.0 and log.X.max() <= 1.0
    return bool(finite and inside and (np.diff(log.times) >= 0).all() and log.observations())


@settings(max_examples=60)
@given(st.data(), st.sampled_from(("utf-8", "utf-16", "latin-1")), ROLES)
def test_damaged_bytes(data, encoding, roles):
    raw = bytearray(GOOD.encode(encoding))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    assert is_log_or_refusal(bytes(raw), roles)


@settings(max_examples=60)
@given(
    st.lists(st.lists(CELLS, min_size=1, max_size=5), min_size=1, max_size=12),
    st.lists(HEADINGS, max_size=5),
    st.sampled_from(",;\t"),
    ROLES,
)
def test_odd_tables(rows, headings, delimiter, roles):
    text = "\n".join(delimiter.join(row) for row in [headings, *rows])
    assert is_log_or_refusal(text.encode(), roles)
