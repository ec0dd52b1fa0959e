"""What the panels of a page come to: AppTest sees what they ask for, the charts answer."""

import json
from dataclasses import replace

from bolt_core.charts import chart_registry
from bolt_core.charts.chart_registry import View
from bolt_ui import server_state

NOT_SHOWN = ("state", "soon", "icon", "colour", "share")  # of a status row, as words


def asked(page, key):
    """What a component of the page was given, of whatever kind it is."""
    return json.loads(page.get_by_key(key).proto.json)


def chart(page, key):
    """What it will show."""
    request = asked(page, key)
    race, view = server_state.server().races.find(request["race"]), View.parse(request["view"])
    if chart_registry.get(request["chart"]).scored:
        relevance = server_state.server().charts.scores.newest(chart_registry.shown(race, view))
        view = replace(view, relevance=relevance)
    return chart_registry.build(request["chart"], race, view)


def said(page):
    """All that is said on a page itself, with its status row; in the panels, see `words`."""
    elements = [
        *page.markdown,
        *page.caption,
        *page.header,
        *page.subheader,
        *page.error,
        *page.warning,
    ]
    return " ".join([*(element.value for element in elements), *_status_row(page)])


def drawn(page, key):
    """The chart in a still panel: it is sent with the page."""
    return json.loads(asked(page, key)["given"])


def words(page):
    """All that is said on a page, below and in the panels too."""
    return " ".join([said(page), *_panels(page)])


def names(table):
    return [column["name"] for column in table["columns"]]


def _status_row(page):
    try:
        row = asked(page, "status")["row"]
    except KeyError:  # no race is watched
        return []
    return [text for name, text in row.items() if name not in NOT_SHOWN and text]


def _panels(page):
    for key in chart_registry.CHARTS:
        try:
            asked(page, key)
        except KeyError:  # not on this page
            continue
        shown = chart(page, key)
        yield shown.get("text") or shown.get("layout", {}).get("meta", {}).get("caption") or ""
