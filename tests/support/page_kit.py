"""The app as somebody sees it who follows a link: a conductor with one race made by hand."""

from functools import cache

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from bolt_core.charts import chart_registry
from bolt_core.common import paths
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_ui import server_state
from tests.support.charts import valid_chart
from tests.support.panels import asked, chart
from tests.support.project import ROOT

RACE = "20260101T000000Z-abcd"
ELSEWHERE = "20200101T000000Z-zzzz"  # a race this server does not know
PRESSED = {
    "run",
    "go_on",
    "stop",
    "pause",
    "resume",
    "step",
    "copy",
    "again",
}  # the buttons of a race

# Every AppTest reads the metadata of all installed packages, which takes longer than the page.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


class Canned:
    """A conductor with one race; whoever asks owns it, or nobody does."""

    def __init__(self, race, mine):
        self.race = race
        self.mine = mine
        self.touched = []

    def snapshot(self, race_id):
        return self.race if self.race and race_id == self.race.race_id else None

    def statuses(self):
        return {self.race.race_id: self.race.status} if self.race else {}

    def owns(self, race_id, token):
        return self.mine and self.snapshot(race_id) is not None

    def may_take_up(self, race_id, token):
        return self.mine

    def touch(self, race_id, token=None):
        self.touched.append(race_id)


class Visitor:
    """visitor(shown, page="inside", **url): that page, opened by a link to that race."""

    def __init__(self, monkeypatch):
        self._monkeypatch = monkeypatch
        self._states = []

    def __call__(self, shown=None, *, page="arena", mine=True, **url):
        state = server_state.ServerState(paths.runs(), conductor=Canned(shown, mine))
        self._monkeypatch.setitem(server_state._states, paths.runs(), state)
        self._states.append(state)
        return browse(page, **(({"race": shown.race_id} if shown else {}) | url))

    @property
    def charts(self):
        """The chart server of the page opened last."""
        return self._states[-1].charts

    def shutdown(self):
        for state in self._states:
            state.charts.shutdown()


def browse(page="arena", **url):
    """A page of the app with whatever conductor the session has now."""
    app = AppTest.from_file(str(ROOT / "bolt_ui/entry/main.py"), default_timeout=30)
    if page != "arena":
        app.switch_page(f"../../pages/{page}.py")
    for name, value in url.items():
        app.query_params[name] = value
    return healthy(app.run())


def healthy(page):
    assert not page.exception, page.exception
    return page


def race(*runs, status=RunStatus.RUNNING, **rest):
    reached = {"t": max((run.end for run in runs), default=0.0)} | rest
    return RaceSnapshot(RACE, status, runs, **reached)


def offered(page):
    """Which buttons of a race are there and can be pressed."""
    return {button.key for button in page.button if button.key in PRESSED and not button.disabled}


def has(page, key):
    try:
        page.get_by_key(key)
    except KeyError:
        return False
    return True


def panels(page):
    """Every panel by its chart's name, as the browser gets it; none may be empty axes or NaN."""
    return {
        name: valid_chart(chart(page, name)) for name in chart_registry.CHARTS if has(page, name)
    }


def follows(page):
    """The race that the panels of a page show."""
    race_ids = {asked(page, name)["race"] for name in chart_registry.CHARTS if has(page, name)}
    assert len(race_ids) == 1, race_ids
    return race_ids.pop()
