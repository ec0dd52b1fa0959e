"""The parts of a running problem that the browser keeps up to date and that take input."""

from collections.abc import Callable
from typing import Any

from bolt_core.charts.chart_registry import View
from bolt_ui.chart_component import mount

TABLE_HEIGHT = 120  # pixels, before it is drawn


def operator(
    race: str,
    row: dict[str, Any],
    *,
    key: str,
    may_change: bool,
    answer: dict[str, Any] | None,
    on_press: Callable[[], None],
) -> None:
    """Show the next setting of a problem and the field for its measurement.

    `row` is that of `bolt_core.charts.problem_row`, which the browser keeps up to date. `answer`
    says what became of the press with its key; `pressed(key)` returns the newest press.
    """
    data = {"race": race, "row": row, "may": may_change, "answer": answer}
    mount("operator.js", key, data, on_press)


def told_table(
    race: str, page: int, *, key: str, on_press: Callable[[], None] | None = None
) -> None:
    """Show a page of what was told; with `on_press`, each value can be corrected where it stands.

    `pressed(key)` then returns the row and the text that was typed.
    """
    request = {"chart": "results", "view": str(View.of({"page": str(page)})), "race": race}
    look = {"height": TABLE_HEIGHT, "live": True, "stage": False}
    mount("panel.js", key, request | look | {"editable": on_press is not None}, on_press)
