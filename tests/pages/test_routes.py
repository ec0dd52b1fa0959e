"""The routes of the server: charts as JSON, and scripts that browsers may cache."""

import re
from functools import partial

import pytest
from starlette.applications import Starlette

from bolt_core.charts import ChartServer
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_ui import routes, server_state
from tests.support import asgi
from tests.support.runs import make_run


@pytest.fixture
def client(monkeypatch):
    race = RaceSnapshot("r", RunStatus.FINISHED, (make_run(900),), t=90.0, horizon=90.0)
    frames = ChartServer({"r": race}.get)
    monkeypatch.setattr(server_state.server(), "charts", frames)
    yield partial(asgi.get, Starlette(routes=routes.ROUTES))
    frames.shutdown()


def get(client, query, **headers):
    return client(f"/bolt-api/frames?{query}", **headers)


def test_one_request_gives_all_charts_of_a_page(client):
    answer = get(client, "race=r&c=regret;x:iterations;&c=headline;;&c=leaderboard;;")
    page = answer.json()

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert page["row"]["badge"] == "Finished"
    assert not page["live"]
    kinds = [frame["chart"]["kind"] for frame in page["frames"].values()]
    assert kinds == ["plot", "text", "table"]


def test_the_texts_of_a_moment_come_without_what_is_drawn(client):
    names = ("regret;", "size;", "metronome;")
    query = "&".join(f"texts={name}" for name in names)
    frames = get(client, f"race=r&c=headline;;&{query}&at=45").json()["frames"]
    charts = [frames[name]["chart"] for name in names]
    start = get(client, f"race=r&{query}&at=0").json()["frames"]

    assert "After 45 s" in frames["headline;"]["chart"]["text"]
    assert all(chart.keys() == {"kind", "alt", "caption"} for chart in charts)
    assert ["after 45 s" in chart["alt"] for chart in charts] == [True, True, False]
    assert all(not re.search(r"\d s\b", frame["chart"]["caption"]) for frame in start.values())
    assert all(len(frame["chart"]["alt"]) > 10 for frame in start.values())


def test_a_request_marks_its_race_as_watched_and_needs_no_chart(client, monkeypatch):
    watched = []
    conductor = server_state.server().conductor
    monkeypatch.setattr(conductor, "touch", lambda race_id, visitor: watched.append(race_id))
    page = get(client, "race=r").json()
    named = get(client, "race=r&run=random.0").json()

    assert watched == ["r", "r"]
    assert page["frames"] == {}
    assert page["row"] == named["row"]  # both have begun


def test_a_chart_that_the_viewer_has_is_not_sent_again(client):
    first = get(client, "race=r&c=regret;;").json()["frames"]["regret;"]
    again = get(client, f"race=r&c=regret;;{first['serial']}").json()["frames"]["regret;"]

    assert "chart" not in again
    assert again["serial"] == first["serial"]


def test_large_answers_are_compressed_if_the_client_accepts_it(client):
    packed = get(client, "race=r&c=regret;;", **{"Accept-Encoding": "gzip"})
    plain = get(client, "race=r&c=regret;;", **{"Accept-Encoding": "identity"})
    small = get(client, "race=r", **{"Accept-Encoding": "gzip"})

    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in small.headers
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2


@pytest.mark.parametrize(
    ("query", "code", "words"),
    [
        ("race=nobody&c=regret;;", 404, "'nobody'"),
        ("c=regret;;", 404, "''"),
        ("race=r&c=pie;;", 400, "'pie'"),
        ("race=r&c=regret;;&at=soon", 400, "at=soon"),
        ("race=r&c=regret;;&at=nan", 400, "at=nan"),
        ("race=r" + 25 * "&c=regret;;", 400, "at most 24"),
    ],
)
def test_invalid_requests_get_an_error_message(client, query, code, words):
    answer = get(client, query)

    assert answer.status_code == code
    assert words in answer.json()["error"]


@pytest.mark.parametrize("have", ["-1", "abc", "1e9", "%D9%A4"])
def test_an_invalid_serial_gets_the_whole_chart(client, have):
    assert "chart" in get(client, f"race=r&c=regret;;{have}").json()["frames"]["regret;"]


def test_scripts_are_cached_for_good_under_the_hash_of_their_contents(client):
    good = client(f"/bolt-assets/{routes.stamp()}/store.js")
    old = client("/bolt-assets/0123456789ab/store.js")

    assert good.headers["content-type"].startswith("text/javascript")
    assert "immutable" in good.headers["cache-control"]
    assert old.headers["cache-control"] == "no-store"
    assert old.text == good.text


@pytest.mark.parametrize("name", ["..%2froutes.py", "%2e%2e%2froutes.py", "nothing.js", "live.py"])
def test_nothing_else_is_served(client, name):
    assert client(f"/bolt-assets/x/{name}").status_code == 404


def test_every_script_imports_only_scripts_that_are_served():
    for path in routes.STATIC.glob("*.js"):
        for name in re.findall(r"from '\./([^']+)'", path.read_text()):
            assert (routes.STATIC / name).is_file(), f"{path.name} imports {name}"


def test_plotly_comes_out_of_the_installed_package(client):
    answer = client("/bolt-assets/plotly.min.js")

    assert answer.status_code == 200
    assert len(answer.content) > 1_000_000
