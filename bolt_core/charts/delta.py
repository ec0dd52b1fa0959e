"""The difference between two charts as a patch, which is small if curves have only grown.

A patch is JSON, one of
    {"v": new}                              a new value
    {"d": {key: patch}, "r": [key]}         a dict: changed and removed keys
    {"l": [head, tail, middle]}             a list: old[:head] + middle + old[len - tail:]
    {"e": {index: patch}, "n": n, "t": []}  a list of dicts or lists: changes by index, the first n
                                            kept, then the items of "t"
and None if nothing changed. bolt_ui/static/delta.js applies a patch in the browser, `apply` in
Python.
"""

from typing import Any

Patch = dict[str, Any] | None
LIKELY_NEW_ITEMS = 16  # at the end of a curve that has grown


def difference(old: Any, new: Any) -> Patch:  # noqa: ANN401 - any JSON
    """Return the patch from one chart to another; None if they are equal."""
    if isinstance(old, dict) and isinstance(new, dict):
        return _of_dicts(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _of_lists(old, new)
    return None if _same(old, new) else {"v": new}


def apply(old: Any, patch: Patch) -> Any:  # noqa: ANN401 - any JSON
    """Return the chart that a patch leads to; the old one is not changed."""
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
    """Return the number of equal items at the beginning, by bisection: list comparison is fast.

    Curves grow at their ends, so all but the last few items are compared first.
    """
    low, high = 0, min(len(old), len(new))
    if high > LIKELY_NEW_ITEMS and old[: high - LIKELY_NEW_ITEMS] == new[: high - LIKELY_NEW_ITEMS]:
        low = high - LIKELY_NEW_ITEMS
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _same(old: Any, new: Any) -> bool:  # noqa: ANN401 - any JSON
    """Return whether two values are the same in JSON, where True is not 1."""
    return isinstance(old, bool) == isinstance(new, bool) and bool(old == new)
