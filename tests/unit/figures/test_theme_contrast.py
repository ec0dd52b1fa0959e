"""Text reads 4.5:1 (WCAG 1.4.3) in both themes, from the theme's configuration and the palette."""

import re
import tomllib

import pytest

from bolt_core.figures.shared.palette import PALETTE, PLUGIN_STYLES
from bolt_ui.layout import PRIMARY_TEXT
from tests.support.contrast import blended, contrast
from tests.support.project import ROOT

MIN_TEXT, MIN_GRAPHICS = 4.5, 3.0
CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]
CSS = (ROOT / "bolt_ui/static/panel.css").read_text()
SHARES = [int(share) / 100 for share in re.findall(r"--st-text-color\) (\d+)%", CSS)]
CAPTION_SHARE = 0.6  # Streamlit's captions

themes = pytest.mark.parametrize("theme", ["light", "dark"])


@themes
@pytest.mark.parametrize("ground", ["backgroundColor", "secondaryBackgroundColor"])
def test_text_and_the_primary_colour_are_legible_on_both_backgrounds(theme, ground):
    colours = CONFIG[theme]

    assert contrast(colours["textColor"], colours[ground]) >= MIN_TEXT
    assert contrast(colours["primaryColor"], colours[ground]) >= MIN_TEXT


@themes
def test_text_on_a_primary_button_is_legible(theme):
    assert contrast(PRIMARY_TEXT[theme], CONFIG[theme]["primaryColor"]) >= MIN_TEXT


@themes
@pytest.mark.parametrize("share", sorted({CAPTION_SHARE, *SHARES}))
def test_muted_text_is_legible(theme, share):
    ground = CONFIG[theme]["backgroundColor"]

    assert contrast(blended(CONFIG[theme]["textColor"], ground, share), ground) >= MIN_TEXT


@themes
def test_the_colour_of_a_name_is_mixed_with_that_of_text_until_it_is_legible(theme):
    """As `legible` of theme.js does it, for names at line ends and in the metronome."""
    ground, ink = CONFIG[theme]["backgroundColor"], CONFIG[theme]["textColor"]
    for style in [*PALETTE.values(), *PLUGIN_STYLES]:
        own = getattr(style, theme)
        mixed = [blended(ink, own, step / 20) for step in range(21)]

        assert contrast(own, ground) >= MIN_GRAPHICS
        assert any(contrast(colour, ground) >= MIN_TEXT for colour in mixed[:12])
