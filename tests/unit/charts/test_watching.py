"""Watching changes nothing: a race on the model clock is the same with any number of viewers.

The viewers ask the real route, all charts of the Arena and of Inside, as fast as they are answered,
for as long as the race goes on and a bounded number of times.
"""

import threading

import pytest
from starlette.applications import Starlette

from bolt_core.bench.frames import PAGES
from bolt_core.charts import ChartServer
from bolt_core.live.conductor import Conductor
from bolt_core.runs.loop import iterate, prepare
from bolt_ui import routes, server_state
from tests.support import asgi
from tests.support.live_races import ended, lane

RUNS = [lane("bolt", seed=3, horizon=4.0), lane("random", seed=3, horizon=4.0)]
LOOKS = 40  # a viewer, at most
CHARTS = "&".join(f"c={name};;" for page in PAGES.values() for name in page)


@pytest.fixture(scope="module")
def alone():
    return [list(iterate(prepare(config))) for config in RUNS]


@pytest.fixture
def conductor(tmp_path, monkeypatch):
    made = Conductor(tmp_path)
    frames = ChartServer(made.snapshot)
    monkeypatch.setattr(server_state.server(), "charts", frames)
    yield made
    made.shutdown()
    frames.shutdown()


def watch(conductor, race_id, seen):
    app = Starlette(routes=routes.ROUTES)
    for _ in range(LOOKS):
        seen.append(asgi.get(app, f"/bolt-api/frames?race={race_id}&{CHARTS}").json()["version"])
        if conductor.snapshot(race_id).status.ended:
            return


@pytest.mark.parametrize("viewers", [0, 10])
def test_a_race_does_not_notice_its_viewers(conductor, alone, viewers):
    race_id, seen = conductor.start(RUNS), []
    watching = [
        threading.Thread(target=watch, args=(conductor, race_id, seen)) for _ in range(viewers)
    ]
    for viewer in watching:
        viewer.start()
    race = conductor.wait(race_id, ended)
    for viewer in watching:
        viewer.join()

    assert [list(run.records) for run in race.runs] == alone
    assert len(seen) >= viewers
