"""What a visitor can do to a race from its page, with a real conductor on the model clock."""

import pytest

from bolt_core.common.errors import ConfirmationError
from bolt_core.common.types import RunStatus
from bolt_core.live.conductor import Conductor
from bolt_ui import session
from tests.support.live_races import ended, lane, passes, paused
from tests.support.page_kit import browse, follows, healthy, offered
from tests.support.panels import said

PAGES = ("arena", "inside")


def press(page, key):
    return healthy(page.button(key=key).click().run())


def started(server, owner="me", **rest):
    """The id of a race that has a curve."""
    race_id = server.start([lane("random", seed=3, **rest)], owner=owner)
    server.wait(race_id, passes(60))
    return race_id


@pytest.fixture
def going(server):
    return started(server)


@pytest.mark.parametrize("page", PAGES)
def test_pause_halts_it_step_makes_one_pass_and_resume_goes_on(server, going, page):
    shown = press(browse(page, race=going), "pause")
    halted = server.wait(going, paused)
    assert offered(healthy(shown.run())) == {"stop", "resume", "step"}

    press(shown, "step")
    stepped = server.wait(going, passes(halted.version))
    assert stepped.version == halted.version + 1
    assert stepped.status == RunStatus.PAUSED

    press(shown, "resume")
    assert server.wait(going, passes(stepped.version + 5)).status == RunStatus.RUNNING
    assert offered(healthy(shown.run())) == {"stop", "pause"}


@pytest.mark.parametrize("page", PAGES)
def test_a_slower_device_is_recorded_and_stays_chosen(server, going, page):
    shown = browse(page, race=going)
    assert shown.selectbox(key="device_speed").value == 1.0

    healthy(shown.selectbox(key="device_speed").set_value(4.0).run())
    slowed = server.wait(going, lambda race: bool(race.runs[0].speeds))
    assert slowed.speed == slowed.runs[0].speeds[-1].factor == 4.0
    assert shown.selectbox(key="device_speed").value == 4.0
    assert browse(page, race=going).selectbox(key="device_speed").value == 4.0  # a reload


@pytest.mark.parametrize("page", PAGES)
def test_a_stopped_race_goes_on_and_is_finished(server, page):
    race_id = started(server, horizon=20.0)
    shown = press(browse(page, race=race_id), "stop")
    before = server.wait(race_id, ended)
    press(healthy(shown.run()), "go_on")
    after = server.wait(race_id, ended)

    assert before.status == RunStatus.STOPPED
    assert after.status == RunStatus.FINISHED
    assert after.version > before.version
    assert offered(healthy(shown.run())) == {"run"}


def test_a_race_of_an_earlier_server_goes_on_and_is_the_visitors(server, home):
    earlier = Conductor(home / "runs")
    race_id = started(earlier, owner=None)
    earlier.stop(race_id)
    stored = earlier.wait(race_id, ended)
    earlier.shutdown()
    shown = browse(race=race_id)
    assert offered(shown) == {"run", "go_on"}

    press(shown, "go_on")
    assert server.owns(race_id, "me")
    assert not server.owns(race_id, "somebody else")
    assert server.wait(race_id, passes(stored.version)).version > stored.version
    assert offered(healthy(shown.run())) == {"stop", "pause"}


@pytest.mark.parametrize("page", PAGES)
def test_somebody_elses_race_is_watched_and_copied(server, page):
    theirs = started(server, owner="them")
    shown = browse(page, race=theirs)
    assert offered(shown) == {"copy"}

    press(shown, "copy")
    mine = shown.session_state["race"]
    assert mine != theirs
    assert server.owns(mine, "me")
    assert server.snapshot(mine).runs[0].config == server.snapshot(theirs).runs[0].config
    assert not server.snapshot(theirs).status.ended


@pytest.mark.parametrize("page", PAGES)
def test_a_press_that_comes_too_late_for_its_owner_is_refused_in_words(
    server, going, page, monkeypatch
):
    shown = browse(page, race=going)
    monkeypatch.setattr(session, "token", lambda: "somebody else")  # lost the cookie
    press(shown, "stop")

    assert "another user" in shown.error[0].value
    assert offered(shown) == {"copy"}
    assert not server.snapshot(going).status.ended
    assert not healthy(shown.run()).error


@pytest.mark.parametrize("key", ["stop", "step", "resume"])
def test_a_press_after_the_end_changes_nothing(server, key):
    race_id = started(server, horizon=20.0)
    server.pause(race_id, by="me")
    shown = browse(race=race_id)
    server.resume(race_id, by="me")
    over = server.wait(race_id, ended)
    press(shown, key)

    assert over.status == server.snapshot(race_id).status == RunStatus.FINISHED
    assert server.snapshot(race_id).version == over.version
    assert not shown.error
    assert offered(shown) == {"run"}


def test_races_laid_over_each_other_cannot_go_on_as_one(server):
    ids = []
    for _ in range(2):
        ids.append(started(server))
        server.stop(ids[-1], by="me")
        server.wait(ids[-1], ended)
    both = ",".join(ids)
    shown = browse(race=both)

    assert follows(shown) == both
    assert "Stopped" in said(shown)
    assert offered(shown) == {"run"}


def test_a_confirmation_names_what_it_continues(server, going, monkeypatch):
    server.stop(going, by="me")
    server.wait(going, ended)

    def ask(self, race_id, *, owner, confirmed):
        raise ConfirmationError("the disk is nearly full")

    monkeypatch.setattr(Conductor, "resume_stored", ask)
    page = press(browse("arena", race=going), "go_on")

    assert page.button(key="confirm").label == "Continue anyway"
    assert "continue" in page.button(key="dismiss").label
