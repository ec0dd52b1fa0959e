"""Twins of logs in the toolbar of the Arena."""

from bolt_core import benchmarks
from bolt_core.benchmarks import stored_twins
from bolt_core.common.text import in_natural_unit
from bolt_ui import links
from bolt_ui.race_settings import read_settings, widget_values
from tests.support.page_kit import browse
from tests.support.twins import make_twin


def test_a_race_on_the_twin_of_a_log_is_never_cut():
    key = stored_twins.save(make_twin(60))

    settings, _ = read_settings({"bench": key, "cut": "60"})

    assert settings.common.horizon == benchmarks.get(key).row.horizon
    assert widget_values(settings.configs())["cut"] == "full"


def test_a_link_to_a_twin_sets_the_toolbar():
    key = stored_twins.save(make_twin(60))
    spec = benchmarks.get(key)

    shown = browse(bench=key)

    assert shown.get_by_key("bench").value == key
    (horizon,) = [box for box in shown.selectbox if box.label == "Horizon"]
    assert (horizon.disabled, horizon.value) == (True, in_natural_unit(spec.row.horizon))
    assert any("5.00 h simulated" in caption.value for caption in shown.caption)
    (notice,) = [info.value for info in shown.info if "press Start" in info.value]
    assert "Reactor" in notice
    assert "5.00 min" in notice
    assert links.race(key)["bench"] == spec.label


def test_a_link_to_a_twin_that_is_not_stored_is_named():
    shown = browse(bench="twin-0123456789ab")

    assert any("twin-0123456789ab" in warning.value.replace("\\", "") for warning in shown.warning)
