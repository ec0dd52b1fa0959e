"""Colours: readable on their background, distinct from each other, and fixed."""

import tomllib

import pytest

from bolt_core import algorithms
from bolt_core.figures.shared.palette import (
    DARK_BACKGROUND,
    LIGHT_BACKGROUND,
    PALETTE,
    PLUGIN_STYLES,
    line_style,
)
from bolt_core.report.renderers.images import INNER_MARKERS, MARKERS
from tests.support.contrast import contrast
from tests.support.project import ROOT
from tools import palette as palette_tool


@pytest.mark.parametrize(
    "style", [*PALETTE.values(), *PLUGIN_STYLES], ids=[*PALETTE, "s1", "s2", "s3"]
)
def test_every_colour_reads_three_to_one_on_its_background(style):
    assert contrast(style.light, LIGHT_BACKGROUND) >= 3.0
    assert contrast(style.dark, DARK_BACKGROUND) >= 3.0


def test_no_two_algorithms_share_colour_and_dash():
    styles = [(style.light, style.dash) for style in [*PALETTE.values(), *PLUGIN_STYLES]]

    assert len(set(styles)) == len(styles)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("vision", palette_tool.VISIONS)
def test_the_two_searched_colours_are_as_distinct_as_the_others(theme, vision):
    drawn = {key: getattr(style, theme) for key, style in PALETTE.items()}
    others = [c for key, c in drawn.items() if key not in palette_tool.NEWCOMERS]
    floor = min(palette_tool.closest(others, v) for v in palette_tool.VISIONS)

    assert palette_tool.closest(list(drawn.values()), vision) >= floor


def test_distances_between_colours_are_those_the_palette_was_made_with():
    seven = [PALETTE[k].light for k in PALETTE if k not in (*palette_tool.NEWCOMERS, "random")]
    found = [round(palette_tool.closest(seven, v), 1) for v in palette_tool.VISIONS]

    assert found == [14.5, 8.2, 6.7, 7.8]


def test_every_algorithm_of_this_package_has_a_style_of_its_own():
    styles = {key: line_style(key) for key in algorithms.catalog()}

    assert not set(styles.values()) & set(PLUGIN_STYLES)
    assert len({(s.light, s.dash) for s in styles.values()}) == len(styles)


def test_markers_tell_the_algorithms_apart_without_colour_and_dash():
    symbols = [line_style(key).symbol for key in algorithms.catalog()]
    symbols += [style.symbol for style in PLUGIN_STYLES]

    assert len(set(symbols)) == len(symbols)
    assert not {"x", "cross-thin", "cross-thin-open"} & set(symbols)  # a failed run, the optimum


@pytest.mark.parametrize("key", ["bolt", "w-dbo", "bolt-oldest"])
def test_further_lanes_of_an_algorithm_have_hollow_markers_of_the_same_shape(key):
    first, second, third = (line_style(key, nth).symbol for nth in range(3))

    assert len({line_style(key.removesuffix("-oldest")).symbol, second, third}) == 3
    assert second.partition("-open")[0] == first.partition("-open")[0]


def test_second_lanes_of_bolt_and_of_a_variant_differ_in_dash_and_symbol():
    lanes = [line_style(key, nth) for key in ("bolt", "bolt-keep") for nth in range(2)]

    assert len({lane.dash for lane in lanes}) == len({lane.symbol for lane in lanes}) == 4


def test_every_symbol_can_be_drawn_in_the_browser_and_in_a_report():
    script = (ROOT / "bolt_ui/static/symbol.js").read_text()
    shapes = {line_style(key).symbol for key in algorithms.catalog()}
    shapes |= {style.symbol for style in PLUGIN_STYLES}
    shapes = {shape.partition("-open")[0] for shape in shapes}

    assert shapes <= set(MARKERS)
    crossed = {"circle-cross", "circle-x", "circle-dot"}  # circles of variants in a report
    assert len({MARKERS[shape] for shape in shapes}) == len(shapes - crossed)
    for shape in shapes - crossed:
        assert f"{shape}:" in script or f"'{shape}':" in script


def test_no_two_algorithms_look_alike_in_a_report():
    symbols = {line_style(key).symbol for key in algorithms.catalog()}
    drawn = {
        (MARKERS[symbol.partition("-open")[0]], "-open" in symbol, INNER_MARKERS.get(symbol))
        for symbol in symbols
    }

    assert len(drawn) == len(symbols)


def test_baselines_are_grey_and_have_a_dash_of_their_own():
    baselines = [key for key in algorithms.catalog() if algorithms.is_baseline(key)]

    assert len({line_style(key).light for key in baselines}) == 1
    assert len({line_style(key).dash for key in baselines}) == len(baselines) > 3


def test_a_variant_takes_its_parents_colour_and_another_dash():
    assert line_style("bolt-oldest").light == line_style("bolt").light
    assert line_style("bolt-oldest").dash != line_style("bolt").dash


def test_an_algorithm_of_another_package_gets_the_same_style_every_time():
    assert line_style("my-own-thing") in PLUGIN_STYLES
    assert line_style("my-own-thing") == line_style("my-own-thing")
    assert (line_style("bolt").light, line_style("bolt").dark) == ("#D62A0B", "#F26A4B")


def test_the_backgrounds_are_those_of_the_theme():
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]

    assert theme["light"]["backgroundColor"] == LIGHT_BACKGROUND
    assert theme["dark"]["backgroundColor"] == DARK_BACKGROUND
