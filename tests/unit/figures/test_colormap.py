"""Heat maps: one direction of the shades, and a colour bar that names its quantity, everywhere."""

import re

import numpy as np
import pytest

from bolt_core import benchmarks
from bolt_core.figures.benchmarks import benchmark_charts
from bolt_core.figures.guide import guide_charts
from bolt_core.figures.shared import colormap
from bolt_core.figures.shared.palette import DARK_BACKGROUND, LIGHT_BACKGROUND
from tests.support.contrast import blended, contrast, luminance

RGBA = re.compile(r"rgba\((\d+), (\d+), (\d+), ([\d.]+)\)")


def shades(scale, background):
    """Return the colours of a scale on a background, from the smallest value to the largest."""
    parts = [RGBA.fullmatch(colour).groups() for _, colour in scale]
    colours = [("#" + "".join(f"{int(c):02X}" for c in rgb), float(a)) for *rgb, a in parts]
    return [blended(colour, background, share) for colour, share in colours]


@pytest.mark.parametrize("background", [LIGHT_BACKGROUND, DARK_BACKGROUND])
@pytest.mark.parametrize("rgb", [colormap.BLUE, colormap.GREY])
def test_small_values_are_close_to_the_background_and_large_ones_far_from_it(background, rgb):
    small, large = shades(colormap.colorscale(rgb), background)

    assert contrast(small, background) < 1.1
    assert contrast(large, background) > 3.0


def test_the_shades_of_a_picture_are_those_of_a_chart():
    colours, opacities = colormap.png_palette()

    assert (len(colours), len(opacities)) == (768, 256)
    assert set(zip(colours[::3], colours[1::3], colours[2::3], strict=True)) == {colormap.BLUE}
    assert np.all(np.diff(np.frombuffer(opacities, np.uint8).astype(int)) >= 0)
    assert opacities[-1] == round(255 * colormap.MAX_OPACITY)


def test_a_mark_at_the_largest_value_is_seen_in_both_themes():
    for background in (LIGHT_BACKGROUND, DARK_BACKGROUND):
        largest = shades(colormap.colorscale(), background)[1]

        assert contrast(colormap.INK, largest) > 3.0
        assert luminance(colormap.INK) < luminance(largest)


def test_maps_of_benchmarks_and_of_the_guide_have_a_named_colour_bar_and_say_what_it_means():
    board = benchmark_charts.overview(benchmarks.load("schwefel"))
    for chart in (benchmark_charts.landscape(board, 10.0), guide_charts.drift()):
        heat = chart["data"][0]

        assert heat["type"] == "heatmap"
        assert heat["colorscale"] == colormap.colorscale()
        assert "f" in heat["colorbar"]["title"]["text"]
        assert colormap.MEANING in chart["layout"]["meta"]["caption"]
