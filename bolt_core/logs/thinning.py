"""Which rows of a long log are fitted to: inference costs n^3, so at most some hundreds.

Equal parts of the rows are spread evenly over the whole log, over its last quarter, over its last
sixteenth, and so on, down to a stretch without gaps at the end. So both slow and fast changes can
be seen: whatever l_T is, some part has many rows per l_T and spans several l_T.
"""

from __future__ import annotations

import numpy as np

from bolt_core.logs.verdict import Rows

MAX_ROWS = 600  # that are fitted to
ZOOM = 4  # each part spans this share of the one before


def thinned(total: int, limit: int = MAX_ROWS) -> Rows:
    """Return the rows to use of `total` rows in time order, at most `limit`, rising."""
    if total <= limit:
        return np.arange(total, dtype=np.intp)
    parts = 2
    while total / ZOOM ** (parts - 1) > limit // parts:
        parts += 1
    chosen: set[int] = set()
    for k in range(parts):
        window = max(round(total / ZOOM**k), limit // parts)
        rows = np.linspace(total - window, total - 1, limit // parts).round().astype(int)
        chosen.update(rows.tolist())
    spare = limit - len(chosen)  # rows that two parts share: more of the newest ones instead
    newest = (row for row in range(total - 1, -1, -1) if row not in chosen)
    chosen.update(row for row, _ in zip(newest, range(spare), strict=False))
    return np.array(sorted(chosen), dtype=np.intp)
