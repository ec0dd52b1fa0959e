"""What has changed from one chart to the next, small where curves have only grown.

A patch is itself JSON, one of
    {"v": new}                              another value
    {"d": {key: patch}, "r": [key]}         a dict: what changed in it, what is gone
    {"l": [head, tail, middle]}             a list: old[:head] + middle + old[len - tail:]
    {"e": {index: patch}, "n": n, "t": []}  a list of dicts or lists: by place, cut to n, more after
and None where nothing changed. ui/static/delta.js applies it in the browser; `apply` is the same
in Python.
"""

from __future__ import annotations

from typing import Any

Patch = dict[str, Any] | None
FEW = 16


def difference(old: Any, new: Any) -> Patch:  # noqa: ANN401 - any JSON
    """The patch that leads from one chart to the other."""
    if isinstance(old, dict) and isinstance(new, dict):
        return _of_dicts(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _of_lists(old, new)
    return None if _same(old, new) else {"v": new}


def apply(old: Any, patch: Patch) -> Any:  # noqa: ANN401 - any JSON
    """The chart that a patch leads to; the old one is left as it is."""
    if patch is None:
        return old
    if "v" in patch:
        return patch["v"]
    if "l" in patch:
        head, tail, middle = patch["l"]
        return old[:head] + middle + old[len(old) - tail :]
    if "e" in patch:
        kept = old[: patch["n"]]
        return [apply(v, patch["e"].get(str(i))) for i, v in enumerate(kept)] + patch["t"]
    gone = patch.get("r", ())
    changed = {key: apply(old.get(key), step) for key, step in patch["d"].items()}
    return {key: value for key, value in old.items() if key not in gone} | changed


def _of_dicts(old: dict[str, Any], new: dict[str, Any]) -> Patch:
    steps = {
        key: step
        for key, value in new.items()
        if (step := difference(old[key], value) if key in old else {"v": value}) is not None
    }
    gone = [key for key in old if key not in new]
    if not steps and not gone:
        return None
    return {"d": steps, "r": gone} if gone else {"d": steps}


def _of_lists(old: list[Any], new: list[Any]) -> Patch:
    if _nested(old) and _nested(new):
        both = min(len(old), len(new))
        steps = {str(i): step for i in range(both) if (step := difference(old[i], new[i]))}
        if not steps and len(old) == len(new):
            return None
        return {"e": steps, "n": both, "t": new[both:]}
    if old == new:
        return None
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    return {"l": [head, tail, new[head : len(new) - tail]]}


def _nested(values: list[Any]) -> bool:
    return bool(values) and all(isinstance(value, dict | list) for value in values)


def _common(old: list[Any], new: list[Any]) -> int:
    """How many at the beginning are equal, by halving: lists compare at the speed of C.

    Curves grow at their ends, so all but the last few are tried first.
    """
    low, high = 0, min(len(old), len(new))
    if high > FEW and old[: high - FEW] == new[: high - FEW]:
        low = high - FEW
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _same(old: Any, new: Any) -> bool:  # noqa: ANN401 - any JSON
    """Equal, and of one kind: True is not 1 in JSON."""
    return isinstance(old, bool) == isinstance(new, bool) and bool(old == new)
